// test/unit/services/table-payments.test.ts — table payments run as counter transactions:
// each is recorded on its table or takes no money.
import { deepEqual, equal, ok } from 'node:assert/strict'
import { test } from 'vitest'
import { apply, type PatTable, sumsOf } from '../../../src/domain/tables/table.ts'
import { settlementOf, type TableSettlement } from '../../../src/domain/tables/table-payment.ts'
import { TERMINAL_TRANSACTION } from '../../../src/engine/machines.ts'
import type { TableKey } from '../../../src/services/tables/table-payments.ts'
import { createLedger } from '../../../src/simulator/acquirer/ledger.ts'
import { openWorld, type World } from '../../simulation/world.ts'
import { allTransactions, checkInvariants } from '../../support/invariants.ts'
import { aTransaction, SALE } from '../../support/records.ts'

const TID = 'VCMDEMOSIP0'
const ORDER = { tableId: 't1', paymentId: 'p1', waiterId: '7', gratuityMinor: 0 }
const MINUTE_MS = 60_000

async function openTable(world: World, amountMinor = 5400): Promise<TableKey> {
  const order = { account: 'demo', name: 'Window 2', currency: 'GBP', amountMinor, waiterIds: [], bill: [] } as const
  const created = await world.gateway.tables.create(order)
  ok('record' in created)
  return { account: 'demo', tableId: created.record.tableId }
}

async function heldTable(world: World, tid = TID): Promise<TableKey> {
  const key = await openTable(world)
  const locked = await world.gateway.tables.lockFor(key, { tid, waiterId: '7' })
  ok('record' in locked)
  return key
}

async function tableOf(world: World, key: TableKey): Promise<PatTable> {
  const entry = await world.gateway.tables.read(key)
  ok(entry !== null)
  return entry.record
}

/** The record is the fold of its events. */
async function checkFold(world: World, table: PatTable): Promise<void> {
  const events = await world.store.eventsOf({ account: 'demo', kind: 'table', id: table.tableId })
  const folded = events.reduce<PatTable | null>((sofar, { body }) => apply(sofar, JSON.parse(body)), null)
  deepEqual(JSON.parse(JSON.stringify(folded)), JSON.parse(JSON.stringify(table)))
}

const share = (changes: object = {}) => ({
  paymentId: 'p1',
  tid: TID,
  amountMinor: 3000,
  gratuityMinor: 200,
  ...changes,
})

/** Money of the account at the acquirer, minor units. */
function moneyAtAcquirer(world: World): number {
  const ledger = createLedger(world.memory)
  return ledger.list('demo', 1_000).reduce((sum, { orderId }) => sum + ledger.moneyOf('demo', orderId), 0)
}

test('an approved payment is recorded on its table once, with gratuity and card', async () => {
  const world = await openWorld(1, { cachedRecords: 100 })
  const key = await heldTable(world)
  const taken = await world.gateway.tables.takePayment(key, share())
  ok('requestId' in taken)
  equal(sumsOf(await tableOf(world, key)).reserved.minor, 3000)
  await world.clock.advance(MINUTE_MS)
  const table = await tableOf(world, key)
  const { authCode, takenAt, ...payment } = table.payments[0]!
  deepEqual(payment, {
    ...{ paymentId: 'p1', requestId: taken.requestId, tid: TID, waiterId: '7' },
    ...{ amountMinor: 3000, cashbackMinor: 0, gratuityMinor: 200 },
    ...{ cardSchemeName: 'VISA', paymentMethod: 'ICC_CHIP' },
  })
  deepEqual([table.payments.length, table.begun.length, authCode.length > 0, takenAt > 0], [1, 0, true, true])
  equal(moneyAtAcquirer(world), 3200)
  deepEqual(await world.gateway.tables.takePayment(key, share()), { requestId: taken.requestId, table })
  await checkInvariants(world, new Set([taken.requestId]))
})

test.each([
  ['VCMDEMODIP0', 'declined'],
  ['VCMDEMOCIP0', 'cancelled'],
  ['VCMDEMOUIP0', 'unsuccessful'],
  ['VCMDEMOTIP0', 'timed_out'],
  ['VCMDEMOVIP0', 'unsuccessful'],
])('at %s the payment is dropped and frees its amount: %s', async (tid, why) => {
  const world = await openWorld(2, { cachedRecords: 0 })
  const key = await heldTable(world, tid)
  ok('requestId' in (await world.gateway.tables.takePayment(key, share({ tid }))))
  await world.clock.advance(10 * MINUTE_MS)
  const table = await tableOf(world, key)
  deepEqual([table.payments, table.begun, table.dropped.map(each => each.why)], [[], [], [why]])
  equal(sumsOf(table).open.minor, 5400)
  equal(moneyAtAcquirer(world), 0)
})

test('a payment is refused at a busy terminal, and dropped if the terminal became busy meanwhile', async () => {
  const world = await openWorld(3, { cachedRecords: 100 })
  const key = await heldTable(world)
  const { tables, transactions } = world.gateway
  const sale = { account: 'demo', tid: TID, request: SALE, partner: { softwareHouseId: null, installerId: null } }
  // The till gets the terminal after the amount was reserved.
  const [taken] = await Promise.all([
    tables.takePayment(key, share()),
    transactions.start({ ...sale, requestId: 'r-till' }),
  ])
  await world.clock.advance(MINUTE_MS)
  const table = await tableOf(world, key)
  deepEqual(taken, { refused: { code: 'terminal_busy', tid: TID } })
  deepEqual([table.begun, table.payments, table.dropped.map(({ why }) => why)], [[], [], ['not_started']])
  ok('record' in (await transactions.start({ ...sale, requestId: 'r-2' })))
  const refused = await tables.takePayment(key, share({ paymentId: 'p2' }))
  deepEqual(refused, { refused: { code: 'terminal_busy', tid: TID } })
  equal((await tableOf(world, key)).begun.length, 0)
})

test('two terminals together cannot pay more than the bill', async () => {
  const world = await openWorld(4, { cachedRecords: 100 })
  const key = await heldTable(world)
  const { tables } = world.gateway
  const [one, two] = await Promise.all([
    tables.takePayment(key, share({ amountMinor: 5400 })),
    tables.lockFor(key, { tid: 'VCMDEMODIP0', waiterId: '8', override: true }),
  ])
  ok('requestId' in one && 'record' in two)
  const more = await tables.takePayment(key, share({ paymentId: 'p2', tid: 'VCMDEMODIP0', amountMinor: 1 }))
  deepEqual(more, { refused: { code: 'table_overpaid' } })
  await world.clock.advance(MINUTE_MS)
  equal(sumsOf(await tableOf(world, key)).paid.minor, 5400)
})

const MOMENTS = ['crashBeforeCommit', 'crashAfterCommit'] as const

test.each(MOMENTS)(
  '%s: at whichever commit the gateway dies, the payment is on the table or reversed',
  async moment => {
    let onTable = 0
    let crashes = 0
    for (let survived = 0; survived < 14; survived += 1) {
      const world = await openWorld(100 + survived, { cachedRecords: survived % 2 === 0 ? 100 : 0 })
      const key = await heldTable(world)
      let commits = 0
      world.gateway.feed.followAll(() => {
        commits += 1
        if (commits === survived) world.faults = { ...world.faults, [moment]: 1_000 }
      })
      if (survived === 0) world.faults = { ...world.faults, [moment]: 1_000 }
      await world.unlessItDies(world.gateway.tables.takePayment(key, share()))
      for (let second = 0; second < 60 && world.alive; second += 1) await world.clock.advance(1_000)
      crashes += world.crashes
      world.faults = { ...world.faults, [moment]: 0 }
      await world.revive()
      await world.clock.advance(20 * MINUTE_MS)
      const table = await tableOf(world, key)
      equal(table.begun.length, 0, `${survived}`)
      const paid = table.payments.reduce((sum, each) => sum + each.amountMinor + each.gratuityMinor, 0)
      equal(moneyAtAcquirer(world), paid, `${survived}`)
      const ids = [...table.payments, ...table.dropped].map(({ paymentId }) => paymentId)
      deepEqual(ids, ['p1'].slice(0, ids.length), `${survived}: both taken and dropped`)
      await checkFold(world, table)
      onTable += table.payments.length
      await checkInvariants(world, new Set())
    }
    // A payment takes eleven commits. Most payments survive a crash at any of them.
    equal(crashes, 11)
    ok(onTable >= 10, `${onTable} payments`)
  },
)

test('an uncertain payment keeps its amount reserved, and is recorded once it is confirmed', async () => {
  const world = await openWorld(8, { cachedRecords: 100 })
  const key = await heldTable(world)
  const taken = await world.gateway.tables.takePayment(key, share())
  ok('requestId' in taken)
  const transaction = async () => {
    const entry = await world.gateway.engine.read(TERMINAL_TRANSACTION, { account: 'demo', id: taken.requestId })
    ok(entry !== null)
    return entry.record
  }
  while ((await transaction()).progress !== 'finishing') await world.clock.advance(100)
  // The terminal has shown APPROVED, but its end is not delivered before the time limit.
  world.outage.terminalsUntil = world.clock.now() + 5 * MINUTE_MS
  await world.clock.advance(4 * MINUTE_MS)
  deepEqual([(await transaction()).result, (await transaction()).authorisation], ['TIMED_OUT', 'approved'])
  equal(sumsOf(await tableOf(world, key)).reserved.minor, 3000)
  const close = { amountMinor: 5400, paidMinor: 0 }
  deepEqual(await world.gateway.tables.change('demo', 'Window 2', close, { type: 'close' }), {
    refused: { code: 'table_payment_under_way', tid: TID },
  })
  await world.clock.advance(5 * MINUTE_MS)
  const table = await tableOf(world, key)
  deepEqual([table.begun.length, sumsOf(table).paid.minor, sumsOf(table).gratuity.minor], [0, 3000, 200])
  equal(moneyAtAcquirer(world), 3200)
})

test('a payment that did not start before a crash is dropped, not started late', async () => {
  const world = await openWorld(6, { cachedRecords: 100 })
  const key = await heldTable(world)
  // Crashes between the reservation and the transaction.
  world.gateway.feed.followAll(() => (world.faults = { ...world.faults, crashBeforeCommit: 1_000 }))
  await world.unlessItDies(world.gateway.tables.takePayment(key, share()))
  equal(world.crashes, 1)
  world.faults = { ...world.faults, crashBeforeCommit: 0 }
  await world.clock.advance(5 * MINUTE_MS)
  await world.revive()
  await world.settle()
  const table = await tableOf(world, key)
  deepEqual([table.begun, table.dropped.map(each => each.why)], [[], ['not_started']])
  deepEqual(await allTransactions(world.store), [])
})

test.each<[string, Parameters<typeof aTransaction>[0], TableSettlement['settled'] | null]>([
  ['runs', { progress: 'online', authorisation: 'approved' }, null],
  ['is confirmed', { progress: 'finished', authorisation: 'confirmed', result: 'SUCCESSFUL' }, 'taken'],
  [
    'timed out and was confirmed after all',
    { progress: 'finished', authorisation: 'confirmed', result: 'TIMED_OUT' },
    'taken',
  ],
  [
    'timed out with an approval on record',
    { progress: 'finished', authorisation: 'approved', result: 'TIMED_OUT' },
    null,
  ],
  ['is being reversed', { progress: 'finished', authorisation: 'reversing', result: 'TIMED_OUT' }, 'dropped'],
  ['has a refused signature but runs', { progress: 'applying_decision', authorisation: 'reversing' }, null],
  ['was declined', { progress: 'finished', authorisation: 'declined', result: 'DECLINED' }, 'dropped'],
  ['never came to a card', { progress: 'finished', authorisation: 'none', result: 'CANCELLED' }, 'dropped'],
])('a transaction that %s', (_, changes, settled) => {
  const settlement = settlementOf(aTransaction({ ...changes, request: { ...SALE, table: ORDER } }))
  equal(settlement?.settled ?? null, settled)
  equal(settlementOf(aTransaction(changes)), null)
})

test('the transaction of a table payment has its table, and its gratuity in the amounts', async () => {
  const world = await openWorld(7, { cachedRecords: 100 })
  const key = await heldTable(world)
  const taken = await world.gateway.tables.takePayment(key, share())
  ok('requestId' in taken)
  await world.clock.advance(MINUTE_MS)
  const entry = await world.gateway.engine.read(TERMINAL_TRANSACTION, { account: 'demo', id: taken.requestId })
  deepEqual(entry?.record.request.table, { tableId: key.tableId, paymentId: 'p1', waiterId: '7', gratuityMinor: 200 })
  deepEqual(entry?.record.amounts, { baseMinor: 3000, cashbackMinor: 0, gratuityMinor: 200 })
})

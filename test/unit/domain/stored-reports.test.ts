// test/unit/domain/stored-reports.test.ts — reports run by the engine: states, totals, and what blocks them.
import { deepEqual, equal, ok } from 'node:assert/strict'
import { test } from 'vitest'
import type { TerminalTransaction } from '../../../src/domain/counter/transaction.ts'
import {
  TRANSACTION_TYPES,
  type TransactionRequest,
  type TransactionType,
} from '../../../src/domain/counter/transaction-events.ts'
import { REPORT_TYPES, type Report, type ReportType } from '../../../src/domain/reports/report.ts'
import type { CountedTransaction } from '../../../src/domain/reports/totals.ts'
import { decodeRecord } from '../../../src/engine/decoding.ts'
import { REPORT } from '../../../src/engine/machines.ts'
import { openWorld, type World } from '../../simulation/world.ts'
import { allTransactions } from '../../support/invariants.ts'
import { SALE } from '../../support/records.ts'
import { type Deed, expectedFigures, figuresIn } from '../../support/totals-oracle.ts'

const PARTNER = { softwareHouseId: null, installerId: null }

async function pay(
  world: World,
  tid: string,
  transactionType: TransactionType,
  amountMinor: number,
  more: Partial<TransactionRequest> = {},
): Promise<void> {
  const requestId = world.random.uuid()
  const request = { ...SALE, transactionType, amountMinor, ...more }
  const started = await world.gateway.transactions.start({ requestId, account: 'demo', tid, request, partner: PARTNER })
  ok('record' in started, JSON.stringify(started))
  await world.clock.advance(10_000)
}

async function report(world: World, tid: string, reportType: ReportType) {
  const requestId = world.random.uuid()
  const started = await world.gateway.reports.start({ requestId, account: 'demo', tid, reportType })
  ok('record' in started, JSON.stringify(started))
  await world.clock.advance(130_000)
  const entry = await world.gateway.engine.read(REPORT, { account: 'demo', id: requestId })
  ok(entry)
  equal(entry.record.progress, 'finished')
  return entry.record
}

test('an X balance does not reset the session; a Z balance does', async () => {
  const world = await openWorld(1, { cachedRecords: 100 })
  await pay(world, 'VCMDEMOSIP0', 'SALE', 1_000)
  await pay(world, 'VCMDEMOSIP0', 'REFUND', 300)
  const first = await report(world, 'VCMDEMOSIP0', 'X_BALANCE')
  deepEqual(
    [first.totals?.balances?.salesMinor, first.totals?.balances?.refundsMinor, first.totals?.balances?.since],
    [1_000, 300, null],
  )
  equal(first.totals?.banking, null)
  ok(first.lines.some(line => line.value === 'REPORT COMPLETE'))
  ok(first.lines.every(line => line.value.length <= 24))
  const second = await report(world, 'VCMDEMOSIP0', 'Z_BALANCE')
  deepEqual({ ...second.totals?.balances }, { ...first.totals?.balances })
  const third = await report(world, 'VCMDEMOSIP0', 'X_BALANCE')
  equal(third.totals?.balances?.salesCount, 0)
  ok(third.totals?.balances?.since)
})

test('banking starts a new banking window and does not reset the session', async () => {
  const world = await openWorld(2, { cachedRecords: 100 })
  await pay(world, 'VCMDEMOSIP0', 'SALE', 1_000)
  await pay(world, 'VCMDEMOSIP0', 'SALE', 500)
  const bank = async (type: ReportType) =>
    Object.values((await report(world, 'VCMDEMOSIP0', type)).totals?.banking ?? {})[0]
  const first = await bank('BANKING')
  deepEqual(
    [first?.current.totals.salesMinor, first?.current.firstNumber, first?.current.lastNumber],
    [1_500, '0001', '0002'],
  )
  const session = await report(world, 'VCMDEMOSIP0', 'X_BALANCE')
  equal(session.totals?.balances?.salesMinor, 1_500)
  const second = await bank('END_OF_DAY')
  deepEqual([second?.current.totals.salesCount, second?.previous.totals.salesMinor], [0, 1_500])
  const last = await report(world, 'VCMDEMOSIP0', 'X_BALANCE')
  equal(last.totals?.balances?.salesCount, 0)
})

test('a report times out when its terminal does not answer', async () => {
  const world = await openWorld(3, { cachedRecords: 100 })
  const record = await report(world, 'VCMDEMOTIP0', 'END_OF_DAY')
  deepEqual([record.result, record.totals], ['TIMED_OUT', null])
})

test('a report blocks payments and reports on its terminal, and a payment blocks reports', async () => {
  const world = await openWorld(4, { cachedRecords: 0 })
  const { reports, transactions } = world.gateway
  const order = { account: 'demo', tid: 'VCMDEMOTIP0' }
  const sale = { ...order, request: SALE, partner: PARTNER }
  ok('record' in (await reports.start({ ...order, requestId: 'p1', reportType: 'X_BALANCE' })))
  deepEqual(await transactions.start({ ...sale, requestId: 't1' }), {
    refused: { code: 'terminal_busy', tid: order.tid },
  })
  deepEqual(await reports.start({ ...order, requestId: 'p2', reportType: 'BANKING' }), {
    refused: { code: 'terminal_busy', tid: order.tid },
  })
  await world.clock.advance(130_000)
  ok('record' in (await transactions.start({ ...sale, requestId: 't2' })))
  deepEqual(await reports.start({ ...order, requestId: 'p3', reportType: 'BANKING' }), {
    refused: { code: 'terminal_busy', tid: order.tid },
  })
})

const TERMINALS = ['VCMDEMOSIP0', 'VCMDEMOSIP0', 'VCMDEMOSIP0', 'VCMDEMODIP0', 'VCMDEMOSCD0', 'VCMDEMOVIP0']
const TYPES = [...TRANSACTION_TYPES, 'SALE', 'AT_TABLE', 'AT_TABLE', 'REPORT', 'REPORT'] as const
const WAITERS = ['7', 'Ann', '__proto__', 'constructor', 'toString']

/** Runs one random operation on a random terminal to its end. */
async function anything(world: World, terminals: readonly string[], run: number): Promise<void> {
  const { random } = world
  const tid = terminals[random.integer(terminals.length)]!
  const type = TYPES[random.integer(TYPES.length)]!
  const amountMinor = random.integer(9_999) + 1
  if (type === 'REPORT') await report(world, tid, REPORT_TYPES[random.integer(REPORT_TYPES.length)]!)
  else if (type === 'AT_TABLE') await payAtTable(world, tid, `Table ${run}`, amountMinor)
  else if (type === 'DUPLICATE' || type === 'ACCOUNT_VERIFICATION') await pay(world, tid, type, 0)
  else if (type === 'COMPLETION') await reserveAndComplete(world, tid, amountMinor)
  else await pay(world, tid, type, amountMinor, { cashbackMinor: type === 'SALE' ? random.integer(3) * 500 : 0 })
}

/** Completes a pre-authorisation, if it was approved. */
async function reserveAndComplete(world: World, tid: string, amountMinor: number): Promise<void> {
  await pay(world, tid, 'PRE_AUTH', amountMinor)
  const authCode = (await allTransactions(world.store)).at(-1)?.authCode ?? ''
  if (authCode !== '') await pay(world, tid, 'COMPLETION', amountMinor, { authCode })
}

/** Pays the whole bill of a table at a terminal, with a gratuity or without. */
async function payAtTable(world: World, tid: string, name: string, amountMinor: number): Promise<void> {
  const { random } = world
  const waiterId = WAITERS[random.integer(WAITERS.length)]!
  const order = { account: 'demo', name, currency: 'GBP', amountMinor, waiterIds: [], bill: [] } as const
  const created = await world.gateway.tables.create(order)
  ok('record' in created, JSON.stringify(created))
  const key = { account: 'demo', tableId: created.record.tableId }
  ok('record' in (await world.gateway.tables.lockFor(key, { tid, waiterId })))
  const share = { paymentId: random.uuid(), tid, amountMinor, gratuityMinor: random.integer(3) * 99 }
  ok('requestId' in (await world.gateway.tables.takePayment(key, share)))
  await world.clock.advance(10_000)
}

/** The finished transactions and reports of a terminal, in order, from the gateway's records. */
async function deedsAt(world: World, tid: string): Promise<{ readonly deeds: Deed[]; readonly reports: Report[] }> {
  const stored = await world.store.all(REPORT.kind, { limit: 1_000 })
  const reports = stored.map(({ body }) => decodeRecord(REPORT, body)).filter(each => each.tid === tid)
  const paid = (await allTransactions(world.store)).filter(each => each.tid === tid)
  const deeds = [
    ...paid.map(each => ({
      at: each.finishedAt!,
      deed: { type: 'transaction', transaction: countedAs(each) } as const,
    })),
    ...reports.map(({ reportType, finishedAt }) => ({
      at: finishedAt!,
      deed: { type: 'report', reportType, at: finishedAt! } as const,
    })),
  ]
  return { deeds: deeds.toSorted((one, other) => one.at - other.at).map(({ deed }) => deed), reports }
}

function countedAs({ request, result, amounts, card, transactionNumber }: TerminalTransaction): CountedTransaction {
  const { cashbackMinor, gratuityMinor } = amounts
  return {
    ...{ transactionType: request.transactionType, result: result!, cashbackMinor, gratuityMinor, transactionNumber },
    totalMinor: amounts.baseMinor + cashbackMinor + gratuityMinor,
    ...{ issuer: card.cardSchemeName, acquirer: 'SIMULATED ACQUIRER', waiter: request.table?.waiterId ?? '' },
  }
}

function isCompleted(deed: Deed): boolean {
  if (deed.type !== 'transaction') return false
  return deed.transaction.transactionType === 'COMPLETION' && deed.transaction.result === 'SUCCESSFUL'
}

test('totals equal the sums of the transactions, in random histories', async () => {
  const compared = { reports: 0, completions: 0 }
  for (let seed = 1; seed <= 6; seed += 1) {
    const world = await openWorld(seed, { cachedRecords: 100 })
    for (let run = 0; run < 25; run += 1) await anything(world, TERMINALS, run)
    for (const tid of new Set(TERMINALS)) {
      await report(world, tid, 'END_OF_DAY')
      const { deeds, reports } = await deedsAt(world, tid)
      const places = deeds.flatMap((deed, place) => (deed.type === 'report' ? [place] : []))
      equal(places.length, reports.length)
      compared.completions += deeds.filter(isCompleted).length
      for (const [index, { reportType, totals }] of reports.entries()) {
        ok(totals !== null)
        deepEqual(figuresIn(totals), expectedFigures(deeds.slice(0, places[index]!), reportType), `${seed} ${tid}`)
        compared.reports += 1
      }
    }
  }
  ok(compared.reports > 40 && compared.completions >= 5, JSON.stringify(compared))
})

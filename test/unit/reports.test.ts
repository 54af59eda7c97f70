// test/unit/reports.test.ts — reports from end to end on the engine: their course, their totals, and what blocks them.
import { deepEqual, equal, ok } from 'node:assert/strict'
import { test } from 'vitest'
import type { ReportType } from '../../src/domain/report.ts'
import type { TransactionType } from '../../src/domain/terminal-transaction-events.ts'
import { REPORT } from '../../src/engine/machines.ts'
import { openWorld, type World } from '../simulation/world.ts'
import { allTransactions } from '../support/invariants.ts'
import { SALE } from '../support/records.ts'

const PARTNER = { softwareHouseId: null, installerId: null }

async function pay(world: World, tid: string, transactionType: TransactionType, amountMinor: number): Promise<void> {
  const requestId = world.random.uuid()
  const request = { ...SALE, transactionType, amountMinor }
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

test('an X balance shows the session and leaves it; a Z balance starts it again', async () => {
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

test('banking moves the window of the bank and leaves the session', async () => {
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
  const second = await bank('END_OF_DAY')
  deepEqual([second?.current.totals.salesCount, second?.previous.totals.salesMinor], [0, 1_500])
  const last = await report(world, 'VCMDEMOSIP0', 'X_BALANCE')
  equal(last.totals?.balances?.salesCount, 0)
})

test('a terminal that goes silent times the report out', async () => {
  const world = await openWorld(3, { cachedRecords: 100 })
  const record = await report(world, 'VCMDEMOTIP0', 'END_OF_DAY')
  deepEqual([record.result, record.totals], ['TIMED_OUT', null])
})

test('a terminal does one thing at a time: a report blocks payments and reports, a payment blocks reports', async () => {
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

test('totals equal the transactions to the penny, whatever was paid in whatever order', async () => {
  for (let seed = 1; seed <= 15; seed += 1) {
    const world = await openWorld(seed, { cachedRecords: 100 })
    const terminals = ['VCMDEMOSIP0', 'VCMDEMODIP0', 'VCMDEMOSCD0', 'VCMDEMOVIP0']
    const types: TransactionType[] = ['SALE', 'REFUND', 'PRE_AUTH', 'ACCOUNT_VERIFICATION', 'DUPLICATE']
    for (let count = 0; count < 12; count += 1) {
      const type = types[world.random.integer(types.length)]!
      const amount = type === 'DUPLICATE' || type === 'ACCOUNT_VERIFICATION' ? 0 : world.random.integer(9_999) + 1
      await pay(world, terminals[world.random.integer(terminals.length)]!, type, amount)
    }
    const records = await allTransactions(world.store)
    for (const tid of terminals) {
      const { totals } = await report(world, tid, 'END_OF_DAY')
      const sum = (type: TransactionType) =>
        records
          .filter(each => each.tid === tid && each.request.transactionType === type && each.result === 'SUCCESSFUL')
          .reduce(
            (total, each) => total + each.amounts.baseMinor + each.amounts.cashbackMinor + each.amounts.gratuityMinor,
            0,
          )
      const session = totals?.balances
      deepEqual([session?.salesMinor, session?.refundsMinor], [sum('SALE'), sum('REFUND')], `${seed} ${tid}`)
      const issuers = Object.values(session?.byIssuer ?? {}).reduce((total, each) => total + each.salesMinor, 0)
      equal(issuers, session?.salesMinor)
      const banks = Object.values(totals?.banking ?? {}).reduce(
        (total, each) => total + each.current.totals.salesMinor,
        0,
      )
      equal(banks, session?.salesMinor)
    }
  }
})

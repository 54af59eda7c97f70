// test/unit/domain/totals.test.ts — the figures of every report are the sums of its transactions,
// for random histories, sessions and banking windows.
import { deepEqual, equal, ok } from 'node:assert/strict'
import fc from 'fast-check'
import { test } from 'vitest'
import { reportBody } from '../../../src/api/report-body.ts'
import { TRANSACTION_TYPES } from '../../../src/domain/counter/transaction-events.ts'
import { REPORT_TYPES, type Report, type ReportType } from '../../../src/domain/reports/report.ts'
import { type CountedTransaction, counted, type Totals } from '../../../src/domain/reports/totals.ts'
import { TEST_CARDS, testCardOf } from '../../../src/simulator/cards/test-cards.ts'
import { type DeviceState, freshDevice, freshRunning, type Setup } from '../../../src/simulator/terminals/device.ts'
import { reportStep, startReport, withCounted } from '../../../src/simulator/terminals/reporting.ts'
import { scenarioOf } from '../../../src/simulator/terminals/scripted-ids.ts'
import { SALE } from '../../support/records.ts'
import { aTerminal, SHOP } from '../../support/simulated-shop.ts'
import { type Deed, expectedFigures, figuresIn, figuresInBody } from '../../support/totals-oracle.ts'

const TID = 'VCMDEMOSIP0'
const SETUP: Setup = { settings: aTerminal(TID).settings, shop: SHOP, paceMs: 500, limitMs: 120_000 }

/** Waiters with the names of inherited members are included. */
const WAITERS = ['', '7', '9', 'Ann', '__proto__', 'constructor', 'toString', 'hasOwnProperty']
const RESULTS = ['DECLINED', 'VOID', 'UNSUCCESSFUL', 'CANCELLED', 'TIMED_OUT'] as const

const minor = fc.oneof({ weight: 3, arbitrary: fc.constant(0) }, fc.integer({ min: 1, max: 99_999 }))

const money = fc
  .record({
    transactionType: fc.oneof(fc.constantFrom('SALE', 'COMPLETION', 'REFUND'), fc.constantFrom(...TRANSACTION_TYPES)),
    result: fc.oneof({ weight: 4, arbitrary: fc.constant('SUCCESSFUL') }, fc.constantFrom(...RESULTS)),
    baseMinor: fc.integer({ min: 1, max: 9_999_999 }),
    cashbackMinor: minor,
    gratuityMinor: minor,
    waiter: fc.constantFrom(...WAITERS),
    transactionNumber: fc.integer({ min: 1, max: 9_999 }).map(number => String(number).padStart(4, '0')),
  })
  // A refund has neither gratuity nor cashback.
  .map(({ baseMinor, ...rest }) => {
    const extras = rest.transactionType === 'REFUND' ? { cashbackMinor: 0, gratuityMinor: 0 } : rest
    const { cashbackMinor, gratuityMinor } = extras
    return { ...rest, cashbackMinor, gratuityMinor, totalMinor: baseMinor + cashbackMinor + gratuityMinor }
  })

/** Transactions with reports among them. Each report is later than the one before. */
function deedsOf(transactions: fc.Arbitrary<CountedTransaction>): fc.Arbitrary<readonly Deed[]> {
  const deed = fc.oneof(
    { weight: 4, arbitrary: transactions.map(transaction => ({ type: 'transaction', transaction }) as const) },
    {
      weight: 1,
      arbitrary: fc.constantFrom(...REPORT_TYPES).map(reportType => ({ type: 'report', reportType }) as const),
    },
  )
  return fc
    .array(deed, { maxLength: 60, size: 'max' })
    .map(deeds => deeds.map((each, index) => (each.type === 'report' ? { ...each, at: (index + 1) * 1_000 } : each)))
}

const anyAcquirer = fc
  .tuple(money, fc.constantFrom('VISA', 'MASTERCARD', 'AMEX'), fc.constantFrom('BANK ONE', 'BANK TWO'))
  .map(([paid, issuer, acquirer]): CountedTransaction => ({ ...paid, issuer, acquirer }))

const anyTestCard = fc
  .tuple(money, fc.constantFrom(...TEST_CARDS))
  .map(([paid, { token }]) => ({ ...paid, issuer: token, acquirer: 'SIMULATED ACQUIRER' }))

/** Runs a report on the terminal. Returns its totals and the state afterwards. */
function reported(state: DeviceState, reportType: ReportType, at: number): { totals: Totals; after: DeviceState } {
  const requestId = `report-${at}`
  const asked = startReport(state, { type: 'run_report', effectId: 'e1', requestId, reportType, setup: SETUP }, at)
  ok(asked.report)
  const begun = reportStep(asked, asked.report, at)
  ok(begun.report)
  const after = reportStep(begun, begun.report, at)
  equal(after.report, null)
  const read = after.reportOutbox.at(-1)?.reports[0]
  ok(read?.type === 'totals_read')
  return { totals: read.totals, after: { ...after, reportOutbox: [] } }
}

/** The report as the till gets it, with times in UTC. */
function bodyOf(totals: Totals, reportType: ReportType, at: number) {
  const report: Report = {
    ...{ requestId: 'p1', merchantAccount: 'demo', tid: TID, reportType, progress: 'finished', version: 3 },
    ...{ limitMs: 120_000, startedAt: at, finishedAt: at, lastReport: 2, result: 'COMPLETE', totals, lines: [] },
  }
  return reportBody(report, 'http://pay.example/p1', 'UTC')
}

/** Plays all deeds. Each report, and one of each type at the end, must have the expected figures. */
function checkDeeds(
  deeds: readonly Deed[],
  count: (state: DeviceState, transaction: CountedTransaction) => DeviceState,
  seen: (transaction: CountedTransaction) => CountedTransaction = transaction => transaction,
): void {
  const known = deeds.map(deed =>
    deed.type === 'report' ? deed : ({ ...deed, transaction: seen(deed.transaction) } as const),
  )
  const check = (state: DeviceState, past: readonly Deed[], reportType: ReportType, at: number): DeviceState => {
    const { totals, after } = reported(state, reportType, at)
    const expected = expectedFigures(past, reportType)
    deepEqual(figuresIn(totals), expected, reportType)
    deepEqual(figuresInBody(bodyOf(totals, reportType, at)), expected, reportType)
    return after
  }
  let state = freshDevice('demo', TID)
  for (const [index, deed] of deeds.entries())
    state =
      deed.type === 'transaction'
        ? count(state, deed.transaction)
        : check(state, known.slice(0, index), deed.reportType, deed.at)
  for (const reportType of REPORT_TYPES) check(state, known, reportType, 100_000)
}

test('the figures of every report are the sums of its transactions, with several acquirers', () => {
  const count = (state: DeviceState, paid: CountedTransaction) => ({ ...state, totals: counted(state.totals, paid) })
  fc.assert(
    fc.property(deedsOf(anyAcquirer), deeds => checkDeeds(deeds, count)),
    { numRuns: 150 },
  )
})

test('a simulated terminal counts every finished transaction, by card and waiter', () => {
  const seen = (paid: CountedTransaction) => ({ ...paid, issuer: testCardOf(paid.issuer)?.cardSchemeName ?? 'none' })
  fc.assert(
    fc.property(deedsOf(anyTestCard), deeds => checkDeeds(deeds, doneWith, seen)),
    { numRuns: 100 },
  )
})

/** Counts a finished transaction. Its issuer is the token of a test card. */
function doneWith(state: DeviceState, paid: CountedTransaction): DeviceState {
  const { transactionType, totalMinor, cashbackMinor, gratuityMinor, issuer: token, waiter, transactionNumber } = paid
  const table = { tableId: 't1', paymentId: 'p1', waiterId: waiter, gratuityMinor }
  const baseMinor = totalMinor - cashbackMinor - gratuityMinor
  const request = {
    ...SALE,
    transactionType,
    amountMinor: baseMinor,
    cashbackMinor,
    ...(waiter === '' ? {} : { table }),
  }
  const running = {
    ...freshRunning('r1', request, SETUP, scenarioOf(TID), 'e1', 0),
    ...{ plan: [], dueAt: 0, amounts: { baseMinor, cashbackMinor, gratuityMinor }, transactionNumber },
    presented: { token, reading: 'ICC_CHIP', check: 'PIN' } as const,
  }
  // Without a presented card nothing is counted.
  equal(withCounted(state, { ...running, presented: null }, paid.result), state)
  return withCounted(state, running, paid.result)
}

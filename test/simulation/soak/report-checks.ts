// test/simulation/soak/report-checks.ts — checks reports: each has ended, is the fold of its events, and accounts for every
// penny.

import { deepEqual, equal, ok } from 'node:assert/strict'
import type { TerminalTransaction } from '../../../src/domain/counter/transaction.ts'
import { verdictOf } from '../../../src/domain/counter/transaction-verdict.ts'
import { totalOf } from '../../../src/domain/money.ts'
import type { Report } from '../../../src/domain/reports/report.ts'
import type { Breakdown } from '../../../src/domain/reports/totals.ts'
import { decodeEvent, decodeRecord } from '../../../src/engine/decoding.ts'
import { REPORT } from '../../../src/engine/machines.ts'
import type { Store } from '../../../src/engine/ports/store.ts'
import type { Json } from '../../support/socket-till.ts'
import type { Till } from '../../support/till.ts'

/** More than a day has. */
const MOST = 10_000_000

const NOTHING: Breakdown = { salesMinor: 0, salesCount: 0, refundsMinor: 0, refundsCount: 0 }

export interface ToldReports {
  /** Ids of reports started over REST. */
  readonly overRest: ReadonlySet<string>
  /** Results received on sockets. */
  readonly onSockets: readonly Json[]
}

/**
 * Checks all reports against the tills' results and against all transactions. Each terminal must have run an END_OF_DAY
 * after its last payment. Returns the number of reports.
 * @param rest reads them over REST
 */
export async function checkReports(
  store: Store,
  told: ToldReports,
  records: readonly TerminalTransaction[],
  rest: Till,
): Promise<number> {
  const stored = await store.all(REPORT.kind, { limit: MOST })
  const reports = stored.map(({ body }) => decodeRecord(REPORT, body))
  for (const report of reports) {
    equal(report.progress, 'finished', report.requestId)
    deepEqual(await foldedOf(store, report), report)
  }
  await checkTold(reports, told, rest)
  checkSums(reports, records)
  return reports.length
}

/** Each report was returned to the till that requested it, and to no other. */
async function checkTold(reports: readonly Report[], { overRest, onSockets }: ToldReports, rest: Till): Promise<void> {
  equal(reports.filter(({ requestId }) => overRest.has(requestId)).length, overRest.size)
  const others: Json[] = []
  for (const { tid, requestId } of reports.filter(report => !overRest.has(report.requestId))) {
    const reply = await rest.ask('GET', `/pac/terminals/${tid}/reports/${requestId}`)
    const { requestId: _, location, notifications, ...body } = reply.json
    others.push({ balances: {}, banking: {}, ...body })
  }
  // Socket answers have no ids, so both lists are sorted by content.
  const line = (list: readonly Json[]) => list.toSorted((one, other) => (wordsOf(one) < wordsOf(other) ? -1 : 1))
  deepEqual(line(onSockets), line(others))
}

function wordsOf({ tid, reportTime, reportType, reportLines }: Json): string {
  return JSON.stringify([tid, reportTime, reportType, reportLines])
}

/** Each penny is in exactly one session and exactly one banking window. */
function checkSums(reports: readonly Report[], records: readonly TerminalTransaction[]): void {
  const tids = new Set([...records, ...reports].map(({ tid }) => tid))
  for (const tid of tids) {
    const paid = paidAt(records.filter(record => record.tid === tid))
    const complete = reports.filter(report => report.tid === tid && report.totals !== null)
    const ended = (...types: readonly string[]) => complete.filter(({ reportType }) => types.includes(reportType))
    const sessions = ended('Z_BALANCE', 'END_OF_DAY').map(({ totals }) => totals?.balances ?? NOTHING)
    const windows = ended('BANKING', 'END_OF_DAY').flatMap(({ totals }) => Object.values(totals?.banking ?? {}))
    deepEqual(sumOf(sessions), paid, `sessions of ${tid}`)
    deepEqual(sumOf(windows.map(({ current }) => current.totals)), paid, `banking of ${tid}`)
  }
  ok(tids.size > 0)
}

async function foldedOf(store: Store, { merchantAccount, requestId }: Report): Promise<unknown> {
  const events = await store.eventsOf({ account: merchantAccount, kind: REPORT.kind, id: requestId })
  const happenings = events.map(({ body }) => decodeEvent(REPORT, body))
  const folded = happenings.reduce<Report | null>((sofar, envelope) => REPORT.apply(sofar, envelope), null)
  return JSON.parse(JSON.stringify(folded))
}

function paidAt(records: readonly TerminalTransaction[]): Breakdown {
  const moved = records.filter(
    record => record.request.transactionType !== 'DUPLICATE' && verdictOf(record).moneyTaken === 'yes',
  )
  return sumOf(
    moved.map(({ request, amounts }) =>
      request.transactionType === 'REFUND'
        ? { ...NOTHING, refundsMinor: totalOf(amounts), refundsCount: 1 }
        : { ...NOTHING, salesMinor: totalOf(amounts), salesCount: 1 },
    ),
  )
}

function sumOf(all: readonly Breakdown[]): Breakdown {
  return all.reduce(
    (sum, { salesMinor, salesCount, refundsMinor, refundsCount }) => ({
      salesMinor: sum.salesMinor + salesMinor,
      salesCount: sum.salesCount + salesCount,
      refundsMinor: sum.refundsMinor + refundsMinor,
      refundsCount: sum.refundsCount + refundsCount,
    }),
    NOTHING,
  )
}

// src/api/report-body.ts — the body of a report for tills, in the newest version.
import { type Static, Type } from 'typebox'
import { TERMINAL_CURRENCIES, type TerminalCurrency } from '../domain/money.ts'
import { notificationsOf, originOf, REPORT_TYPES, type Report } from '../domain/reports/report.ts'
import {
  type Banking,
  type BankingWindow,
  type Breakdown,
  NO_TOTALS,
  type SessionTotals,
} from '../domain/reports/totals.ts'
import { localTimeOf, utcTimeOf } from './local-time.ts'
import { oneOf, RECEIPT_LINES } from './schemas.ts'

const CURRENCY = oneOf(TERMINAL_CURRENCIES)
const AMOUNT = Type.Integer({ description: 'Minor units.' })
const COUNT = Type.Integer()

const SUMS = {
  currency: CURRENCY,
  totalAmount: Type.Integer({ description: 'Sales less refunds, minor units.' }),
  totalSalesAmount: AMOUNT,
  totalSalesCount: COUNT,
  totalRefundsAmount: AMOUNT,
  totalRefundsCount: COUNT,
}

const TOTALS = Type.Object(SUMS, { $id: 'ReportTotals' })
const TOTALS_BY_NAME = Type.Record(Type.String(), TOTALS)
const NUMBERS = Type.Array(Type.String(), { description: 'First and last transaction number; 0000 when none.' })

const BALANCES = Type.Object(
  {
    ...SUMS,
    totalsSince: Type.String({ description: 'Local time of the last reset, or INSTALLATION.' }),
    totalCashbackAmount: AMOUNT,
    totalCashbackCount: COUNT,
    totalGratuityAmount: AMOUNT,
    totalGratuityCount: COUNT,
    issuerTotals: TOTALS_BY_NAME,
    waiterTotals: TOTALS_BY_NAME,
  },
  { $id: 'ReportBalances' },
)

const BANKING = Type.Object(
  {
    currency: CURRENCY,
    currentSessionTotals: TOTALS,
    previousSessionTotals: TOTALS,
    currentSessionIssuerTotals: TOTALS_BY_NAME,
    previousSessionIssuerTotals: TOTALS_BY_NAME,
    currentSessionTransactionNumbers: NUMBERS,
    previousSessionTransactionNumbers: NUMBERS,
  },
  { $id: 'ReportBanking' },
)

export const REPORT_BODY = Type.Object(
  {
    requestId: Type.String(),
    location: Type.String({ format: 'uri', description: 'This report.' }),
    notifications: Type.Array(oneOf(['REPORT_STARTED', 'REPORT_FINISHED']), {
      description: 'Newest first. REPORT_FINISHED is the last; the fields below are present from then on.',
    }),
    tid: Type.String(),
    reportType: Type.Optional(oneOf(REPORT_TYPES)),
    reportResult: Type.Optional(oneOf(['COMPLETE', 'TIMED_OUT'])),
    reportTime: Type.Optional(Type.String({ description: 'Local time of the site, YYYY-MM-DDThh:mm:ss.' })),
    balances: Type.Optional(BALANCES),
    banking: Type.Optional(Type.Record(Type.String(), BANKING, { description: 'By acquirer.' })),
    reportLines: Type.Optional(RECEIPT_LINES),
  },
  { $id: 'Report' },
)
export type ReportBody = Static<typeof REPORT_BODY>

/**
 * Builds the body of a report. It has no totals when the terminal sent none in time.
 * @param location address of the report
 * @param timeZone time zone of the site
 */
export function reportBody(record: Report, location: string, timeZone: string): ReportBody {
  const { requestId, tid, reportType, result, finishedAt, totals, lines } = record
  const running = { requestId, location, notifications: notificationsOf(record).toReversed(), tid }
  if (result === null || finishedAt === null) return running
  return {
    ...running,
    reportType,
    reportResult: result,
    reportTime: localTimeOf(finishedAt, timeZone),
    ...(totals === null || totals.balances === null
      ? {}
      : { balances: balances(totals.balances, totals.currency, timeZone) }),
    ...(totals === null || totals.banking === null
      ? {}
      : { banking: mapped(totals.banking, each => banking(each, totals.currency)) }),
    reportLines: lines,
  }
}

/** A report run at a terminal in table mode. All members are always present. */
export const TABLE_REPORT_BODY = Type.Object(
  {
    reportId: Type.String(),
    requestId: Type.String({ description: 'The same as `reportId`.' }),
    location: Type.String({ format: 'uri', description: 'This report.' }),
    tid: Type.String(),
    reportType: oneOf(REPORT_TYPES),
    reportResult: oneOf(['COMPLETE']),
    reportTime: Type.String({ format: 'date-time' }),
    balances: BALANCES,
    banking: Type.Record(Type.String(), BANKING, { description: 'By acquirer.' }),
    reportLines: RECEIPT_LINES,
  },
  { $id: 'TableReport' },
)
export type TableReportBody = Static<typeof TABLE_REPORT_BODY>

/**
 * Builds the body of a report run at a terminal. Null when a till started it, or when it is not complete.
 * @param location address of the report
 * @param timeZone time zone of the site
 */
export function tableReportBody(record: Report, location: string, timeZone: string): TableReportBody | null {
  const { requestId, tid, reportType, result, finishedAt, totals, lines } = record
  if (originOf(record) !== 'terminal' || result !== 'COMPLETE' || finishedAt === null || totals === null) return null
  const { currency } = totals
  return {
    ...{ reportId: requestId, requestId, location, tid, reportType },
    reportResult: result,
    reportTime: utcTimeOf(finishedAt),
    balances: balances(totals.balances ?? NO_TOTALS.session, currency, timeZone),
    banking: mapped(totals.banking ?? {}, each => banking(each, currency)),
    reportLines: lines,
  }
}

function balances(session: SessionTotals, currency: TerminalCurrency, timeZone: string): Static<typeof BALANCES> {
  return {
    ...sums(session, currency),
    totalsSince: session.since === null ? 'INSTALLATION' : localTimeOf(session.since, timeZone),
    totalCashbackAmount: session.cashbackMinor,
    totalCashbackCount: session.cashbackCount,
    totalGratuityAmount: session.gratuityMinor,
    totalGratuityCount: session.gratuityCount,
    issuerTotals: mapped(session.byIssuer, each => sums(each, currency)),
    waiterTotals: mapped(session.byWaiter, each => sums(each, currency)),
  }
}

function banking({ current, previous }: Banking, currency: TerminalCurrency): Static<typeof BANKING> {
  return {
    currency,
    currentSessionTotals: sums(current.totals, currency),
    previousSessionTotals: sums(previous.totals, currency),
    currentSessionIssuerTotals: mapped(current.byIssuer, each => sums(each, currency)),
    previousSessionIssuerTotals: mapped(previous.byIssuer, each => sums(each, currency)),
    currentSessionTransactionNumbers: numbers(current),
    previousSessionTransactionNumbers: numbers(previous),
  }
}

function sums(sum: Breakdown, currency: TerminalCurrency): Static<typeof TOTALS> {
  return {
    currency,
    totalAmount: sum.salesMinor - sum.refundsMinor,
    totalSalesAmount: sum.salesMinor,
    totalSalesCount: sum.salesCount,
    totalRefundsAmount: sum.refundsMinor,
    totalRefundsCount: sum.refundsCount,
  }
}

function numbers({ firstNumber, lastNumber }: BankingWindow): string[] {
  return [firstNumber, lastNumber]
}

function mapped<From, To>(record: Readonly<Record<string, From>>, to: (value: From) => To): Record<string, To> {
  return Object.fromEntries(Object.entries(record).map(([name, value]) => [name, to(value)]))
}

// src/simulator/terminals/report-printer.ts — lays out a report on paper of 24 columns. Pure.
import { decimalOf } from '../../domain/money.ts'
import type { ReceiptLine } from '../../domain/receipt.ts'
import type { ReportType } from '../../domain/reports/report.ts'
import type { BankingWindow, Breakdown, SessionTotals, Totals } from '../../domain/reports/totals.ts'
import type { Setup } from './device.ts'
import { row, SEPARATOR, siteTime, TICKET_FEED, text } from './receipt-format.ts'

export interface ReportPrintout {
  readonly reportType: ReportType
  readonly setup: Setup
  readonly tid: string
  readonly totals: Totals
  /** Epoch milliseconds. */
  readonly at: number
}

/** The printed lines. They contain REPORT COMPLETE, for which tills wait. */
export function reportLines({ reportType, setup, tid, totals, at }: ReportPrintout): readonly ReceiptLine[] {
  const { date, time } = siteTime(at, setup.shop.timeZone)
  return [
    ...text(setup.shop.name, ['BOLD']),
    ...text(reportType.replaceAll('_', ' '), ['BOLD']),
    ...row(date, time),
    ...row('TERMINAL', tid),
    SEPARATOR,
    ...(totals.balances === null ? [] : [...balanceLines(totals.balances, setup), SEPARATOR]),
    ...(totals.banking === null ? [] : [...bankingLines(totals.banking), SEPARATOR]),
    ...text('REPORT COMPLETE', ['BOLD']),
    TICKET_FEED,
  ]
}

function balanceLines(session: SessionTotals, { shop }: Setup): readonly ReceiptLine[] {
  const since = session.since === null ? null : siteTime(session.since, shop.timeZone)
  return [
    ...text('TOTALS SINCE'),
    ...(since === null ? text('INSTALLATION') : row(since.date, since.time)),
    ...breakdownLines(session),
    ...countedRow('CASHBACK', session.cashbackCount, session.cashbackMinor),
    ...countedRow('GRATUITY', session.gratuityCount, session.gratuityMinor),
    ...Object.entries(session.byIssuer).flatMap(([issuer, sums]) => [...text(issuer), ...breakdownLines(sums)]),
  ]
}

function bankingLines(banking: NonNullable<Totals['banking']>): readonly ReceiptLine[] {
  return Object.entries(banking).flatMap(([acquirer, { current, previous }]) => [
    ...text(acquirer, ['BOLD']),
    ...windowLines('CURRENT SESSION', current),
    ...windowLines('PREVIOUS SESSION', previous),
  ])
}

function windowLines(title: string, window: BankingWindow): readonly ReceiptLine[] {
  return [
    ...text(title),
    ...row('TXN', `${window.firstNumber} TO ${window.lastNumber}`),
    ...breakdownLines(window.totals),
  ]
}

function breakdownLines(sums: Breakdown): readonly ReceiptLine[] {
  return [
    ...countedRow('SALES', sums.salesCount, sums.salesMinor),
    ...countedRow('REFUNDS', sums.refundsCount, sums.refundsMinor),
    ...row('TOTAL', decimalOf(sums.salesMinor - sums.refundsMinor), ['BOLD']),
  ]
}

function countedRow(name: string, count: number, amountMinor: number): readonly ReceiptLine[] {
  return row(`${name} ${count}`, decimalOf(amountMinor))
}

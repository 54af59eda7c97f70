// src/terminals/nexo/wire/totals.ts — totals of a terminal, and their lines on paper. Pure.
import { decimalOf, type TerminalCurrency } from '../../../domain/money.ts'
import type { ReceiptLine } from '../../../domain/receipt.ts'
import type { ReportType } from '../../../domain/reports/report.ts'
import { type Breakdown, NO_TOTALS, type SessionTotals, type Totals } from '../../../domain/reports/totals.ts'
import { minorOf } from './amounts.ts'
import { countOf, listOf, memberAt, textOf } from './lenient.ts'
import { rowOf } from './receipts.ts'

interface Direction {
  readonly of: 'sales' | 'refunds'
  /** A reversal takes from the sum. */
  readonly sign: 1 | -1
}

/** Types that are not here, such as declined ones and reservations, moved no money. `CompletedDeffered` is so spelt there. */
const DIRECTIONS: Readonly<Record<string, Direction>> = {
  Debit: { of: 'sales', sign: 1 },
  CompletedReservation: { of: 'sales', sign: 1 },
  CompletedDeffered: { of: 'sales', sign: 1 },
  OneTimeReservation: { of: 'sales', sign: 1 },
  ReverseDebit: { of: 'sales', sign: -1 },
  Credit: { of: 'refunds', sign: 1 },
  ReverseCredit: { of: 'refunds', sign: -1 },
}

const NONE: Breakdown = { salesMinor: 0, salesCount: 0, refundsMinor: 0, refundsCount: 0 }

/** Sums of `TransactionTotals` in one currency. The terminal counts no cashback and no tips: those are of the gateway's own notes. */
export function totalsOf(transactionTotals: unknown, currency: TerminalCurrency, noted: SessionTotals): Totals {
  let all = NONE
  const byIssuer = new Map<string, Breakdown>()
  for (const group of listOf(transactionTotals)) {
    const groupCurrency = textOf(memberAt(group, 'PaymentCurrency'))
    if (groupCurrency !== '' && groupCurrency !== currency) continue
    const issuer = textOf(memberAt(group, 'CardBrand')) || 'OTHER'
    for (const total of listOf(memberAt(group, 'PaymentTotals'))) {
      all = added(all, total)
      byIssuer.set(issuer, added(byIssuer.get(issuer) ?? NONE, total))
    }
  }
  const balances: SessionTotals = {
    ...noted,
    ...all,
    byIssuer: Object.fromEntries(byIssuer),
  }
  return { currency, balances, banking: null }
}

/** What the terminal has counted more than the gateway has noted, in minor units: payments of other tills, or with an open outcome. */
export function differenceFrom(noted: SessionTotals, { balances }: Totals): number {
  return balances === null ? 0 : netOf(balances) - netOf(noted)
}

function netOf({ salesMinor, refundsMinor }: Breakdown): number {
  return salesMinor - refundsMinor
}

/** Currencies of the totals besides one; those are left out. */
export function otherCurrencies(transactionTotals: unknown, currency: TerminalCurrency): readonly string[] {
  const all = listOf(transactionTotals).map(group => textOf(memberAt(group, 'PaymentCurrency')))
  return [...new Set(all)].filter(other => other !== '' && other !== currency)
}

function added(sum: Breakdown, total: unknown): Breakdown {
  const type = textOf(memberAt(total, 'TransactionType'))
  const direction = Object.hasOwn(DIRECTIONS, type) ? DIRECTIONS[type] : undefined
  if (direction === undefined) return sum
  const minor = direction.sign * (minorOf(memberAt(total, 'TransactionAmount')) ?? 0)
  const count = direction.sign * (countOf(memberAt(total, 'TransactionCount')) ?? 0)
  return direction.of === 'sales'
    ? { ...sum, salesMinor: sum.salesMinor + minor, salesCount: sum.salesCount + count }
    : { ...sum, refundsMinor: sum.refundsMinor + minor, refundsCount: sum.refundsCount + count }
}

/** The report on paper of 24 columns. It ends with REPORT COMPLETE, for which tills wait. */
export function reportLines(
  type: ReportType,
  tid: string,
  { balances }: Totals,
  differenceMinor: number,
): readonly ReceiptLine[] {
  const sums = balances ?? NO_TOTALS.session
  return [
    { value: type.replaceAll('_', ' '), type: 'TEXT', format: ['BOLD'] },
    ...rowOf('TERMINAL', tid),
    { value: '', type: 'LINE_SEPARATOR_SINGLE' },
    ...linesOf(sums),
    ...(sums.cashbackCount === 0 ? [] : rowOf(`CASHBACK ${sums.cashbackCount}`, decimalOf(sums.cashbackMinor))),
    ...(sums.gratuityCount === 0 ? [] : rowOf(`GRATUITY ${sums.gratuityCount}`, decimalOf(sums.gratuityMinor))),
    ...(differenceMinor === 0 ? [] : rowOf('DIFFERENCE', decimalOf(differenceMinor))),
    ...Object.entries(sums.byIssuer).flatMap(([issuer, each]) => [...rowOf(issuer, ''), ...linesOf(each)]),
    { value: '', type: 'LINE_SEPARATOR_SINGLE' },
    { value: 'REPORT COMPLETE', type: 'TEXT', format: ['BOLD'] },
    { value: '', type: 'TICKET_FEED' },
  ]
}

function linesOf(sums: Breakdown): readonly ReceiptLine[] {
  return [
    ...rowOf(`SALES ${sums.salesCount}`, decimalOf(sums.salesMinor)),
    ...rowOf(`REFUNDS ${sums.refundsCount}`, decimalOf(sums.refundsMinor)),
    ...rowOf('TOTAL', decimalOf(sums.salesMinor - sums.refundsMinor), ['BOLD']),
  ]
}

// src/domain/reports/totals.ts — the totals a terminal keeps: of its session, and of the bank's window at each acquirer.

import { directionOf, type TransactionResult, type TransactionType } from '../counter/transaction-events.ts'
import type { TerminalCurrency } from '../money.ts'

/** Sales and refunds in minor units; the total is sales less refunds. Source: terminal reference 8.2. */
export interface Breakdown {
  readonly salesMinor: number
  readonly salesCount: number
  readonly refundsMinor: number
  readonly refundsCount: number
}

const NO_BREAKDOWN: Breakdown = { salesMinor: 0, salesCount: 0, refundsMinor: 0, refundsCount: 0 }

/** What a terminal session adds up to. `since`: epoch milliseconds of the last reset, null since installation. */
export interface SessionTotals extends Breakdown {
  readonly since: number | null
  readonly cashbackMinor: number
  readonly cashbackCount: number
  readonly gratuityMinor: number
  readonly gratuityCount: number
  readonly byIssuer: Readonly<Record<string, Breakdown>>
  readonly byWaiter: Readonly<Record<string, Breakdown>>
}

/** One bank window: its totals, by issuer, and the first and last transaction number in it (`0000` when none). */
export interface BankingWindow {
  readonly totals: Breakdown
  readonly byIssuer: Readonly<Record<string, Breakdown>>
  readonly firstNumber: string
  readonly lastNumber: string
}

export interface Banking {
  readonly current: BankingWindow
  readonly previous: BankingWindow
}

/** All that a terminal has counted. */
export interface TerminalTotals {
  readonly session: SessionTotals
  readonly byAcquirer: Readonly<Record<string, Banking>>
}

/** What a report shows: balances for X, Z and end of day; banking for banking and end of day. */
export interface Totals {
  readonly currency: TerminalCurrency
  readonly balances: SessionTotals | null
  readonly banking: Readonly<Record<string, Banking>> | null
}

const NO_WINDOW: BankingWindow = { totals: NO_BREAKDOWN, byIssuer: {}, firstNumber: '0000', lastNumber: '0000' }

/** The totals of a terminal fresh out of the box. */
export const NO_TOTALS: TerminalTotals = { session: freshSession(null), byAcquirer: {} }

function freshSession(since: number | null): SessionTotals {
  return {
    ...NO_BREAKDOWN,
    since,
    cashbackMinor: 0,
    cashbackCount: 0,
    gratuityMinor: 0,
    gratuityCount: 0,
    byIssuer: {},
    byWaiter: {},
  }
}

/** A transaction as the totals see it. */
export interface CountedTransaction {
  readonly transactionType: TransactionType
  readonly result: TransactionResult
  readonly totalMinor: number
  readonly cashbackMinor: number
  readonly gratuityMinor: number
  readonly issuer: string
  readonly acquirer: string
  /** Who served, or empty. */
  readonly waiter: string
  readonly transactionNumber: string
}

/** Counts a finished transaction. Only money that moved counts: successful sales, completions and refunds. */
export function counted(totals: TerminalTotals, transaction: CountedTransaction): TerminalTotals {
  const direction = directionOf(transaction.transactionType)
  if (transaction.result !== 'SUCCESSFUL' || direction === null) return totals
  const add = (sum: Breakdown = NO_BREAKDOWN): Breakdown =>
    direction === 'to_merchant'
      ? { ...sum, salesMinor: sum.salesMinor + transaction.totalMinor, salesCount: sum.salesCount + 1 }
      : { ...sum, refundsMinor: sum.refundsMinor + transaction.totalMinor, refundsCount: sum.refundsCount + 1 }
  const { session } = totals
  const { issuer, acquirer, waiter } = transaction
  const banking = own(totals.byAcquirer, acquirer) ?? { current: NO_WINDOW, previous: NO_WINDOW }
  const { current } = banking
  return {
    session: {
      ...session,
      ...add(session),
      cashbackMinor: session.cashbackMinor + transaction.cashbackMinor,
      cashbackCount: session.cashbackCount + (transaction.cashbackMinor > 0 ? 1 : 0),
      gratuityMinor: session.gratuityMinor + transaction.gratuityMinor,
      gratuityCount: session.gratuityCount + (transaction.gratuityMinor > 0 ? 1 : 0),
      byIssuer: { ...session.byIssuer, [issuer]: add(own(session.byIssuer, issuer)) },
      byWaiter:
        waiter === '' ? session.byWaiter : { ...session.byWaiter, [waiter]: add(own(session.byWaiter, waiter)) },
    },
    byAcquirer: {
      ...totals.byAcquirer,
      [acquirer]: {
        ...banking,
        current: {
          totals: add(current.totals),
          byIssuer: { ...current.byIssuer, [issuer]: add(own(current.byIssuer, issuer)) },
          firstNumber: countOf(current) === 0 ? transaction.transactionNumber : current.firstNumber,
          lastNumber: transaction.transactionNumber,
        },
      },
    },
  }
}

/** What was counted under a name. A waiter may be called `constructor`. */
function own<Sum>(sums: Readonly<Record<string, Sum>>, name: string): Sum | undefined {
  return Object.hasOwn(sums, name) ? sums[name] : undefined
}

function countOf(window: BankingWindow): number {
  return window.totals.salesCount + window.totals.refundsCount
}

/** The session starts again from zero (Z balance, end of day). */
export function sessionReset(totals: TerminalTotals, at: number): TerminalTotals {
  return { ...totals, session: freshSession(at) }
}

/** The bank's windows move on (banking, end of day): what was current becomes previous. */
export function bankingReset(totals: TerminalTotals): TerminalTotals {
  const moved = Object.entries(totals.byAcquirer).map(
    ([acquirer, banking]) => [acquirer, { previous: banking.current, current: NO_WINDOW }] as const,
  )
  return { ...totals, byAcquirer: Object.fromEntries(moved) }
}

// src/domain/reports/totals.ts — totals of a terminal: of its session, and of the banking window at each acquirer.

import { directionOf, type TransactionResult, type TransactionType } from '../counter/transaction-events.ts'
import type { TerminalCurrency } from '../money.ts'

/** Sales and refunds in minor units; the total is sales less refunds. */
export interface Breakdown {
  readonly salesMinor: number
  readonly salesCount: number
  readonly refundsMinor: number
  readonly refundsCount: number
}

const NO_BREAKDOWN: Breakdown = { salesMinor: 0, salesCount: 0, refundsMinor: 0, refundsCount: 0 }

/** Totals of a terminal session. `since`: epoch milliseconds of the last reset; null when never reset. */
export interface SessionTotals extends Breakdown {
  readonly since: number | null
  readonly cashbackMinor: number
  readonly cashbackCount: number
  readonly gratuityMinor: number
  readonly gratuityCount: number
  readonly byIssuer: Readonly<Record<string, Breakdown>>
  readonly byWaiter: Readonly<Record<string, Breakdown>>
}

/** A banking window: totals, also by issuer, and the first and last transaction number (`0000` when none). */
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

/** All totals of a terminal. */
export interface TerminalTotals {
  readonly session: SessionTotals
  readonly byAcquirer: Readonly<Record<string, Banking>>
}

/** Totals of a report: balances for X, Z and end of day; banking for banking and end of day. */
export interface Totals {
  readonly currency: TerminalCurrency
  readonly balances: SessionTotals | null
  readonly banking: Readonly<Record<string, Banking>> | null
}

const NO_WINDOW: BankingWindow = { totals: NO_BREAKDOWN, byIssuer: {}, firstNumber: '0000', lastNumber: '0000' }

/** The totals of a new terminal. */
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

/** The members of a transaction that are counted. */
export interface CountedTransaction {
  readonly transactionType: TransactionType
  readonly result: TransactionResult
  readonly totalMinor: number
  readonly cashbackMinor: number
  readonly gratuityMinor: number
  readonly issuer: string
  readonly acquirer: string
  /** Id of the waiter; empty when there was none. */
  readonly waiter: string
  readonly transactionNumber: string
}

/** Adds a finished transaction. Only money that moved counts: successful sales, completions and refunds. */
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

/** The sum under a name, own members only: a waiter may be called `constructor`. */
function own<Sum>(sums: Readonly<Record<string, Sum>>, name: string): Sum | undefined {
  return Object.hasOwn(sums, name) ? sums[name] : undefined
}

function countOf(window: BankingWindow): number {
  return window.totals.salesCount + window.totals.refundsCount
}

/** Resets the session to zero (Z balance, end of day). @param at epoch milliseconds */
export function sessionReset(totals: TerminalTotals, at: number): TerminalTotals {
  return { ...totals, session: freshSession(at) }
}

/** Starts new banking windows (banking, end of day): the current ones become the previous ones. */
export function bankingReset(totals: TerminalTotals): TerminalTotals {
  const moved = Object.entries(totals.byAcquirer).map(
    ([acquirer, banking]) => [acquirer, { previous: banking.current, current: NO_WINDOW }] as const,
  )
  return { ...totals, byAcquirer: Object.fromEntries(moved) }
}

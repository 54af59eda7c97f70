// src/domain/tables/table-payment.ts — a counter transaction that pays a share of a table: what it carries, and what it comes to.

import type { TerminalTransaction } from '../counter/transaction.ts'
import type { TablePaymentOrder } from '../counter/transaction-events.ts'
import type { DropReason, TablePayment } from './table.ts'

/** What the table is to be told: money was taken, or none was and none will be. */
export type TableSettlement =
  | { readonly settled: 'taken'; readonly payment: Omit<TablePayment, 'takenAt' | 'waiterId'> }
  | { readonly settled: 'dropped'; readonly why: DropReason }

/** What a transaction comes to for its table; null when it is not for one, or while that is not certain. */
export function settlementOf(transaction: TerminalTransaction): TableSettlement | null {
  const { request, progress, authorisation, result } = transaction
  if (request.table === undefined) return null
  if (authorisation === 'confirmed') return { settled: 'taken', payment: paymentOf(transaction, request.table) }
  if (progress !== 'finished') return null
  // Nobody but such a terminal knows what became of a payment that it has not ended.
  if (transaction.authorisedBy === 'terminal' && result === 'TIMED_OUT') return null
  if (transaction.authorisedBy === 'terminal' && result === 'SUCCESSFUL')
    return { settled: 'taken', payment: paymentOf(transaction, request.table) }
  switch (authorisation) {
    case 'none':
    case 'declined':
    // The reversal is certain from the moment it is asked for: the order has no effect and never will.
    case 'reversing':
    case 'reversed':
      return { settled: 'dropped', why: dropReasonOf(result) }
    // The next event decides: the end is confirmed, reversed, or asked after.
    case 'requested':
    case 'unknown':
    case 'approved':
      return null
  }
}

function paymentOf(transaction: TerminalTransaction, { paymentId }: TablePaymentOrder) {
  const { requestId, tid, amounts, authCode, card } = transaction
  return {
    paymentId,
    requestId,
    tid,
    authCode,
    amountMinor: amounts.baseMinor,
    cashbackMinor: amounts.cashbackMinor,
    gratuityMinor: amounts.gratuityMinor,
    cardSchemeName: card.cardSchemeName,
    paymentMethod: card.paymentMethod,
  }
}

function dropReasonOf(result: TerminalTransaction['result']): DropReason {
  switch (result) {
    case 'DECLINED':
      return 'declined'
    case 'CANCELLED':
      return 'cancelled'
    case 'TIMED_OUT':
      return 'timed_out'
    case 'VOID':
    case 'UNSUCCESSFUL':
    // A success whose approval was undone is none.
    case 'SUCCESSFUL':
    case null:
      return 'unsuccessful'
  }
}

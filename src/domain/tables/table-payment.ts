// src/domain/tables/table-payment.ts — the outcome, for its table, of a counter transaction that pays a share.

import { resultKnownOf } from '../counter/late-outcome.ts'
import { paymentKnownOf, type TerminalTransaction } from '../counter/transaction.ts'
import type { TablePaymentOrder } from '../counter/transaction-events.ts'
import type { DropReason, TablePayment } from './table.ts'

/** Outcome of a share: money was taken, or none was taken and none will be. */
export type TableSettlement =
  | { readonly settled: 'taken'; readonly payment: Omit<TablePayment, 'takenAt' | 'waiterId'> }
  | { readonly settled: 'dropped'; readonly why: DropReason }

/** The outcome of a transaction for its table; null when it has no table, or while the outcome is not certain. */
export function settlementOf(transaction: TerminalTransaction): TableSettlement | null {
  const { request, progress, authorisation, result } = transaction
  if (request.table === undefined) return null
  if (authorisation === 'confirmed') return { settled: 'taken', payment: paymentOf(transaction, request.table) }
  if (progress !== 'finished') return null
  // Only the terminal knows the outcome of a payment that it has not ended.
  if (transaction.authorisedBy === 'terminal' && result === 'TIMED_OUT' && authorisation === 'none') return null
  if (transaction.authorisedBy === 'terminal' && result === 'SUCCESSFUL')
    return { settled: 'taken', payment: paymentOf(transaction, request.table) }
  switch (authorisation) {
    case 'none':
    case 'declined':
    // A requested reversal is certain: it is retried until done, so the order will have no effect.
    case 'reversing':
    case 'reversed':
      return { settled: 'dropped', why: dropReasonOf(resultKnownOf(transaction)) }
    // The next event decides: the approval is confirmed or reversed, or the terminal is asked.
    case 'requested':
    case 'unknown':
    case 'approved':
      return null
  }
}

function paymentOf(transaction: TerminalTransaction, { paymentId }: TablePaymentOrder) {
  const { requestId, tid } = transaction
  const { amounts, authCode, card } = paymentKnownOf(transaction)
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
    // A success with a reversed approval is not a success.
    case 'SUCCESSFUL':
    case null:
      return 'unsuccessful'
  }
}

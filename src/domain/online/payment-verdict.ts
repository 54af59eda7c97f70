// src/domain/online/payment-verdict.ts — the verdict on an online payment: is it over, did money move, is a retry safe?
import { movesMoney } from './access-token.ts'
import type { OnlinePayment } from './payment.ts'
import { isUndone } from './payment-ledger.ts'

export const PAYMENT_STEPS = [
  /** Not paid yet: show the form, or create another token once this one has expired. */
  'await_payer',
  'authenticate_payer',
  'resume_or_let_lapse',
  'wait',
  /** The gateway is finding out whether the money moved. */
  'await_reconciliation',
  'settle_order',
  /** Paid, then voided or refunded in full: nothing of it is left on the card. */
  'treat_as_unpaid',
  /** An identical payment succeeded a moment ago: read that one. */
  'check_earlier_payment',
  /** The acquirer contradicts the operator who closed the payment: ask it, and correct the money by hand. */
  'check_with_acquirer',
  'try_again',
] as const
export type PaymentStep = (typeof PAYMENT_STEPS)[number]

export interface PaymentVerdict {
  /** Nothing about outcome or money can change any more, except by a linked payment. */
  readonly final: boolean
  /** Whether money moved on the card, in either direction, and was not given back. A hold or a verification moves none. */
  readonly moneyTaken: 'yes' | 'no' | 'unknown'
  /** True when the same payment with a new token cannot lead to a second charge. */
  readonly safeToRetry: boolean
  readonly nextStep: PaymentStep
}

/** Derives the verdict from any record. Pure. */
export function paymentVerdictOf(record: OnlinePayment): PaymentVerdict {
  const moneyTaken = moneyTakenBy(record)
  const isOver = record.progress === 'final' || record.progress === 'revoked' || isDead(record)
  const final = isOver && moneyTaken !== 'unknown'
  // A duplicate was not charged, but the payment that it repeats was charged.
  const stands = record.statusCode === 0 ? !isUndone(record) : record.statusCode === 20
  const safeToRetry = final && !stands
  return { final, moneyTaken, safeToRetry, nextStep: stepOf(record, final, safeToRetry) }
}

/** Whether the token can no longer be used and never was. */
function isDead({ token }: OnlinePayment): boolean {
  return token === 'expired' || token === 'revoked'
}

/** Whether the acquirer contradicts the closure. A completed reversal ends the contradiction. */
function isContradicted({ lateAnswer, money }: OnlinePayment): boolean {
  return lateAnswer?.agrees === false && money !== 'reversed'
}

function moneyTakenBy(record: OnlinePayment): PaymentVerdict['moneyTaken'] {
  if (isContradicted(record)) return 'unknown'
  // The operator knows; the reversal is only a precaution.
  if (record.closure?.outcome === 'not_taken') return 'no'
  switch (record.money) {
    case 'none':
    case 'declined':
    case 'reversed':
      return 'no'
    case 'approved':
      return movesMoney(record.order.transactionType) && !isUndone(record) ? 'yes' : 'no'
    case 'requested':
    case 'unknown':
    case 'reversing':
      return 'unknown'
  }
}

function stepOf(record: OnlinePayment, final: boolean, safeToRetry: boolean): PaymentStep {
  switch (record.progress) {
    case 'none':
      return final ? 'try_again' : 'await_payer'
    case 'authorizing':
      return 'authenticate_payer'
    case 'waiting':
      return 'resume_or_let_lapse'
    case 'processing':
      return record.money === 'unknown' || record.money === 'reversing' ? 'await_reconciliation' : 'wait'
    case 'revoked':
      return 'try_again'
    case 'final':
      if (isContradicted(record)) return 'check_with_acquirer'
      if (!final) return 'await_reconciliation'
      if (record.statusCode === 20) return 'check_earlier_payment'
      if (!safeToRetry) return 'settle_order'
      return record.statusCode === 0 ? 'treat_as_unpaid' : 'try_again'
  }
}

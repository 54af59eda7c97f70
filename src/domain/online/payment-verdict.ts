// src/domain/online/payment-verdict.ts — what a shop may conclude from an online payment: is it over, did money move, may the
// payer try again?
import { movesMoney } from './access-token.ts'
import type { OnlinePayment } from './payment.ts'

export const PAYMENT_STEPS = [
  /** Nobody has paid yet: show the form, or make another token once this one has expired. */
  'await_payer',
  'authenticate_payer',
  'resume_or_let_lapse',
  'wait',
  /** The gateway is finding out whether the money moved. */
  'await_reconciliation',
  'settle_order',
  /** The same was paid a moment ago: look at that payment. */
  'check_earlier_payment',
  /** The acquirer has said otherwise than whoever closed the payment: ask it, and put the money right by hand. */
  'check_with_acquirer',
  'try_again',
] as const
export type PaymentStep = (typeof PAYMENT_STEPS)[number]

export interface PaymentVerdict {
  /** Nothing about outcome or money can change any more, but by a payment that works on this one. */
  readonly final: boolean
  /** Whether money moved on the card, in either direction. A hold or a check moves none. */
  readonly moneyTaken: 'yes' | 'no' | 'unknown'
  /** Whether asking for the same again, with a new token, can lead to a second charge: true means that it cannot. */
  readonly safeToRetry: boolean
  readonly nextStep: PaymentStep
}

/** Derives the verdict from a record. Pure, for every record there can be. */
export function paymentVerdictOf(record: OnlinePayment): PaymentVerdict {
  const moneyTaken = moneyTakenBy(record)
  const isOver = record.progress === 'final' || record.progress === 'revoked' || isDead(record)
  const final = isOver && moneyTaken !== 'unknown'
  // A duplicate was not charged, but the payment that it repeats was.
  const safeToRetry = final && record.statusCode !== 0 && record.statusCode !== 20
  return { final, moneyTaken, safeToRetry, nextStep: stepOf(record, final, safeToRetry) }
}

/** A token that can no longer be used and never was. */
function isDead({ token }: OnlinePayment): boolean {
  return token === 'expired' || token === 'revoked'
}

/** What was closed as not taken is undone; once it is, nothing is contradicted any more. */
function isContradicted({ lateAnswer, money }: OnlinePayment): boolean {
  return lateAnswer?.agrees === false && money !== 'reversed'
}

function moneyTakenBy(record: OnlinePayment): PaymentVerdict['moneyTaken'] {
  if (isContradicted(record)) return 'unknown'
  // Somebody who knows has said so; that it is being undone is for what nobody knows.
  if (record.closure?.outcome === 'not_taken') return 'no'
  switch (record.money) {
    case 'none':
    case 'declined':
    case 'reversed':
      return 'no'
    case 'approved':
      return movesMoney(record.order.transactionType) ? 'yes' : 'no'
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
      return safeToRetry ? 'try_again' : 'settle_order'
  }
}

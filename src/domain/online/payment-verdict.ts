// src/domain/online/payment-verdict.ts — the verdict on an online payment: is it over, did money move, is a retry safe?
import { movesMoney, type OnlineType } from './access-token.ts'
import type { OnlinePayment } from './payment.ts'
import { isUndone } from './payment-ledger.ts'

/** Every next step with its meaning, for the descriptions. */
export const PAYMENT_STEPS = {
  await_payer: 'Not paid yet: show the form, or create another token once this one has expired.',
  authenticate_payer: 'The payer is at the bank: wait, or show the bank’s page.',
  resume_or_let_lapse: 'It is paused: resume it, or let it end uncharged.',
  wait: 'It still runs: wait for the end.',
  await_reconciliation: 'The gateway is finding out whether money moved: wait for the verdict.',
  settle_order: 'A SALE or COLLECTION took the money: the order is paid.',
  record_refund: 'A REFUND gave the money back: record it.',
  record_void: 'A VOID undid the earlier payment: nothing of that is paid any more.',
  collect_or_void:
    'A PREAUTH holds the money, and nothing is paid yet: take it with a COLLECTION, or give it up with a VOID.',
  read_collection: 'A COLLECTION has taken what this PREAUTH held: its own verdict counts.',
  accept_card: 'An ACCOUNT_VERIFICATION found the card valid: nothing was taken or held.',
  treat_as_unpaid: 'It was voided, or refunded in full: nothing of it is left on the card.',
  check_earlier_payment: 'An identical payment succeeded a moment ago: read that one.',
  check_with_acquirer:
    'The acquirer contradicts the operator who closed the payment: ask it, and correct the money by hand.',
  try_again: 'No money moved and none will: offer another try.',
} as const
export type PaymentStep = keyof typeof PAYMENT_STEPS

/** Next step after a success that stands. */
const AFTER_SUCCESS: Readonly<Record<OnlineType, PaymentStep>> = {
  SALE: 'settle_order',
  COLLECTION: 'settle_order',
  REFUND: 'record_refund',
  VOID: 'record_void',
  PREAUTH: 'collect_or_void',
  ACCOUNT_VERIFICATION: 'accept_card',
}

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
      if (!safeToRetry) return isCollected(record) ? 'read_collection' : AFTER_SUCCESS[record.order.transactionType]
      return record.statusCode === 0 ? 'treat_as_unpaid' : 'try_again'
  }
}

function isCollected({ entries }: OnlinePayment): boolean {
  return entries.some(({ type, state }) => type === 'COLLECTION' && state === 'settled')
}

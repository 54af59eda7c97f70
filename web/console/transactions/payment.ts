// web/console/transactions/payment.ts — an online payment as `/api/payments` has it, in words.
import type { Verdict } from './listed-transaction.ts'
import { MONEY } from './verdict.ts'

export interface OnlinePayment {
  readonly id: string
  readonly transactionType: string
  readonly amountMinor: number
  readonly currency: string
  readonly orderId: string
  /** Null: not paid yet. */
  readonly statusCode: number | null
  readonly message: string
  readonly verdict: Verdict
  readonly progress: string
  readonly money: string
  readonly card: { readonly number: string; readonly scheme: string } | null
  readonly crossReference: string
  readonly authCode: string
  readonly operations: readonly PaymentOperation[]
  readonly closure: { readonly outcome: string; readonly operator: string; readonly reason: string } | null
  readonly createdAt: string
  readonly finishedAt: string | null
}

/** A collection, refund or void of a payment. */
export interface PaymentOperation {
  readonly payment: string
  readonly transactionType: string
  readonly amountMinor: number
  readonly state: string
}

/** What status codes mean to people. */
export const STATUSES: Readonly<Record<number, string>> = {
  0: 'Successful',
  3: 'At the bank',
  4: 'Referred',
  5: 'Declined',
  20: 'Duplicate',
  30: 'Failed',
  40: 'Processing',
  90: 'Revoked',
  99: 'Paused',
}

/** Next steps, as `/api` names them. */
const STEPS: Readonly<Record<string, string>> = {
  await_payer: 'It waits for the payer.',
  authenticate_payer: 'The payer is at the bank.',
  resume_or_let_lapse: 'It is paused: the shop resumes it, or it ends uncharged.',
  wait: 'Wait for the end.',
  await_reconciliation: 'The gateway is finding out; wait for it, or close the payment when you know more.',
  settle_order: 'The order is paid.',
  record_refund: 'Record the refund.',
  record_void: 'It undid the earlier payment.',
  collect_or_void: 'The money is held; collect it, or void it.',
  read_collection: 'A collection has taken what was held.',
  accept_card: 'The card is valid.',
  treat_as_unpaid: 'It was given back: nothing of it is left on the card.',
  check_earlier_payment: 'An identical payment succeeded a moment before.',
  check_with_acquirer: 'The acquirer contradicts the operator who closed it: ask the acquirer.',
  try_again: 'Another try is safe.',
}

export function statusInWords({ statusCode, progress }: Pick<OnlinePayment, 'statusCode' | 'progress'>): string {
  if (statusCode === null) return progress === 'revoked' ? 'Revoked' : 'Not paid yet'
  return STATUSES[statusCode] ?? `Status ${statusCode}`
}

export function paymentInWords({
  verdict,
  transactionType,
}: Pick<OnlinePayment, 'verdict' | 'transactionType'>): string {
  const isRefund = transactionType === 'REFUND' && verdict.moneyTaken === 'yes'
  return `${isRefund ? 'Money was given back.' : MONEY[verdict.moneyTaken]} ${STEPS[verdict.nextStep] ?? ''}`.trim()
}

/** Whether an operator may be able to close it: the acquirer owes an answer. The gateway refuses it until a minute has passed. */
export function isClosable({ progress, money }: Pick<OnlinePayment, 'progress' | 'money'>): boolean {
  return progress === 'processing' && ['requested', 'unknown', 'reversing'].includes(money)
}

/** What can still be refunded of a payment that took money, or collected of one that holds it. In minor units. */
export function leftOfPayment({ amountMinor, operations, verdict, transactionType }: OnlinePayment): number {
  if (transactionType === 'PREAUTH') {
    const isUsed = operations.some(({ state }) => state !== 'released')
    return verdict.nextStep === 'collect_or_void' && !isUsed ? amountMinor : 0
  }
  if (verdict.moneyTaken !== 'yes' || !(transactionType === 'SALE' || transactionType === 'COLLECTION')) return 0
  const live = operations.filter(({ state }) => state !== 'released')
  if (live.some(each => each.transactionType === 'VOID')) return 0
  return live.reduce((left, each) => Math.max(0, left - each.amountMinor), amountMinor)
}

/** Class of its outcome: good, bad or neither. */
export function classOf({ statusCode, verdict }: Pick<OnlinePayment, 'statusCode' | 'verdict'>): string {
  if (statusCode === 0) return 'successful'
  return verdict.final && statusCode !== null ? 'declined' : ''
}

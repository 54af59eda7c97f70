// web/console/online/payment.ts — an online payment as `/api/payments` shows it, and its outcome in words.
import { PAYMENT_STEPS } from '../../../src/domain/online/payment-verdict.ts'
import type { Listing } from '../parts/live-pages.ts'

/** A payment, or an access token that nobody has paid with yet. */
export interface Payment {
  readonly id: string
  readonly transactionType: string
  readonly amountMinor: number
  readonly currency: string
  readonly orderId: string
  readonly merchantTransactionId: string | null
  /** Null: not paid yet. */
  readonly statusCode: number | null
  readonly message: string
  readonly progress: string
  readonly reason: string | null
  readonly verdict: {
    readonly final: boolean
    readonly moneyTaken: 'yes' | 'no' | 'unknown'
    readonly nextStep: string
  }
  /** State of the access token. */
  readonly token: string
  readonly authentication: string
  readonly money: string
  readonly card: { readonly number: string; readonly scheme: string } | null
  readonly submittedBy: string | null
  readonly crossReference: string
  readonly authCode: string
  readonly declineReason: string | null
  readonly operations: readonly Operation[]
  /** Of somebody who has closed it; null when nobody has. */
  readonly closure: { readonly operator: string; readonly reason: string } | null
  readonly createdAt: string
  readonly submittedAt: string | null
  readonly finishedAt: string | null
}

/** A later payment that changed this one, such as a refund. */
export interface Operation {
  readonly payment: string
  readonly transactionType: string
  readonly amountMinor: number
  readonly state: string
}

export const PAYMENTS: Listing<Payment> = {
  path: '/api/payments',
  field: 'payments',
  kind: 'online-payment',
  idOf: ({ id }) => id,
}

/** Status codes of payments in words, and whether that is good or bad news. */
export const STATUSES: ReadonlyMap<number, { readonly name: string; readonly tone: 'good' | 'bad' | 'quiet' }> =
  new Map([
    [0, { name: 'Approved', tone: 'good' }],
    [3, { name: 'At the bank', tone: 'quiet' }],
    [4, { name: 'Referred', tone: 'bad' }],
    [5, { name: 'Declined', tone: 'bad' }],
    [20, { name: 'Repeated', tone: 'bad' }],
    [30, { name: 'Failed', tone: 'bad' }],
    [40, { name: 'Not finished', tone: 'quiet' }],
    [90, { name: 'Revoked', tone: 'quiet' }],
    [99, { name: 'Paused', tone: 'quiet' }],
  ])

const TOKENS: Readonly<Record<string, string>> = {
  issued: 'Not paid yet',
  used: 'Being paid',
  expired: 'Token expired',
  revoked: 'Token revoked',
}

/** How a payment stands, for people. */
export function outcomeOf({ statusCode, token }: Pick<Payment, 'statusCode' | 'token'>) {
  if (statusCode === null) return { name: TOKENS[token] ?? token, tone: 'quiet' } as const
  return STATUSES.get(statusCode) ?? ({ name: `Status ${statusCode}`, tone: 'quiet' } as const)
}

const MONEY = {
  yes: 'Money moved.',
  no: 'No money moved.',
  unknown: 'It is not known yet whether money moved.',
} as const

/** What is known of the money of a payment. */
export function moneyOf({ verdict, transactionType }: Pick<Payment, 'verdict' | 'transactionType'>): string {
  if (verdict.moneyTaken !== 'yes') return MONEY[verdict.moneyTaken]
  return transactionType === 'REFUND' ? 'Money was given back.' : 'Money was taken.'
}

/** The verdict in a sentence or two. */
export function verdictOf(payment: Pick<Payment, 'verdict' | 'transactionType'>): string {
  const steps: Readonly<Record<string, string>> = PAYMENT_STEPS
  return `${moneyOf(payment)} ${steps[payment.verdict.nextStep] ?? ''}`.trim()
}

/** Whether an operator may be able to close it: the acquirer owes an answer. The gateway refuses it until a minute has passed. */
export function isClosable({ progress, money }: Pick<Payment, 'progress' | 'money'>): boolean {
  return progress === 'processing' && ['requested', 'unknown', 'reversing'].includes(money)
}

/** What can still be refunded of a payment that took money, or collected of one that holds it. In minor units. */
export function leftOfPayment({
  amountMinor,
  operations,
  verdict,
  transactionType,
}: Pick<Payment, 'amountMinor' | 'operations' | 'verdict' | 'transactionType'>): number {
  if (transactionType === 'PREAUTH') {
    const isUsed = operations.some(({ state }) => state !== 'released')
    return verdict.nextStep === 'collect_or_void' && !isUsed ? amountMinor : 0
  }
  if (verdict.moneyTaken !== 'yes' || !(transactionType === 'SALE' || transactionType === 'COLLECTION')) return 0
  const live = operations.filter(({ state }) => state !== 'released')
  if (live.some(each => each.transactionType === 'VOID')) return 0
  return live.reduce((left, each) => Math.max(0, left - each.amountMinor), amountMinor)
}

export type PaymentOperation = 'REFUND' | 'COLLECTION' | 'VOID'

/** What can be done with a payment now. The gateway refuses a void that comes too late: its day or week is over. */
export function operationsOn(payment: Parameters<typeof leftOfPayment>[0]): readonly PaymentOperation[] {
  const { transactionType, operations } = payment
  if (leftOfPayment(payment) === 0) return []
  if (transactionType === 'PREAUTH') return ['COLLECTION', 'VOID']
  return operations.some(({ state }) => state !== 'released') ? ['REFUND'] : ['REFUND', 'VOID']
}

/** Last four digits with dots in front; a dash without a card. */
export function cardOf({ card }: Pick<Payment, 'card'>): string {
  return card === null ? '–' : `${card.scheme} •••• ${card.number.slice(-4)}`
}

/** Address of a payment within the console. */
export function addressOfPayment(id: string): string {
  return `#/online/${encodeURIComponent(id)}`
}

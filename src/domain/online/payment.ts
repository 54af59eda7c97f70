// src/domain/online/payment.ts — the record of an online payment and its machines: token, progress, authentication,
// reservation and money.

import type { DeclineReason } from '../counter/transaction-events.ts'
import type { EffectId, MerchantAccountId, PaymentId } from '../ids.ts'
import { type EventEnvelope, moved, type SideBySide, type Timer } from '../machine.ts'
import {
  isLinked,
  type OnlineType,
  TOKEN_LIFE_MS,
  TOKEN_TRANSITIONS,
  type TokenOrder,
  type TokenState,
} from './access-token.ts'
import type { Closure, FinalStatus, LateAnswer, OnlinePaymentEvent, Submission } from './payment-events.ts'
import { entryOf, type LedgerEntry, moveEntry } from './payment-ledger.ts'
import type { PaymentReason } from './payment-reason.ts'
import {
  AUTHENTICATION_TRANSITIONS,
  type AuthenticationFailure,
  type AuthenticationState,
  CHALLENGE_LIMIT_MS,
  type Challenge,
  type StoredProof,
  type StoredValue,
} from './three-d-secure.ts'

/** Progress of the payment itself. */
export type PaymentProgress = 'none' | 'processing' | 'authorizing' | 'waiting' | 'final' | 'revoked'

/** State of the money. `unknown` is resolved by an answer or by a reversal. ADR 9. */
export type MoneyState = 'none' | 'requested' | 'unknown' | 'approved' | 'declined' | 'reversing' | 'reversed'

/** State of a linked payment's reservation on its original. */
export type ReservationState = 'none' | 'requested' | 'reserved' | 'refused' | 'settled' | 'released'

type EventType = OnlinePaymentEvent['type']

/** The members of a record that are states. */
export type PaymentStates = Pick<OnlinePayment, 'token' | 'progress' | 'authentication' | 'reservation' | 'money'>

/** Each event moves the machines that have it; see `moved`. */
export const TRANSITIONS: SideBySide<PaymentStates, EventType> = {
  token: TOKEN_TRANSITIONS,
  progress: {
    none: { submitted: 'processing', revoked: 'revoked' },
    processing: {
      challenge_requested: 'authorizing',
      authenticated: 'processing',
      exempted: 'processing',
      authentication_failed: 'processing',
      paused: 'waiting',
      ended: 'final',
    },
    authorizing: {
      authenticated: 'processing',
      exempted: 'processing',
      authentication_failed: 'processing',
      revoked: 'revoked',
    },
    waiting: { resumed: 'processing', ended: 'final' },
    final: {},
    revoked: {},
  },
  authentication: AUTHENTICATION_TRANSITIONS,
  reservation: {
    none: { reservation_requested: 'requested' },
    requested: { reserved: 'reserved', reservation_refused: 'refused' },
    reserved: { reservation_settled: 'settled', reservation_released: 'released' },
    refused: {},
    settled: {},
    released: {},
  },
  money: {
    none: { authorisation_requested: 'requested' },
    requested: {
      authorisation_approved: 'approved',
      authorisation_declined: 'declined',
      authorisation_unanswered: 'unknown',
      reversal_requested: 'reversing',
      closed_as_taken: 'approved',
      closed_as_not_taken: 'declined',
    },
    unknown: {
      authorisation_approved: 'approved',
      authorisation_declined: 'declined',
      reversal_requested: 'reversing',
      closed_as_taken: 'approved',
      closed_as_not_taken: 'declined',
    },
    approved: {},
    // After a soft decline the issuer is asked again once the payer is authenticated. A payment that an operator closed as
    // not taken is reversed all the same, in case the acquirer has taken it or still will.
    declined: { authorisation_requested: 'requested', reversal_requested: 'reversing' },
    reversing: { reversed: 'reversed', closed_as_taken: 'approved', closed_as_not_taken: 'reversing' },
    reversed: {},
  },
}

export interface OnlinePayment {
  /** Hash of the access token. */
  readonly id: PaymentId
  readonly merchantAccount: MerchantAccountId
  readonly order: TokenOrder
  readonly version: number
  readonly token: TokenState
  readonly progress: PaymentProgress
  readonly authentication: AuthenticationState
  readonly reservation: ReservationState
  readonly money: MoneyState
  readonly createdAt: number
  readonly submission: Submission | null
  readonly submittedAt: number | null
  /** When the current wait began: for the issuer, the payer, the shop or the acquirer. */
  readonly waitingSince: number
  readonly challenge: Challenge | null
  readonly mustChallenge: boolean
  readonly proof: StoredProof | null
  readonly authenticationFailure: AuthenticationFailure | null
  /** Order id at the acquirer; never changes for one request. */
  readonly authorisationId: EffectId | null
  readonly authCode: string
  readonly acquirerReference: string
  readonly declineReason: DeclineReason | null
  readonly statusCode: FinalStatus | null
  readonly message: string
  readonly finishedAt: number | null
  /** Reference for later payments; empty when they cannot refer to this one. */
  readonly crossReference: string
  readonly paymentMethodId: string | null
  /** Linked payments: collections, refunds and voids. */
  readonly entries: readonly LedgerEntry[]
  /** Of a VOID: the amount that it undoes, in minor units. Absent before the reservation, and in records of 0.1. */
  readonly undoesMinor?: number
  /** Why it ended without success, or will once its order is reversed. Absent on success and in records of 0.1. */
  readonly reason?: PaymentReason
  /** An operator has resolved it, because the acquirer did not respond. ADR 31. */
  readonly closure?: Closure
  /** The acquirer's answer after the closure. One that agrees never replaces one that contradicts. */
  readonly lateAnswer?: LateAnswer
}

/** Folds one event into the record. */
export function apply(before: OnlinePayment | null, envelope: EventEnvelope<OnlinePaymentEvent>): OnlinePayment {
  const { event, at } = envelope
  if (event.type === 'issued') return issued(event, at)
  if (before === null) throw new Error(`${event.type} before issued`)
  const record: OnlinePayment = {
    ...before,
    ...moved<PaymentStates, EventType>(TRANSITIONS, before, event.type),
    version: before.version + 1,
  }
  switch (event.type) {
    case 'submitted':
      return { ...record, submission: event.submission, submittedAt: at, waitingSince: at }
    case 'lookup_requested':
      return { ...record, mustChallenge: event.mustChallenge, waitingSince: at }
    case 'challenge_requested':
      return { ...record, challenge: event.challenge, waitingSince: at }
    case 'authenticated':
    case 'exempted':
      return { ...record, proof: event.proof, waitingSince: at }
    case 'authentication_failed':
      return { ...record, authenticationFailure: event.reason }
    case 'paused':
    case 'resumed':
      return { ...record, waitingSince: at }
    case 'reserved':
      return event.undoesMinor === undefined ? record : { ...record, undoesMinor: event.undoesMinor }
    case 'authorisation_requested':
      return { ...record, authorisationId: authorisationIdOf(record), declineReason: null, waitingSince: at }
    case 'authorisation_approved':
      return { ...record, authCode: event.authCode, acquirerReference: event.reference }
    case 'authorisation_declined':
      return { ...record, declineReason: event.reason }
    case 'ended':
      return endedWith(record, event, at)
    case 'revoked':
      return { ...record, proof: withoutOldValue(record.proof), finishedAt: at }
    case 'closed_as_taken':
    case 'closed_as_not_taken':
      return closedBy(record, event, at)
    case 'answered_late':
      return answeredLate(record, event, at)
    case 'link_reserved':
      return { ...record, entries: [...record.entries, entryOf(event.reservation)] }
    case 'link_settled':
    case 'link_released':
    case 'link_refunded':
      return { ...record, entries: moveEntry(record.entries, event.by, event.type) }
    case 'expired':
    case 'not_enrolled':
    case 'reservation_requested':
    case 'reservation_refused':
    case 'reservation_settled':
    case 'reservation_released':
    case 'authorisation_unanswered':
    case 'reversed':
      return record
    case 'reversal_requested':
      return event.reason === undefined ? record : { ...record, reason: event.reason }
  }
}

function endedWith(
  record: OnlinePayment,
  { statusCode, message, reason, crossReference, paymentMethodId }: Extract<OnlinePaymentEvent, { type: 'ended' }>,
  at: number,
): OnlinePayment {
  const valueless = { proof: withoutOldValue(record.proof), submission: withoutOldWalletValue(record.submission) }
  const ended = { ...record, statusCode, message, crossReference, paymentMethodId, ...valueless, finishedAt: at }
  return reason === undefined ? ended : { ...ended, reason }
}

function closedBy(
  record: OnlinePayment,
  event: Extract<OnlinePaymentEvent, { type: 'closed_as_taken' | 'closed_as_not_taken' }>,
  at: number,
): OnlinePayment {
  const { operator, reason } = event
  return event.type === 'closed_as_taken'
    ? { ...record, authCode: event.authCode, closure: { outcome: 'taken', operator, reason, at } }
    : { ...record, closure: { outcome: 'not_taken', operator, reason, at } }
}

function answeredLate(
  record: OnlinePayment,
  { answer, agrees }: Extract<OnlinePaymentEvent, { type: 'answered_late' }>,
  at: number,
): OnlinePayment {
  return record.lateAnswer?.agrees === false ? record : { ...record, lateAnswer: { answer, agrees, at } }
}

/** A value that 0.1 stored in the record has served its purpose once the payment ends. ADR 95. */
function withoutOldValue<Proof extends { readonly value: StoredValue }>(proof: Proof | null): Proof | null {
  return typeof proof?.value === 'string' ? { ...proof, value: '' } : proof
}

function withoutOldWalletValue(submission: Submission | null): Submission | null {
  if (submission === null) return null
  const walletProof = withoutOldValue(submission.walletProof)
  return walletProof === submission.walletProof ? submission : { ...submission, walletProof }
}

/** The ledger of a payment without linked payments. */
const NO_ENTRIES: readonly LedgerEntry[] = []
function issued(
  { id, merchantAccount, order }: Extract<OnlinePaymentEvent, { type: 'issued' }>,
  at: number,
): OnlinePayment {
  // Written out, because composing it from parts takes longer than the whole decision.
  return {
    id,
    merchantAccount,
    order,
    version: 1,
    token: 'issued',
    progress: 'none',
    authentication: 'none',
    reservation: 'none',
    money: 'none',
    createdAt: at,
    submission: null,
    submittedAt: null,
    waitingSince: at,
    challenge: null,
    mustChallenge: false,
    proof: null,
    authenticationFailure: null,
    authorisationId: null,
    authCode: '',
    acquirerReference: '',
    declineReason: null,
    statusCode: null,
    message: '',
    finishedAt: null,
    crossReference: '',
    paymentMethodId: null,
    entries: NO_ENTRIES,
  }
}

/** Order id of the authorisation that the record requests now: the id of the effect that performs it. */
function authorisationIdOf(record: OnlinePayment): string {
  return effectIdOf(record, 'payment.authorise')
}

/** `<record id>.<version>.<type>`: the same after a crash. */
export function effectIdOf({ id, version }: Pick<OnlinePayment, 'id' | 'version'>, type: string): string {
  return `${id}.${version}.${type}`
}

/** Time limit for the issuer's decision whether to challenge, in milliseconds. */
const LOOKUP_LIMIT_MS = 60_000
/** How long an acquirer is asked before its order is reversed, in milliseconds. See docs/online-payments.md. */
const SETTLE_LIMIT_MS = 15 * 60_000
/** How long a paused payment waits for the shop, in milliseconds. See docs/online-payments.md. */
export const PAUSE_LIMIT_MS = 15 * 60_000

export type OnlineTimer = 'expiry' | 'look_up' | 'challenge' | 'pre_execute' | 'settle'

/** The timer of a record. Each waiting state has one. */
export function timersOf(record: OnlinePayment): readonly (Timer & { readonly name: OnlineTimer })[] {
  const since = record.waitingSince
  switch (record.progress) {
    case 'none':
      return record.token === 'issued' ? [{ name: 'expiry', dueAt: record.createdAt + TOKEN_LIFE_MS }] : []
    case 'authorizing':
      return [{ name: 'challenge', dueAt: since + CHALLENGE_LIMIT_MS }]
    case 'waiting':
      return [{ name: 'pre_execute', dueAt: since + PAUSE_LIMIT_MS }]
    case 'processing':
      if (record.authentication === 'looking_up') return [{ name: 'look_up', dueAt: since + LOOKUP_LIMIT_MS }]
      // A reservation needs no limit, because it is in Tollgate's own store; a reversal is retried without limit.
      return awaitsAcquirer(record) && isUndoable(record) ? [{ name: 'settle', dueAt: since + SETTLE_LIMIT_MS }] : []
    case 'final':
    case 'revoked':
      return []
  }
}

/** Whether a submitted payment waits for its payer or its shop; the acquirer is not asked yet. */
export function awaitsPayerOrShop({ progress }: OnlinePayment): boolean {
  return progress === 'authorizing' || progress === 'waiting'
}

/** Whether a cancel comes before the acquirer is asked, or asked again after a challenge that it wants. */
export function isBeforeAcquirer(record: OnlinePayment): boolean {
  return (
    awaitsPayerOrShop(record) ||
    (record.progress === 'processing' && record.authentication === 'looking_up' && !awaitsAcquirer(record))
  )
}

/** Whether the acquirer has been asked and has not answered. */
export function awaitsAcquirer({ money }: OnlinePayment): boolean {
  return money === 'requested' || money === 'unknown'
}

/**
 * Whether an unanswered request can be reversed. A VOID cannot: it has no order of its own at the acquirer, it reverses
 * another one. It is retried until it is answered, which is safe because reversals are idempotent. Giving up would be a guess.
 */
export function isUndoable({ order }: OnlinePayment): boolean {
  return order.transactionType !== 'VOID'
}

/** Status codes of a payment. See docs/online-payments.md. */
export type StatusCode = FinalStatus | 3 | 40 | 90 | 99

/** Why the payment did not succeed; null: it did, it has not ended, or it ended under version 0.1. */
export function reasonOf({ progress, reason }: OnlinePayment): PaymentReason | null {
  if (progress === 'revoked') return 'revoked'
  return progress === 'final' ? (reason ?? null) : null
}

export function statusOf({ progress, statusCode }: OnlinePayment): StatusCode | null {
  switch (progress) {
    case 'none':
      return null
    case 'processing':
      return 40
    case 'authorizing':
      return 3
    case 'waiting':
      return 99
    case 'revoked':
      return 90
    case 'final':
      return statusCode ?? 30
  }
}

/** Names of the status codes, as published. */
export const STATUS_NAMES: Readonly<Record<StatusCode, string>> = {
  0: 'Successful',
  3: 'Authorizing',
  4: 'Referred',
  5: 'Declined',
  20: 'Duplicate Transaction',
  30: 'Failed',
  40: 'Processing',
  90: 'Revoked',
  99: 'Waiting pre-execute',
}

/** Key that is equal for repetitions of a payment; null when repetitions are allowed. See docs/online-payments.md. */
export function repetitionKey(
  { order, submission }: OnlinePayment,
  type: OnlineType = order.transactionType,
): string | null {
  // A verification may be repeated, because it charges nothing.
  if (submission === null || type === 'ACCOUNT_VERIFICATION') return null
  const linked = isLinked(type) || submission.by === 'cross_reference'
  const what = linked ? `payment ${submission.original}` : `card ${submission.card.lookup}`
  return JSON.stringify([order.orderId, type, order.amountMinor, order.currencyCode, what])
}

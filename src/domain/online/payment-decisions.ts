// src/domain/online/payment-decisions.ts — decisions of online payments: commands and facts in, events or one refusal out.

import type { Closing } from '../closing.ts'
import type { DeclineReason } from '../counter/transaction-events.ts'
import { onlineAmountOf } from '../currency.ts'
import type { MerchantAccountId, PaymentId } from '../ids.ts'
import { accepts, type Decision } from '../machine.ts'
import type { Refusal } from '../refusals.ts'
import { isLinked, TOKEN_LIFE_MS, type TokenOrder } from './access-token.ts'
import {
  awaitsAcquirer,
  awaitsPayerOrShop,
  isBeforeAcquirer,
  isUndoable,
  type OnlinePayment,
  type OnlineTimer,
  PAUSE_LIMIT_MS,
  STATUS_NAMES,
  statusOf,
  TRANSITIONS,
} from './payment.ts'
import { authenticationFailed, ended, failure } from './payment-endings.ts'
import type { OnlinePaymentEvent, Submission } from './payment-events.ts'
import { canMove, type Reservation, refusalReasonOf } from './payment-ledger.ts'
import { type AuthenticationFailure, CHALLENGE_LIMIT_MS, type StoredReport } from './three-d-secure.ts'

export type OnlineAcquirerReport =
  | { readonly type: 'authorisation_approved'; readonly authCode: string; readonly reference: string }
  | { readonly type: 'authorisation_declined'; readonly reason: DeclineReason; readonly responseCode: string }
  | { readonly type: 'authorisation_unanswered' }
  | { readonly type: 'reversed' }

/** New random identifiers for a success, generated before it is known whether they are needed. */
export interface FreshNames {
  readonly crossReference: string
  readonly paymentMethodId: string
}

export type OnlineCommand =
  | {
      readonly type: 'issue'
      readonly id: PaymentId
      readonly merchantAccount: MerchantAccountId
      readonly order: TokenOrder
    }
  | { readonly type: 'revoke' }
  | { readonly type: 'submit'; readonly submission: Submission }
  | {
      readonly type: 'authentication_reports'
      readonly report: StoredReport
      /** When the payer returned from the issuer, epoch milliseconds; absent when the payer was not sent there. */
      readonly returnedAt?: number
    }
  /** The payer cancels, or the page gives up. A browser may say so; it can approve nothing. */
  | { readonly type: 'give_up'; readonly reason: AbandonReason }
  | { readonly type: 'resume' }
  | {
      readonly type: 'reservation_answered'
      readonly refused: string | null
      /** As the ledger has it: a VOID undoes the whole, whatever it asks for. */
      readonly amountMinor: number
    }
  | { readonly type: 'acquirer_reports'; readonly report: OnlineAcquirerReport; readonly names: FreshNames }
  /** The security code was lost with the memory of an earlier process. */
  | { readonly type: 'security_code_gone' }
  | ({ readonly type: 'close'; readonly names: FreshNames } & Closing)
  /** The original payment has recorded the outcome of this one. */
  | { readonly type: 'booked' }
  | { readonly type: 'time_is_up'; readonly timer: OnlineTimer }
  // Commands to the original of a linked payment.
  | { readonly type: 'reserve'; readonly reservation: Reservation }
  | { readonly type: 'settle'; readonly by: PaymentId }
  | { readonly type: 'release'; readonly by: PaymentId }
  /** The linked payment `by` has been voided. */
  | { readonly type: 'reopen'; readonly by: PaymentId }
  /** What was collected of this payment has been refunded whole. */
  | { readonly type: 'refunded'; readonly by: PaymentId }

/** Facts for a decision. */
export interface OnlineFacts {
  /** Epoch milliseconds. */
  readonly at: number
  /** An identical payment succeeded a moment ago or is in progress. */
  readonly repetition: boolean
  /** The payment needs the card of an earlier one, and that card has been deleted. */
  readonly cardGone: boolean
}

/** Why a browser gives a payment up, as it says. */
export type AbandonReason = Extract<AuthenticationFailure, 'closed' | 'page_failed' | 'timed_out' | 'not_authenticated'>

type Events = readonly OnlinePaymentEvent[]

/** Decides a command on the current record. Pure. */
export function decide(
  record: OnlinePayment | null,
  command: OnlineCommand,
  facts: OnlineFacts | null,
): Decision<OnlinePaymentEvent, Refusal> {
  if (command.type === 'issue') {
    const { id, merchantAccount, order } = command
    if (record !== null) throw new Error('two access tokens cannot be the same')
    return { events: [{ type: 'issued', id, merchantAccount, order }] }
  }
  if (record === null || facts === null) return { refused: { code: 'access_token_unknown' } }
  switch (command.type) {
    case 'revoke':
      return revoke(record, facts)
    case 'submit':
      if (isSameAttempt(record, command.submission)) return { events: [] }
      if (record.token !== 'issued' || isOld(record, facts)) return { refused: { code: 'access_token_spent' } }
      return { events: submitted(record, command.submission, facts) }
    case 'resume':
      return resume(record, facts)
    case 'reserve':
      return reserve(record, command.reservation, facts)
    case 'authentication_reports':
      return { events: authenticationReported(record, command, facts) }
    case 'give_up':
      return { events: abandoned(record, command.reason) }
    case 'reservation_answered':
      return { events: reservationAnswered(record, command, facts) }
    case 'acquirer_reports':
      return { events: acquirerReported(record, command.report, command.names) }
    case 'security_code_gone':
      return { events: undone(record, 'security_code_gone') }
    case 'close':
      return closed(record, command, facts)
    case 'booked':
      return { events: reservationEnded(record) }
    case 'settle':
      return { events: linkMoved(record, command.by, 'link_settled') }
    case 'refunded':
      return { events: linkMoved(record, command.by, 'link_refunded') }
    case 'release':
    case 'reopen':
      return { events: linkReleased(record, command) }
    case 'time_is_up':
      return { events: timeIsUp(record, command.timer, facts) }
  }
}

/** Whether the token has expired. Checked here too, because its timer may fire late. */
function isOld({ createdAt }: OnlinePayment, { at }: OnlineFacts): boolean {
  return at >= createdAt + TOKEN_LIFE_MS
}

function revoke(record: OnlinePayment, facts: OnlineFacts): Decision<OnlinePaymentEvent, Refusal> {
  if (record.token === 'expired' || (record.token === 'issued' && isOld(record, facts)))
    return { refused: { code: 'access_token_unknown' } }
  if (record.token === 'issued' || record.progress === 'authorizing') return { events: [{ type: 'revoked' }] }
  const status = statusOf(record)
  return { refused: { code: 'payment_not_revocable', detail: status === null ? 'Revoked' : STATUS_NAMES[status] } }
}

/**
 * Submitted once more, because the answer with the challenge or the pause was lost. While the directory server is asked there is
 * no such answer: two submissions at that time are two tabs, and one of them is refused.
 */
function isSameAttempt(record: OnlinePayment, again: Submission): boolean {
  const { submission } = record
  if (submission === null || !awaitsPayerOrShop(record)) return false
  return identityOf(submission) === identityOf(again)
}

function identityOf({ by, card: { lookup, expiry }, original, securityCodeGiven }: Submission): string {
  return JSON.stringify([by, lookup, expiry.month, expiry.year, original, securityCodeGiven])
}

function submitted(record: OnlinePayment, submission: Submission, facts: OnlineFacts): Events {
  const first: OnlinePaymentEvent = { type: 'submitted', submission }
  // A void needs no card; all other payments that refer to an earlier one do.
  if (facts.cardGone && record.order.transactionType !== 'VOID')
    return [first, ended(30, 'The card of the referenced payment is no longer kept', 'card_not_kept')]
  if (isLinked(record.order.transactionType)) return [first, { type: 'reservation_requested' }]
  if (submission.authenticate) return [first, { type: 'lookup_requested', mustChallenge: false }]
  return [first, ...proceed(record, submission, facts)]
}

/** Requests the authorisation, unless the shop wants a pause first or the payment is a repetition. */
function proceed({ order }: OnlinePayment, { by }: Submission, { repetition }: OnlineFacts): Events {
  if (repetition) return [ended(20, STATUS_NAMES[20], 'duplicate')]
  // Wallet payments and payments without a payer do not pause.
  const pauses = order.waitPreExecute && (by === 'card_form' || by === 'saved_card')
  return [pauses ? { type: 'paused' } : { type: 'authorisation_requested' }]
}

function resume(record: OnlinePayment, facts: OnlineFacts): Decision<OnlinePaymentEvent, Refusal> {
  if (record.progress !== 'waiting') return { refused: { code: 'payment_not_paused' } }
  if (facts.at >= record.waitingSince + PAUSE_LIMIT_MS) return { refused: { code: 'payment_not_paused' } }
  const then: OnlinePaymentEvent = facts.repetition
    ? ended(20, STATUS_NAMES[20], 'duplicate')
    : { type: 'authorisation_requested' }
  return { events: [{ type: 'resumed' }, then] }
}

function authenticationReported(
  record: OnlinePayment,
  { report, returnedAt }: Extract<OnlineCommand, { type: 'authentication_reports' }>,
  facts: OnlineFacts,
): Events {
  const { submission } = record
  // Checked here too, because the timer may fire late.
  const isLate =
    record.progress === 'authorizing' && (returnedAt ?? facts.at) >= record.waitingSince + CHALLENGE_LIMIT_MS
  if (isLate) return authenticationFailed(record, 'timed_out')
  if (submission === null || !accepts(TRANSITIONS.authentication, record.authentication, report.type)) return []
  switch (report.type) {
    case 'challenge_requested':
      return [report]
    case 'authenticated':
      return [report, ...afterAuthentication(record, submission, facts)]
    case 'not_enrolled':
    case 'exempted':
      // The issuer demands authentication but does not take part in it: the payment cannot go on.
      return record.mustChallenge
        ? [report, failure(record, 'unavailable')]
        : [report, ...afterAuthentication(record, submission, facts)]
    case 'authentication_failed':
      return [report, ...afterFailure(record, submission, report, facts)]
  }
}

/** A payment without its payer needs no authentication: where none was possible, it goes on without a proof. ADR 98. */
function afterFailure(
  record: OnlinePayment,
  submission: Submission,
  { status, reason }: Extract<StoredReport, { type: 'authentication_failed' }>,
  facts: OnlineFacts,
): Events {
  const goesOn = submission.prior !== undefined && status === 'U' && reason === 'unavailable'
  return goesOn ? afterAuthentication(record, submission, facts) : [failure(record, reason)]
}

/** Ends the payment whatever the issuer says. What the acquirer was asked for goes on. ADR 53. */
function abandoned(record: OnlinePayment, reason: AbandonReason): Events {
  if (!isBeforeAcquirer(record)) return []
  return record.progress === 'waiting' ? [failure(record, reason)] : authenticationFailed(record, reason)
}

/** With `mustChallenge` the shop has already had its pause. An identical payment may have succeeded meanwhile. */
function afterAuthentication(record: OnlinePayment, submission: Submission, facts: OnlineFacts): Events {
  if (facts.repetition) return [ended(20, STATUS_NAMES[20], 'duplicate')]
  return record.mustChallenge ? [{ type: 'authorisation_requested' }] : proceed(record, submission, facts)
}

function reservationAnswered(
  record: OnlinePayment,
  { refused, amountMinor }: Extract<OnlineCommand, { type: 'reservation_answered' }>,
  facts: OnlineFacts,
): Events {
  if (record.reservation !== 'requested') return []
  if (refused !== null) return [{ type: 'reservation_refused', reason: refused }, ended(30, refused, 'not_allowed')]
  const then: OnlinePaymentEvent = facts.repetition
    ? ended(20, STATUS_NAMES[20], 'duplicate')
    : { type: 'authorisation_requested' }
  const isVoid = record.order.transactionType === 'VOID'
  return [{ type: 'reserved', ...(isVoid ? { undoesMinor: amountMinor } : {}) }, then]
}

function acquirerReported(record: OnlinePayment, report: OnlineAcquirerReport, names: FreshNames): Events {
  if (!accepts(TRANSITIONS.money, record.money, report.type))
    return record.closure === undefined ? [] : answeredLate(record, report)
  switch (report.type) {
    case 'authorisation_unanswered':
      return [report]
    case 'authorisation_approved':
      return [report, succeeded(record, report.authCode, names)]
    case 'authorisation_declined':
      if (asksForPayer(record, report.reason)) return [report, { type: 'lookup_requested', mustChallenge: true }]
      return [
        report,
        report.reason === 'refer_to_issuer'
          ? ended(4, 'Card referred', 'referred_by_issuer')
          : ended(5, 'Card declined', 'declined_by_issuer'),
      ]
    case 'reversed':
      return record.progress === 'final'
        ? [report]
        : [report, ended(30, STATUS_NAMES[30], record.reason ?? 'acquirer_unanswered')]
  }
}

/** How long an acquirer has to answer before an operator may resolve the payment, in milliseconds. */
const CLOSED_AFTER_MS = 60_000

/**
 * Ends a payment whose acquirer does not respond. A payment closed as not taken is reversed where possible, because the
 * order may have arrived or may still arrive.
 */
function closed(
  record: OnlinePayment,
  { outcome, operator, reason, authCode, names }: Closing & { readonly names: FreshNames },
  { at }: OnlineFacts,
): Decision<OnlinePaymentEvent, Refusal> {
  const { money, progress } = record
  const isLeft = money === 'requested' && at >= record.waitingSince + CLOSED_AFTER_MS
  if (progress !== 'processing' || !(isLeft || money === 'unknown' || money === 'reversing'))
    return { refused: { code: 'payment_not_closable' } }
  if (outcome === 'taken')
    return { events: [{ type: 'closed_as_taken', operator, reason, authCode }, succeeded(record, authCode, names)] }
  return {
    events: [
      { type: 'closed_as_not_taken', operator, reason },
      ...(awaitsAcquirer(record) && isUndoable(record) ? [{ type: 'reversal_requested', why: 'closed' } as const] : []),
      ended(30, STATUS_NAMES[30], 'closed_by_operator'),
    ],
  }
}

/** Records an acquirer's answer after a closure. It never changes what the operator has decided. */
function answeredLate({ closure, lateAnswer, money }: OnlinePayment, report: OnlineAcquirerReport): Events {
  if (report.type === 'authorisation_unanswered' || report.type === money) return []
  const answer = LATE_ANSWERS[report.type]
  if (lateAnswer?.answer === answer) return []
  const agrees = (closure?.outcome === 'taken') === (answer === 'approved')
  const authCode = report.type === 'authorisation_approved' ? report.authCode : ''
  const responseCode = report.type === 'authorisation_declined' ? report.responseCode : ''
  return [{ type: 'answered_late', answer, agrees, authCode, responseCode }]
}

const LATE_ANSWERS = {
  authorisation_approved: 'approved',
  authorisation_declined: 'declined',
  reversed: 'reversed',
} as const

function succeeded({ submission }: OnlinePayment, authCode: string, names: FreshNames): OnlinePaymentEvent {
  const message = authCode === '' ? STATUS_NAMES[0] : `AuthCode: ${authCode}`
  const paymentMethodId = submission?.saveCard === true ? names.paymentMethodId : null
  return { type: 'ended', statusCode: 0, message, crossReference: names.crossReference, paymentMethodId }
}

/** Whether the issuer demands authentication for the first time, and the payer is there for it. */
function asksForPayer({ submission, mustChallenge }: OnlinePayment, reason: DeclineReason): boolean {
  const isPresent = submission?.authenticate === true && submission.prior === undefined
  return reason === 'authentication_required' && isPresent && !mustChallenge
}

function reservationEnded({ reservation, statusCode }: OnlinePayment): Events {
  if (reservation !== 'reserved') return []
  return [{ type: statusCode === 0 ? 'reservation_settled' : 'reservation_released' }]
}

function reserve(
  record: OnlinePayment,
  reservation: Reservation,
  { at }: OnlineFacts,
): Decision<OnlinePaymentEvent, Refusal> {
  // Repeated after a crash: the reservation exists.
  if (record.entries.some(({ by }) => by === reservation.by)) return { events: [] }
  const { transactionType } = record.order
  const amount = onlineAmountOf(record.order)
  const successful = record.statusCode === 0
  const reason = refusalReasonOf(
    reservation,
    { transactionType, amount, successful, at: record.finishedAt ?? 0, entries: record.entries },
    at,
  )
  if (reason !== null) return { refused: { code: 'linked_payment_refused', detail: reason } }
  const entry = reservation.type === 'VOID' ? { ...reservation, amountMinor: amount.minor } : reservation
  return { events: [{ type: 'link_reserved', reservation: entry }] }
}

function linkMoved({ entries }: OnlinePayment, by: PaymentId, type: 'link_settled' | 'link_refunded'): Events {
  return canMove(entries, by, type) ? [{ type, by }] : []
}

/** Releases an entry. Only a void (`reopen`) releases a settled one. */
function linkReleased(
  { entries }: OnlinePayment,
  { type, by }: { readonly type: string; readonly by: PaymentId },
): Events {
  const isSettled = entries.some(entry => entry.by === by && entry.state === 'settled')
  if (!canMove(entries, by, 'link_released') || (isSettled && type !== 'reopen')) return []
  return [{ type: 'link_released', by }]
}

function timeIsUp(record: OnlinePayment, timer: OnlineTimer, facts: OnlineFacts): Events {
  switch (timer) {
    case 'expiry':
      return record.token === 'issued' ? [{ type: 'expired' }] : []
    case 'look_up': {
      if (record.authentication !== 'looking_up' || record.submission === null) return []
      const report = { type: 'authentication_failed', status: 'U', reason: 'unavailable' } as const
      return [report, ...afterFailure(record, record.submission, report, facts)]
    }
    case 'challenge':
      return record.authentication === 'challenged' ? authenticationFailed(record, 'timed_out') : []
    case 'pre_execute':
      return record.progress === 'waiting' ? [ended(30, 'Pre-execute wait expired', 'pause_expired')] : []
    case 'settle':
      return undone(record, 'unanswered')
  }
}

function undone(record: OnlinePayment, why: 'unanswered' | 'security_code_gone'): Events {
  const reason = why === 'security_code_gone' ? 'security_code_lost' : 'acquirer_unanswered'
  return awaitsAcquirer(record) && isUndoable(record) ? [{ type: 'reversal_requested', why, reason }] : []
}

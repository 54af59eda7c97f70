// src/domain/online/payment-endings.ts — the events that end a payment without success: status, message and reason.

import type { OnlinePayment } from './payment.ts'
import type { FinalStatus, OnlinePaymentEvent } from './payment-events.ts'
import type { PaymentReason } from './payment-reason.ts'
import type { AuthenticationFailure } from './three-d-secure.ts'

type Ended = Extract<OnlinePaymentEvent, { type: 'ended' }>

/** Ends a payment without success. */
export function ended(statusCode: FinalStatus, message: string, reason: PaymentReason): Ended {
  return { type: 'ended', statusCode, message, reason, crossReference: '', paymentMethodId: null }
}

/** A failed authentication, and the end that follows. */
export function authenticationFailed(
  record: OnlinePayment,
  reason: AuthenticationFailure,
): readonly OnlinePaymentEvent[] {
  const isNo = reason === 'closed' || reason === 'not_authenticated'
  return [{ type: 'authentication_failed', status: isNo ? 'N' : 'U', reason }, failure(record, reason)]
}

/** The end of a payment whose authentication failed. */
export function failure({ progress }: OnlinePayment, failed: AuthenticationFailure): Ended {
  const [statusCode, message, reason] = FAILURES[failed]
  // The issuer has asked the payer.
  const isAnswered = failed === 'not_authenticated' && progress === 'authorizing'
  return ended(statusCode, message, isAnswered ? 'wrong_code' : reason)
}

const FAILURES: Readonly<Record<AuthenticationFailure, readonly [FinalStatus, string, PaymentReason]>> = {
  not_authenticated: [5, 'Card declined', 'not_authenticated'],
  rejected: [5, 'Card declined', 'rejected_by_bank'],
  cancelled: [5, 'Card declined', 'cancelled_at_bank'],
  closed: [5, 'Card declined', 'closed_by_payer'],
  page_failed: [5, 'Card declined', 'bank_page_failed'],
  // A payer who never answers is not authenticated.
  timed_out: [5, 'Card declined', 'authentication_expired'],
  // Nothing was declined: the fault is the gateway's or the scheme's.
  unavailable: [30, 'Card authentication unavailable', 'authentication_unavailable'],
}

// src/domain/online/payment-reason.ts — why a payment ended without success.

/** Every reason with its meaning, which the descriptions of the interfaces and the guide repeat. */
export const PAYMENT_REASONS = {
  closed_by_payer: 'The payer closed the bank’s page or cancelled, before the card was charged.',
  cancelled_at_bank: 'The payer cancelled on the bank’s own page.',
  wrong_code: 'The bank asked the payer and did not accept the answer, such as a wrong code.',
  not_authenticated: 'The bank did not confirm the payer, and did not ask.',
  rejected_by_bank: 'The bank refused the authentication.',
  authentication_expired: 'The payer did not return from the bank within fifteen minutes.',
  bank_page_failed: 'The browser reported that the bank’s page could not be shown.',
  authentication_unavailable: 'The authentication was needed and could not be done.',
  declined_by_issuer: 'The issuer declined the card; declineReason in /api/payments has more.',
  referred_by_issuer: 'The issuer wants to be contacted first.',
  duplicate: 'The same payment was made a moment ago, or is being made.',
  not_allowed: 'The earlier payment does not allow this; the message says why.',
  card_not_kept: 'The card of the earlier payment is no longer kept.',
  pause_expired: 'The shop did not resume the paused payment within fifteen minutes.',
  acquirer_unanswered: 'The acquirer did not answer, and its order was reversed.',
  security_code_lost: 'The gateway restarted before the card was charged, and the security code was in memory only.',
  closed_by_operator: 'An operator closed the payment as not taken.',
  revoked: 'The shop revoked the token.',
} as const
export type PaymentReason = keyof typeof PAYMENT_REASONS

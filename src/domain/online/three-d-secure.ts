// src/domain/online/three-d-secure.ts — states, reports and proof of 3-D Secure authentication.
import type { Transitions } from '../machine.ts'
import type { Liability } from './liability.ts'

/** State of the authentication of a payment. */
export type AuthenticationState =
  /** No authentication, or not yet. */
  | 'none'
  | 'looking_up'
  /** The card is not enrolled. */
  | 'not_enrolled'
  | 'challenged'
  | 'authenticated'
  /** The issuer takes note that the merchant wants no authentication, and has authenticated nobody. */
  | 'exempted'
  | 'failed'

export const AUTHENTICATION_TRANSITIONS: Transitions<
  AuthenticationState,
  AuthenticationReport['type'] | 'lookup_requested' | 'revoked'
> = {
  none: { lookup_requested: 'looking_up', revoked: 'none' },
  looking_up: {
    not_enrolled: 'not_enrolled',
    challenge_requested: 'challenged',
    authenticated: 'authenticated',
    exempted: 'exempted',
    authentication_failed: 'failed',
  },
  // The issuer may still demand authentication when it is asked for the money (soft decline).
  not_enrolled: { lookup_requested: 'looking_up' },
  challenged: {
    authenticated: 'authenticated',
    exempted: 'exempted',
    authentication_failed: 'failed',
    revoked: 'failed',
  },
  authenticated: { lookup_requested: 'looking_up' },
  exempted: { lookup_requested: 'looking_up' },
  failed: {},
}

/** How long a challenge may take, in milliseconds. */
export const CHALLENGE_LIMIT_MS = 15 * 60_000

/**
 * Transaction status of EMV 3-D Secure: Y authenticated, A attempted (liability shifts without authentication), N not
 * authenticated, U unable, R rejected without a challenge, C challenge required.
 */
export type TransactionStatus = 'Y' | 'A' | 'N' | 'U' | 'R' | 'C'

export type ThreeDSecureVersion = '1.0' | '2.0'

/** Exemptions of Delegated Regulation (EU) 2018/389, articles 13 to 18. */
export type Exemption = 'low_value' | 'transaction_risk_analysis' | 'trusted_beneficiary' | 'recurring' | 'corporate'

/** What an authentication gives the acquirer. With status I nobody is authenticated, and the issuer knows. */
export interface AuthenticationProof {
  readonly version: ThreeDSecureVersion
  readonly status: 'Y' | 'A' | 'I'
  /** The payer has completed a challenge. */
  readonly challenged: boolean
  /** Electronic commerce indicator, two digits. */
  readonly eci: string
  /** Authentication value, base64. Empty with status I, unless the issuer gives one. */
  readonly value: string
  readonly directoryServerTransactionId: string
  /** Of the 3DS Server, which is the gateway. This and the next two are absent with version 1.0 and in records of 0.1. */
  readonly threeDSServerTransactionId?: string
  /** Of the issuer. */
  readonly acsTransactionId?: string
  /** Exact version of the messages, such as 2.2.0. */
  readonly messageVersion?: string
  /** Absent in records of 0.1. */
  readonly liability?: Liability
  /** Why the payer is not authenticated. Absent when none was asked for, and when it was not needed. */
  readonly exemption?: Exemption
}

/**
 * Value of an authentication as records and events have it: a reference in the vault. Empty without a value; records of 0.1 have the
 * value itself until the payment ends.
 */
export type StoredValue = string | { readonly vault: string }

/** A proof as records and events have it. */
export interface StoredProof extends Omit<AuthenticationProof, 'value'> {
  readonly value: StoredValue
}

/** The authentication on which a later payment without its payer rests. ADR 98. */
export interface PriorAuthentication {
  /** The payer completed a challenge. */
  readonly challenged: boolean
  readonly acsTransactionId: string
  readonly directoryServerTransactionId: string
  /** When the payment with the payer was submitted, epoch milliseconds. */
  readonly at: number
}

/** The challenge: where the browser goes and what it posts. */
export interface Challenge {
  readonly version: ThreeDSecureVersion
  /** Id of the authentication for browser, issuer and gateway. */
  readonly md: string
  readonly acsUrl: string
  /** Payload for the issuer's page: CReq (version 2) or PaReq (version 1). */
  readonly payload: string
}

/** Result of a directory server, at once or after the challenge. */
export type AuthenticationReport<Proof = AuthenticationProof> =
  | { readonly type: 'not_enrolled' }
  | { readonly type: 'challenge_requested'; readonly challenge: Challenge }
  | { readonly type: 'authenticated'; readonly proof: Proof }
  | { readonly type: 'exempted'; readonly proof: Proof }
  | { readonly type: 'authentication_failed'; readonly status: 'N' | 'R' | 'U'; readonly reason: AuthenticationFailure }

/** The same as it is stored. */
export type StoredReport = AuthenticationReport<StoredProof>

export type AuthenticationFailure =
  /** The issuer did not authenticate the payer, or rejected the authentication. */
  | 'not_authenticated'
  | 'rejected'
  /** Authentication was not possible. It was requested, so it is not skipped: the payment ends. */
  | 'unavailable'
  /** On the issuer's own page. Version 0.1 used it for a closed page too. */
  | 'cancelled'
  /** The payer has closed the issuer's page. */
  | 'closed'
  /** The browser could not show the issuer's page. */
  | 'page_failed'
  | 'timed_out'

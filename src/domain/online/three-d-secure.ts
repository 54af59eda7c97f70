// src/domain/online/three-d-secure.ts — whether the payer is the owner of the card: what the issuer's servers say, and what may
// be done on it.
import type { Transitions } from '../machine.ts'

/** How far the authentication of a payment has come. */
export type AuthenticationState =
  /** Nobody is to be asked, or not yet. */
  | 'none'
  | 'looking_up'
  /** The card takes no part. */
  | 'not_enrolled'
  | 'challenged'
  | 'authenticated'
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
    authentication_failed: 'failed',
  },
  // The issuer may still want to see the payer when it is asked for the money.
  not_enrolled: { lookup_requested: 'looking_up' },
  challenged: { authenticated: 'authenticated', authentication_failed: 'failed', revoked: 'failed' },
  authenticated: { lookup_requested: 'looking_up' },
  failed: {},
}

/** How long a payer may take before the issuer's page, in milliseconds. Online reference 3.4. */
export const CHALLENGE_LIMIT_MS = 15 * 60_000

/**
 * What the issuer says, in the letters of EMV 3-D Secure: yes; attempted (liability moves, nobody was asked); no;
 * unable; rejected without asking; challenge the payer.
 */
export type TransactionStatus = 'Y' | 'A' | 'N' | 'U' | 'R' | 'C'

export type ThreeDSecureVersion = '1.0' | '2.0'

/** Proof for the acquirer. */
export interface AuthenticationProof {
  readonly version: ThreeDSecureVersion
  readonly status: 'Y' | 'A'
  /** The payer was asked, and has answered. */
  readonly challenged: boolean
  /** Electronic commerce indicator, two digits. */
  readonly eci: string
  /** Authentication value, base64. */
  readonly value: string
  readonly directoryServerTransactionId: string
}

/** Where the payer goes, and with what. */
export interface Challenge {
  readonly version: ThreeDSecureVersion
  /** Names the authentication between browser, issuer and gateway. */
  readonly md: string
  readonly acsUrl: string
  /** For the issuer's page: CReq of version 2, PaReq of version 1. */
  readonly payload: string
}

/** What a directory server can say of a card, at once or after the challenge. */
export type AuthenticationReport =
  | { readonly type: 'not_enrolled' }
  | { readonly type: 'challenge_requested'; readonly challenge: Challenge }
  | { readonly type: 'authenticated'; readonly proof: AuthenticationProof }
  | { readonly type: 'authentication_failed'; readonly status: 'N' | 'R' | 'U'; readonly reason: AuthenticationFailure }

export type AuthenticationFailure =
  /** The issuer says that it was not the owner, or will not have it. */
  | 'not_authenticated'
  | 'rejected'
  /** It could not be done. It was asked for, so it is not left out: the payment ends. */
  | 'unavailable'
  | 'cancelled'
  | 'timed_out'

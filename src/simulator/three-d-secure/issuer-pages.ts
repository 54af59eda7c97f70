// src/simulator/three-d-secure/issuer-pages.ts — interfaces of the simulated issuers' pages, and their overrides.
import type { ThreeDSecureVersion, TransactionStatus } from '../../domain/online/three-d-secure.ts'

/** Faults of an issuer's page. */
export const CHALLENGE_FAULTS = ['never_answers', 'answers_twice', 'late', 'wrong_code', 'refuses_framing'] as const
export type ChallengeFault = (typeof CHALLENGE_FAULTS)[number]

/** Contents of a challenge page. */
export interface ChallengeView {
  readonly md: string
  readonly version: ThreeDSecureVersion
  readonly maskedNumber: string
  readonly amountMinor: number
  /** ISO 4217 numeric. */
  readonly currencyCode: string
  /** Null when a button is enough. The sandbox page shows it. */
  readonly password: string | null
  readonly wrongTries: number
  readonly codesSent: number
  readonly fault: ChallengeFault | null
  /** Whether the issuer has decided, so that the payer is not challenged any more. */
  readonly decided: boolean
}

export type ChallengeAnswer =
  | { readonly action: 'submit'; readonly code: string }
  | { readonly action: 'resend' }
  | { readonly action: 'cancel' }

/** `again`: show the page once more. `stuck`: never proceed. `decided`: send the browser back `times` times. */
export type ChallengeStep =
  | { readonly step: 'again'; readonly view: ChallengeView }
  | { readonly step: 'unanswered'; readonly view: ChallengeView }
  | { readonly step: 'decided'; readonly view: ChallengeView; readonly times: 1 | 2 }

/** Override of an account's next authentication. */
export interface AuthenticationOverride {
  /** The issuer's immediate status; null for that of the card's mode. */
  readonly status: TransactionStatus | null
  /** Fault of the issuer's page; null for none. */
  readonly fault: ChallengeFault | null
}

export interface IssuerPages {
  /** Null when there is no such challenge. */
  view(md: string): ChallengeView | null
  answer(md: string, answer: ChallengeAnswer): ChallengeStep | null
  overrides(account: string): readonly AuthenticationOverride[]
  setAuthenticationOverrides(account: string, overrides: readonly AuthenticationOverride[]): void
}

/** The same pages, on whatever node a browser opens them. @throws faults of `LaneNode.ask` */
export interface ChallengePages {
  view(md: string): Promise<ChallengeView | null>
  answer(md: string, answer: ChallengeAnswer): Promise<ChallengeStep | null>
}

/** A test card of the online sandbox. */
export interface OnlineTestCardView {
  readonly number: string
  readonly scheme: string
  /** `MM/YY`; null for any future month. */
  readonly expiry: string | null
  readonly securityCode: string
  readonly holder: string | null
  readonly expected: number
  readonly mode: string
  /** Null when a button is enough, or when there is no page. */
  readonly password: string | null
}

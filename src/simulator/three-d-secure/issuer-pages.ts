// src/simulator/three-d-secure/issuer-pages.ts — the issuers of the sandbox as their payers meet them, and what a test may ask of
// them, as interfaces.
import type { ThreeDSecureVersion, TransactionStatus } from '../../domain/online/three-d-secure.ts'

/** How an issuer's page behaves where it does not behave well. */
export const CHALLENGE_FAULTS = ['never_answers', 'answers_twice', 'late', 'wrong_code', 'refuses_framing'] as const
export type ChallengeFault = (typeof CHALLENGE_FAULTS)[number]

/** What a page shows. */
export interface ChallengeView {
  readonly md: string
  readonly version: ThreeDSecureVersion
  readonly maskedNumber: string
  readonly amountMinor: number
  /** ISO 4217 numeric. */
  readonly currencyCode: string
  /** Null: a button will do. In the sandbox the page gives it away. */
  readonly password: string | null
  readonly wrongTries: number
  readonly codesSent: number
  readonly fault: ChallengeFault | null
  /** The issuer has made up its mind; there is nothing more to be asked. */
  readonly decided: boolean
}

export type ChallengeAnswer =
  | { readonly action: 'submit'; readonly code: string }
  | { readonly action: 'resend' }
  | { readonly action: 'cancel' }

/** `again`: show the page once more. `stuck`: it never ends. `decided`: send the browser back, so many times. */
export type ChallengeStep =
  | { readonly step: 'again'; readonly view: ChallengeView }
  | { readonly step: 'stuck'; readonly view: ChallengeView }
  | { readonly step: 'decided'; readonly view: ChallengeView; readonly times: 1 | 2 }

/** What the next authentication of an account is to be like. */
export interface AuthenticationOverride {
  /** What the issuer says at once; null: as the card's mode has it. */
  readonly status: TransactionStatus | null
  /** What is wrong with its page; null: nothing. */
  readonly fault: ChallengeFault | null
}

export interface IssuerPages {
  /** Null: there is no such challenge. */
  view(md: string): ChallengeView | null
  answer(md: string, answer: ChallengeAnswer): ChallengeStep | null
  overrides(account: string): readonly AuthenticationOverride[]
  setAuthenticationOverrides(account: string, overrides: readonly AuthenticationOverride[]): void
}

/** A card of the online sandbox, as a person needs to know it. */
export interface OnlineTestCardView {
  readonly number: string
  readonly scheme: string
  /** `MM/YY`; null: any month to come. */
  readonly expiry: string | null
  readonly securityCode: string
  readonly holder: string | null
  readonly expected: number
  readonly mode: string
  /** Null: a button, or there is no page. */
  readonly password: string | null
}

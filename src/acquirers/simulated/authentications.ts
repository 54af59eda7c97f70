// src/acquirers/simulated/authentications.ts — what the simulated issuers remember of the payers they were asked about.
// Written before anybody hears of it; it outlives the gateway, as an issuer does.
import type { AuthenticationReport, ThreeDSecureVersion } from '../../domain/three-d-secure.ts'
import type { SimulatedMemory } from '../../simulated-world/memory.ts'

export type ChallengeResult = Exclude<AuthenticationReport, { type: 'challenge_requested' | 'not_enrolled' }>

/** How an issuer's page behaves where it does not behave well. */
export type ChallengeFault =
  /** Whatever the payer does, the page never comes to an end. */
  | 'never_answers'
  /** It sends its result twice. */
  | 'answers_twice'
  /** It takes its time to show, and again to answer. */
  | 'late'
  /** No code is ever right. */
  | 'wrong_code'
  /** It will not be shown in a frame. */
  | 'refuses_framing'

export interface Authentication {
  readonly md: string
  readonly account: string
  readonly version: ThreeDSecureVersion
  /** What the payer must say; null: pressing a button will do. */
  readonly password: string | null
  readonly maskedNumber: string
  readonly amountMinor: number
  readonly currencyCode: string
  readonly fault: ChallengeFault | null
  /** Wrong answers so far. */
  readonly wrongTries: number
  /** Times that a code was sent. */
  readonly codesSent: number
  /** Null: the payer has not been seen, or has not answered. */
  readonly result: ChallengeResult | null
  /** What was answered at once, without a page. */
  readonly report: AuthenticationReport
}

export interface Authentications {
  find(md: string): Authentication | null
  write(authentication: Authentication): void
}

export function createAuthentications(memory: SimulatedMemory): Authentications {
  return {
    find(md) {
      const body = memory.read('authentication', md)
      return body === null ? null : (JSON.parse(body) as Authentication)
    },
    write(authentication) {
      const { md, account } = authentication
      memory.write([{ shelf: 'authentication', key: md, parent: account, body: JSON.stringify(authentication) }])
    },
  }
}

// src/simulator/three-d-secure/authentications.ts — what the simulated issuers remember of the payers they were asked about.
// Written before anybody hears of it; it outlives the gateway, as an issuer does.
import { hash } from 'node:crypto'
import type {
  AuthenticationProof,
  AuthenticationReport,
  ThreeDSecureVersion,
} from '../../domain/online/three-d-secure.ts'
import type { SimulatedMemory } from '../memory/memory.ts'
import type { ChallengeFault } from './issuer-pages.ts'

export type ChallengeResult = Exclude<AuthenticationReport, { type: 'challenge_requested' | 'not_enrolled' }>

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
  /** When the directory server hears of it, epoch milliseconds. */
  readonly resultKnownFrom: number
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
      memory.write([{ collection: 'authentication', key: md, parent: account, body: JSON.stringify(authentication) }])
    },
  }
}

/** Proof that an acquirer takes. Its values have the right form and mean nothing outside of the sandbox. */
export function proofOf(
  status: 'Y' | 'A',
  version: ThreeDSecureVersion,
  md: string,
  challenged: boolean,
): AuthenticationProof {
  return {
    ...{ version, status, challenged },
    eci: status === 'Y' ? '05' : '06',
    value: hash('sha256', `authentication value ${md}`, 'base64').slice(0, 27).concat('='),
    directoryServerTransactionId: hash('sha256', `directory server ${md}`, 'hex').slice(0, 32),
  }
}

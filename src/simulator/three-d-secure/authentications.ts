// src/simulator/three-d-secure/authentications.ts — authentications of the simulated issuers. Stored before the answer, in
// the simulator's memory, so they outlive the gateway.
import { hash } from 'node:crypto'
import type { CardScheme } from '../../domain/card-number.ts'
import { liabilityOf } from '../../domain/online/liability.ts'
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
  /** Password or code that the payer must enter; null when a button is enough. */
  readonly password: string | null
  readonly maskedNumber: string
  /** Absent in those of 0.1. */
  readonly scheme?: CardScheme
  readonly amountMinor: number
  readonly currencyCode: string
  readonly fault: ChallengeFault | null
  /** Number of wrong answers. */
  readonly wrongTries: number
  /** Number of codes sent. */
  readonly codesSent: number
  /** Null before the payer has answered. */
  readonly result: ChallengeResult | null
  /** When the directory server learns the result, epoch milliseconds. */
  readonly resultKnownFrom: number
  /** Result of the authentication request: a challenge, or an answer without one. */
  readonly report: AuthenticationReport
}

export interface Authentications {
  find(md: string): Authentication | null
  /** The same, on a node that need not have the account. */
  findAnywhere(account: string, md: string): Promise<Authentication | null>
  write(authentication: Authentication): void
}

export function createAuthentications(memory: SimulatedMemory): Authentications {
  const parsed = (body: string | null) => (body === null ? null : (JSON.parse(body) as Authentication))
  return {
    find: md => parsed(memory.read('authentication', md)),
    async findAnywhere(account, md) {
      if (memory.nodes !== undefined) return parsed(await memory.nodes.find(account, 'authentication', md))
      return parsed(memory.read('authentication', md))
    },
    write(authentication) {
      const { md, account } = authentication
      memory.write([{ collection: 'authentication', key: md, parent: account, body: JSON.stringify(authentication) }])
    },
  }
}

/** Version of the messages of the simulated issuers in mode 2.0. */
export const SPOKEN = '2.1.0'

function idOf(party: string, md: string): string {
  return hash('sha256', `${party} ${md}`, 'hex').slice(0, 32)
}

/** Cardholder authentication data for the acquirer, in a valid form and without meaning outside the sandbox. */
export function proofOf(
  status: 'Y' | 'A',
  { md, version, scheme = 'VISA' }: Pick<Authentication, 'md' | 'version' | 'scheme'>,
  challenged: boolean,
): AuthenticationProof {
  return {
    ...{ version, status, challenged },
    ...liabilityOf(scheme, status),
    value: hash('sha256', `authentication value ${md}`, 'base64').slice(0, 27).concat('='),
    directoryServerTransactionId: idOf('directory server', md),
    ...(version === '2.0' && {
      ...{ threeDSServerTransactionId: idOf('3DS server', md), acsTransactionId: md, messageVersion: SPOKEN },
    }),
  }
}

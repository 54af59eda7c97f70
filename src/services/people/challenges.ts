// src/services/people/challenges.ts — challenges that passkeys sign. Nothing is stored: a challenge says when it was made, and a tag
// of the vault shows that this gateway made it, on any of its nodes. ADR 78.
import { timingSafeEqual } from 'node:crypto'
import type { Clock } from '../../engine/ports/clock.ts'
import type { Random } from '../../engine/ports/random.ts'
import type { Vault } from '../../engine/ports/vault.ts'

/** How long a user has, in milliseconds. */
export const CHALLENGE_MS = 5 * 60_000
const NONCE_BYTES = 16
const FORM = /^(\d{1,16})\.([\w-]{22})\.([\w-]{43})$/

export interface Challenges {
  /** @param use what a signature means, such as `sign-in` */
  make(use: string): Promise<string>
  /** When a challenge was made, epoch milliseconds. Null when it is not ours, for something else, or too old. */
  timeOf(use: string, challenge: string): Promise<number | null>
}

export interface ChallengesParts {
  readonly vault: Vault
  readonly clock: Clock
  readonly random: Pick<Random, 'bytes'>
}

export function createChallenges({ vault, clock, random }: ChallengesParts): Challenges {
  const tagOf = (use: string, time: string, nonce: string) =>
    vault.tagOf('passkey-challenge', JSON.stringify([use, time, nonce]))
  return {
    async make(use) {
      const time = String(clock.now())
      const nonce = Buffer.from(random.bytes(NONCE_BYTES)).toString('base64url')
      return `${time}.${nonce}.${await tagOf(use, time, nonce)}`
    },
    async timeOf(use, challenge) {
      const [, time, nonce, tag] = FORM.exec(challenge) ?? []
      if (time === undefined || nonce === undefined || tag === undefined) return null
      const expected = Buffer.from(await tagOf(use, time, nonce))
      if (expected.length !== tag.length || !timingSafeEqual(expected, Buffer.from(tag))) return null
      const made = Number(time)
      return clock.now() < made + CHALLENGE_MS ? made : null
    },
  }
}

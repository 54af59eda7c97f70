// src/services/people/passwords.ts — hashes and compares passwords.
import { scrypt as scryptWithCallback, timingSafeEqual } from 'node:crypto'
import { promisify } from 'node:util'
import type { PasswordHash } from '../../domain/people/user.ts'
import type { Refusal } from '../../domain/refusals.ts'
import { createKeyedQueue } from '../../engine/keyed-queue.ts'
import type { Random } from '../../engine/ports/random.ts'

const scrypt = promisify<string, Uint8Array, number, { N: number; r: number; p: number; maxmem: number }, Buffer>(
  scryptWithCallback,
)

/** N, r, p: 32 MB and about 0.2 s of a processor for each attempt (OWASP Password Storage Cheat Sheet). */
const COST = [2 ** 15, 8, 3] as const
const HASH_BYTES = 32
const SALT_BYTES = 16
/** Hashed at the same time. More wait, so that attempts cannot take all memory and processors. */
const AT_ONCE = 2
/** Attempts that may wait. More are refused. */
const MOST_WAITING = 20

/** NIST SP 800-63B asks for a minimum and a generous maximum, and for no rules about kinds of characters. */
export const SHORTEST_PASSWORD = 12
export const LONGEST_PASSWORD = 128

export interface Passwords {
  /** Null when too many are waiting. */
  hash(password: string): Promise<PasswordHash | null>
  /**
   * Whether it is this password. Takes as long when there is none to compare with, so that the time does not tell which users exist.
   * Null when too many are waiting.
   */
  matches(password: string, stored: PasswordHash | null): Promise<boolean | null>
}

/** @param cost of new passwords; stored ones name theirs */
export function createPasswords(random: Pick<Random, 'bytes'>, cost: PasswordHash['cost'] = COST): Passwords {
  const queue = createKeyedQueue<number>()
  let waiting = 0
  let turn = 0

  async function derived(password: string, salt: Uint8Array, [N, r, p]: PasswordHash['cost']): Promise<Buffer | null> {
    if (waiting >= MOST_WAITING + AT_ONCE) return null
    waiting += 1
    turn += 1
    try {
      // Twice what it needs, which is Node's limit by default as well.
      const maxmem = 256 * N * r
      return await queue.run(turn % AT_ONCE, () =>
        scrypt(password.normalize('NFKC'), salt, HASH_BYTES, { N, r, p, maxmem }),
      )
    } finally {
      waiting -= 1
    }
  }

  return {
    async hash(password) {
      const salt = random.bytes(SALT_BYTES)
      const hash = await derived(password, salt, cost)
      if (hash === null) return null
      return { salt: Buffer.from(salt).toString('base64url'), hash: hash.toString('base64url'), cost }
    },
    async matches(password, stored) {
      const { salt, hash, cost: its } = stored ?? { ...NO_PASSWORD, cost }
      const given = await derived(password, Buffer.from(salt, 'base64url'), its)
      if (given === null) return null
      return timingSafeEqual(given, Buffer.from(hash, 'base64url')) && stored !== null
    },
  }
}

/** Compared with when a user does not exist. */
const NO_PASSWORD = {
  salt: Buffer.alloc(SALT_BYTES).toString('base64url'),
  hash: Buffer.alloc(HASH_BYTES).toString('base64url'),
}

/** Why a password cannot be set, as the refusal of a field; null when it can. */
export function faultOfPassword(password: string, user: string, field = 'password'): Refusal | null {
  const { length } = [...password]
  if (length < SHORTEST_PASSWORD || length > LONGEST_PASSWORD)
    return { code: 'field_invalid', field, detail: `must have ${SHORTEST_PASSWORD} to ${LONGEST_PASSWORD} characters.` }
  if (password.toLowerCase().includes(user.toLowerCase()) && user.length > 2)
    return { code: 'field_invalid', field, detail: 'must not contain the name of the user.' }
  if (new Set(password.toLowerCase()).size < 5)
    return { code: 'field_invalid', field, detail: 'must have five different characters at least.' }
  return null
}

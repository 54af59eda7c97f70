// src/services/online/tokens.ts — generates, parses and hashes access tokens.

import { hash } from 'node:crypto'
import type { AccessToken, MerchantAccountId, PaymentId } from '../../domain/ids.ts'
import type { Random } from '../../engine/ports/random.ts'

/** Bytes of the timestamp, milliseconds since 1970. */
const TIME_BYTES = 6
/** The same in base64url characters. */
const TIME_CHARACTERS = 8
const ID_DIGITS = 64
/** Random bytes: more than twice what is needed, so that tokens are about as long as the published examples. */
const CHANCE_BYTES = 66
const TOKEN_BYTES = TIME_BYTES + CHANCE_BYTES
const TOKEN = /^[\w-]{97,200}$/

/**
 * Generates a token of an account. It contains the account, so that no index over all accounts is needed, and begins with the
 * time (milliseconds since 1970), which the id needs.
 */
export function freshToken(random: Random, account: MerchantAccountId, now: number): AccessToken {
  const token = Buffer.allocUnsafe(TOKEN_BYTES + Buffer.byteLength(account))
  token.writeUIntBE(now, 0, TIME_BYTES)
  token.set(random.bytes(CHANCE_BYTES), TIME_BYTES)
  token.write(account, TOKEN_BYTES)
  return token.toString('base64url') as AccessToken
}

/** Parses a token as it was sent, without `=` padding; null when it cannot be a token of this gateway. */
export function readToken(sent: string): { readonly token: AccessToken; readonly account: MerchantAccountId } | null {
  const token = sent.trim().replace(/=+$/, '')
  if (!TOKEN.test(token)) return null
  const account = Buffer.from(token, 'base64url').subarray(TOKEN_BYTES).toString('utf8')
  return { token: token as AccessToken, account }
}

/**
 * Id of a token's payment, 64 hexadecimal digits: the token's time and the first 208 bits of its SHA-256. Ids that begin with
 * the time are neighbours in the store's index, so a new one touches an index page that is already in memory.
 */
export function idOfToken(token: AccessToken): PaymentId {
  const time = Buffer.from(token.slice(0, TIME_CHARACTERS), 'base64url').toString('hex')
  return time + hash('sha256', token, 'hex').slice(0, ID_DIGITS - time.length)
}

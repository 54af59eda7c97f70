// src/services/online/tokens.ts — access tokens: not to be guessed, opaque to all but the gateway, which keeps their hash.

import { hash } from 'node:crypto'
import type { AccessToken, MerchantAccountId, PaymentId } from '../../domain/ids.ts'
import type { Random } from '../../engine/ports/random.ts'

/** Milliseconds since 1970. */
const TIME_BYTES = 6
/** As base64url writes them. */
const TIME_CHARACTERS = 8
const ID_DIGITS = 64
/** Twice as much chance as is needed; the published tokens are about as long. Online reference 3.2. */
const CHANCE_BYTES = 66
const TOKEN_BYTES = TIME_BYTES + CHANCE_BYTES
const TOKEN = /^[\w-]{97,200}$/

/**
 * A new token of an account. It names its account, so that no index over all accounts is needed to find it, and begins
 * with the time (milliseconds since 1970), for the sake of its id.
 */
export function freshToken(random: Random, account: MerchantAccountId, now: number): AccessToken {
  const token = Buffer.allocUnsafe(TOKEN_BYTES + Buffer.byteLength(account))
  token.writeUIntBE(now, 0, TIME_BYTES)
  token.set(random.bytes(CHANCE_BYTES), TIME_BYTES)
  token.write(account, TOKEN_BYTES)
  return token.toString('base64url') as AccessToken
}

/** The one way in: a token that was sent, without what others pad it with; null: it cannot be one of ours. */
export function readToken(sent: string): { readonly token: AccessToken; readonly account: MerchantAccountId } | null {
  const token = sent.trim().replace(/=+$/, '')
  if (!TOKEN.test(token)) return null
  const account = Buffer.from(token, 'base64url').subarray(TOKEN_BYTES).toString('utf8')
  return { token: token as AccessToken, account }
}

/**
 * What is kept of a token, in 64 hexadecimal digits: its time, and the first 208 bits of its SHA-256. It names the payment.
 * Ids that begin with the time lie side by side in the store's index, so that a token beside a million others touches a
 * page that is in memory anyway.
 */
export function idOfToken(token: AccessToken): PaymentId {
  const time = Buffer.from(token.slice(0, TIME_CHARACTERS), 'base64url').toString('hex')
  return time + hash('sha256', token, 'hex').slice(0, ID_DIGITS - time.length)
}

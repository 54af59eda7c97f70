// src/engine/online/tokens.ts — access tokens: not to be guessed, opaque to all but the gateway, which keeps their hash.
import { hash } from 'node:crypto'
import type { Random } from '../ports.ts'

/** Bytes of chance. Twice as much as is needed; the published tokens are about as long. Online reference 3.2. */
const TOKEN_BYTES = 72
const TOKEN = /^[\w-]{97,200}$/

/** A new token of an account. It names its account, so that no index over all accounts is needed to find it. */
export function freshToken(random: Random, account: string): string {
  return Buffer.concat([random.bytes(TOKEN_BYTES), Buffer.from(account, 'utf8')]).toString('base64url')
}

/** A token that was sent, without what others pad it with; null: it cannot be one of ours. */
export function readToken(sent: string): { readonly token: string; readonly account: string } | null {
  const token = sent.trim().replace(/=+$/, '')
  if (!TOKEN.test(token)) return null
  const account = Buffer.from(token, 'base64url').subarray(TOKEN_BYTES).toString('utf8')
  return { token, account }
}

/** What is kept of a token: its SHA-256, hexadecimal. It names the payment. */
export function idOfToken(token: string): string {
  return hash('sha256', token, 'hex')
}

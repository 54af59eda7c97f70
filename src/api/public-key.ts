// src/api/public-key.ts — parses merchants' RSA public keys, PEM or JWK.
import { createPublicKey, type KeyObject } from 'node:crypto'

/** RFC 7518 §3.3. */
const SHORTEST_BITS = 2_048
/** Longer keys only cost time. */
const LONGEST_BITS = 8_192

/** Parses an RSA public key. Null for other texts, for unsuitable key lengths, and for private keys. */
export function publicKeyOf(text: string): KeyObject | null {
  if (/PRIVATE KEY/.test(text)) return null
  try {
    const trimmed = text.trim()
    const key = trimmed.startsWith('{') ? fromJwk(JSON.parse(trimmed)) : createPublicKey(trimmed)
    const bits = key?.asymmetricKeyDetails?.modulusLength ?? 0
    return key?.asymmetricKeyType === 'rsa' && bits >= SHORTEST_BITS && bits <= LONGEST_BITS ? key : null
  } catch {
    return null
  }
}

function fromJwk(jwk: Record<string, unknown>): KeyObject | null {
  if (jwk['d'] !== undefined || jwk['kty'] !== 'RSA') return null
  return createPublicKey({ key: { kty: 'RSA', n: String(jwk['n']), e: String(jwk['e']) }, format: 'jwk' })
}

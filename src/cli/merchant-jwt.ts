// src/cli/merchant-jwt.ts — signs the JWT that authenticates a web shop.

import type { KeyObject } from 'node:crypto'
import type { ApiKey } from '../domain/accounts/api-key.ts'
import { API_KEY } from '../engine/machines.ts'
import { recordsOf } from '../engine/pages.ts'
import type { Store } from '../engine/ports/store.ts'
import { Failure } from './failure.ts'
import { kidOf } from './signing-key.ts'

/** Lifetime, as long as that of the published tokens: the token is revoked with its API key and does not expire earlier. */
const LIFE_SECONDS = 24 * 365 * 24 * 60 * 60

export interface JwtOrder {
  /** The API key named by the token. Revoking it revokes the token. */
  readonly apiKey: ApiKey
  /** Base address of the gateway, without a slash at the end. */
  readonly audience: string
  readonly signingKey: KeyObject
}

/**
 * Signs a token, valid from the creation of its API key, so the same order always gives the same token. The claims are those
 * of published tokens, see docs/keys-and-accounts.md.
 */
export async function merchantJwt({ apiKey, audience, signingKey }: JwtOrder): Promise<string> {
  const { SignJWT } = await import('jose')
  const issuer = `${apiKey.merchantAccount}@${new URL(audience).hostname}`
  const issuedAt = Math.floor(apiKey.createdAt / 1000)
  return new SignJWT({ email: issuer, apiKey: apiKey.id })
    .setProtectedHeader({ alg: 'RS256', typ: 'JWT', kid: kidOf(signingKey) })
    .setIssuer(issuer)
    .setSubject(issuer)
    .setAudience(audience)
    .setIssuedAt(issuedAt)
    .setExpirationTime(issuedAt + LIFE_SECONDS)
    .sign(signingKey)
}

/** Finds the oldest active key of an account. @throws Failure when there is none */
export async function activeKeyOf(store: Store, account: string): Promise<ApiKey> {
  const active = (await recordsOf(store, account, API_KEY)).find(key => key.status === 'active')
  if (active !== undefined) return active
  throw new Failure(`Account ${account} has no active key; make one with \`tollgate keys create ${account}\`.`)
}

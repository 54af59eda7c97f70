// src/cli/jwt-signing.ts — signs the JWT that authenticates a web shop.

import type { KeyObject } from 'node:crypto'
import type { ApiKey } from '../domain/accounts/api-key.ts'
import { reachesArea } from '../domain/accounts/key-limits.ts'
import { API_KEY } from '../engine/machines.ts'
import { recordsOf } from '../engine/pages.ts'
import type { Store } from '../engine/ports/store.ts'
import { Failure } from './failure.ts'
import { kidOf } from './signing-key.ts'

/** Lifetime without a chosen one, as long as that of the published tokens: the token is revoked with its API key. */
const LIFE_SECONDS = 24 * 365 * 24 * 60 * 60

export interface JwtOrder {
  /** The API key named by the token. Revoking it revokes the token. */
  readonly apiKey: ApiKey
  /** Base address of the gateway, without a slash at the end. */
  readonly audience: string
  readonly signingKey: KeyObject
  /** Default: `longLived`. */
  readonly validity?: Validity
}

/** In seconds since 1970, as in the claims. */
export interface Validity {
  readonly issuedAt: number
  readonly expiresAt: number
}

/** From the creation of the API key, so that the same order always gives the same token. Sandboxes print it repeatedly. */
export function longLived({ createdAt }: ApiKey): Validity {
  const issuedAt = Math.floor(createdAt / 1_000)
  return { issuedAt, expiresAt: issuedAt + LIFE_SECONDS }
}

/** From now on. @param now epoch milliseconds @param lifeMs in milliseconds */
export function validFor(lifeMs: number, now: number): Validity {
  const issuedAt = Math.floor(now / 1_000)
  return { issuedAt, expiresAt: issuedAt + Math.floor(lifeMs / 1_000) }
}

/** Signs a token. The claims are those of published tokens, see docs/keys-and-accounts.md. */
export async function merchantJwt({ apiKey, audience, signingKey, validity }: JwtOrder): Promise<string> {
  const { SignJWT } = await import('jose')
  const issuer = `${apiKey.merchantAccount}@${new URL(audience).hostname}`
  const { issuedAt, expiresAt } = validity ?? longLived(apiKey)
  return new SignJWT({ email: issuer, apiKey: apiKey.id })
    .setProtectedHeader({ alg: 'RS256', typ: 'JWT', kid: kidOf(signingKey) })
    .setIssuer(issuer)
    .setSubject(issuer)
    .setAudience(audience)
    .setIssuedAt(issuedAt)
    .setExpirationTime(expiresAt)
    .sign(signingKey)
}

/**
 * Finds the oldest active key of an account that web shops can use: one of nobody, because that of a user ends with the user.
 * @throws Failure when there is none
 */
export async function activeKeyOf(store: Store, account: string): Promise<ApiKey> {
  const active = (await recordsOf(store, account, API_KEY)).find(key => key.status === 'active' && isForShops(key))
  if (active !== undefined) return active
  throw new Failure(
    `Account ${account} has no active key for a web shop; make one with \`tollgate keys create ${account}\`.`,
  )
}

function isForShops({ user = null, limits = {} }: ApiKey): boolean {
  return user === null && reachesArea(limits, 'online') && limits.terminals === undefined
}

// src/cli/merchant-jwt.ts — the JWT by which a web shop shows which account it belongs to.

import type { KeyObject } from 'node:crypto'
import type { ApiKey } from '../domain/accounts/api-key.ts'
import { API_KEY } from '../engine/machines.ts'
import { recordsOf } from '../engine/pages.ts'
import type { Store } from '../engine/ports/store.ts'
import { Failure } from './failure.ts'
import { kidOf } from './signing-key.ts'

/** As long as the published ones live: it is a key that is revoked, not a session that ends. */
const LIFE_SECONDS = 24 * 365 * 24 * 60 * 60

export interface JwtOrder {
  /** The API key it stands for. Revoked with it. */
  readonly apiKey: ApiKey
  /** Base address of the gateway that it is for, without a slash at the end. */
  readonly audience: string
  readonly signingKey: KeyObject
}

/**
 * Signs the token. It is counted from the making of its API key, so the same order gives the same token again.
 * Source: ecommerce reference 2.1, claims of the published tokens.
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

/** The oldest key of an account that is not revoked. @throws Failure when all are. */
export async function activeKeyOf(store: Store, account: string): Promise<ApiKey> {
  const active = (await recordsOf(store, account, API_KEY)).find(key => key.status === 'active')
  if (active !== undefined) return active
  throw new Failure(`Account ${account} has no active key; make one with \`tollgate keys create ${account}\`.`)
}

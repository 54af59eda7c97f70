// test/support/merchant-jwts.ts — valid and invalid JWTs of web shops. One key pair per run: generating one is slow.
import { createSign, generateKeyPairSync, type KeyObject } from 'node:crypto'
import type { TestAccountParts } from '../../src/cli/test-accounts.ts'
import { API_KEY } from '../../src/engine/machines.ts'
import type { Store } from '../../src/engine/ports/store.ts'

export const GATEWAY_KID = 'gateway-of-tests'
export const GATEWAY_KEYS = generateKeyPairSync('rsa', { modulusLength: 2048 })

/** 2024-01-01 */
const LONG_AGO = 1_704_067_200

export interface JwtWish {
  readonly header?: Readonly<Record<string, unknown>>
  readonly uniqueKeys?: Readonly<Record<string, unknown>>
  readonly key?: KeyObject
}

/** Signs a JWT by hand, so that invalid ones can be made too. */
export function jwtFor(
  apiKey: string,
  { header = {}, uniqueKeys = {}, key = GATEWAY_KEYS.privateKey }: JwtWish = {},
): string {
  const head = { alg: 'RS256', typ: 'JWT', ...header }
  const body = {
    iss: 'demo@test',
    aud: 'http://localhost',
    iat: LONG_AGO,
    exp: LONG_AGO + 757_382_400,
    apiKey,
    ...uniqueKeys,
  }
  const signed = `${encoded(head)}.${encoded(body)}`
  return `${signed}.${createSign('RSA-SHA256').update(signed).sign(key, 'base64url')}`
}

/** Signs JWTs of the first API key of an account, as the command line does. */
export function signJwtOf(store: Store): TestAccountParts['signJwt'] {
  return async (account, audience) => {
    const [key] = await store.list(account, { kind: API_KEY.kind, limit: 1 })
    const keyId = key?.id ?? ''
    return { keyId, jwt: jwtFor(keyId, { uniqueKeys: { aud: audience } }) }
  }
}

export function encoded(value: unknown): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url')
}

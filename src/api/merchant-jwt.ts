// src/api/merchant-jwt.ts — which account a web shop belongs to, by the JWT it sends. Online reference 2.1, RFC 8725.

import { hash, type KeyObject } from 'node:crypto'
import { compactVerify, decodeProtectedHeader } from 'jose'
import { LRUCache } from 'lru-cache'
import type { ApiKey } from '../domain/accounts/api-key.ts'
import type { JwtKey } from '../domain/accounts/jwt-key.ts'
import type { MerchantAccount } from '../domain/accounts/merchant-account.ts'
import type { RefusalCode } from '../domain/refusals.ts'
import type { Entry } from '../engine/cache.ts'
import { decodeRecord } from '../engine/decoding.ts'
import type { Engine } from '../engine/engine.ts'
import { API_KEY, JWT_KEY, keyIdKey, MERCHANT_ACCOUNT } from '../engine/machines.ts'
import type { Clock } from '../engine/ports/clock.ts'
import type { Store } from '../engine/ports/store.ts'
import { MOST_JWT_KEYS } from '../services/provisioning/jwt-key-store.ts'
import type { Identified } from './auth.ts'
import { publicKeyOf } from './public-key.ts'

/** Published tokens have less than half of it; nobody's megabytes are hashed or parsed. */
const LONGEST_JWT = 4_096
/** Clocks of servers differ. Applied to `exp`, `nbf` and `iat` alike. */
const LEEWAY_SECONDS = 60
/** Verified tokens remembered: one for each shop server, and a few that are being replaced. */
const CACHED_TOKENS = 10_000
const UNSET = 'the address in TOLLGATE_PUBLIC_URL, which is not set here.'
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i

/** A public key by which the gateway's own JWTs are known. */
export interface GatewayKey {
  readonly kid: string
  readonly key: KeyObject
}

export interface JwtAuthenticator {
  /**
   * @param base own base address, which `aud` must name; null: it is not known for sure, and no token is taken
   * @param connection what the header came over
   */
  identify(header: string | undefined, base: string | null, connection: object): Promise<Identified>
}

/** What a token says, once its signature was found right. The signature itself cannot go wrong later. */
interface Verified {
  readonly apiKey: string
  readonly account: string
  /** Id of the registered key that signed it; null: one of the gateway's own. */
  readonly jwtKey: string | null
  readonly aud: unknown
  readonly exp: unknown
  readonly nbf: unknown
  readonly iat: unknown
}

export interface JwtAuthenticatorParts {
  readonly engine: Engine
  readonly store: Store
  readonly clock: Clock
  readonly gatewayKeys: readonly GatewayKey[]
}

/** What a shop's server has sent last on a connection. */
interface Sent {
  readonly header: string
  readonly jwt: string
  readonly claims: Verified
}

/**
 * Only the signature is remembered; the token itself beside the open connection that it came over, because a shop's server
 * sends it again with each order. Whether the token is in time, and whether its API key, its account and the key that
 * signed it are still good, is looked up each time: what is revoked stops at once.
 */
export function createJwtAuthenticator(parts: JwtAuthenticatorParts): JwtAuthenticator {
  const { engine, clock } = parts
  const verified = new LRUCache<string, Verified>({ max: CACHED_TOKENS })
  const sent = new WeakMap<object, Sent>()

  async function verify(jwt: string): Promise<Verified | RefusalCode> {
    return verified.get(nameOf(jwt)) ?? verifyAnew(jwt)
  }

  async function verifyAnew(jwt: string): Promise<Verified | RefusalCode> {
    const found = await verifySignature(parts, jwt)
    if (typeof found === 'string') return found
    verified.set(nameOf(jwt), found)
    return found
  }

  async function judge(claims: Verified, base: string | null): Promise<Identified | typeof SIGNER_GONE> {
    const untimely = timeProblem(claims, Math.floor(clock.now() / 1_000))
    if (untimely !== null) return refused(untimely)
    if (base === null) return { refused: { code: 'jwt_audience_wrong', detail: UNSET } }
    if (!isMeantFor(claims.aud, base)) return { refused: { code: 'jwt_audience_wrong', detail: `${base}.` } }
    return accountOf(engine, claims)
  }

  async function bearerOf({ jwt, claims }: Sent, base: string | null, connection: object): Promise<Identified> {
    const found = await judge(claims, base)
    if (found !== SIGNER_GONE) return found
    sent.delete(connection)
    return holderAnew(jwt, base)
  }

  /** The key that had signed it is no longer good. The same may have been registered again, under this name or another. */
  async function holderAnew(jwt: string, base: string | null): Promise<Identified> {
    const claims = await verifyAnew(jwt)
    if (typeof claims === 'string') return refused('jwt_key_unknown')
    const found = await judge(claims, base)
    return found === SIGNER_GONE ? refused('jwt_key_unknown') : found
  }

  return {
    async identify(header, base, connection) {
      const last = sent.get(connection)
      if (last !== undefined && last.header === header) return bearerOf(last, base, connection)
      const jwt = tokenIn(header)
      if (header === undefined || jwt === null) return refused('jwt_missing')
      const claims = await verify(jwt)
      if (typeof claims === 'string') return refused(claims)
      const now = { header, jwt, claims }
      sent.set(connection, now)
      return bearerOf(now, base, connection)
    },
  }
}

function refused(code: RefusalCode): Identified {
  return { refused: { code } }
}

/** The token in a Bearer header; the scheme in any case. */
function tokenIn(header: string | undefined): string | null {
  return /^bearer[ \t]+(\S+)[ \t]*$/i.exec(header ?? '')?.[1] ?? null
}

async function verifySignature(
  { store, gatewayKeys }: JwtAuthenticatorParts,
  jwt: string,
): Promise<Verified | RefusalCode> {
  const head = headOf(jwt)
  const claimed = uniqueKeysOf(jwt)
  if (head === null || claimed === null) return 'jwt_malformed'
  const owner = await ownerOf(store, claimed.apiKey)
  const registered = owner === null ? [] : await registeredKeys(store, owner)
  const candidates = [...gatewayKeys.map(({ kid, key }) => ({ kid, key, id: null })), ...registered].filter(
    // A token that names its key is tried with that one only.
    ({ kid }) => head.kid === undefined || kid === head.kid,
  )
  for (const { key, id } of candidates) {
    try {
      // The algorithm is ours to choose, not the token's; keys that a token brings along are not looked at.
      await compactVerify(jwt, key, { algorithms: ['RS256'] })
    } catch {
      continue
    }
    if (owner === null) return 'jwt_key_unknown'
    const { aud, exp, nbf, iat } = claimed
    return { apiKey: String(claimed.apiKey), account: owner, jwtKey: id, aud, exp, nbf, iat }
  }
  return 'jwt_signature_wrong'
}

/** The header of a plain JWT signed with RS256; null for all else, nested tokens and demands we do not know included. */
function headOf(jwt: string): { readonly kid: string | undefined } | null {
  if (jwt.length > LONGEST_JWT || jwt.split('.').length !== 3) return null
  try {
    const { alg, typ, cty, crit, kid } = decodeProtectedHeader(jwt)
    if (alg !== 'RS256' || crit !== undefined || cty !== undefined) return null
    if (typ !== undefined && String(typ).toUpperCase() !== 'JWT') return null
    return kid === undefined || typeof kid === 'string' ? { kid } : null
  } catch {
    return null
  }
}

/** What the token claims before anything is known of its signature: used to find the keys it may be signed with. */
function uniqueKeysOf(
  jwt: string,
): (Pick<Verified, 'aud' | 'exp' | 'nbf' | 'iat'> & { readonly apiKey: unknown }) | null {
  try {
    const claims: unknown = JSON.parse(Buffer.from(jwt.split('.')[1] ?? '', 'base64url').toString('utf8'))
    if (typeof claims !== 'object' || claims === null || Array.isArray(claims)) return null
    const { apiKey, aud, exp, nbf, iat } = claims as Record<string, unknown>
    return { apiKey, aud, exp, nbf, iat }
  } catch {
    return null
  }
}

async function ownerOf(store: Store, apiKey: unknown): Promise<string | null> {
  if (typeof apiKey !== 'string' || !UUID.test(apiKey)) return null
  const found = await store.uniqueKeyHolderOf(keyIdKey(apiKey.toLowerCase()))
  return found?.kind === API_KEY.kind ? found.account : null
}

async function registeredKeys(store: Store, account: string) {
  const listed = await store.list(account, { kind: JWT_KEY.kind, live: true, limit: MOST_JWT_KEYS })
  return listed.flatMap(({ body }) => {
    const { id, kid, publicKey } = decodeRecord(JWT_KEY, body)
    const key = publicKeyOf(publicKey)
    return key === null ? [] : [{ id, kid, key }]
  })
}

function timeProblem({ exp, nbf, iat }: Verified, now: number): RefusalCode | null {
  if (!isTime(exp) || (nbf !== undefined && !isTime(nbf)) || (iat !== undefined && !isTime(iat))) return 'jwt_malformed'
  if (now >= exp + LEEWAY_SECONDS) return 'jwt_expired'
  return isEarly(nbf, now) || isEarly(iat, now) ? 'jwt_not_yet_valid' : null
}

function isEarly(time: unknown, now: number): boolean {
  return isTime(time) && now < time - LEEWAY_SECONDS
}

function isTime(value: unknown): value is number {
  return typeof value === 'number' && Number.isFinite(value) && value >= 0
}

/** One audience of several may be ours. A laptop is the same under each of its own names. */
function isMeantFor(aud: unknown, base: string): boolean {
  if (aud === base) return true
  const audiences = Array.isArray(aud) ? aud : [aud]
  return audiences.some(each => typeof each === 'string' && (each === base || plain(each) === plain(base)))
}

function plain(address: string): string {
  return address
    .toLowerCase()
    .replace(/\/+$/, '')
    .replace(/^(https?:\/\/)(?:127\.0\.0\.1|\[::1\])(?=:|$)/, '$1localhost')
}

/** The registered key that has signed a token is not active. */
const SIGNER_GONE = 'signer_gone'

function nameOf(jwt: string): string {
  return hash('sha256', jwt, 'hex')
}

async function accountOf(engine: Engine, claims: Verified): Promise<Identified | typeof SIGNER_GONE> {
  const { account, apiKey, jwtKey } = claims
  const [key, owner, signer] = await Promise.all([
    engine.read(API_KEY, { account, id: apiKey.toLowerCase() }),
    engine.read(MERCHANT_ACCOUNT, { account, id: account }),
    jwtKey === null ? OWN : engine.read(JWT_KEY, { account, id: jwtKey }),
  ])
  return holderIn(key, owner, signer)
}

/** The gateway has signed the token itself. */
const OWN = 'own' as const

function holderIn(
  key: Entry<ApiKey> | null,
  owner: Entry<MerchantAccount> | null,
  signer: Entry<JwtKey> | null | typeof OWN,
): Identified | typeof SIGNER_GONE {
  if (key?.record.status !== 'active' || owner?.record.status !== 'enabled') return refused('jwt_key_unknown')
  return signer === OWN || signer?.record.status === 'active' ? owner.record : SIGNER_GONE
}

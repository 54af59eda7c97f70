// src/api/merchant-jwt.ts — identifies the account of a web shop by its JWT. RFC 8725.

import { hash, type KeyObject } from 'node:crypto'
import { compactVerify, decodeProtectedHeader } from 'jose'
import type { PlainCode, Refusal } from '../domain/refusals.ts'
import { createBoundedCache } from '../engine/bounded-cache.ts'
import { decodeRecord } from '../engine/decoding.ts'
import type { Engine } from '../engine/engine.ts'
import { API_KEY, JWT_KEY, keyIdKey, MERCHANT_ACCOUNT } from '../engine/machines.ts'
import type { Clock } from '../engine/ports/clock.ts'
import type { Store } from '../engine/ports/store.ts'
import { MOST_JWT_KEYS } from '../services/provisioning/jwt-key-store.ts'
import type { Identified } from './auth.ts'
import { engineReader, heldKey } from './keys/key-holder.ts'
import { publicKeyOf } from './public-key.ts'

/** Longest JWT, in characters: more than twice a usual one. Longer ones are neither hashed nor parsed. */
const LONGEST_JWT = 4_096
/** Tolerance for `exp`, `nbf` and `iat`, because server clocks differ. */
const LEEWAY_SECONDS = 60
/** Cached verified tokens: one for each shop server, and a few that are being replaced. */
const CACHED_TOKENS = 10_000
const UNSET = 'the address in TOLLGATE_PUBLIC_URL, which is not set here.'
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i

/** A public key that verifies the gateway's own JWTs. */
export interface GatewayKey {
  readonly kid: string
  readonly key: KeyObject
}

export interface JwtAuthenticator {
  /**
   * Identifies the account by a Bearer header.
   * @param base base address of the gateway, which `aud` must name. Null when it is not configured; every token is refused
   * @param connection the connection that the header was sent on
   */
  identify(header: string | undefined, base: string | null, connection: object): Promise<Identified>
}

/** The claims of a token with a valid signature. */
interface Verified {
  readonly apiKey: string
  readonly account: string
  /** Id of the registered key that signed it; null for a key of the gateway. */
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

interface Refused {
  readonly refused: Refusal
}

/** The last token sent on a connection. */
interface Sent {
  readonly header: string
  readonly jwt: string
  readonly claims: Verified
}

/**
 * Caches verified signatures by the hash of the token. The token itself stays in memory only with its open connection,
 * because a shop's server sends it with each order. Times, API key, account and signing key are checked on every request,
 * so a revocation takes effect at once.
 */
export function createJwtAuthenticator(parts: JwtAuthenticatorParts): JwtAuthenticator {
  const { clock } = parts
  const verified = createBoundedCache<string, Verified>(CACHED_TOKENS)
  const sent = new WeakMap<object, Sent>()

  async function verify(jwt: string): Promise<Verified | Refused> {
    return verified.get(nameOf(jwt)) ?? verifyAnew(jwt)
  }

  async function verifyAnew(jwt: string): Promise<Verified | Refused> {
    const found = await verifySignature(parts, jwt)
    if ('refused' in found) return found
    verified.set(nameOf(jwt), found)
    return found
  }

  async function judge(claims: Verified, base: string | null): Promise<Identified | typeof SIGNER_GONE> {
    const untimely = timeProblem(claims, Math.floor(clock.now() / 1_000))
    if (untimely !== null) return { refused: untimely }
    if (base === null) return { refused: { code: 'jwt_audience_wrong', detail: UNSET } }
    if (!isMeantFor(claims.aud, base)) return { refused: { code: 'jwt_audience_wrong', detail: `${base}.` } }
    return holderOf(parts, claims)
  }

  async function bearerOf({ jwt, claims }: Sent, base: string | null, connection: object): Promise<Identified> {
    const found = await judge(claims, base)
    if (found !== SIGNER_GONE) return found
    sent.delete(connection)
    return holderAnew(jwt, base)
  }

  /** Verifies a token again after its signing key was revoked: the same key may be registered anew, under any `kid`. */
  async function holderAnew(jwt: string, base: string | null): Promise<Identified> {
    const claims = await verifyAnew(jwt)
    if ('refused' in claims) return refused('jwt_key_unknown')
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
      if ('refused' in claims) return claims
      const now = { header, jwt, claims }
      sent.set(connection, now)
      return bearerOf(now, base, connection)
    },
  }
}

function refused(code: PlainCode, field?: string): Refused {
  return { refused: { code, ...(field === undefined ? {} : { field }) } }
}

const BEARER = /^bearer[ \t]+(\S+)[ \t]*$/i
/** Three base64url parts. An official sample sends the JWT without a scheme. */
const BARE = /^[\w-]+\.[\w-]+\.[\w-]+$/

/** Returns the token of an Authorization header: Bearer, in any case, or a JWT alone. */
function tokenIn(header = ''): string | null {
  return BEARER.exec(header)?.[1] ?? BARE.exec(header.trim())?.[0] ?? null
}

async function verifySignature(
  { store, gatewayKeys }: JwtAuthenticatorParts,
  jwt: string,
): Promise<Verified | Refused> {
  const head = headOf(jwt)
  const claims = claimsOf(jwt)
  if (head === null || claims === null) return refused('jwt_malformed')
  if ('faulty' in head) return refused('jwt_claim_invalid', head.faulty)
  const owner = await ownerOf(store, claims.apiKey)
  const registered = owner === null ? [] : await registeredKeys(store, owner)
  const candidates = [...gatewayKeys.map(({ kid, key }) => ({ kid, key, id: null })), ...registered].filter(
    // A token with a `kid` is verified with that key only.
    ({ kid }) => head.kid === undefined || kid === head.kid,
  )
  for (const { key, id } of candidates) {
    try {
      // The algorithm is fixed here, not chosen by the token. Keys in the token's header are ignored.
      await compactVerify(jwt, key, { algorithms: ['RS256'] })
    } catch {
      continue
    }
    if (owner === null) return refused('jwt_key_unknown')
    const { aud, exp, nbf, iat } = claims
    return { apiKey: String(claims.apiKey), account: owner, jwtKey: id, aud, exp, nbf, iat }
  }
  return refused('jwt_signature_wrong')
}

/** RFC 7515, 4.1.9: a media type may be written without `application/`. */
const JWT_TYPE = /^(?:application\/)?jwt$/i

/** Returns the header of a JWT signed with RS256, or its faulty member. Null for other tokens. */
function headOf(jwt: string): { readonly kid: string | undefined } | { readonly faulty: string } | null {
  if (jwt.length > LONGEST_JWT || jwt.split('.').length !== 3) return null
  try {
    const { alg, typ, cty, crit, kid } = decodeProtectedHeader(jwt)
    if (alg !== 'RS256') return null
    // No extension is supported, and no nested token.
    if (crit !== undefined) return { faulty: 'crit' }
    if (cty !== undefined) return { faulty: 'cty' }
    if (typ !== undefined && !JWT_TYPE.test(String(typ))) return { faulty: 'typ' }
    return kid === undefined || typeof kid === 'string' ? { kid } : { faulty: 'kid' }
  } catch {
    return null
  }
}

/** Returns the unverified claims of a token; the API key among them selects the keys to verify it with. */
function claimsOf(jwt: string): (Pick<Verified, 'aud' | 'exp' | 'nbf' | 'iat'> & { readonly apiKey: unknown }) | null {
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
  const found = await store.accountKeyHolderOf(keyIdKey(apiKey.toLowerCase()))
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

function timeProblem({ exp, nbf, iat }: Verified, now: number): Refusal | null {
  if (!isTime(exp)) return { code: 'jwt_claim_invalid', field: 'exp' }
  if (now >= exp + LEEWAY_SECONDS) return { code: 'jwt_expired' }
  for (const [field, time] of Object.entries({ nbf, iat })) {
    if (time !== undefined && !isTime(time)) return { code: 'jwt_claim_invalid', field }
    if (isEarly(time, now)) return { code: 'jwt_not_yet_valid', field }
  }
  return null
}

function isEarly(time: unknown, now: number): boolean {
  return isTime(time) && now < time - LEEWAY_SECONDS
}

function isTime(value: unknown): value is number {
  return typeof value === 'number' && Number.isFinite(value) && value >= 0
}

/** Whether one of the audiences is this gateway. All names of the local machine are equal. */
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

/** The registered key that signed the token is not active. */
const SIGNER_GONE = 'signer_gone'

function nameOf(jwt: string): string {
  return hash('sha256', jwt, 'hex')
}

async function holderOf(
  { engine, clock }: Pick<JwtAuthenticatorParts, 'engine' | 'clock'>,
  { account, apiKey, jwtKey }: Verified,
): Promise<Identified | typeof SIGNER_GONE> {
  const [key, owner, signer] = await Promise.all([
    engine.read(API_KEY, { account, id: apiKey.toLowerCase() }),
    engine.read(MERCHANT_ACCOUNT, { account, id: account }),
    jwtKey === null ? BY_GATEWAY : engine.read(JWT_KEY, { account, id: jwtKey }),
  ])
  if (key?.record.status !== 'active' || owner?.record.status !== 'enabled') return refused('jwt_key_unknown')
  if (signer !== BY_GATEWAY && signer?.record.status !== 'active') return SIGNER_GONE
  const held = await heldKey(key.record, engineReader(engine, account), clock.now())
  return held === null ? refused('jwt_key_unknown') : { account: owner.record, key: held }
}

/** The gateway signed the token itself. */
const BY_GATEWAY = 'gateway' as const

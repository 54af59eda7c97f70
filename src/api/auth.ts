// src/api/auth.ts — identifies the merchant account of an API key, and what the key may do.
import { timingSafeEqual } from 'node:crypto'
import type { ApiKey } from '../domain/accounts/api-key.ts'
import type { MerchantAccountId } from '../domain/ids.ts'
import type { Refusal } from '../domain/refusals.ts'
import { createBoundedCache } from '../engine/bounded-cache.ts'
import { decodeRecord } from '../engine/decoding.ts'
import type { Feed } from '../engine/feed.ts'
import { API_KEY, apiKeyLockKey, MERCHANT_ACCOUNT } from '../engine/machines.ts'
import { SESSION, USER } from '../engine/people-machines.ts'
import type { Clock } from '../engine/ports/clock.ts'
import type { Store } from '../engine/ports/store.ts'
import { hashOfKey } from '../services/provisioning/api-key-store.ts'
import { heldKey, type KeyHolder, type KeyReader, mayChangeKeys } from './keys/key-holder.ts'

/**
 * How long a found key is cached, in milliseconds. A key that another process revokes stops working within this time, and a change of its user is
 * in force.
 */
const BELIEVED_MS = 1_000

/** Cached keys. A gateway serves thousands of merchants, not millions. */
const CACHED_KEYS = 20_000

/** Longest Authorization header, in characters. A longer one holds no API key and is not hashed. */
const LONGEST_HEADER = 2_048

export type Identified = KeyHolder | { readonly refused: Refusal }

export interface Authenticator {
  /** Identifies the account by the API key in an Authorization header. */
  identify(header: string | undefined, connection: object): Promise<Identified>
  /** Identifies the account by the hash of its API key. */
  identifyHash(hash: string): Promise<Identified>
}

export interface AuthenticatorParts {
  readonly store: Store
  readonly clock: Clock
  readonly feed: Feed
}

interface Remembered {
  readonly holder: KeyHolder
  readonly until: number
}

const MISSING: Identified = { refused: { code: 'credentials_missing' } }
const REFUSED: Identified = { refused: { code: 'credentials_refused' } }

/** The last header sent on a connection, with the hash of its key. */
interface SentHeader {
  readonly header: string
  readonly hash: string
}

/**
 * Looks up API keys by their hash. Neither the cache nor the store holds a key itself. The last header of each open
 * connection stays in memory, because a polling till sends it every second.
 */
export function createAuthenticator({ store, clock, feed }: AuthenticatorParts): Authenticator {
  const remembered = createBoundedCache<string, Remembered>(CACHED_KEYS)
  const lookups = new Map<string, Promise<Identified>>()
  const lastHeaders = new WeakMap<object, SentHeader>()
  /** Number of changes of accounts, keys and people: a lookup that began before is not remembered. */
  let changes = 0
  feed.followAll(change => {
    if (!mayChangeKeys(change)) return
    const { kind, account, id, record } = change
    if (kind === API_KEY.kind) remembered.delete((record as ApiKey).hash)
    else
      for (const [hash, { holder }] of remembered.entries())
        if (holder.account.id === account && dependsOn(holder, kind, id)) remembered.delete(hash)
    changes += 1
  })

  async function lookUp(hash: string): Promise<Identified> {
    const before = changes
    const holder = await holderOf(store, hash, clock.now())
    if (holder !== null && before !== changes) return holder
    if (holder === null) {
      remembered.delete(hash)
      return REFUSED
    }
    remembered.set(hash, { holder, until: clock.now() + BELIEVED_MS })
    return holder
  }

  async function identifyHash(hash: string): Promise<Identified> {
    const found = remembered.get(hash)
    if (found !== undefined && clock.now() < found.until) return found.holder
    // Concurrent requests with the same key share one query.
    const lookup = lookups.get(hash) ?? lookUp(hash).finally(() => lookups.delete(hash))
    lookups.set(hash, lookup)
    return lookup
  }

  return {
    async identify(header, connection) {
      if (header === undefined) return MISSING
      const last = lastHeaders.get(connection)
      if (last?.header === header) return identifyHash(last.hash)
      if (header.trim() === '') return MISSING
      const key = keyIn(header)
      if (key === null) return REFUSED
      const hash = hashOfKey(key)
      lastHeaders.set(connection, { header, hash })
      return identifyHash(hash)
    },
    identifyHash,
  }
}

/** Returns the password of a Basic header, which is the API key. The user name may be anything, in any encoding. */
function keyIn(header: string): string | null {
  if (header.length > LONGEST_HEADER) return null
  const [, base64] = /^basic[ \t]+([a-z0-9+/_-]+=*)[ \t]*$/i.exec(header) ?? []
  if (base64 === undefined) return null
  const pair = Buffer.from(base64, 'base64').toString('utf8')
  const colon = pair.indexOf(':')
  const key = colon === -1 ? '' : pair.slice(colon + 1)
  return key === '' ? null : key
}

function dependsOn({ key }: KeyHolder, kind: string, id: string): boolean {
  if (kind === USER.kind) return key.user === id
  return kind === SESSION.kind ? key.session === id : true
}

async function holderOf(store: Store, hash: string, at: number): Promise<KeyHolder | null> {
  const holder = await store.accountKeyHolderOf(apiKeyLockKey(hash))
  if (holder === null || holder.kind !== API_KEY.kind) return null
  const key = decodeRecord(API_KEY, holder.body)
  if (key.status !== 'active' || !timingSafeEqual(Buffer.from(key.hash), Buffer.from(hash))) return null
  const id = key.merchantAccount
  const stored = await store.load({ account: id, kind: MERCHANT_ACCOUNT.kind, id })
  const account = stored === null ? null : decodeRecord(MERCHANT_ACCOUNT, stored.body)
  if (account?.status !== 'enabled') return null
  const held = await heldKey(key, storeReader(store, id), at)
  return held === null ? null : { account, key: held }
}

/** Reads what is stored now: other processes change it, too. */
function storeReader(store: Store, account: MerchantAccountId): KeyReader {
  return {
    async user(id) {
      const stored = await store.load({ account, kind: USER.kind, id })
      return stored === null ? null : decodeRecord(USER, stored.body)
    },
    async session(id) {
      const stored = await store.load({ account, kind: SESSION.kind, id })
      return stored === null ? null : decodeRecord(SESSION, stored.body)
    },
  }
}

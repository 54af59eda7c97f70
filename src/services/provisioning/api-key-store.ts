// src/services/provisioning/api-key-store.ts — makes and revokes API keys: those of users, and those of nobody.
import { hash } from 'node:crypto'
import type { ApiKey } from '../../domain/accounts/api-key.ts'
import { type KeyLimits, plainLimits } from '../../domain/accounts/key-limits.ts'
import { maskCardNumbers } from '../../domain/card-numbers.ts'
import type { MerchantAccountId } from '../../domain/ids.ts'
import type { Refusal } from '../../domain/refusals.ts'
import type { Engine, Executed } from '../../engine/engine.ts'
import { API_KEY, TERMINAL } from '../../engine/machines.ts'
import { recordsOf } from '../../engine/pages.ts'
import { USER } from '../../engine/people-machines.ts'
import type { Random } from '../../engine/ports/random.ts'
import type { Store } from '../../engine/ports/store.ts'

/** Random bytes in a key: too many to guess, so a plain hash is enough for storage. */
const KEY_BYTES = 24
/** Active keys of all users of an account: more than there are tills and programs. */
const MOST_USER_KEYS = 200

export interface KeyOrder {
  /** What it is for, as lists show it. */
  readonly label: string
  /** Id of the user whom it belongs to; null for nobody. */
  readonly user: string | null
  readonly limits?: KeyLimits
  /** Id of the session that it ends with. */
  readonly session?: string
  /** Set for the sandbox's own accounts. Default: a random one. */
  readonly secret?: string
}

interface Parts {
  readonly engine: Engine
  readonly random: Random
}

type Refused = { readonly refused: Refusal }
export type MadeKey = { readonly record: ApiKey; readonly secret: string } | Refused

export function freshSecret(random: Random): string {
  return `tg_${Buffer.from(random.bytes(KEY_BYTES)).toString('base64url')}`
}

/** The stored hash of an API key: SHA-256, hexadecimal. */
export function hashOfKey(secret: string): string {
  return hash('sha256', secret, 'hex')
}

/**
 * Makes a key and returns it. Only its hash is stored, so it cannot be shown again. Refuses with `user_unknown` for a user who
 * has ended, and with `field_invalid` for a terminal
 * that the account does not have and for a limit that names nothing.
 */
export async function makeApiKey(parts: Parts, account: MerchantAccountId, order: KeyOrder): Promise<MadeKey> {
  const { engine, random } = parts
  const { label, user, session, limits = {}, secret = freshSecret(random) } = order
  const refusal = await refusalOf(engine, account, order)
  if (refusal !== null) return { refused: refusal }
  const id = random.uuid()
  const made = madeOf(
    await engine.execute(
      API_KEY,
      { account, id },
      {
        ...({ type: 'create', id, merchantAccount: account, hash: hashOfKey(secret) } as const),
        ...{ label: maskCardNumbers(label), user },
        ...(session === undefined ? {} : { session }),
        ...(Object.keys(limits).length === 0 ? {} : { limits: plainLimits(limits) }),
      },
    ),
  )
  return 'refused' in made ? made : { record: made.record, secret }
}

async function refusalOf(
  engine: Engine,
  account: MerchantAccountId,
  { user, limits = {} }: KeyOrder,
): Promise<Refusal | null> {
  const found = user === null ? null : await engine.read(USER, { account, id: user })
  if (user !== null && found?.record.status !== 'active') return { code: 'user_unknown' }
  for (const field of ['areas', 'terminals'] as const)
    if (limits[field]?.length === 0)
      return { code: 'field_invalid', field, detail: 'is empty. Leave it out for a key without this limit.' }
  for (const tid of limits.terminals ?? [])
    if ((await engine.read(TERMINAL, { account, id: tid }))?.record.status !== 'installed')
      return { code: 'field_invalid', field: 'terminals', detail: `has ${tid}, which is no terminal of the account.` }
  return null
}

/** As `makeApiKey`, for users who make keys themselves. Refuses with `too_many_keys`, too. */
export async function makeUserKey(
  parts: Parts & { readonly store: Store },
  account: MerchantAccountId,
  order: KeyOrder & { readonly user: string },
): Promise<MadeKey> {
  const active = await recordsOf(parts.store, account, API_KEY, { live: true })
  const ofUsers = active.filter(({ user = null }) => user !== null)
  if (ofUsers.length >= MOST_USER_KEYS) return { refused: { code: 'too_many_keys' } }
  return makeApiKey(parts, account, order)
}

/** Revokes a key. JWTs that name it are refused from then on. Refuses with `key_unknown`. */
export async function revokeApiKey(
  { engine }: Pick<Parts, 'engine'>,
  account: MerchantAccountId,
  id: string,
): Promise<{ readonly record: ApiKey } | Refused> {
  return madeOf(await engine.execute(API_KEY, { account, id }, { type: 'revoke' }))
}

function madeOf(executed: Executed<ApiKey, unknown>): { readonly record: ApiKey } | Refused {
  if ('repeated' in executed) throw new Error('keys have no idempotency key')
  return 'refused' in executed ? executed : { record: executed.record }
}

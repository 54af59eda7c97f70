// src/services/provisioning/jwt-key-store.ts — public keys by which merchants sign their own JWTs: registered and taken away.

import { hash } from 'node:crypto'
import type { JwtKey } from '../../domain/accounts/jwt-key.ts'
import type { MerchantAccountId } from '../../domain/ids.ts'
import type { Refusal } from '../../domain/refusals.ts'
import { decodeRecord } from '../../engine/decoding.ts'
import type { Engine } from '../../engine/engine.ts'
import { JWT_KEY } from '../../engine/machines.ts'
import type { Random } from '../../engine/ports/random.ts'
import type { Store } from '../../engine/ports/store.ts'

/** Keys of one account in use at once: all of them may be tried on a token that names none. */
export const MOST_JWT_KEYS = 20
const KID_LENGTH = 16

export interface JwtKeyRequest {
  /** PEM, checked. */
  readonly publicKey: string
  /** Null: one is made from the key. */
  readonly kid: string | null
  readonly label: string
}

interface Parts {
  readonly engine: Engine
  readonly store: Store
  readonly random: Random
}

type Made = { readonly record: JwtKey } | { readonly refused: Refusal }

/** Registers a key. Its name must not be that of another key in use. */
export async function registerJwtKey(
  { engine, store, random }: Parts,
  account: MerchantAccountId,
  { publicKey, kid, label }: JwtKeyRequest,
): Promise<Made> {
  const active = await store.list(account, { kind: JWT_KEY.kind, live: true, limit: MOST_JWT_KEYS })
  if (active.length === MOST_JWT_KEYS) return { refused: { code: 'too_many_keys' } }
  const name = kid ?? hash('sha256', publicKey, 'base64url').slice(0, KID_LENGTH)
  const kidTaken = active.some(({ body }) => decodeRecord(JWT_KEY, body).kid === name)
  const id = random.uuid()
  const key = { id, merchantAccount: account, kid: name, publicKey, label }
  const facts = () => ({ kidTaken })
  return madeOf(await engine.execute(JWT_KEY, { account, id }, { type: 'register', key }, { facts }))
}

/** Revokes a key: every JWT that it has signed stops. */
export async function revokeJwtKey(
  { engine }: Pick<Parts, 'engine'>,
  account: MerchantAccountId,
  id: string,
): Promise<Made> {
  return madeOf(await engine.execute(JWT_KEY, { account, id }, { type: 'revoke' }))
}

function madeOf(executed: Made | { readonly repeated: true }): Made {
  if ('repeated' in executed) throw new Error('keys bear no idempotency key')
  return 'refused' in executed ? executed : { record: executed.record }
}

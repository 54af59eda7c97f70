// src/services/provisioning/jwt-key-store.ts — registers and revokes merchants' public keys for JWTs.

import { hash } from 'node:crypto'
import type { JwtKey } from '../../domain/accounts/jwt-key.ts'
import { idHoldsCardNumber, maskCardNumbers } from '../../domain/card-numbers.ts'
import type { MerchantAccountId } from '../../domain/ids.ts'
import type { Refusal } from '../../domain/refusals.ts'
import { decodeRecord } from '../../engine/decoding.ts'
import type { Engine } from '../../engine/engine.ts'
import { JWT_KEY } from '../../engine/machines.ts'
import type { Random } from '../../engine/ports/random.ts'
import type { Store } from '../../engine/ports/store.ts'

/** Limit of active keys per account, because a JWT without `kid` may be checked with all of them. */
export const MOST_JWT_KEYS = 20
const KID_LENGTH = 16

export interface JwtKeyRequest {
  /** PEM, validated. */
  readonly publicKey: string
  /** Null to derive it from the key. */
  readonly kid: string | null
  readonly label: string
}

interface Parts {
  readonly engine: Engine
  readonly store: Store
  readonly random: Random
}

type Made = { readonly record: JwtKey } | { readonly refused: Refusal }

/** Registers a key. Refuses with `too_many_keys`, or `already_exists` when an active key has its `kid`. */
export async function registerJwtKey(
  { engine, store, random }: Parts,
  account: MerchantAccountId,
  { publicKey, kid, label }: JwtKeyRequest,
): Promise<Made> {
  if (kid !== null && idHoldsCardNumber(kid)) return { refused: { code: 'card_number_misplaced', field: 'kid' } }
  const active = await store.list(account, { kind: JWT_KEY.kind, live: true, limit: MOST_JWT_KEYS })
  if (active.length === MOST_JWT_KEYS) return { refused: { code: 'too_many_keys' } }
  const name = kid ?? hash('sha256', publicKey, 'base64url').slice(0, KID_LENGTH)
  const kidTaken = active.some(({ body }) => decodeRecord(JWT_KEY, body).kid === name)
  const id = random.uuid()
  const key = { id, merchantAccount: account, kid: name, publicKey, label: maskCardNumbers(label) }
  const facts = () => ({ kidTaken })
  return madeOf(await engine.execute(JWT_KEY, { account, id }, { type: 'register', key }, { facts }))
}

/** Revokes a key; JWTs signed with it are refused from then on. Refuses with `key_unknown`. */
export async function revokeJwtKey(
  { engine }: Pick<Parts, 'engine'>,
  account: MerchantAccountId,
  id: string,
): Promise<Made> {
  return madeOf(await engine.execute(JWT_KEY, { account, id }, { type: 'revoke' }))
}

function madeOf(executed: Made | { readonly repeated: true }): Made {
  if ('repeated' in executed) throw new Error('keys have no idempotency key')
  return 'refused' in executed ? executed : { record: executed.record }
}

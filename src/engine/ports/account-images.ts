// src/engine/ports/account-images.ts — the port through which an account is taken as one value and put back.
import type { MerchantAccountId } from '../../domain/ids.ts'
import type { Idempotency, StoredEffect, StoredEvent, StoredTimer } from './store.ts'

/** A record with all that goes with it. */
export interface ImageRecord {
  readonly kind: string
  readonly id: string
  readonly version: number
  readonly parent: string
  readonly live: boolean
  /** Its lock key, under the name that stored snapshots have for it. */
  readonly exclusive: string | null
  readonly body: string
  /** Its unique keys, sorted, under the name that stored snapshots have for them. Absent in the oldest. */
  readonly claims?: readonly string[]
  /** Oldest first. */
  readonly events: readonly Pick<StoredEvent, 'cursor' | 'version' | 'at' | 'type' | 'body'>[]
  /** What is still to be done. */
  readonly effects: readonly Pick<StoredEffect, 'effectId' | 'type' | 'body'>[]
  readonly timers: readonly Pick<StoredTimer, 'name' | 'dueAt'>[]
}

/** Everything an account holds, but for the kinds that were left out; records in order of creation. */
export interface AccountImage {
  readonly records: readonly ImageRecord[]
  readonly idempotency: readonly Idempotency[]
}

/** Puts accounts back to where they were. Nothing of the account may be under way meanwhile. */
export interface AccountImages {
  /** Everything an account holds, without records of some kinds. */
  imageOf(account: MerchantAccountId, except: readonly string[]): Promise<AccountImage>
  /** Puts an image in the place of all that the account holds, records of some kinds left alone: whole or not at all. */
  putImage(account: MerchantAccountId, except: readonly string[], image: AccountImage): Promise<void>
}

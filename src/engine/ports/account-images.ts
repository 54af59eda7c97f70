// src/engine/ports/account-images.ts — port: reads all data of an account as one value and restores it.
import type { MerchantAccountId } from '../../domain/ids.ts'
import type { Idempotency, Lease, StoredEffect, StoredEvent, StoredTimer } from './store.ts'

/** A record with its keys, events, effects and timers. */
export interface ImageRecord {
  readonly kind: string
  readonly id: string
  readonly version: number
  readonly parent: string
  readonly live: boolean
  /** Its lock key, as it is stored (`terminal:demo/22160001`). Stored snapshots use this name. */
  readonly exclusive: string | null
  readonly body: string
  /** Its unique keys, as they are stored, sorted. Stored snapshots use this name; the oldest ones have no such member. */
  readonly claims?: readonly string[]
  /** Its search terms, to be entered with it. They follow from the body, so `imageOf` leaves them out; absent for kinds that are not searched. */
  readonly terms?: readonly string[]
  /** Oldest first. */
  readonly events: readonly Pick<StoredEvent, 'cursor' | 'version' | 'at' | 'type' | 'body'>[]
  /** Effects not yet performed. */
  readonly effects: readonly Pick<StoredEffect, 'effectId' | 'type' | 'body'>[]
  readonly timers: readonly Pick<StoredTimer, 'name' | 'dueAt'>[]
}

/** All data of an account without the excluded kinds; records in order of creation. */
export interface AccountImage {
  readonly records: readonly ImageRecord[]
  readonly idempotency: readonly Idempotency[]
}

/** Reads and restores accounts. No command on the account may run meanwhile. */
export interface AccountImages {
  /** Reads all data of an account. @param except kinds of records to leave out */
  imageOf(account: MerchantAccountId, except: readonly string[]): Promise<AccountImage>
  /**
   * Replaces all data of the account by the image, atomically.
   * @param except kinds of records to leave unchanged
   * @param lease of the account's lane; absent for any
   * @throws Fault `lease_lost` when another process has claimed the lane since; nothing is changed
   */
  putImage(account: MerchantAccountId, except: readonly string[], image: AccountImage, lease?: Lease): Promise<void>
}

// src/engine/ports/store.ts — keeps records with their events, effects and timers.

import type { EffectId, MerchantAccountId } from '../../domain/ids.ts'

/** Names one record. Every read of a merchant's data begins with the merchant account. */
export interface Key {
  readonly account: MerchantAccountId
  readonly kind: string
  readonly id: string
}

export interface StoredRecord extends Key {
  readonly version: number
  /** The record as JSON. */
  readonly body: string
}

export interface StoredEvent {
  /** Place in the feed over all records; given by the store, growing in commit order. */
  readonly cursor: number
  readonly account: MerchantAccountId
  readonly kind: string
  readonly id: string
  /** Version of the record that this event made. */
  readonly version: number
  readonly at: number
  readonly type: string
  /** The happening as JSON. */
  readonly body: string
}

export interface StoredEffect extends Key {
  readonly effectId: EffectId
  readonly type: string
  /** The payload as JSON. */
  readonly body: string
}

export interface StoredTimer extends Key {
  readonly name: string
  readonly dueAt: number
}

/**
 * The right to perform the effects and timers of one lane of merchant accounts. Exactly one process has it at a time. ADR 48.
 */
export interface Lease {
  readonly lane: number
  /** Grows each time the lane changes hands. The store refuses commits under an earlier one. */
  readonly fence: number
}

/** How the work after commits is shared between the processes on one store. */
export interface Lanes {
  /** Merchant accounts are spread over this many lanes by a hash of their id. */
  readonly count: number
  /** Milliseconds between renewals of leases; null when a lease lasts as long as the store is open. */
  readonly renewEveryMs: number | null
}

/** The first answer to a request that bears an Idempotency-Key. */
export interface Idempotency {
  readonly key: string
  /** Hash of what was asked. */
  readonly fingerprint: string
  /** What was answered, as JSON. */
  readonly answer: string
  readonly expiresAt: number
}

/** One change of one record and all that goes with it: written whole or not at all. */
export interface Commit extends Key {
  /** The version the change was decided on; 0: the record must not exist yet. */
  readonly expectedVersion: number
  readonly version: number
  readonly body: string
  /** What the record belongs to inside its account (a transaction's terminal), for lists. */
  readonly parent: string
  /** Whether the record is still going on. Only live records hold their exclusive key. */
  readonly live: boolean
  /** A key only one live record in the whole store may hold, or null. */
  readonly lockKey: string | null
  /** Keys that this record takes for good, alive or not: no other record in the whole store may ever take them. */
  readonly uniqueKeys?: readonly string[]
  readonly at: number
  readonly events: readonly {
    readonly version: number
    readonly at: number
    readonly type: string
    readonly body: string
  }[]
  readonly effects: readonly { readonly effectId: EffectId; readonly type: string; readonly body: string }[]
  /** Effects that this commit shows to be performed. */
  readonly effectsDone: readonly string[]
  /** All timers of the record from now on; null: they stay as they are. */
  readonly timers: readonly { readonly name: string; readonly dueAt: number }[] | null
  readonly idempotency: Idempotency | null
  /** The lease under which an effect or timer led to this; absent for requests of callers, which any process may commit. */
  readonly lease?: Lease
}

/** Written, or the reason why nothing was. */
export type CommitResult =
  | 'written'
  | 'version_moved'
  | 'lock_key_taken'
  | 'unique_key_taken'
  | 'idempotency_key_taken'
  /** Another process has claimed the lane since. */
  | 'lease_lost'

export interface ListQuery {
  readonly kind: string
  readonly parent?: string
  readonly live?: boolean
  /** Only records created before this position (from an earlier answer), newest first. */
  readonly before?: number
  readonly limit: number
}

export interface ListedRecord extends StoredRecord {
  /** Grows in order of creation. */
  readonly position: number
}

/** How far a rewrite of stored bodies has got: everything up to `after` is done. */
export interface RewriteProgress {
  readonly after: number
  readonly finished: boolean
}

/** A body in a new form. It is written where the old one still stands. */
export interface BodyChange {
  /** Position of a record or cursor of an event. */
  readonly place: number
  readonly before: string
  readonly body: string
}

/** A part of a rewrite, written whole or not at all, with how far it has got. */
export interface RewriteBatch {
  readonly name: string
  readonly progress: RewriteProgress
  readonly records: readonly BodyChange[]
  readonly events: readonly BodyChange[]
}

export interface Store {
  load(key: Key): Promise<StoredRecord | null>
  /** Resolves when the change is durable on disk, or refused. @throws Fault `store_busy` when its queue is full. */
  commit(commit: Commit): Promise<CommitResult>
  /** Marks effects as performed. Need not be durable at once: an effect may be performed twice. */
  effectsDone(effectIds: readonly string[]): Promise<void>

  list(account: MerchantAccountId, query: ListQuery): Promise<readonly ListedRecord[]>
  /** Who holds an exclusive key. */
  lockHolderOf(lockKey: string): Promise<StoredRecord | null>
  /** Who has taken a key for good. */
  uniqueKeyHolderOf(claim: string): Promise<StoredRecord | null>
  eventsOf(key: Key): Promise<readonly StoredEvent[]>
  eventsAfter(account: MerchantAccountId, cursor: number, limit: number): Promise<readonly StoredEvent[]>
  idempotencyOf(account: MerchantAccountId, key: string): Promise<Idempotency | null>

  // For the gateway itself, over all accounts.
  /** All records of a kind, in order of creation; for accounts and for recovery (`live`), not for merchants' requests. */
  all(
    kind: string,
    options: { readonly live?: boolean; readonly after?: number; readonly limit: number },
  ): Promise<readonly ListedRecord[]>
  /** Events over all records, in the order of their cursors. */
  allEvents(after: number, limit: number): Promise<readonly StoredEvent[]>
  /** Null: it has not begun. */
  rewriteProgress(name: string): Promise<RewriteProgress | null>
  /** Rewrites bodies; one that has changed since it was read is left alone. Returns how many were written. */
  rewrite(batch: RewriteBatch): Promise<number>
  readonly lanes: Lanes
  /**
   * Claims lanes whose leases no other process holds, and renews those of this process. Resolves to all leases that it holds
   * now; empty for the command line, which performs no work. On the embedded store the lock on the data directory is the lease.
   */
  claimLanes(): Promise<readonly Lease[]>
  /** Effects that were not performed yet, oldest first; of some lanes, or of all. */
  undoneEffects(limit: number, lanes?: readonly number[]): Promise<readonly StoredEffect[]>
  /** Timers due at or before `until`, earliest first; of one account, of some lanes, or of all. */
  dueTimers(
    until: number,
    limit: number,
    of?: { readonly account?: MerchantAccountId; readonly lanes?: readonly number[] },
  ): Promise<readonly StoredTimer[]>
  /** When the earliest timer is due, or null. */
  nextTimerAt(): Promise<number | null>
  /** Cursor of the newest event; 0 when there is none. */
  feedEnd(): Promise<number>
  /** Events after a cursor that other processes, such as the command line, have committed. Read about once a second. */
  othersEvents(after: number, limit: number): Promise<readonly StoredEvent[]>
  /**
   * Erases records that are still at this version, with their events, effects and timers; returns how many went. What
   * they had claimed stays taken for good, by nobody.
   */
  erase(records: readonly (Key & { readonly version: number })[]): Promise<number>
  /** Forgets what has expired by `now`; returns how many rows went. */
  forgetExpired(now: number): Promise<number>
  close(): Promise<void>
}

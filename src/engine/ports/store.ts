// src/engine/ports/store.ts — port: stores records with their events, effects and timers.

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
  /** Position in the feed of all records; assigned by the store, grows in commit order. */
  readonly cursor: number
  readonly account: MerchantAccountId
  readonly kind: string
  readonly id: string
  /** Version of the record that this event made. */
  readonly version: number
  readonly at: number
  readonly type: string
  /** The event envelope as JSON. */
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

/** The right to perform the effects and timers of one lane of merchant accounts. One process holds it at a time. ADR 48. */
export interface Lease {
  readonly lane: number
  /** Grows each time the lane changes hands. The store refuses commits under an earlier one. */
  readonly fence: number
}

/** How processes on one store share the work after commits. */
export interface Lanes {
  /** Merchant accounts are spread over this many lanes by a hash of their id. */
  readonly count: number
  /** Milliseconds between renewals of leases; null when a lease lasts as long as the store is open. */
  readonly renewEveryMs: number | null
}

/** The leases of a process. */
export interface Claim {
  readonly leases: readonly Lease[]
  /** How many of them other nodes should have, so that all have as many. */
  readonly surplus: number
  /** Addresses at which other live nodes listen for this one, oldest first. */
  readonly others: readonly string[]
}

/** The first answer to a request with an Idempotency-Key. */
export interface Idempotency {
  readonly key: string
  /** Hash of the request. */
  readonly fingerprint: string
  /** The answer as JSON. */
  readonly answer: string
  readonly expiresAt: number
}

/** One change of one record with its events, effects, timers and keys; written atomically. */
export interface Commit extends Key {
  /** The version that the change was decided on; 0 when the record must not exist yet. */
  readonly expectedVersion: number
  readonly version: number
  readonly body: string
  /** What the record belongs to inside its account (a transaction's terminal), for lists. */
  readonly parent: string
  /** Whether the record is unfinished. Only live records occupy their lock key. */
  readonly live: boolean
  /** A key that only one live record of the merchant account may have, or null. Of an account key: of the whole store. */
  readonly lockKey: string | null
  /**
   * Keys that this record takes permanently, live or not: no other record of the merchant account may ever take them. Of
   * account keys: of the whole store.
   */
  readonly uniqueKeys?: readonly string[]
  /** How this commit changes the terms by which `search` finds the record. Absent for kinds that are not searched. */
  readonly searchTerms?: TermChanges
  /** Time of the change; of the first commit: when the record was created. */
  readonly at: number
  readonly events: readonly {
    readonly version: number
    readonly at: number
    readonly type: string
    readonly body: string
  }[]
  readonly effects: readonly { readonly effectId: EffectId; readonly type: string; readonly body: string }[]
  /** Ids of effects that this commit proves to be performed. */
  readonly effectsDone: readonly string[]
  /** All timers of the record from now on; null when they do not change. */
  readonly timers: readonly { readonly name: string; readonly dueAt: number }[] | null
  readonly idempotency: Idempotency | null
  /** The lease of the effect or timer behind this commit; absent for requests of callers, which any process may commit. */
  readonly lease?: Lease
}

/** Terms are texts such as `result=DECLINED`; a record has each term once. */
export interface TermChanges {
  readonly added: readonly string[]
  readonly removed: readonly string[]
}

/**
 * Whether a lock key or unique key is one by which a request finds its merchant account: the hash or the id of an API key.
 * Such keys are unique in the whole store, all others in their account.
 */
export function isAccountKey(key: string): boolean {
  return key.startsWith('api-key:') || key.startsWith('api-key-id:')
}

/** Written, or the reason why nothing was written. */
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
  /** Time of its first commit, epoch milliseconds. */
  readonly createdAt: number
}

/** Selects records of a searched kind. A record is found when all members select it. */
export interface SearchQuery {
  readonly kind: string
  readonly parent?: string
  readonly live?: boolean
  readonly terms?: readonly string[]
  /** Only records created at or after this time, epoch milliseconds. */
  readonly createdFrom?: number
  /** Only records created before this time, epoch milliseconds. */
  readonly createdBefore?: number
  /** Only records before this position, `next` of an earlier answer. */
  readonly before?: number
  readonly limit: number
}

export interface ErasedRecord extends Key {
  readonly version: number
  readonly terms?: readonly string[]
}

/** A page of found records, newest first by position. */
export interface FoundRecords {
  readonly records: readonly ListedRecord[]
  /** Position to continue before; null when there are no more. A page may be short, or empty, although there are more. */
  readonly next: number | null
}

/** Progress of a rewrite of stored bodies: everything up to `after` is rewritten. */
export interface RewriteProgress {
  readonly after: number
  readonly finished: boolean
}

/** A rewritten body. It is written only if the stored body still equals `before`. */
export interface BodyChange {
  readonly account: MerchantAccountId
  /** Kind of the record. */
  readonly kind: string
  /** Position of a record or cursor of an event. */
  readonly place: number
  readonly before: string
  readonly body: string
}

/** A batch of a rewrite with its progress, written atomically. */
export interface RewriteBatch {
  readonly name: string
  readonly progress: RewriteProgress
  readonly records: readonly BodyChange[]
  readonly events: readonly BodyChange[]
}

/** The terms of stored records, in the version that they were read in. */
export interface TermsBatch {
  readonly name: string
  readonly progress: RewriteProgress
  readonly records: readonly (Key & { readonly version: number; readonly terms: readonly string[] })[]
}

/** Type of what stands for an erased record in the feed of others, without a body: the record is gone with its events. */
export const ERASED = 'erased'

/** How long an erased record is in that feed, in milliseconds. Who has not read it for this time may have missed some. */
export const ERASED_SHOWN_MS = 3_600_000

/** What other processes commit. */
export interface OthersFeed {
  /**
   * Events that other processes have committed, each once, those of an account in order. Fewer than `limit`: nothing that was
   * committed before the call is missing. Also gives events of this process whose commit was rejected as unknown and has taken
   * effect, and on a shared store the records that others have erased, as events of type `ERASED`.
   */
  next(limit: number): Promise<readonly StoredEvent[]>
}

export interface Store {
  load(key: Key): Promise<StoredRecord | null>
  /** Resolves when the change is durable on disk, or refused. @throws Fault `store_busy` when the queue is full. */
  commit(commit: Commit): Promise<CommitResult>
  /** Marks effects of an account as performed. Need not be durable at once: an effect may be performed twice. */
  effectsDone(account: MerchantAccountId, effectIds: readonly string[]): Promise<void>

  list(account: MerchantAccountId, query: ListQuery): Promise<readonly ListedRecord[]>
  /**
   * Finds records of a kind whose commits have `searchTerms`, each by an index. The work of a call is limited; then `next` leads
   * on. A record that neither comes nor changes while the pages are read is in exactly one of them.
   */
  search(account: MerchantAccountId, query: SearchQuery): Promise<FoundRecords>
  /** The live record of the account that has this lock key. */
  lockHolderOf(account: MerchantAccountId, lockKey: string): Promise<StoredRecord | null>
  /** The record of the account that has taken this unique key. */
  uniqueKeyHolderOf(account: MerchantAccountId, uniqueKey: string): Promise<StoredRecord | null>
  /**
   * The record that has this account key, as its lock key or as a unique key. The only read of a request that names no merchant
   * account: it finds the account. On SQLite also by `challenge:` and an `md` from before version 0.2, which names no account.
   * @param key for which `isAccountKey` is true
   */
  accountKeyHolderOf(key: string): Promise<StoredRecord | null>
  eventsOf(key: Key): Promise<readonly StoredEvent[]>
  eventsAfter(account: MerchantAccountId, cursor: number, limit: number): Promise<readonly StoredEvent[]>
  idempotencyOf(account: MerchantAccountId, key: string): Promise<Idempotency | null>

  // For the gateway's own use, over all accounts.
  /** All records of a kind, in order of creation. For accounts and for recovery (`live`), not for merchants' requests. */
  all(
    kind: string,
    options: { readonly live?: boolean; readonly after?: number; readonly limit: number },
  ): Promise<readonly ListedRecord[]>
  /** Number of live records of a kind, over all accounts. */
  countLive(kind: string): Promise<number>
  /** Events of all records, in order of their cursors. */
  allEvents(after: number, limit: number): Promise<readonly StoredEvent[]>
  /** Null when the rewrite has not begun. */
  rewriteProgress(name: string): Promise<RewriteProgress | null>
  /** Rewrites bodies. Skips those that have changed since they were read. Returns the number of rewritten bodies. */
  rewrite(batch: RewriteBatch): Promise<number>
  /**
   * Enters the terms of records that were stored without them. Entering them again changes nothing. Skips records that have
   * changed since they were read and returns their number; unless it is 0, the progress is not stored.
   */
  enterTerms(batch: TermsBatch): Promise<number>
  readonly lanes: Lanes
  /**
   * Claims lanes whose leases no other process holds, up to its share, and renews those of this process. Resolves to all leases
   * that it holds now; none for the command line, which performs no work. On the embedded store the lock on the data directory is
   * the lease.
   */
  claimLanes(): Promise<Claim>
  /** Gives lanes back, so that other nodes can claim them. */
  releaseLanes(lanes: readonly number[]): Promise<void>
  /** Gives all lanes back and takes no share any more. Claims then get nothing, and let other nodes reach this one until it closes. */
  leaveLanes(): Promise<void>
  /** Effects that are not performed yet, oldest first; of some lanes, or of all. */
  undoneEffects(limit: number, lanes?: readonly number[]): Promise<readonly StoredEffect[]>
  /** Timers due at or before `until`, earliest first; of one account, of some lanes, or of all. */
  dueTimers(
    until: number,
    limit: number,
    of?: { readonly account?: MerchantAccountId; readonly lanes?: readonly number[] },
  ): Promise<readonly StoredTimer[]>
  /** When the earliest timer is due (epoch milliseconds); null when there is none. */
  nextTimerAt(): Promise<number | null>
  /** Whether several gateways may work on it. Then a record in memory is current only after a look at what others have committed. */
  readonly shared: boolean
  /**
   * Follows what other processes, such as the command line or other nodes, commit from now on. Called once.
   * @param whenMore called soon after another node has committed. A call may be missing, so the feed is also read now and then.
   */
  followOthers(whenMore?: () => void): Promise<OthersFeed>
  /** Loads records of any accounts, those that exist, in any order. */
  loadAll(keys: readonly Key[]): Promise<readonly StoredRecord[]>
  /**
   * Erases records that are still at this version, with their events, effects and timers; returns the number of erased
   * records. Their unique keys stay taken. `terms`: all search terms of the record.
   */
  erase(records: readonly ErasedRecord[]): Promise<number>
  /** Deletes idempotency keys that expired at or before `now`; returns the number of deleted rows. */
  forgetExpired(now: number): Promise<number>
  close(): Promise<void>
}

// src/engine/engine.ts — the one loop: load → decide → apply → commit → publish to feed, effects and timers.
import type { IdOf, MerchantAccountId } from '../domain/ids.ts'
import type { Refusal } from '../domain/refusals.ts'
import { type Activity, UNCOUNTED } from './activity.ts'
import type { Entry, RecordCache } from './cache.ts'
import { decodeRecord } from './decoding.ts'
import { Fault } from './fault.ts'
import type { Feed } from './feed.ts'
import { commitOf, fold, type Published, storedTermsOf } from './fold.ts'
import { KeyMap } from './key-map.ts'
import { createKeyedQueue } from './keyed-queue.ts'
import type { Machine } from './machines.ts'
import { createPauses } from './pauses.ts'
import type { Clocks } from './ports/clock.ts'
import type {
  CommitResult,
  Idempotency,
  Key,
  Lease,
  Store,
  StoredEffect,
  StoredRecord,
  StoredTimer,
} from './ports/store.ts'
import type { Tracing } from './ports/tracing.ts'
import { NO_REMOTE_CHANGES } from './remote-changes.ts'
import type { RemoteReads } from './remote-reads.ts'
import { commitTraced, decidingTraced } from './traced-work.ts'
import { createUnanswered } from './unanswered.ts'
import type { WorkLeases } from './work-leases.ts'

/** Attempts at a command that loses against concurrent changes. More than this means a fault, not bad luck. */
const ATTEMPTS = 3

export type Executed<Record, Event> =
  | { readonly record: Record; readonly events: readonly Event[] }
  | { readonly refused: Refusal }
  /** The idempotency key was taken meanwhile: read the stored answer. */
  | { readonly repeated: true }

export interface ExecuteOptions<Record, Facts> {
  /** Reads the facts that the decision needs. Called on each attempt; the first one has number 1. */
  readonly facts?: (record: Record | null, attempt: number) => Facts | Promise<Facts>
  /** The id was generated for this command: the record is loaded only if the commit finds that it exists. */
  readonly isNew?: true
  /** Sequence number of the report, when the command is one. */
  readonly report?: number
  /** Ids of effects that this command proves to be performed. */
  readonly effectsDone?: readonly string[]
  /** The command is a time-out. Like the outcome of an effect, it is committed under the lease of the account's lane. */
  readonly timer?: true
  /** The lease of the account's lane when the work behind this command began: the command fails when the lane has changed hands since. */
  readonly lease?: Lease
  readonly idempotency?: Idempotency
}

/** Receives effects and timers of a durable commit before the caller gets its answer. */
export interface PostCommit {
  effects(effects: readonly StoredEffect[]): void
  timers(timers: readonly StoredTimer[]): void
  /** Retries the waiting effects of a record at once. */
  hurry(record: Key): void
}

/** Names a record of one kind: the id of another kind does not compile. */
export interface KeyOf<R> {
  readonly account: MerchantAccountId
  readonly id: IdOf<R>
}

export interface Engine {
  /**
   * Runs a command on a record. A refused command changes nothing.
   * @throws Fault `contention` after three lost attempts, or a fault of the store
   */
  execute<R extends { readonly version: number }, C, F, E extends { readonly type: string }>(
    machine: Machine<R, C, F, E>,
    key: KeyOf<R>,
    command: C,
    options?: ExecuteOptions<R, F>,
  ): Promise<Executed<R, E>>
  /** The record with its serialised answers, from the cache when it is there; null when it does not exist. */
  read<R extends { readonly version: number }, C, F, E extends { readonly type: string }>(
    machine: Machine<R, C, F, E>,
    key: KeyOf<R>,
  ): Promise<Entry<R> | null>
  /** Erases records of a machine that are still at this version; returns the number of erased records. */
  erase<R extends { readonly version: number }, C, F, E extends { readonly type: string }>(
    machine: Machine<R, C, F, E>,
    records: readonly StoredRecord[],
  ): Promise<number>
  /** Connects effects and timers. Called once, by the composition root. */
  attach(postCommit: PostCommit): void
  /** Retries the waiting effects of a record at once, because an outside condition has changed. */
  hurry(record: Key): void
  /**
   * Defers new commands on an account until the returned function is called. That call also drops the account's cached
   * records, because the account may have been replaced meanwhile.
   */
  pause(account: MerchantAccountId): () => void
  /**
   * Whether a record with this parent is being changed, and what is in memory of it may be older than what another node shows.
   * False on a store that no other node shares.
   */
  isChanging(account: MerchantAccountId, parent: string): boolean
  /** Number of commands in progress. */
  readonly busy: number
}

export interface EngineParts {
  readonly store: Store
  readonly clocks: Clocks
  /** Counts commands in progress. */
  readonly activity?: Activity
  readonly feed: Feed
  readonly cache: RecordCache
  /** Changes by other processes. Absent when no other process writes. */
  readonly remote?: RemoteReads
  /** Absent when no other process performs effects and timers. */
  readonly leases?: Pick<WorkLeases, 'of' | 'refused'>
  /** Null, the default, when tracing is off. */
  readonly tracing?: Tracing | null
}

/** Creates the engine over its ports. */
export function createEngine({
  store,
  clocks,
  feed,
  cache,
  remote = NO_REMOTE_CHANGES,
  leases,
  activity = UNCOUNTED,
  tracing = null,
}: EngineParts): Engine {
  /** Commands on one record queue here, so that they do not collide in the store. */
  const commands = createKeyedQueue<Key>(new KeyMap())
  let postCommit: PostCommit = { effects: () => {}, timers: () => {}, hurry: () => {} }
  let busy = 0
  /** Accounts whose commands are deferred. */
  const pauses = createPauses()
  const unanswered = createUnanswered(store)

  async function read<R extends { readonly version: number }, C, F, E extends { readonly type: string }>(
    machine: Machine<R, C, F, E>,
    key: Key,
  ): Promise<Entry<R> | null> {
    const wasChanging = unanswered.ofRecord(key)
    // What other processes have committed is dropped from the cache first.
    const refreshing = remote.refresh(machine.changedOutside, key.account)
    if (refreshing !== undefined) await refreshing
    const isChanging = wasChanging || unanswered.ofRecord(key)
    const cached = isChanging ? undefined : cache.get(key)
    if (cached !== undefined) return cached as Entry<R>
    const { epoch } = remote
    const stored = await store.load(key)
    if (stored === null) return null
    const record = decodeRecord(machine, stored.body)
    // A change published during the load may be newer than this record.
    if (isChanging || remote.epoch !== epoch) return { record, version: stored.version, answers: null }
    return cache.put(key, record, stored.version) as Entry<R>
  }

  /** The lease for a commit; null for a request of a caller. @throws Fault `lease_lost` when another process has the lane. */
  function leaseFor(
    account: MerchantAccountId,
    options: Pick<ExecuteOptions<never, never>, 'timer' | 'effectsDone' | 'lease'>,
  ): Lease | null {
    if (options.lease !== undefined) return options.lease
    const isWork = options.timer === true || (options.effectsDone?.length ?? 0) > 0
    if (leases === undefined || !isWork) return null
    const lease = leases.of(account)
    if (lease === null) throw new Fault('lease_lost', { detail: account })
    return lease
  }

  async function decideOften<R extends { readonly version: number }, C, F, E extends { readonly type: string }>(
    machine: Machine<R, C, F, E>,
    key: Key,
    command: C,
    options: ExecuteOptions<R, F>,
  ): Promise<Executed<R, E>> {
    for (let number = 1; number <= ATTEMPTS; number += 1) {
      const isNew = options.isNew === true && number === 1
      const before = isNew ? null : await read(machine, key)
      const facts = (await options.facts?.(before?.record ?? null, number)) ?? null
      const { decide } = tracing === null ? machine : decidingTraced(tracing, machine, key)
      const decision = decide(before?.record ?? null, command, facts as F)
      if ('refused' in decision) return decision
      const { events } = decision
      if (events.length === 0) {
        if (options.effectsDone !== undefined) await store.effectsDone(key.account, options.effectsDone)
        if (before === null) throw new Error(`${machine.kind}: nothing happened to a record that does not exist`)
        return { record: before.record, events }
      }
      const lease = leaseFor(key.account, options)
      const { change, writing, answered } = write(machine, key, before, events, options, lease)
      const result = await writing.catch(error => {
        // Its outcome may be unknown. Then the next read of what is committed finds it.
        void Promise.resolve(remote.refresh(true, key.account)).then(answered, answered)
        throw error
      })
      if (result !== 'written') answered()
      switch (result) {
        case 'written':
          try {
            return { record: publish(key, change, events, isNew), events }
          } finally {
            answered()
          }
        case 'version_moved':
        case 'lock_key_taken':
          cache.drop(key)
          break
        case 'unique_key_taken':
          if (machine.refusedUniqueKey === undefined) throw new Error(`${machine.kind}: unexpected unique key conflict`)
          return { refused: machine.refusedUniqueKey }
        case 'idempotency_key_taken':
          return { repeated: true }
        case 'lease_lost':
          if (lease !== null) leases?.refused(lease)
          throw new Fault('lease_lost', { detail: key.account })
      }
    }
    throw new Fault('contention', { detail: `${machine.kind} ${key.id}` })
  }

  /** A function of its own, so that a pending commit keeps only what `publish` needs in memory. */
  function write<R extends { readonly version: number }, C, F, E extends { readonly type: string }>(
    machine: Machine<R, C, F, E>,
    key: Key,
    before: Entry<R> | null,
    events: readonly E[],
    options: ExecuteOptions<R, F>,
    lease: Lease | null,
  ): Writing<R> {
    const now = clocks.of(key.account).now()
    const folded = fold(machine, key, before?.record ?? null, { events, now, report: options.report ?? 0 })
    const { record, effects, timers } = folded
    const unleased = commitOf(machine, key, before?.version ?? 0, folded, options)
    const commit = lease === null ? unleased : { ...unleased, lease }
    const answered = unanswered.begin(commit)
    if (tracing === null) return { change: { record, effects, timers }, writing: store.commit(commit), answered }
    const traced = commitTraced(tracing, store, commit, effects)
    return { change: { record, effects: traced.effects, timers }, writing: traced.writing, answered }
  }

  /** Caches and publishes a durable change; returns its record. */
  function publish<R extends { readonly version: number }>(
    key: Key,
    { record, effects, timers }: Published<R>,
    events: readonly { readonly type: string }[],
    isNew: boolean,
  ): R {
    const newest = remember(key, record, isNew)
    const { account, kind, id } = key
    // Subscribers get the change before its effects start. The effects start even if a subscriber throws.
    try {
      feed.publish({ account, kind, id, version: newest.version, record: newest.record, events, own: true })
    } finally {
      if (effects.length > 0) postCommit.effects(effects)
      if (timers !== null) postCommit.timers(timers)
    }
    return record
  }

  /** Caches a record. When the answer to its commit came late, another node may have changed it meanwhile: then returns that version. */
  function remember<R extends { readonly version: number }>(key: Key, record: R, isNew: boolean): Entry<unknown> {
    if (!isNew || store.shared) return cache.put(key, record, record.version)
    cache.add(key, record, record.version)
    return { record, version: record.version, answers: null }
  }

  /** Counts a command. The count drops before the caller's continuation runs. */
  function counted<T>({ account }: Key, work: Promise<T>): Promise<T> {
    busy += 1
    activity.begin(account)
    const done = (): void => {
      busy -= 1
      activity.end(account)
    }
    work.then(done, done)
    return work
  }

  return {
    execute(machine, { account, id }, command, options = {}) {
      const key: Key = { account, kind: machine.kind, id }
      const work = () => decideOften(machine, key, command, options)
      // A new record skips the queue: hardly any other command knows its id, and one that does (from the table that it
      // pays) finds no record until it is written.
      const start = () => counted(key, options.isNew === true ? work() : commands.run(key, work))
      const begin = (): ReturnType<typeof start> => {
        const over = pauses.over(account)
        return over === undefined ? start() : over.then(begin)
      }
      return begin()
    },
    read: (machine, { account, id }) => read(machine, { account, kind: machine.kind, id }),
    async erase(machine, records) {
      const gone = await store.erase(records.map(record => ({ ...record, terms: storedTermsOf(machine, record) })))
      // A command decided on a cached copy fails with `version_moved`; its next attempt finds no record.
      for (const key of records) cache.drop(key)
      return gone
    },
    attach(given) {
      postCommit = given
    },
    hurry: record => postCommit.hurry(record),
    pause(account) {
      const end = pauses.begin(account)
      return () => {
        cache.dropAccount(account)
        end()
      }
    },
    isChanging: unanswered.under,
    get busy() {
      return busy
    },
  }
}

/** A commit on its way. */
interface Writing<R> {
  readonly change: Published<R>
  readonly writing: Promise<CommitResult>
  /** To be called once memory has its outcome. */
  readonly answered: () => void
}

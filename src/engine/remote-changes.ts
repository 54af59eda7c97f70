// src/engine/remote-changes.ts — publishes what other processes have committed, read from the store's feed.
import type { MerchantAccountId } from '../domain/ids.ts'
import { decodeAnyRecord } from './all-machines.ts'
import type { RecordCache } from './cache.ts'
import type { Feed } from './feed.ts'
import { KeyMap } from './key-map.ts'
import { createNextRun } from './next-run.ts'
import type { Alarm, Clock } from './ports/clock.ts'
import type { Log } from './ports/log.ts'
import {
  ERASED,
  ERASED_SHOWN_MS,
  type Key,
  type OthersFeed,
  type Store,
  type StoredEvent,
  type StoredRecord,
} from './ports/store.ts'

/** Milliseconds until the feed is read again: a key revoked by the command line is refused within this time. */
const READ_AGAIN_MS = 1_000

/** Events read at a time. */
const BATCH = 200

export interface RemoteChanges {
  /** Grows with each batch of changes. A record loaded across a change of the epoch is not cached. */
  readonly epoch: number
  /**
   * Reads what others have committed, if a record in memory may be older than that. Await it before using one.
   * - On a store that several gateways share: always. Whatever was answered before the call is read; calls share reads.
   * - Otherwise only the command line changes records: those `changedOutside` may be a second old.
   * @throws faults of the store
   */
  refresh(changedOutside: boolean): Promise<void> | undefined
  /** Reads the feed every second, so that subscribers also get changes of records that no request reads. */
  start(): void
  stop(): void
}

/** For the only process on a store. */
export const NO_REMOTE_CHANGES: RemoteChanges = { epoch: 0, refresh: () => undefined, start() {}, stop() {} }

export interface RemoteChangesParts {
  readonly store: Pick<Store, 'shared' | 'followOthers' | 'loadAll'>
  readonly clock: Clock
  readonly log: Log
  readonly cache: RecordCache
  readonly feed: Feed
  /** Called after changes of these accounts were published, because they may have effects and timers. */
  readonly committed: (accounts: ReadonlySet<MerchantAccountId>) => void
}

/** After this time without a read everything in memory is dropped, in milliseconds: erased records leave the feed some time. */
const TOO_OLD_MS = ERASED_SHOWN_MS / 2

type EventsOfRecord = readonly [StoredEvent, ...StoredEvent[]]

/** Follows the commits of other processes from the first read on; nothing committed before is in memory. */
export function createRemoteChanges(parts: RemoteChangesParts): RemoteChanges {
  const { store, clock, log, cache, feed, committed } = parts
  let following: OthersFeed | null = null
  /** Read and not published yet, because the store failed in between. */
  let pending: readonly StoredEvent[] = []
  let epoch = 0
  let readAt = Number.NEGATIVE_INFINITY
  let alarm: Alarm | null = null
  let stopped = false
  const nextRead = createNextRun(read)

  async function read(): Promise<void> {
    const at = clock.now()
    if (store.shared && at - readAt > TOO_OLD_MS) dropAll()
    following ??= await store.followOthers(() => void nextRead().catch(failed))
    for (let more = true; more; ) {
      const events = await following.next(BATCH)
      more = events.length >= BATCH
      pending = [...pending, ...events]
      if (pending.length === 0) break
      epoch += 1
      await publish(byRecord(pending))
      const accounts = new Set(pending.filter(isChange).map(({ account }) => account as MerchantAccountId))
      pending = []
      if (accounts.size > 0) committed(accounts)
    }
    readAt = at
  }

  function dropAll(): void {
    epoch += 1
    cache.dropAll()
  }

  /** Publishes the current records with the events that were read. A record may be newer than its events. */
  async function publish(groups: readonly EventsOfRecord[]): Promise<void> {
    // First, so that a record that cannot be read is not served from memory either.
    for (const [key] of groups) cache.drop(key)
    const loaded = new KeyMap<StoredRecord>()
    for (const stored of await store.loadAll(groups.map(([{ account, kind, id }]) => ({ account, kind, id }))))
      loaded.set(stored, stored)
    for (const events of groups) {
      const stored = loaded.get(events[0])
      const changes = events.filter(isChange)
      // A record that is new under the id of an erased one has events of its own.
      if (stored !== undefined && changes.length > 0) publishOne(stored, changes)
    }
  }

  function publishOne(stored: StoredRecord, events: readonly StoredEvent[]): void {
    const { account, kind, id, version } = stored
    const key: Key = { account, kind, id }
    try {
      const record = decodeAnyRecord(stored)
      // This process may have committed and published a later version meanwhile.
      if (cache.put(key, record, version).version > version) return
      feed.publish({ ...key, version, record, events, own: false })
    } catch (error) {
      // One bad record must not hide the changes behind it.
      log.error({ kind, id, error: String(error) }, 'change by another process not published')
    }
  }

  /** Whether the feed was read within the last second. A clock that was set back must not keep it from being read. */
  function isRecent(): boolean {
    const now = clock.now()
    return now >= readAt && now < readAt + READ_AGAIN_MS
  }

  function failed(error: unknown): void {
    if (!stopped) log.error({ error: String(error) }, 'feed read failed')
  }

  function readLater(): void {
    if (stopped) return
    alarm = clock.alarm(clock.now() + READ_AGAIN_MS, () => {
      const reading = isRecent() ? Promise.resolve() : nextRead()
      void reading.catch(failed).finally(readLater)
    })
  }

  return {
    get epoch() {
      return epoch
    },
    refresh(changedOutside) {
      if (store.shared) return nextRead()
      return changedOutside && !isRecent() ? nextRead() : undefined
    },
    start: readLater,
    stop() {
      stopped = true
      alarm?.cancel()
    },
  }
}

/** Whether a record has changed, and is not just gone. */
function isChange({ type }: StoredEvent): boolean {
  return type !== ERASED
}

/** Groups events by record, in order of each record's first event. */
function byRecord(events: readonly StoredEvent[]): readonly EventsOfRecord[] {
  const groups = new KeyMap<[StoredEvent, ...StoredEvent[]]>()
  const inOrder: [StoredEvent, ...StoredEvent[]][] = []
  for (const event of events) {
    const group = groups.get(event)
    if (group !== undefined) {
      group.push(event)
      continue
    }
    const started: [StoredEvent] = [event]
    groups.set(event, started)
    inOrder.push(started)
  }
  return inOrder
}

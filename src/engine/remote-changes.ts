// src/engine/remote-changes.ts — publishes what other processes have committed, read from the store's feed by cursor.
import { decodeAnyRecord } from './all-machines.ts'
import type { RecordCache } from './cache.ts'
import type { Feed } from './feed.ts'
import { KeyMap } from './key-map.ts'
import type { Alarm, Clock } from './ports/clock.ts'
import type { Log } from './ports/log.ts'
import type { Key, Store, StoredEvent } from './ports/store.ts'

/** Milliseconds until the feed is read again: a key revoked by the command line is refused within this time. */
const READ_AGAIN_MS = 1_000

/** Events read at a time. */
const BATCH = 200

export interface RemoteChanges {
  /** Grows with each batch of changes. A record loaded across a change of the epoch is not cached. */
  readonly epoch: number
  /** Reads the feed if it was not read within the last second. Await it before using a copy that other processes change. */
  refresh(): Promise<void> | undefined
  /** Reads the feed every second, so that subscribers also get changes of records that no request reads. */
  start(): void
  stop(): void
}

/** For the only process on a store. */
export const NO_REMOTE_CHANGES: RemoteChanges = { epoch: 0, refresh: () => undefined, start() {}, stop() {} }

export interface RemoteChangesParts {
  readonly store: Pick<Store, 'feedEnd' | 'othersEvents' | 'load'>
  readonly clock: Clock
  readonly log: Log
  readonly cache: RecordCache
  readonly feed: Feed
  /** Called after the changes of a batch were published, because they may have effects and timers. */
  readonly committed: () => Promise<void>
}

/** Follows the commits of other processes from the first read on; nothing committed before is in memory. */
export function createRemoteChanges(parts: RemoteChangesParts): RemoteChanges {
  const { store, clock, log, cache, feed, committed } = parts
  let cursor: number | null = null
  let epoch = 0
  let readAt = Number.NEGATIVE_INFINITY
  let reading: Promise<void> | null = null
  let alarm: Alarm | null = null
  let stopped = false

  async function read(at: number): Promise<void> {
    cursor ??= await store.feedEnd()
    for (let more = true; more; ) {
      const events = await store.othersEvents(cursor, BATCH)
      if (events.length > 0) epoch += 1
      for (const ofRecord of byRecord(events)) await publish(ofRecord)
      // Changes of this process whose commit it did not see confirmed come late, with lower cursors.
      cursor = events.reduce((highest, event) => Math.max(highest, event.cursor), cursor)
      if (events.length > 0) await committed()
      more = events.length >= BATCH
    }
    readAt = at
  }

  /** Publishes the current record with the events that were read. The record may be newer than the events. */
  async function publish(events: readonly [StoredEvent, ...StoredEvent[]]): Promise<void> {
    const [{ account, kind, id }] = events
    const key: Key = { account, kind, id }
    // First, so that a record that cannot be read is not served from memory either.
    cache.drop(key)
    const stored = await store.load(key)
    if (stored === null) return
    try {
      const record = decodeAnyRecord(stored)
      cache.put(key, record, stored.version)
      feed.publish({ ...key, version: stored.version, record, events })
    } catch (error) {
      // One bad record must not hide the changes behind it.
      log.error({ kind, id, error: String(error) }, 'change by another process not published')
    }
  }

  function refresh(): Promise<void> | undefined {
    const now = clock.now()
    // A clock that was set back must not keep the feed from being read.
    if (now >= readAt && now < readAt + READ_AGAIN_MS) return undefined
    reading ??= read(now).finally(() => (reading = null))
    return reading
  }

  function readLater(): void {
    if (stopped) return
    alarm = clock.alarm(clock.now() + READ_AGAIN_MS, () => {
      const failed = (error: unknown) => log.error({ error: String(error) }, 'feed read failed')
      void Promise.resolve(refresh()).catch(failed).finally(readLater)
    })
  }

  return {
    get epoch() {
      return epoch
    },
    refresh,
    start: readLater,
    stop() {
      stopped = true
      alarm?.cancel()
    },
  }
}

/** Groups events by record, in order of each record's first event. */
function byRecord(events: readonly StoredEvent[]): readonly [StoredEvent, ...StoredEvent[]][] {
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

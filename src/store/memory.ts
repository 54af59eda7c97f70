// src/store/memory.ts — a store that forgets everything when it is closed, for the simulation and for measuring. It keeps
// the same rules as the real ones; all is done before a promise is handed out, so every run goes the same way.
import { Fault } from '../engine/fault.ts'
import type { Idempotency, ListedRecord, Store, StoredRecord } from '../engine/ports.ts'
import { imageOf, putImage } from './memory-images.ts'
import { emptyTables, erase, join, nameOf, type Row, shelf, type Tables, type Timer, write } from './memory-tables.ts'
import { ascending, descending, firstIndex } from './sorted-list.ts'

/** A new, empty store. */
export function openMemoryStore(): Store {
  let tables: Tables | null = emptyTables()
  const open = (): Tables => {
    if (tables === null) throw new Fault('store_gone')
    return tables
  }
  return {
    commit: async commit => write(open(), commit),
    effectsDone: async effectIds => {
      const { effects } = open()
      for (const effectId of effectIds) effects.delete(effectId)
    },
    erase: async records => records.filter(record => erase(open(), record)).length,
    forgetExpired: async now => forgetExpired(open().idempotency, now),
    imageOf: async (account, except) => imageOf(open(), account, except),
    putImage: async (account, except, image) => putImage(open(), account, except, image),
    close: async () => {
      tables = null
    },

    load: async key => recordOf(open().rows.get(nameOf(key))),
    holderOf: async exclusive => recordOf(open().holders.get(exclusive)),
    claimantOf: async claim => recordOf(open().claimants.get(claim)),
    list: async (account, { kind, parent, live, before = Number.MAX_SAFE_INTEGER, limit }) => {
      const rows = shelf(open(), live === true, kind, account, ...(parent === undefined ? [] : [parent]))
      const newest = descending(rows, row => row.position >= before)
      return records(newest, live, limit)
    },
    all: async (kind, { live, after = 0, limit }) => {
      const rows = shelf(open(), live === true, kind)
      const oldest = ascending(rows, row => row.position > after)
      return records(oldest, live, limit)
    },
    eventsOf: async key => [...(open().eventsOfRecord.get(nameOf(key)) ?? [])],
    eventsAfter: async (account, cursor, limit) => {
      const events = open().eventsOfAccount.get(account) ?? []
      const start = firstIndex(events, event => event.cursor > cursor)
      return events.slice(start, start + limit)
    },
    idempotencyOf: async (account, key) => open().idempotency.get(join(account, key)) ?? null,
    undoneEffects: async limit => firstOf(open().effects.values(), limit),
    dueTimers: async (until, limit, account) => {
      const due = firstOf(dueOf(ascending(open().timers), until, account), limit)
      return due.map(({ account, kind, id, name, dueAt }) => ({ account, kind, id, name, dueAt }))
    },
    // Nobody else knows it.
    outsideChanges: () => 0,
    nextTimerAt: async () => open().timers[0]?.[0]?.dueAt ?? null,
  }
}

/** The due ones at the head of a list that is in order of time. */
function* dueOf(timers: Iterable<Timer>, until: number, account: string | undefined): Generator<Timer> {
  for (const timer of timers) {
    if (timer.dueAt > until) return
    if (account === undefined || timer.account === account) yield timer
  }
}

function records(rows: Iterable<Row>, live: boolean | undefined, limit: number): readonly ListedRecord[] {
  const found: ListedRecord[] = []
  for (const row of rows) {
    if (found.length >= limit) break
    if (live === undefined || row.live === live) found.push(row.record)
  }
  return found
}

function firstOf<Item>(items: Iterable<Item>, limit: number): readonly Item[] {
  const first: Item[] = []
  for (const item of items) {
    if (first.length >= limit) break
    first.push(item)
  }
  return first
}

function recordOf(row: Row | null | undefined): StoredRecord | null {
  if (row === undefined || row === null) return null
  const { position, ...record } = row.record
  return record
}

function forgetExpired(kept: Map<string, Idempotency>, now: number): number {
  const before = kept.size
  for (const [name, { expiresAt }] of kept) if (expiresAt <= now) kept.delete(name)
  return before - kept.size
}

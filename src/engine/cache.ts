// src/engine/cache.ts — records in memory, so that polling costs no query. An optimisation only: with a size of 0
// everything works the same, and the tests run both ways.
import type { Clock, Key } from './ports.ts'

/** A record with its answers, already serialised. The answers live and die with the version. */
export interface Entry<Record> {
  readonly record: Record
  readonly version: number
  /** Serialised answers by whatever they depend on (API version, base URL). */
  readonly answers: Map<string, Uint8Array>
}

interface Held {
  readonly entry: Entry<unknown>
  readonly believedUntil: number
}

export interface RecordCache {
  get(key: Key): Entry<unknown> | undefined
  /** Keeps a record unless a newer version is held; returns what is held then. */
  put(key: Key, record: unknown, version: number, believedMs: number): Entry<unknown>
  drop(key: Key): void
  readonly size: number
}

/** A bounded cache, least recently used out first. `limit` counts records. */
export function createRecordCache(limit: number, clock: Clock): RecordCache {
  const held = new Map<string, Held>()
  return {
    get(key) {
      const name = nameOf(key)
      const found = held.get(name)
      if (found === undefined) return undefined
      if (found.believedUntil < clock.now()) {
        held.delete(name)
        return undefined
      }
      held.delete(name)
      held.set(name, found)
      return found.entry
    },
    put(key, record, version, believedMs) {
      const entry: Entry<unknown> = { record, version, answers: new Map() }
      if (limit === 0) return entry
      const name = nameOf(key)
      const found = held.get(name)
      if (found !== undefined && found.entry.version > version) return found.entry
      held.delete(name)
      held.set(name, { entry, believedUntil: clock.now() + believedMs })
      if (held.size > limit) {
        const oldest = held.keys().next()
        if (!oldest.done) held.delete(oldest.value)
      }
      return entry
    },
    drop(key) {
      held.delete(nameOf(key))
    },
    get size() {
      return held.size
    },
  }
}

/** Ids are unique per account and kind; the separator occurs in none of them. */
export function nameOf(key: Key): string {
  return `${key.kind}\u0000${key.account}\u0000${key.id}`
}

// src/engine/cache.ts — records in memory, so that polling costs no query. An optimisation only: with a size of 0
// everything works the same, and the tests run both ways.
import { KeyMap } from './key-map.ts'
import type { Key } from './ports.ts'

/** A record with its answers, already serialised. The answers live and die with the version. */
export interface Entry<Record> {
  readonly record: Record
  readonly version: number
  /** Serialised answers by whatever they depend on (API version, base URL); made with the first: many are never asked for. */
  answers: Map<string, Uint8Array> | null
}

interface Held {
  readonly entry: Entry<unknown>
  /** The number of outside changes before it was read; null where nobody else changes such records. */
  readonly seen: number | null
}

export interface RecordCache {
  get(key: Key): Entry<unknown> | undefined
  /**
   * Keeps a record unless a newer version is held; returns what is held then.
   * @param seen how many outside changes there were before the record was read; null where nobody else changes it
   */
  put(key: Key, record: unknown, version: number, seen: number | null): Entry<unknown>
  drop(key: Key): void
  dropAccount(account: string): void
  readonly size: number
}

/**
 * A bounded cache. `limit` counts records. What others may change is believed as long as `outsideChanges` says that they
 * have changed nothing. There are two shelves: what is put in or asked for lies on the young one; when
 * that is half of the limit, it becomes the old one, and what nobody has asked for since goes with the one before. This
 * comes near to "least recently used first", and neither a read nor an eviction has to move anything in a large map.
 */
export function createRecordCache(limit: number, outsideChanges: () => number): RecordCache {
  const shelf = Math.ceil(limit / 2)
  let young = new KeyMap<Held>()
  let old = new KeyMap<Held>()

  function lay(key: Key, held: Held): void {
    young.set(key, held)
    if (young.size <= shelf) return
    old = young
    young = new KeyMap()
  }

  function find(key: Key): Held | undefined {
    const found = young.get(key)
    if (found !== undefined || old.size === 0) return found
    const older = old.get(key)
    if (older === undefined) return undefined
    old.delete(key)
    lay(key, older)
    return older
  }

  function drop(key: Key): void {
    young.delete(key)
    old.delete(key)
  }

  return {
    get(key) {
      const found = find(key)
      if (found === undefined || found.seen === null || found.seen === outsideChanges()) return found?.entry
      drop(key)
      return undefined
    },
    put(key, record, version, seen) {
      const entry: Entry<unknown> = { record, version, answers: null }
      if (limit === 0) return entry
      const found = find(key)
      if (found !== undefined && found.entry.version > version) return found.entry
      lay(key, { entry, seen })
      return entry
    },
    drop,
    dropAccount(account) {
      young.deleteAccount(account)
      old.deleteAccount(account)
    },
    get size() {
      return young.size + old.size
    },
  }
}

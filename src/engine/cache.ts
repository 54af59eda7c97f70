// src/engine/cache.ts — records in memory, so that polling costs no query. An optimisation only: with a size of 0
// everything works the same, and the tests run both ways.
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
  let young = new Map<string, Held>()
  let old = new Map<string, Held>()

  function lay(name: string, held: Held): void {
    young.set(name, held)
    if (young.size <= shelf) return
    old = young
    young = new Map()
  }

  function find(name: string): Held | undefined {
    const found = young.get(name)
    if (found !== undefined || old.size === 0) return found
    const older = old.get(name)
    if (older === undefined) return undefined
    old.delete(name)
    lay(name, older)
    return older
  }

  function drop(name: string): void {
    young.delete(name)
    old.delete(name)
  }

  return {
    get(key) {
      const name = nameOf(key)
      const found = find(name)
      if (found === undefined || found.seen === null || found.seen === outsideChanges()) return found?.entry
      drop(name)
      return undefined
    },
    put(key, record, version, seen) {
      const entry: Entry<unknown> = { record, version, answers: null }
      if (limit === 0) return entry
      const name = nameOf(key)
      const found = find(name)
      if (found !== undefined && found.entry.version > version) return found.entry
      lay(name, { entry, seen })
      return entry
    },
    drop: key => drop(nameOf(key)),
    dropAccount(account) {
      for (const name of [...young.keys(), ...old.keys()]) if (name.split(SEPARATOR)[1] === account) drop(name)
    },
    get size() {
      return young.size + old.size
    },
  }
}

const SEPARATOR = '\u0000'

/** Ids are unique per account and kind; the separator occurs in none of them. */
export function nameOf(key: Key): string {
  return `${key.kind}\u0000${key.account}\u0000${key.id}`
}

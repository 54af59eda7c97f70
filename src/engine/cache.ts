// src/engine/cache.ts — caches records in memory, so that polling costs no query. Only an optimisation: with size 0
// everything works the same, and the tests run both ways.
import type { MerchantAccountId } from '../domain/ids.ts'
import { IdMap } from './key-map.ts'
import type { Key } from './ports/store.ts'

/** A record with its serialised answers. The answers belong to this version. */
export interface Entry<Record> {
  readonly record: Record
  readonly version: number
  /** Serialised answers by what they depend on (API version, base URL). Null until the first one: many are never requested. */
  answers: Map<string, Uint8Array> | null
}

/** A mutable cache entry: updating it in place saves a second map lookup. */
interface Cached {
  entry: Entry<unknown>
}

export interface RecordCache {
  get(key: Key): Entry<unknown> | undefined
  /** Caches a record unless a newer version is cached; returns the cached entry. */
  put(key: Key, record: unknown, version: number): Entry<unknown>
  /** Caches a new record. Its id was just generated, so it cannot be cached yet. */
  add(key: Key, record: unknown, version: number): void
  drop(key: Key): void
  dropAccount(account: MerchantAccountId): void
  dropAll(): void
  readonly size: number
}

/** The two generations of records of one kind. */
interface Generations {
  /** Records per generation. */
  readonly room: number
  young: IdMap<Cached>
  old: IdMap<Cached>
}

/**
 * A bounded cache. `limit` is the number of records per kind: a rush of sales does not evict the terminals they run on.
 * `special` gives other limits by kind. There are two generations: records that are added or read go to the young one. When it
 * reaches half of the limit, it becomes the old one, and the previous old one is dropped. This approximates LRU, and neither a
 * read nor an eviction moves entries in a large map.
 */
export function createRecordCache(limit: number, special: Readonly<Record<string, number>> = {}): RecordCache {
  const kinds = new Map<string, Generations>()

  function generationsOf(kind: string): Generations {
    const found = kinds.get(kind)
    if (found !== undefined) return found
    const generations = {
      room: Math.ceil((special[kind] ?? limit) / 2),
      young: new IdMap<Cached>(),
      old: new IdMap<Cached>(),
    }
    kinds.set(kind, generations)
    return generations
  }

  function insert(generations: Generations, key: Key, cached: Cached): void {
    generations.young.set(key, cached)
    if (generations.young.size < generations.room) return
    generations.old = generations.young
    generations.young = new IdMap()
  }

  function find(generations: Generations, key: Key): Cached | undefined {
    const { young, old } = generations
    const found = young.get(key)
    if (found !== undefined || old.size === 0) return found
    const older = old.get(key)
    if (older === undefined) return undefined
    old.delete(key)
    insert(generations, key, older)
    return older
  }

  function drop(key: Key): void {
    const generations = kinds.get(key.kind)
    generations?.young.delete(key)
    generations?.old.delete(key)
  }

  return {
    get: key => find(generationsOf(key.kind), key)?.entry,
    put(key, record, version) {
      const entry: Entry<unknown> = { record, version, answers: null }
      if (limit === 0) return entry
      const generations = generationsOf(key.kind)
      const found = find(generations, key)
      if (found === undefined) insert(generations, key, { entry })
      else if (found.entry.version > version) return found.entry
      else found.entry = entry
      return entry
    },
    add(key, record, version) {
      if (limit > 0) insert(generationsOf(key.kind), key, { entry: { record, version, answers: null } })
    },
    drop,
    dropAccount(account) {
      for (const { young, old } of kinds.values()) {
        young.deleteAccount(account)
        old.deleteAccount(account)
      }
    },
    dropAll: () => kinds.clear(),
    get size() {
      return [...kinds.values()].reduce((sum, { young, old }) => sum + young.size + old.size, 0)
    },
  }
}

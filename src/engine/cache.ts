// src/engine/cache.ts — records in memory, so that polling costs no query. An optimisation only: with a size of 0
// everything works the same, and the tests run both ways.
import type { MerchantAccountId } from '../domain/ids.ts'
import { IdMap } from './key-map.ts'
import type { Key } from './ports/store.ts'

/** A record with its answers, already serialised. The answers live and die with the version. */
export interface Entry<Record> {
  readonly record: Record
  readonly version: number
  /** Serialised answers by whatever they depend on (API version, base URL); made with the first: many are never asked for. */
  answers: Map<string, Uint8Array> | null
}

/** Its member changes when the record does: to look a place up once costs less than to do so again to fill it anew. */
interface Held {
  entry: Entry<unknown>
}

export interface RecordCache {
  get(key: Key): Entry<unknown> | undefined
  /** Keeps a record unless a newer version is held; returns what is held then. */
  put(key: Key, record: unknown, version: number): Entry<unknown>
  /** Keeps a record that nobody can have put in before: its id was made up just now. */
  add(key: Key, record: unknown, version: number): void
  drop(key: Key): void
  dropAccount(account: MerchantAccountId): void
  readonly size: number
}

/** Room for records of one kind. */
interface Shelves {
  /** Records on one shelf. */
  readonly room: number
  young: IdMap<Held>
  old: IdMap<Held>
}

/**
 * A bounded cache. `limit` counts records of a kind, of which each has room of its own: a rush of sales does not push out
 * the terminals they are made on. `special` are kinds with other limits. There are two shelves: what is put in or asked for
 * lies on the young one; when that is half of the limit, it becomes the old one, and what nobody has asked for since goes with
 * the one before. This comes near to "least recently used first", and neither a read nor an eviction has to move anything in a
 * large map.
 */
export function createRecordCache(limit: number, special: Readonly<Record<string, number>> = {}): RecordCache {
  const kinds = new Map<string, Shelves>()

  function shelvesOf(kind: string): Shelves {
    const found = kinds.get(kind)
    if (found !== undefined) return found
    const shelves = {
      room: Math.ceil((special[kind] ?? limit) / 2),
      young: new IdMap<Held>(),
      old: new IdMap<Held>(),
    }
    kinds.set(kind, shelves)
    return shelves
  }

  function lay(shelves: Shelves, key: Key, held: Held): void {
    shelves.young.set(key, held)
    if (shelves.young.size < shelves.room) return
    shelves.old = shelves.young
    shelves.young = new IdMap()
  }

  function find(shelves: Shelves, key: Key): Held | undefined {
    const { young, old } = shelves
    const found = young.get(key)
    if (found !== undefined || old.size === 0) return found
    const older = old.get(key)
    if (older === undefined) return undefined
    old.delete(key)
    lay(shelves, key, older)
    return older
  }

  function drop(key: Key): void {
    const shelves = kinds.get(key.kind)
    shelves?.young.delete(key)
    shelves?.old.delete(key)
  }

  return {
    get: key => find(shelvesOf(key.kind), key)?.entry,
    put(key, record, version) {
      const entry: Entry<unknown> = { record, version, answers: null }
      if (limit === 0) return entry
      const shelves = shelvesOf(key.kind)
      const found = find(shelves, key)
      if (found === undefined) lay(shelves, key, { entry })
      else if (found.entry.version > version) return found.entry
      else found.entry = entry
      return entry
    },
    add(key, record, version) {
      if (limit > 0) lay(shelvesOf(key.kind), key, { entry: { record, version, answers: null } })
    },
    drop,
    dropAccount(account) {
      for (const { young, old } of kinds.values()) {
        young.deleteAccount(account)
        old.deleteAccount(account)
      }
    },
    get size() {
      return [...kinds.values()].reduce((sum, { young, old }) => sum + young.size + old.size, 0)
    },
  }
}

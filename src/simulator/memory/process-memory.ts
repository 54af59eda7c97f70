// src/simulator/memory/process-memory.ts — the simulator's memory in this process. A test that simulates a crash keeps the
// object and builds a new gateway around it.
import type { Collection, MemoryDocument, SimulatedMemory } from './memory.ts'

interface Kept {
  readonly document: MemoryDocument
  readonly position: number
  readonly changedAt: number
}

/**
 * Creates an empty memory. Closing it does nothing, so the next gateway can use it.
 * @param now the system's clock, epoch milliseconds
 */
export function createProcessMemory(now: () => number = () => 0): SimulatedMemory {
  const kept = new Map<string, Kept>()
  let written = 0
  const place = (collection: Collection, key: string) => `${collection} ${key}`
  const put = (document: MemoryDocument): void => {
    const name = place(document.collection, document.key)
    // A Map keeps the position of a key that is set again, as the port requires.
    kept.set(name, { document, position: kept.get(name)?.position ?? ++written, changedAt: now() })
  }
  return {
    read: (collection, key) => kept.get(place(collection, key))?.document.body ?? null,
    write: documents => documents.forEach(put),
    written: async () => {},
    list(collection, { parent, limit }) {
      const found = [...kept.values()]
        .map(({ document }) => document)
        .filter(document => document.collection === collection && (parent === undefined || document.parent === parent))
      return found.reverse().slice(0, limit)
    },
    replace(parent, collections, replacing) {
      for (const [name, { document }] of kept)
        if (document.parent === parent && collections.includes(document.collection)) kept.delete(name)
      replacing.forEach(put)
    },
    eraseOf(parent, limit) {
      const names = [...kept].filter(([, { document }]) => document.parent === parent).map(([name]) => name)
      for (const name of names.slice(0, limit)) kept.delete(name)
      return Math.min(names.length, limit)
    },
    eraseOld({ collections, before, after, limit, isNeeded }) {
      const page = [...kept].filter(([, { position }]) => position > after).slice(0, limit)
      const old = page.filter(
        ([, { document, changedAt }]) =>
          collections.includes(document.collection) && changedAt < before && !isNeeded(document),
      )
      for (const [name] of old) kept.delete(name)
      return { gone: old.length, next: page.length < limit ? null : (page.at(-1)?.[1].position ?? null) }
    },
    erase: (collection, key) => void kept.delete(place(collection, key)),
    close: async () => {},
  }
}

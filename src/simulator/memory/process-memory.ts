// src/simulator/memory/process-memory.ts — the simulator's memory in this process. A test that simulates a crash keeps the
// object and builds a new gateway around it.
import type { Collection, MemoryDocument, SimulatedMemory } from './memory.ts'

/** Creates an empty memory. Closing it does nothing, so the next gateway can use it. */
export function createProcessMemory(): SimulatedMemory {
  const documents = new Map<string, MemoryDocument>()
  const place = (collection: Collection, key: string) => `${collection} ${key}`
  return {
    read: (collection, key) => documents.get(place(collection, key))?.body ?? null,
    write(written) {
      // A Map keeps the position of a key that is set again, as the port requires.
      for (const document of written) documents.set(place(document.collection, document.key), document)
    },
    list(collection, { parent, limit }) {
      const found = [...documents.values()].filter(
        document => document.collection === collection && (parent === undefined || document.parent === parent),
      )
      return found.reverse().slice(0, limit)
    },
    replace(parent, shelves, replacing) {
      for (const [name, document] of documents)
        if (document.parent === parent && shelves.includes(document.collection)) documents.delete(name)
      for (const document of replacing) documents.set(place(document.collection, document.key), document)
    },
    erase: (collection, key) => void documents.delete(place(collection, key)),
    close() {},
  }
}

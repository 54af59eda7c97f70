// src/simulator/memory/process-memory.ts — a memory that lives as long as whoever holds it. A test that plays a crash
// keeps the object and builds a new gateway around it.
import type { MemoryDocument, Shelf, SimulatedMemory } from './memory.ts'

/** A memory in this process. Closing it does nothing: it may be used by the next gateway. */
export function createProcessMemory(): SimulatedMemory {
  const documents = new Map<string, MemoryDocument>()
  const place = (shelf: Shelf, key: string) => `${shelf} ${key}`
  return {
    read: (shelf, key) => documents.get(place(shelf, key))?.body ?? null,
    write(written) {
      // A Map keeps the place of a key that is set again, which is the order the port asks for.
      for (const document of written) documents.set(place(document.shelf, document.key), document)
    },
    list(shelf, { parent, limit }) {
      const found = [...documents.values()].filter(
        document => document.shelf === shelf && (parent === undefined || document.parent === parent),
      )
      return found.reverse().slice(0, limit)
    },
    replace(parent, shelves, replacing) {
      for (const [name, document] of documents)
        if (document.parent === parent && shelves.includes(document.shelf)) documents.delete(name)
      for (const document of replacing) documents.set(place(document.shelf, document.key), document)
    },
    erase: (shelf, key) => void documents.delete(place(shelf, key)),
    close() {},
  }
}

// src/simulator/memory/unwritten.ts — changes of the simulator's memory that are not in its file yet. Readers see them at
// once.
import type { Collection, MemoryDocument } from './memory.ts'

/** A change of one document. */
export interface DocumentChange extends Omit<MemoryDocument, 'body'> {
  /** Null when the document is erased. */
  readonly body: string | null
  /** The document is the newest of its collection; an older one with its key does not exist any more. */
  readonly isNew: boolean
  /** When it changed, epoch milliseconds. */
  readonly at: number
}

/** The latest change of each document that is not written yet, oldest first. */
export class UnwrittenChanges {
  readonly #changes = new Map<string, DocumentChange>()

  get size(): number {
    return this.#changes.size
  }

  find(collection: Collection, key: string): DocumentChange | undefined {
    return this.#changes.get(placeOf({ collection, key }))
  }

  /** Changes in a collection (of one parent). */
  in(collection: Collection, parent: string | undefined): readonly DocumentChange[] {
    return this.all().filter(
      change => change.collection === collection && (parent === undefined || change.parent === parent),
    )
  }

  all(): readonly DocumentChange[] {
    return [...this.#changes.values()]
  }

  put({ collection, key, parent, body }: MemoryDocument, at: number): void {
    const before = this.find(collection, key)
    this.#set({ collection, key, parent, body, at, isNew: before?.body === null || before?.isNew === true })
  }

  erase({ collection, key, parent }: Omit<MemoryDocument, 'body'>, at: number): void {
    this.#set({ collection, key, parent, body: null, isNew: false, at })
  }

  /** Forgets changes that are written now, except those that were overtaken by another. */
  written(changes: readonly DocumentChange[]): void {
    for (const change of changes)
      if (this.find(change.collection, change.key) === change) this.#changes.delete(placeOf(change))
  }

  #set(change: DocumentChange): void {
    const place = placeOf(change)
    const before = this.#changes.get(place)
    // A map keeps the position of a key that is set again, as a rewritten document does.
    if (before?.body === null || change.body === null) this.#changes.delete(place)
    this.#changes.set(place, change)
  }
}

function placeOf({ collection, key }: Pick<MemoryDocument, 'collection' | 'key'>): string {
  return `${collection} ${key}`
}

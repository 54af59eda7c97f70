// src/simulator/memory/memory.ts — storage of the simulated terminals, acquirer and issuers, separate from the gateway's
// store. They stand for other machines, which survive a crash of the gateway: a test can kill the gateway, start it again
// and check against an independent record where the money went. Calls are synchronous, so that a device changes and stores
// its state in one step.

/**
 * Kinds of documents: terminals and their journals of finished transactions; the acquirer's orders, lists of open holds and slow reversals;
 * authentications and their overrides; online scenarios; and for each account its scenarios, clock and snapshots.
 */
export const COLLECTIONS = [
  'device',
  'journal',
  'order',
  'hold',
  'reversal',
  'authentication',
  'authentication-wish',
  'online-script',
  'scenario',
  'clock',
  'snapshot',
] as const
export type Collection = (typeof COLLECTIONS)[number]

export interface MemoryDocument {
  readonly collection: Collection
  /** Unique in its collection. */
  readonly key: string
  /** Owner of the document, for lists. Never changes. */
  readonly parent: string
  /** JSON. */
  readonly body: string
}

/** `before`: epoch milliseconds on the system's clock, because an account's own clock can be anywhere. */
export interface OldDocuments {
  readonly collections: readonly Collection[]
  readonly before: number
  readonly after: number
  readonly limit: number
  readonly isNeeded: (document: MemoryDocument) => boolean
}

/** Key/value store. Written documents survive a kill of the process. */
export interface SimulatedMemory {
  /** The body of a document, or null. */
  read(collection: Collection, key: string): string | null
  /** Writes all documents or none. A rewritten document keeps its position in lists. */
  write(documents: readonly MemoryDocument[]): void
  /** Documents of a collection (of one parent), newest first. */
  list(collection: Collection, query: { readonly parent?: string; readonly limit: number }): readonly MemoryDocument[]
  /** Replaces all documents of a parent in these collections, atomically. The first document is the oldest. */
  replace(parent: string, collections: readonly Collection[], documents: readonly MemoryDocument[]): void
  /** Deletes the oldest documents of a parent, at most `limit`. Returns how many. */
  eraseOf(parent: string, limit: number): number
  /**
   * Looks at up to `limit` documents behind a position (0 for the first) and deletes those that were last written before
   * `before` and are not needed.
   * @returns the number of deleted documents, and the position for the next batch; null at the end
   */
  eraseOld(query: OldDocuments): { readonly gone: number; readonly next: number | null }
  /** Deletes a document, if it exists. */
  erase(collection: Collection, key: string): void
  close(): void
}

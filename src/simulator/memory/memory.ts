// src/simulator/memory/memory.ts — what the simulated terminals and the simulated acquirer remember, apart from the
// gateway's own store. They stand for machines of other people: when the gateway dies, they do not, so a test can kill
// it, start it again and ask an independent witness where the money went. Calls are synchronous, because a device
// changes and remembers in one step or not at all.

/**
 * Who keeps documents here: terminals (what each is doing, and its journal of what it has done), the acquirer's ledger,
 * the ledger's lists of open pre-authorisations; issuers, whom they have authenticated; and accounts, their own scenarios, where their clock stands, and the
 * states that they can be put back to.
 */
export type Collection =
  | 'device'
  | 'journal'
  | 'order'
  | 'hold'
  | 'authentication'
  | 'authentication-wish'
  | 'online-script'
  | 'scenario'
  | 'clock'
  | 'snapshot'

export interface MemoryDocument {
  readonly collection: Collection
  /** Unique on its shelf. */
  readonly key: string
  /** What it belongs to, for lists. Never changes. */
  readonly parent: string
  /** JSON. */
  readonly body: string
}

/** Key/value documents. What was written before a kill of this process is there after it. */
export interface SimulatedMemory {
  /** The body of a document, or null. */
  read(collection: Collection, key: string): string | null
  /** Writes all of them or none. A document keeps its place in lists when it is written again. */
  write(documents: readonly MemoryDocument[]): void
  /** Documents of a shelf (of one parent), newest first. */
  list(collection: Collection, query: { readonly parent?: string; readonly limit: number }): readonly MemoryDocument[]
  /** Takes everything of a parent off these shelves and puts the documents there: all or nothing. The first is the oldest. */
  replace(parent: string, shelves: readonly Collection[], documents: readonly MemoryDocument[]): void
  /** Takes a document away, if it is there. */
  erase(collection: Collection, key: string): void
  close(): void
}

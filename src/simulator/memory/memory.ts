// src/simulator/memory/memory.ts — storage of the simulated terminals, acquirer and issuers, separate from the gateway's
// store. They stand for other machines, which survive a crash of the gateway: a test can kill the gateway, start it again
// and check against an independent record where the money went. A change is read back at once, so that a device changes
// its state in one step; whoever lets others know of it waits for `written` first. ADR 60.
import type { Lease } from '../../engine/ports/store.ts'
import type { LaneMemory, WorkLeases } from '../../engine/work-leases.ts'

/**
 * Kinds of documents: terminals and their journals of finished transactions; the acquirer's orders, lists of open holds and slow reversals;
 * authentications and their overrides; online scenarios; and for each account its scenarios, clock, snapshots, armed faults, number of restores and
 * links to terminals. True when a snapshot of the account contains them: its scenarios, snapshots and links outlive a restore, its clock is
 * restored separately.
 */
const IN_SNAPSHOTS = {
  device: true,
  journal: true,
  order: true,
  hold: true,
  reversal: true,
  authentication: true,
  'authentication-wish': true,
  'online-script': true,
  scenario: false,
  clock: false,
  snapshot: false,
  fault: false,
  restore: false,
  'terminal-link': false,
} as const
export type Collection = keyof typeof IN_SNAPSHOTS
export const COLLECTIONS = Object.keys(IN_SNAPSHOTS) as readonly Collection[]
export const SNAPSHOT_COLLECTIONS = COLLECTIONS.filter(collection => IN_SNAPSHOTS[collection])

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

/** Key/value store. */
export interface SimulatedMemory {
  /** The body of a document, or null. */
  read(collection: Collection, key: string): string | null
  /**
   * Writes documents. Those of one call survive a kill together or not at all, once `written` resolves. A rewritten document
   * keeps its position in lists.
   */
  write(documents: readonly MemoryDocument[]): void
  /**
   * Resolves when everything written, replaced or erased up to now survives a kill of the process.
   * @throws Error when it cannot be written; it stays visible here, and the next call tries again
   */
  written(): Promise<void>
  /** Documents of a collection (of one parent), newest first. */
  list(collection: Collection, query: { readonly parent?: string; readonly limit: number }): readonly MemoryDocument[]
  /** Replaces all documents of a parent in these collections, as one write. The first document is the oldest. */
  replace(parent: string, collections: readonly Collection[], documents: readonly MemoryDocument[]): void
  /** Deletes documents of a parent, at most `limit`. Returns how many. */
  eraseOf(parent: string, limit: number): number
  /**
   * Looks at up to `limit` documents behind a position (0 for the first) and deletes those that were last written before
   * `before` and are not needed.
   * @returns the number of deleted documents, and the position for the next batch; null at the end
   */
  eraseOld(query: OldDocuments): { readonly gone: number; readonly next: number | null }
  /** Deletes a document, if it exists. */
  erase(collection: Collection, key: string): void
  /** Writes what is left. @throws as `written` */
  close(): Promise<void>
  /** Absent when one process has all documents. */
  readonly nodes?: NodesOfMemory
}

/**
 * How the nodes of a gateway share a memory. The node that has the lane of an account has all its documents and is the only one
 * that writes them; a write by another throws Fault `lease_lost`. The others read copies of the terminals' states, scenarios,
 * clock and armed faults.
 */
export interface NodesOfMemory extends LaneMemory {
  /** Goes by these leases from now on. Called once, before the gateway starts. */
  attach(leases: Pick<WorkLeases, 'isOurs' | 'of' | 'leaseOf' | 'refused'>): void
  /** Whether this node has the documents of an account. */
  holds(account: string): boolean
  /** The lease under which it has them. @throws Fault `lease_lost` when it has not */
  leaseOf(account: string): Lease
  /** Resolves when this node has them. @throws Fault `lease_lost` when another one has, and faults of the database */
  held(account: string): Promise<void>
  /** Resolves when reads of an account give what was written before this call. @throws faults of the database */
  refresh(account: string): Promise<void>
  /** A document that need not be copied, or null. @throws faults of the database */
  find(account: string, collection: Collection, key: string): Promise<string | null>
  /** Grows when documents have been read from the database. */
  readonly epoch: number
  /** Calls back when documents of an account have been read from the database. */
  onRead(listener: (account: string) => void): void
}

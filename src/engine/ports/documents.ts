// src/engine/ports/documents.ts — port: stores JSON documents of merchant accounts for the node that has the account's lane.

import type { MerchantAccountId } from '../../domain/ids.ts'
import type { Lease } from './store.ts'

export interface DocumentKey {
  readonly account: MerchantAccountId
  readonly collection: string
  /** Unique in the collection of the account. */
  readonly key: string
}

export interface StoredDocument extends DocumentKey {
  /** Order of the account's documents: the newest is the highest. */
  readonly position: number
  /** JSON. */
  readonly body: string
  /** When it was last written, epoch milliseconds. */
  readonly changedAt: number
}

/** A document as it is from now on. `body`: null when it is erased. */
export interface DocumentChange extends Omit<StoredDocument, 'body'> {
  readonly body: string | null
}

/** What has changed in the documents of an account. */
export interface ChangedDocuments {
  readonly account: MerchantAccountId
  /** Number of changes so far, for the next call. */
  readonly revision: number
  /** Whether these are all documents: those that are missing were erased. */
  readonly whole: boolean
  /** Oldest first. */
  readonly documents: readonly StoredDocument[]
}

export interface Documents {
  /** All documents of the accounts in these lanes, those of an account oldest first. */
  ofLanes(lanes: readonly number[]): Promise<readonly StoredDocument[]>
  /**
   * Writes changes of accounts in the lanes of these leases, all or none of each lane. A call may be repeated.
   * @returns the leases that are over: nothing of their lanes is written
   * @throws Fault when the database is away; then the changes may be written or not
   */
  write(changes: readonly DocumentChange[], leases: readonly Lease[]): Promise<readonly Lease[]>
  /**
   * Writes the documents of a gateway that had none in this database before, all or none.
   * @returns `written`, or why nothing is written: there are others, or a gateway may be about to write some
   */
  takeOver(documents: readonly StoredDocument[]): Promise<'written' | 'not_empty' | 'in_use'>
  /** The bodies of a collection by key, of all accounts. */
  ofCollection(collection: string): Promise<ReadonlyMap<string, string>>
  /** The body of a document, or null. */
  find(key: DocumentKey): Promise<string | null>
  /**
   * What has changed in some collections since the revisions that are known (0 for none). Accounts without a change are missing.
   * A document that changes during the call may be in it, and is in the next one then.
   */
  changedSince(
    known: ReadonlyMap<MerchantAccountId, number>,
    collections: readonly string[],
  ): Promise<readonly ChangedDocuments[]>
}

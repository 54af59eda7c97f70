// src/simulator/memory/copied-documents.ts — copies of what a request needs to know of accounts that other nodes serve.
import { createNextRun } from '../../engine/next-run.ts'
import type { ChangedDocuments, Documents } from '../../engine/ports/documents.ts'
import { placeOf } from './held-documents.ts'
import type { Collection, MemoryDocument } from './memory.ts'

/**
 * Collections that are copied: a terminal's connection and next scenarios, the scenarios by name, and of the account the clock, the
 * armed faults and the number of restores. They do not grow with each payment.
 */
const COPIED: readonly Collection[] = ['device', 'scenario', 'clock', 'fault', 'restore']

/** Upper bound of copied accounts: more than are tested at the same time. The one that was not used longest goes first. */
const MOST_ACCOUNTS = 500

interface Copy {
  readonly revision: number
  readonly documents: ReadonlyMap<string, MemoryDocument>
}

export interface CopiedDocuments {
  get(collection: Collection, key: string): MemoryDocument | undefined
  /** Documents of a collection of an account, newest first. */
  list(collection: Collection, parent: string, limit: number): readonly MemoryDocument[]
  /** Resolves when the copy of the account has everything that was written before the call. Calls share reads. */
  refresh(account: string): Promise<void>
  forget(isForgotten: (account: string) => boolean): void
}

/** @param changed called with an account whose copy is new or has changed; not for one that `isHeld` by now */
export function createCopiedDocuments(
  store: Pick<Documents, 'changedSince'>,
  isHeld: (account: string) => boolean,
  changed: (account: string) => void,
): CopiedDocuments {
  const copies = new Map<string, Copy>()
  /** The account of each copied document. */
  const accountOf = new Map<string, string>()
  let wanted = new Set<string>()
  const read = createNextRun(async () => {
    const accounts = wanted
    wanted = new Set()
    try {
      const known = new Map([...accounts].map(account => [account, copies.get(account)?.revision ?? 0]))
      for (const found of await store.changedSince(known, COPIED)) if (!isHeld(found.account)) take(found)
    } catch (error) {
      for (const account of accounts) wanted.add(account)
      throw error
    }
  })

  function take({ account, revision, whole, documents }: ChangedDocuments): void {
    const kept = new Map(whole ? [] : copies.get(account)?.documents)
    for (const { collection, key, body } of documents)
      kept.set(placeOf(collection, key), { collection: collection as Collection, key, parent: account, body })
    forget(account)
    copies.set(account, { revision, documents: kept })
    for (const place of kept.keys()) accountOf.set(place, account)
    const [oldest] = copies.keys()
    if (copies.size > MOST_ACCOUNTS && oldest !== undefined) forget(oldest)
    changed(account)
  }

  function forget(account: string): void {
    for (const place of copies.get(account)?.documents.keys() ?? []) accountOf.delete(place)
    copies.delete(account)
  }

  return {
    get(collection, key) {
      const place = placeOf(collection, key)
      return copies.get(accountOf.get(place) ?? '')?.documents.get(place)
    },
    list(collection, parent, limit) {
      const all = [...(copies.get(parent)?.documents.values() ?? [])]
      return all
        .filter(document => document.collection === collection)
        .reverse()
        .slice(0, limit)
    },
    refresh(account) {
      wanted.add(account)
      const copy = copies.get(account)
      // The last one to be used is the last one to go.
      if (copy !== undefined && copies.delete(account)) copies.set(account, copy)
      return read()
    },
    forget(isForgotten) {
      for (const account of [...copies.keys()]) if (isForgotten(account)) forget(account)
    },
  }
}

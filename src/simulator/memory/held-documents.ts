// src/simulator/memory/held-documents.ts — the documents of the accounts that this node serves, in memory, with the changes
// that are not in the database yet.
import type { DocumentChange, StoredDocument } from '../../engine/ports/documents.ts'
import type { Collection, MemoryDocument, OldDocuments } from './memory.ts'

interface Kept {
  readonly document: MemoryDocument
  /** Order of arrival here, for pages over all accounts. */
  readonly order: number
  /** Order among the documents of the account. */
  readonly position: number
  readonly changedAt: number
}

export class HeldDocuments {
  /** In order of arrival. A map keeps the position of a key that is set again, as the port requires. */
  readonly #kept = new Map<string, Kept>()
  /** Documents of an account by collection and key, oldest first. */
  readonly #byAccount = new Map<string, Map<Collection, Map<string, Kept>>>()
  /** Position of the newest document of each account. */
  readonly #last = new Map<string, number>()
  /** The latest change of each document that is not written yet. */
  #unwritten = new Map<string, DocumentChange>()
  #arrived = 0

  get(collection: Collection, key: string): MemoryDocument | undefined {
    return this.#kept.get(placeOf(collection, key))?.document
  }

  /** Adds documents as they are in the database, those of an account oldest first. */
  load(documents: readonly StoredDocument[]): void {
    for (const { account, collection, key, position, body, changedAt } of documents) {
      const document = { collection: collection as Collection, key, parent: account, body }
      this.#keep({ document, position, changedAt, order: ++this.#arrived })
      this.#last.set(account, position)
    }
  }

  put(document: MemoryDocument, at: number): void {
    const { collection, key, parent, body } = document
    const known = this.#kept.get(placeOf(collection, key))
    const position = known?.position ?? (this.#last.get(parent) ?? 0) + 1
    if (known === undefined) this.#last.set(parent, position)
    const order = known?.order ?? ++this.#arrived
    this.#keep({ document: { collection, key, parent, body }, position, changedAt: at, order })
    this.#change({ account: parent, collection, key, position, changedAt: at, body })
  }

  erase(collection: Collection, key: string, at: number): void {
    const known = this.#kept.get(placeOf(collection, key))
    if (known === undefined) return
    this.#remove(known)
    const { position } = known
    this.#change({ account: known.document.parent, collection, key, position, changedAt: at, body: null })
  }

  /** Documents of a collection (of one account), newest first. */
  list(collection: Collection, parent: string | undefined, limit: number): readonly MemoryDocument[] {
    const kept =
      parent === undefined
        ? [...this.#kept.values()].filter(({ document }) => document.collection === collection)
        : [...(this.#byAccount.get(parent)?.get(collection)?.values() ?? [])]
    return documentsOf(kept.reverse().slice(0, limit))
  }

  /** Up to `limit` documents of an account. */
  some(parent: string, limit: number): readonly MemoryDocument[] {
    const collections = [...(this.#byAccount.get(parent)?.values() ?? [])]
    return documentsOf(collections.flatMap(each => [...each.values()]).slice(0, limit))
  }

  /** A page of all documents in order of arrival, and those of it that are old and not needed. */
  page({ collections, before, after, limit, isNeeded }: OldDocuments) {
    const page: Kept[] = []
    for (const kept of this.#kept.values()) {
      if (kept.order > after) page.push(kept)
      if (page.length === limit) break
    }
    const old = page.filter(
      ({ document, changedAt }) =>
        collections.includes(document.collection) && changedAt < before && !isNeeded(document),
    )
    return { old: documentsOf(old), next: page.length < limit ? null : (page.at(-1)?.order ?? null) }
  }

  unwritten(): readonly DocumentChange[] {
    return [...this.#unwritten.values()]
  }

  /** Forgets changes that are written now, except those that were overtaken by another. */
  written(changes: readonly DocumentChange[]): void {
    for (const change of changes) {
      const place = placeOf(change.collection, change.key)
      if (this.#unwritten.get(place) === change) this.#unwritten.delete(place)
    }
  }

  /** Drops all documents and changes of these accounts. */
  drop(isDropped: (account: string) => boolean): void {
    for (const [account, collections] of this.#byAccount) {
      if (!isDropped(account)) continue
      for (const documents of collections.values())
        for (const { document } of documents.values()) this.#kept.delete(placeOf(document.collection, document.key))
      this.#byAccount.delete(account)
    }
    for (const account of this.#last.keys()) if (isDropped(account)) this.#last.delete(account)
    this.#unwritten = new Map([...this.#unwritten].filter(([, { account }]) => !isDropped(account)))
  }

  #keep(kept: Kept): void {
    const { collection, key, parent } = kept.document
    this.#kept.set(placeOf(collection, key), kept)
    const collections = this.#byAccount.get(parent) ?? new Map<Collection, Map<string, Kept>>()
    const documents = collections.get(collection) ?? new Map<string, Kept>()
    this.#byAccount.set(parent, collections.set(collection, documents.set(key, kept)))
  }

  #remove({ document: { collection, key, parent } }: Kept): void {
    this.#kept.delete(placeOf(collection, key))
    this.#byAccount.get(parent)?.get(collection)?.delete(key)
  }

  #change(change: DocumentChange): void {
    this.#unwritten.set(placeOf(change.collection, change.key), change)
  }
}

function documentsOf(kept: readonly Kept[]): readonly MemoryDocument[] {
  return kept.map(({ document }) => document)
}

export function placeOf(collection: string, key: string): string {
  return `${collection} ${key}`
}

// src/engine/search.ts — finds an account's records by their terms, also while stored records are being entered. ADR 55.
import type { MerchantAccountId } from '../domain/ids.ts'
import { decodeRecord, type OfRecords } from './decoding.ts'
import type { FoundRecords, ListedRecord, ListQuery, SearchQuery, Store } from './ports/store.ts'
import { termsName } from './rewriting.ts'

/** Records that one request reads while stored records are being entered: some tens of milliseconds. */
const MOST_READ = 1_000

/** The part of a machine that search needs. */
export interface OfSearch<Record> extends OfRecords<Record> {
  readonly searchTermsOf?: (record: Record) => readonly string[]
}

export interface Search {
  /**
   * Finds records, newest first. Until the stored records of a kind are entered, its records are read instead of the index: the
   * answers are the same, but their pages are short.
   */
  records<Record>(
    account: MerchantAccountId,
    machine: OfSearch<Record>,
    query: Omit<SearchQuery, 'kind'>,
  ): Promise<FoundRecords>
}

export function createSearch(store: Pick<Store, 'search' | 'list' | 'rewriteProgress'>): Search {
  /** Kinds whose stored records are entered. It is remembered, because they stay entered. */
  const entered = new Set<string>()

  async function isEntered(kind: string): Promise<boolean> {
    if (entered.has(kind)) return true
    const finished = (await store.rewriteProgress(termsName(kind)))?.finished === true
    if (finished) entered.add(kind)
    return finished
  }

  return {
    async records(account, machine, query) {
      const whole = { ...query, kind: machine.kind }
      const { terms = [], createdFrom, createdBefore } = query
      const needsEntries = terms.length > 0 || createdFrom !== undefined || createdBefore !== undefined
      const usesIndex = !needsEntries || (await isEntered(machine.kind))
      return usesIndex ? store.search(account, whole) : readThrough(store, account, machine, whole)
    },
  }
}

async function readThrough<Record>(
  store: Pick<Store, 'list'>,
  account: MerchantAccountId,
  machine: OfSearch<Record>,
  { terms = [], createdFrom = -Infinity, createdBefore = Infinity, limit, ...rest }: SearchQuery,
): Promise<FoundRecords> {
  const query: ListQuery = { ...rest, limit: MOST_READ }
  const records: ListedRecord[] = []
  const page = await store.list(account, query)
  for (const listed of page) {
    const found = machine.searchTermsOf?.(decodeRecord(machine, listed.body)) ?? []
    const { createdAt } = listed
    if (terms.every(term => found.includes(term)) && createdAt >= createdFrom && createdAt < createdBefore)
      records.push(listed)
    if (records.length === limit) return { records, next: listed.position }
  }
  return { records, next: page.length < MOST_READ ? null : (page.at(-1)?.position ?? null) }
}

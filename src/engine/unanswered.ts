// src/engine/unanswered.ts — commits that have no answer yet. Other nodes on the store may show what they change already. ADR 69.
import type { MerchantAccountId } from '../domain/ids.ts'
import { IdMap, KeyMap } from './key-map.ts'
import type { Commit, Key, Store } from './ports/store.ts'

/** While a commit of a record has no answer, the record in memory may be older than what another node has shown. */
export interface Unanswered {
  /** Notes a commit that is on its way. Call the returned function once memory has its outcome. */
  begin(commit: Pick<Commit, 'account' | 'kind' | 'id' | 'parent'>): () => void
  ofRecord(key: Key): boolean
  /** Whether one of the records with this parent is being changed. */
  under(account: MerchantAccountId, parent: string): boolean
}

/** Nobody else shows what this process commits. */
const NONE: Unanswered = { begin: () => () => {}, ofRecord: () => false, under: () => false }

export function createUnanswered({ shared }: Pick<Store, 'shared'>): Unanswered {
  if (!shared) return NONE
  /** Numbers of commits. */
  const records = new KeyMap<number>()
  const parents = new IdMap<number>()
  return {
    begin({ account, kind, id, parent }) {
      const [record, above] = [
        { account, kind, id },
        { account, id: parent },
      ]
      count(records, record, 1)
      count(parents, above, 1)
      return () => {
        count(records, record, -1)
        count(parents, above, -1)
      }
    },
    ofRecord: key => records.get(key) !== undefined,
    under: (account, parent) => parents.get({ account, id: parent }) !== undefined,
  }
}

function count<K>(
  counts: { get(key: K): number | undefined; set(key: K, value: number): void; delete(key: K): void },
  key: K,
  by: 1 | -1,
): void {
  const counted = (counts.get(key) ?? 0) + by
  if (counted === 0) counts.delete(key)
  else counts.set(key, counted)
}

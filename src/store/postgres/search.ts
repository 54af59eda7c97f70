// src/store/postgres/search.ts — finds records by terms, parent, liveness and time, newest first. ADR 55.
import type { FoundRecords, ListedRecord, SearchQuery, Store } from '../../engine/ports/store.ts'
import { dayOf } from '../days.ts'
import {
  type Composed,
  edgeOf,
  OF_ACCOUNT,
  type Positions,
  reachOf,
  type Source,
  sourcesOf,
  stepOf,
} from './search-statements.ts'
import type { Query } from './session.ts'

/** Entries of an index that a search reads at most. */
const MOST_READ = 5_000
/** Entries read at a time, at most: as many as the page first, because they often fit. */
const LONGEST_STEP = 500

interface Entry extends Omit<ListedRecord, 'body' | 'account' | 'kind'> {
  /** Null when the record does not fit. */
  readonly body: string | null
}

/** Searches with a limited amount of work. A record fits its conditions when it is returned. */
export function createSearch(query: Query): Store['search'] {
  const run = <Row>({ statement, values }: Composed) => query<Row>(statement, values)

  async function place(composed: Composed): Promise<number | null> {
    const [row] = await run<{ readonly place: number | null }>(composed)
    return row?.place ?? null
  }

  /** The positions between which records can fit. Null when no record can. */
  async function boundsOf(account: string, { kind, createdFrom, createdBefore, before }: SearchQuery) {
    const end = before ?? Number.MAX_SAFE_INTEGER
    const first = createdFrom === undefined ? 0 : await place(edgeOf(account, kind, 'first', dayOf(createdFrom)))
    // The last millisecond before the end.
    const last =
      createdBefore === undefined ? end : await place(edgeOf(account, kind, 'last', dayOf(createdBefore - 1)))
    return first === null || last === null ? null : { first, before: Math.min(end, last + 1) }
  }

  /** The source with the fewest entries among the newest: the one that has come the farthest after some entries, or to its end. */
  async function rarestOf(account: string, wanted: SearchQuery, within: Positions): Promise<Source> {
    const sources = sourcesOf(wanted)
    if (sources.length < 2) return sources[0] ?? OF_ACCOUNT
    const reached: number[] = []
    for (const source of sources) reached.push((await place(reachOf(account, wanted.kind, source, within))) ?? -1)
    return sources[reached.indexOf(Math.min(...reached))] ?? OF_ACCOUNT
  }

  return async (account, wanted): Promise<FoundRecords> => {
    const bounds = await boundsOf(account, wanted)
    if (bounds === null) return { records: [], next: null }
    const source = await rarestOf(account, wanted, bounds)
    const records: ListedRecord[] = []
    let { before } = bounds
    let size = Math.min(wanted.limit, LONGEST_STEP)
    for (let read = 0; read < MOST_READ; ) {
      const within = { first: bounds.first, before }
      const step = await run<Entry>(stepOf(account, wanted, source, within, size))
      for (const { body, ...entry } of step) {
        before = entry.position
        if (body !== null) records.push({ ...entry, account, kind: wanted.kind, body })
        if (records.length === wanted.limit) return { records, next: before }
      }
      if (step.length < size) return { records, next: null }
      read += size
      size = LONGEST_STEP
    }
    return { records, next: before }
  }
}

// src/store/sqlite/search.ts — finds records by terms, parent, liveness and time, newest first. ADR 55.
import type { Database, Statement } from 'better-sqlite3'
import type { FoundRecords, ListedRecord, SearchQuery } from '../../engine/ports/store.ts'
import { dayOf } from '../days.ts'
import { LISTED } from './columns.ts'

/** Entries of an index that a search reads at most: some milliseconds, in which the gateway does nothing else. */
const MOST_READ = 5_000
/** Entries read at a time, at most: as many as the page first, because they often fit. */
const LONGEST_STEP = 500
/** Entries read to tell a rare condition from a frequent one. */
const COMPARED = 100

/** An index whose entries for one condition are read from the newest to the oldest. */
interface Source {
  readonly from: string
  readonly where: string
  /** The column with the position of the record. */
  readonly place: string
}

interface Entry {
  readonly place: number
  readonly fits: number
}

type Named = Readonly<Record<string, string | number>>

/** Returns the prepared statement of an SQL text. */
type Prepare = <Row>(sql: string) => Statement<[Named], Row>

/** Prepares searching. A search reads one state of the database: a record fits its conditions when it is returned. */
export function prepareSearch(database: Database): (account: string, query: SearchQuery) => FoundRecords {
  const prepare = preparing(database)
  const record = database.prepare<[number], ListedRecord>(`SELECT ${LISTED} FROM records WHERE position = ?`)
  return database.transaction((account: string, query: SearchQuery): FoundRecords => {
    const named = namedOf(account, query)
    const bounds = boundsOf(prepare, named, query)
    if (bounds === null) return { records: [], next: null }
    const { places, next } = placesOf(prepare, { ...named, ...bounds }, query, bounds.before)
    return { records: places.flatMap(place => record.get(place) ?? []), next }
  })
}

/** One statement for each combination of conditions, prepared when it is first needed. */
function preparing(database: Database): Prepare {
  const prepared = new Map<string, Statement<[Named], unknown>>()
  return <Row>(sql: string) => {
    const known = prepared.get(sql) ?? database.prepare<[Named], unknown>(sql)
    prepared.set(sql, known)
    return known as Statement<[Named], Row>
  }
}

/** Positions of a page of records, newest first, and where to continue. */
function placesOf(prepare: Prepare, named: Named, query: SearchQuery, end: number) {
  const source = rarestOf(prepare, sourcesOf(query), named) ?? OF_ACCOUNT
  const entries = prepare<Entry>(
    `SELECT ${source.place} AS place, (${conditionsOf(query, source)}) AS fits FROM ${source.from}
     WHERE ${within(source)} ORDER BY ${source.place} DESC LIMIT @size`,
  )
  const places: number[] = []
  let before = end
  let size = Math.min(query.limit, LONGEST_STEP)
  for (let read = 0; read < MOST_READ; ) {
    const step = entries.all({ ...named, before, size })
    for (const { place, fits } of step) {
      before = place
      if (fits === 1) places.push(place)
      if (places.length === query.limit) return { places, next: place }
    }
    if (step.length < size) return { places, next: null }
    read += size
    size = LONGEST_STEP
  }
  return { places, next: before }
}

/** The positions between which records can fit. Null when no record can. */
function boundsOf(prepare: Prepare, named: Named, { createdFrom, createdBefore, before }: SearchQuery): Bounds | null {
  const end = before ?? Number.MAX_SAFE_INTEGER
  const ofKind = 'FROM search_days WHERE account = @account AND kind = @kind'
  const edge = (sql: string) => prepare<{ readonly place: number | null }>(sql).get(named)?.place ?? null
  const first = createdFrom === undefined ? 0 : edge(`SELECT min(first) AS place ${ofKind} AND day >= @firstDay`)
  const last = createdBefore === undefined ? end : edge(`SELECT max(last) AS place ${ofKind} AND day <= @lastDay`)
  return first === null || last === null ? null : { first, before: Math.min(end, last + 1) }
}

/** The source with the fewest entries among the newest: the one that has come the farthest after some entries, or to its end. */
function rarestOf(prepare: Prepare, sources: readonly Source[], named: Named): Source | undefined {
  if (sources.length < 2) return sources[0]
  const reached = sources.map(source => {
    const { from, place } = source
    const sql = `SELECT ${place} AS place FROM ${from} WHERE ${within(source)} ORDER BY ${place} DESC LIMIT 1 OFFSET ${COMPARED}`
    return prepare<Pick<Entry, 'place'>>(sql).get(named)?.place ?? -1
  })
  return sources[reached.indexOf(Math.min(...reached))]
}

interface Bounds {
  readonly first: number
  readonly before: number
}

function namedOf(account: string, { kind, parent = '', terms = [], createdFrom, createdBefore }: SearchQuery): Named {
  return {
    ...{ account, kind, parent },
    ...Object.fromEntries(terms.map((term, index) => [`term${index}`, term])),
    ...(createdFrom === undefined ? {} : { createdFrom, firstDay: dayOf(createdFrom) }),
    // The last millisecond before the end.
    ...(createdBefore === undefined ? {} : { createdBefore, lastDay: dayOf(createdBefore - 1) }),
  }
}

const OF_ACCOUNT: Source = {
  from: 'records INDEXED BY records_of_account',
  where: 'account = @account AND kind = @kind',
  place: 'position',
}

/** Live records are few, so they are sorted. */
const LIVE: Source = {
  from: 'records INDEXED BY records_live',
  where: 'account = @account AND kind = @kind AND live = 1',
  place: 'position',
}

const OF_PARENT: Source = {
  from: 'records INDEXED BY records_of_parent',
  where: 'account = @account AND kind = @kind AND parent = @parent',
  place: 'position',
}

function ofTerm(index: number): Source {
  return {
    from: 'search_terms',
    where: `account = @account AND kind = @kind AND term = @term${index}`,
    place: 'record',
  }
}

/** The conditions of a query that have an index. */
function sourcesOf({ terms = [], parent, live }: SearchQuery): readonly Source[] {
  return [
    ...terms.map((_, index) => ofTerm(index)),
    ...(parent === undefined ? [] : [OF_PARENT]),
    ...(live === true ? [LIVE] : []),
  ]
}

function within({ where, place }: Source): string {
  return `${where} AND ${place} >= @first AND ${place} < @before`
}

/** The conditions that an entry of the source has yet to fulfil, as SQL. */
function conditionsOf(query: SearchQuery, { from, place, where }: Source): string {
  const { terms = [], parent, live, createdFrom, createdBefore } = query
  const outer = `${from.split(' ')[0]}.${place}`
  const others = terms
    .map((_, index) => ofTerm(index))
    .filter(source => source.where !== where)
    .map(source => `EXISTS (SELECT 1 FROM search_terms AS other WHERE ${source.where} AND other.record = ${outer})`)
  const ofRow = [
    ...(parent === undefined || where === OF_PARENT.where ? [] : ['parent = @parent']),
    ...(live === undefined || where === LIVE.where ? [] : [`live = ${live ? 1 : 0}`]),
    ...(createdFrom === undefined ? [] : ['created_at >= @createdFrom']),
    ...(createdBefore === undefined ? [] : ['created_at < @createdBefore']),
  ]
  const row = ofRow.map(condition => ` AND ${condition}`).join('')
  const ofRecord = `EXISTS (SELECT 1 FROM records AS listed WHERE listed.position = ${outer}${row})`
  return [...others, ...(ofRow.length === 0 ? [] : [ofRecord])].join(' AND ') || '1'
}

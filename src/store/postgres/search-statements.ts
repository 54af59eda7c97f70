// src/store/postgres/search-statements.ts — composes the SQL of searches: one statement for each combination of conditions.
import type { SearchQuery } from '../../engine/ports/store.ts'
import type { ScopedStatement } from './statements.ts'

/** Entries read to tell a rare condition from a frequent one. */
const COMPARED = 100

/** Adds a value to a statement and returns its parameter. */
type Add = (value: unknown) => string

/** A statement with its values. */
export interface Composed {
  readonly statement: ScopedStatement
  readonly values: readonly unknown[]
}

/** An index whose entries for one condition are read from the newest to the oldest. */
export interface Source {
  readonly table: 'records' | 'search_terms'
  /** Its condition, beside account and kind. */
  readonly where: (add: Add) => string
}

/** Positions from `first` up to, but not including, `before`. */
export interface Positions {
  readonly first: number
  readonly before: number
}

/** Statements by their text. Each connection parses a text once, under its name. */
const NAMED = new Map<string, ScopedStatement>()

const ANY = () => ''
export const OF_ACCOUNT: Source = { table: 'records', where: ANY }

/** The conditions of a query that have an index. */
export function sourcesOf({ terms = [], parent, live }: SearchQuery): readonly Source[] {
  return [
    ...terms.map(term => ({ table: 'search_terms', where: (add: Add) => ` AND term = ${add(term)}` }) as const),
    ...(parent === undefined
      ? []
      : [{ table: 'records', where: (add: Add) => ` AND parent = ${add(parent)}` } as const]),
    ...(live === true ? [{ table: 'records', where: () => ' AND live' } as const] : []),
  ]
}

/** The first position of the records of a UTC day and later days, or the last one of a day and earlier days. */
export function edgeOf(account: string, kind: string, edge: 'first' | 'last', day: number): Composed {
  const [found, days] = edge === 'first' ? ['min(first)', '>='] : ['max(last)', '<=']
  return compose(
    account,
    kind,
    add => `SELECT ${found} AS place FROM search_days WHERE account = $1 AND kind = $2 AND day ${days} ${add(day)}`,
  )
}

/** The position of an entry some entries before the newest of a source; no row when it has fewer. */
export function reachOf(account: string, kind: string, source: Source, within: Positions): Composed {
  return compose(
    account,
    kind,
    add => `SELECT position AS place FROM ${entriesOf(source, within, add)} LIMIT 1 OFFSET ${COMPARED}`,
  )
}

/**
 * Entries of a source, newest first, each with its record; its body is null unless it fulfils all conditions. Record and
 * conditions are read by one statement, so a record fits when it is returned.
 */
export function stepOf(account: string, query: SearchQuery, source: Source, within: Positions, size: number): Composed {
  return compose(
    account,
    query.kind,
    add => `SELECT s.position, r.id, r.version, r.created_at AS "createdAt",
       CASE WHEN ${conditionsOf(query, add)} THEN r.body END AS body
     FROM (SELECT position FROM ${entriesOf(source, within, add)} LIMIT ${add(size)}) AS s
     LEFT JOIN records AS r ON r.account = $1 AND r.kind = $2 AND r.position = s.position
     ORDER BY s.position DESC`,
  )
}

function compose(account: string, kind: string, textOf: (add: Add) => string): Composed {
  const values: unknown[] = [account, kind]
  const text = textOf(value => {
    values.push(value)
    return `$${values.length}`
  })
  const statement = NAMED.get(text) ?? { name: `search_${NAMED.size}`, scope: 'account', text }
  NAMED.set(text, statement)
  return { statement, values }
}

function entriesOf({ table, where }: Source, { first, before }: Positions, add: Add): string {
  return `${table} WHERE account = $1 AND kind = $2${where(add)} AND position >= ${add(first)} AND position < ${add(before)}
     ORDER BY position DESC`
}

function conditionsOf({ terms = [], parent, live, createdFrom, createdBefore }: SearchQuery, add: Add): string {
  const conditions = [
    ...terms.map(
      term => `EXISTS (SELECT 1 FROM search_terms AS t
         WHERE t.account = $1 AND t.kind = $2 AND t.term = ${add(term)} AND t.position = r.position)`,
    ),
    ...(parent === undefined ? [] : [`r.parent = ${add(parent)}`]),
    ...(live === undefined ? [] : [live ? 'r.live' : 'NOT r.live']),
    ...(createdFrom === undefined ? [] : [`r.created_at >= ${add(createdFrom)}`]),
    ...(createdBefore === undefined ? [] : [`r.created_at < ${add(createdBefore)}`]),
  ]
  return conditions.join(' AND ') || 'true'
}

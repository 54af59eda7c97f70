// src/store/copy/sections.ts — what a copy of a store consists of: rows that mean the same on SQLite and Postgres. ADR 67.
import { isAccountKey } from '../../engine/ports/store.ts'

export type Cell = string | number | boolean | null
/** The cells of a section's columns, in their order. */
export type Row = readonly Cell[]

interface Column {
  readonly name: string
  readonly type: 'text' | 'number' | 'boolean'
}

/** Rows of one kind. Records come first, because other rows refer to them. */
export interface Section {
  readonly name: SectionName
  readonly columns: readonly Column[]
}

/**
 * Everything that a gateway keeps in its database, except numbers that only grow (`Ends`), and what lasts as long as a process:
 * holders of leases, writers of events, events that the command line has marked.
 */
const COLUMNS = {
  records: {
    ...{ kind: 'text', position: 'number', account: 'text', id: 'text', version: 'number', parent: 'text' },
    ...{ live: 'boolean', lock_key: 'text', created_at: 'number', changed_at: 'number', body: 'text' },
  },
  events: {
    ...{ cursor: 'number', account: 'text', kind: 'text', id: 'text', version: 'number', at: 'number' },
    ...{ type: 'text', body: 'text' },
  },
  effects: {
    ...{ place: 'number', account: 'text', kind: 'text', id: 'text', effect_id: 'text', type: 'text', body: 'text' },
  },
  timers: { account: 'text', kind: 'text', id: 'text', name: 'text', position: 'number', due_at: 'number' },
  /** `id` is null when the record is erased. */
  unique_keys: { account: 'text', key: 'text', kind: 'text', id: 'text' },
  /** By which requests find their account. SQLite keeps them among the lock keys and unique keys. */
  account_keys: { key: 'text', account: 'text', kind: 'text', id: 'text' },
  idempotency: { account: 'text', key: 'text', fingerprint: 'text', answer: 'text', expires_at: 'number' },
  search_terms: { account: 'text', kind: 'text', term: 'text', position: 'number' },
  search_days: { account: 'text', kind: 'text', day: 'number', first: 'number', last: 'number' },
  rewrites: { name: 'text', after: 'number', finished: 'boolean' },
} as const

export type SectionName = keyof typeof COLUMNS

/** All sections, in the order in which they are copied. */
export const SECTIONS: readonly Section[] = Object.entries(COLUMNS).map(([name, columns]) => ({
  name: name as SectionName,
  columns: Object.entries(columns).map(([column, type]) => ({ name: column, type: type as Column['type'] })),
}))

/** The cells of some columns. */
export function cellsOf({ columns }: Section, row: Row, names: readonly string[]): readonly Cell[] {
  return names.map(name => row[columns.findIndex(column => column.name === name)] ?? null)
}

/** The row of an object with the columns as its members. SQLite has numbers for booleans. */
export function rowOf({ columns }: Section, found: Readonly<Record<string, unknown>>): Row {
  return columns.map(({ name, type }) => {
    const cell = (found[name] ?? null) as Cell
    return type === 'boolean' && cell !== null ? Boolean(cell) : cell
  })
}

/**
 * The row as both kinds of store know it, for comparing. SQLite forgets the record of a key when it is erased, and Postgres
 * does not forget its kind and account.
 */
export function comparable({ name }: Section, row: Row): Row {
  if (name === 'unique_keys') {
    const [, key, , id] = row
    return id === null ? [accountIn(String(key)), String(key), '', null] : row
  }
  if (name === 'account_keys') {
    const [key, , , id] = row
    return id === null ? [String(key), '', '', null] : row
  }
  return row
}

/** The merchant account in a stored key, such as `demo` in `terminal:demo/22160001`; empty when the key has none. */
export function accountIn(key: string): string {
  if (isAccountKey(key)) return ''
  const begin = key.indexOf(':') + 1
  const end = key.indexOf('/', begin)
  return end === -1 ? '' : key.slice(begin, end)
}

/** Numbers that must never be given out again. */
export interface Ends {
  /** Highest cursor that any event has had, also one that is erased. */
  readonly cursor: number
  /** Highest position of a record. */
  readonly position: number
  /** Highest place of an effect. */
  readonly place: number
  /** Highest fence of a lane. */
  readonly fence: number
}

/** The names of the numbers in `now` that lie below those in `least`. */
export function endsBelow(now: Ends, least: Ends): readonly string[] {
  return (['cursor', 'position', 'place', 'fence'] as const).filter(name => now[name] < least[name])
}

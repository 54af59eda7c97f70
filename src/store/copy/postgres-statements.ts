// src/store/copy/postgres-statements.ts — SQL by which a copy reads and fills a Postgres database. No merchant's request runs it.
import type { ScopedStatement } from '../postgres/statements.ts'
import type { Section, SectionName } from './sections.ts'

function statement(name: string, text: string): ScopedStatement {
  return { name: `copy_${name}`, scope: 'gateway', text }
}

/** Columns that name a row of a table with the columns of its section, in the order of an index. */
const ORDERS: Readonly<Record<SectionName, readonly string[]>> = {
  records: ['kind', 'position'],
  events: ['cursor'],
  effects: ['account', 'effect_id'],
  timers: ['account', 'kind', 'id', 'name'],
  unique_keys: ['account', 'key'],
  account_keys: ['key'],
  idempotency: ['account', 'key'],
  search_terms: ['account', 'kind', 'term', 'position'],
  search_days: ['account', 'kind', 'day'],
  rewrites: ['name'],
}

/** Columns that a section does not have. `$n` is an array of lanes, one for each row. */
const OWN_COLUMNS: Partial<Readonly<Record<SectionName, { readonly column: string; readonly isLane: boolean }>>> = {
  // 0 is no process: a gateway reads the feed from its end when it starts.
  events: { column: 'writer', isLane: false },
  effects: { column: 'lane', isLane: true },
  timers: { column: 'lane', isLane: true },
}

const TYPES = { text: 'text[]', number: 'bigint[]', boolean: 'boolean[]' } as const

export interface SectionStatements {
  readonly order: readonly string[]
  readonly count: ScopedStatement
  /** Values: the number of rows. */
  readonly first: ScopedStatement
  /** Values: those of the order, after which the page begins, and the number of rows. */
  readonly next: ScopedStatement
  /** Values: arrays of the order. Rows have the number of their place in the arrays, from 1, as `place_in_page`. */
  readonly find: ScopedStatement
  /** Values: arrays of the columns, and one of lanes if `hasLane`. */
  readonly insert: ScopedStatement
  readonly hasLane: boolean
}

export function statementsOf({ name, columns }: Section): SectionStatements {
  const order = ORDERS[name]
  const all = columns.map(column => column.name)
  const own = OWN_COLUMNS[name]
  const page = `SELECT ${all.join(', ')} FROM ${name}`
  const sorted = `ORDER BY ${order.join(', ')}`
  const values = order.map((_, index) => `$${index + 1}`)
  const arraysOf = (names: readonly string[]) =>
    names.map((column, index) => `$${index + 1}::${TYPES[columns.find(each => each.name === column)?.type ?? 'text']}`)
  const lane = `$${all.length + 1}::int[]`
  const hasLane = own?.isLane === true
  const rows = `unnest(${[...arraysOf(all), ...(hasLane ? [lane] : [])].join(', ')})`
  return {
    ...{ order, hasLane },
    count: statement(`count_${name}`, `SELECT count(*) AS count FROM ${name}`),
    first: statement(`first_${name}`, `${page} ${sorted} LIMIT $1`),
    next: statement(
      `next_${name}`,
      `${page} WHERE (${order.join(', ')}) > (${values.join(', ')}) ${sorted} LIMIT $${order.length + 1}`,
    ),
    find: statement(
      `find_${name}`,
      `SELECT u.place_in_page, ${all.map(column => `t.${column}`).join(', ')}
       FROM unnest(${arraysOf(order).join(', ')}) WITH ORDINALITY AS u (${order.join(', ')}, place_in_page)
       JOIN ${name} AS t ON ${order.map(column => `t.${column} = u.${column}`).join(' AND ')}`,
    ),
    insert: statement(
      `insert_${name}`,
      `INSERT INTO ${name} (${[...all, ...(own === undefined ? [] : [own.column])].join(', ')})
       SELECT *${own !== undefined && !hasLane ? ', 0' : ''} FROM ${rows}`,
    ),
  }
}

/** Tables that hold rows of sections. */
const TABLES = Object.keys(ORDERS)

export const SOURCE = {
  /** Waits for commands that write, not longer than usual; and a long page may take its time between two statements. */
  limits: statement(
    'limits',
    `SELECT set_config('idle_in_transaction_session_timeout', '0', true) || set_config('lock_timeout', '5000', true) AS set`,
  ),
  /** Until the transaction ends, the tables can be read and not changed. */
  lock: statement('lock_source', `LOCK TABLE ${[...TABLES, 'leases', 'feeds'].join(', ')} IN SHARE MODE`),
  changedAt: statement('changed_at', 'SELECT coalesce(max(changed_at), 0) AS at FROM records'),
  body: statement('body', 'SELECT body FROM records WHERE account = $1 AND kind = $2 AND id = $3'),
  ends: statement(
    'ends',
    `SELECT (SELECT last_value FROM places) AS cursor, (SELECT coalesce(max(position), 0) FROM records) AS position,
       (SELECT coalesce(max(place), 0) FROM effects) AS place, (SELECT max(fence) FROM leases) AS fence`,
  ),
} as const

export const TARGET = {
  /** A table of the database that another program or version made. */
  foreign: statement(
    'foreign',
    `SELECT relname AS name FROM pg_class
     WHERE relnamespace = current_schema()::regnamespace AND relkind IN ('r', 'p') ORDER BY relname LIMIT 1`,
  ),
  /** The first table with a row; no row when all are empty. */
  used: statement(
    'used',
    `SELECT name FROM (VALUES ${TABLES.map((table, index) => `(${index}, '${table}', EXISTS (SELECT FROM ${table}))`).join(', ')})
       AS t (place, name, used) WHERE used ORDER BY place LIMIT 1`,
  ),
  /** Numbers up to these are not drawn again. */
  ends: statement(
    'target_ends',
    `SELECT last_value AS cursor, last_value AS position, last_value AS place, (SELECT min(fence) FROM leases) AS fence
     FROM places`,
  ),
  moveNumbers: statement(
    'move_numbers',
    `SELECT setval('places', greatest($1::bigint, last_value)) AS number FROM places`,
  ),
  moveFences: statement('move_fences', 'UPDATE leases SET fence = greatest(fence, $1)'),
  addRecord: statement(
    'add_record',
    `INSERT INTO records (account, kind, id, position, version, parent, live, lock_key, created_at, changed_at, body)
     VALUES ($1, $2, $3, nextval('places'), 1, '', false, NULL, $4, $4, $5) ON CONFLICT (account, kind, id) DO NOTHING`,
  ),
  analyse: statement('analyse', `ANALYZE ${TABLES.join(', ')}`),
} as const

/** The table that marks an unfinished copy. */
export const MARK = {
  exists: statement('mark_exists', `SELECT to_regclass('store_copy') IS NOT NULL AS exists`),
  create: statement('mark_create', 'CREATE TABLE store_copy (stamp TEXT NOT NULL, state TEXT NOT NULL)'),
  begin: statement('mark_begin', 'INSERT INTO store_copy (stamp, state) VALUES ($1, $2)'),
  read: statement('mark_read', 'SELECT stamp, state FROM store_copy'),
  write: statement('mark_write', 'UPDATE store_copy SET state = $1'),
  drop: statement('mark_drop', 'DROP TABLE store_copy'),
} as const

// src/store/copy/sqlite-statements.ts — SQL by which a copy reads and fills a SQLite database.
import type { Section, SectionName } from './sections.ts'

interface Table {
  /** The rows of the section, with its columns under their names. */
  readonly rows: string
  /** Columns of `rows` that name a row, in the order of an index. */
  readonly order: readonly string[]
  /** Inserts a row, whose cells are named parameters. Null when other sections contain it. */
  readonly insert: string | null
  /** The table with the rows; null for those of `rows`. */
  readonly table: string | null
}

/** The record that a row of another table belongs to. An outer join, so that a row without a record is noticed. */
const OF_RECORD = 'LEFT JOIN records AS r ON r.position = t.record'
const RECORD = '(SELECT position FROM records WHERE kind = @kind AND account = @account AND id = @id)'
/** Account keys: `api-key:` and `api-key-id:`, between which other texts may lie. */
const ACCOUNT_KEY = (key: string) =>
  `${key} >= 'api-key-id:' AND ${key} < 'api-key;' AND (${key} GLOB 'api-key:*' OR ${key} GLOB 'api-key-id:*')`

const TABLES: Readonly<Record<SectionName, Table>> = {
  records: {
    rows: `SELECT kind, position, account, id, version, parent, live, exclusive AS lock_key, created_at, changed_at, body
      FROM records`,
    order: ['kind', 'position'],
    insert: `INSERT INTO records (kind, position, account, id, version, parent, live, exclusive, created_at, changed_at, body)
      VALUES (@kind, @position, @account, @id, @version, @parent, @live, @lock_key, @created_at, @changed_at, @body)`,
    table: 'records',
  },
  events: {
    rows: `SELECT t.cursor AS cursor, t.account AS account, r.kind AS kind, r.id AS id, t.version AS version, t.at AS at,
      t.type AS type, t.body AS body FROM events AS t ${OF_RECORD}`,
    order: ['cursor'],
    insert: `INSERT INTO events (cursor, record, account, version, at, type, body)
      VALUES (@cursor, ${RECORD}, @account, @version, @at, @type, @body)`,
    table: 'events',
  },
  effects: {
    rows: `SELECT t.place AS place, r.account AS account, r.kind AS kind, r.id AS id, t.effect_id AS effect_id, t.type AS type,
      t.body AS body FROM effects AS t ${OF_RECORD}`,
    order: ['place'],
    insert: `INSERT INTO effects (place, effect_id, record, type, body) VALUES (@place, @effect_id, ${RECORD}, @type, @body)`,
    table: 'effects',
  },
  timers: {
    rows: `SELECT r.account AS account, r.kind AS kind, r.id AS id, t.name AS name, t.record AS position, t.due_at AS due_at
      FROM timers AS t ${OF_RECORD}`,
    order: ['position', 'name'],
    insert: 'INSERT INTO timers (record, name, due_at) VALUES (@position, @name, @due_at)',
    table: 'timers',
  },
  unique_keys: {
    rows: `SELECT coalesce(r.account, '') AS account, t.claim AS key, coalesce(r.kind, '') AS kind, r.id AS id
      FROM claims AS t ${OF_RECORD}`,
    order: ['key'],
    // 0 is no record's position: the key of an erased record.
    insert: `INSERT INTO claims (claim, record) VALUES (@key, coalesce(${RECORD}, 0))`,
    table: 'claims',
  },
  account_keys: {
    rows: `SELECT key, account, kind, id FROM (
        SELECT exclusive AS key, account, kind, id FROM records WHERE ${ACCOUNT_KEY('exclusive')}
        UNION ALL
        SELECT t.claim, coalesce(r.account, ''), coalesce(r.kind, ''), r.id FROM claims AS t ${OF_RECORD}
        WHERE ${ACCOUNT_KEY('t.claim')})`,
    order: ['key'],
    insert: null,
    table: null,
  },
  idempotency: plain('idempotency', ['account', 'key', 'fingerprint', 'answer', 'expires_at'], 2),
  search_terms: {
    rows: 'SELECT account, kind, term, record AS position FROM search_terms',
    order: ['account', 'kind', 'term', 'position'],
    insert: 'INSERT INTO search_terms (account, kind, term, record) VALUES (@account, @kind, @term, @position)',
    table: 'search_terms',
  },
  search_days: plain('search_days', ['account', 'kind', 'day', 'first', 'last'], 3),
  rewrites: plain('rewrites', ['name', 'after', 'finished'], 1),
}

/** A table with the columns of its section. @param keyed how many of them are its key */
function plain(table: string, columns: readonly string[], keyed: number): Table {
  return {
    rows: `SELECT ${columns.join(', ')} FROM ${table}`,
    order: columns.slice(0, keyed),
    insert: `INSERT INTO ${table} (${columns.join(', ')}) VALUES (${columns.map(name => `@${name}`).join(', ')})`,
    table,
  }
}

/** Columns in whose order a section is read. */
export function orderOf({ name }: Section): readonly string[] {
  return TABLES[name].order
}

/** Reads a page: after the values of the order if `continued`, and up to a number of rows. */
export function pageStatement({ name }: Section, continued: boolean): string {
  const { rows, order } = TABLES[name]
  const sources = order.map(column => sourceOf(name, column))
  const places = order.map(() => '?').join(', ')
  const after = continued ? ` WHERE (${sources.join(', ')}) > (${places})` : ''
  return `${rows}${after} ORDER BY ${sources.join(', ')} LIMIT ?`
}

/** Reads the row that the values of the order name. */
export function findStatement({ name }: Section): string {
  const { rows, order } = TABLES[name]
  return `${rows} WHERE ${order.map(column => `${sourceOf(name, column)} = ?`).join(' AND ')}`
}

export function insertStatement({ name }: Section): string | null {
  return TABLES[name].insert
}

export function countStatement({ name }: Section): string {
  const { table, rows } = TABLES[name]
  return `SELECT count(*) FROM ${table ?? `(${rows})`}`
}

/** The stored column behind a column of the order, so that its index is used. */
function sourceOf(name: SectionName, column: string): string {
  if (name === 'timers' && column === 'position') return 't.record'
  if (name === 'unique_keys') return 't.claim'
  if (name === 'search_terms' && column === 'position') return 'record'
  return name === 'events' || name === 'effects' || name === 'timers' ? `t.${column}` : column
}

export const ENDS = `SELECT
  max(coalesce((SELECT max(cursor) FROM events), 0), coalesce((SELECT seq FROM sqlite_sequence WHERE name = 'events'), 0)) AS cursor,
  coalesce((SELECT max(position) FROM records), 0) AS position,
  coalesce((SELECT max(place) FROM effects), 0) AS place,
  (SELECT fence FROM leases WHERE lane = 0) AS fence`

export const CHANGED_AT = 'SELECT coalesce(max(changed_at), 0) FROM records'
export const BODY = 'SELECT body FROM records WHERE kind = ? AND account = ? AND id = ?'

export const MOVES = {
  cursor: "UPDATE sqlite_sequence SET seq = max(seq, ?) WHERE name = 'events'",
  /** SQLite makes the row with the first event. */
  firstCursor: "INSERT INTO sqlite_sequence (name, seq) VALUES ('events', ?)",
  fence: 'UPDATE leases SET fence = max(fence, ?) WHERE lane = 0',
} as const

export const STATE = {
  exists: "SELECT count(*) FROM sqlite_schema WHERE name = 'store_copy'",
  create: 'CREATE TABLE store_copy (stamp TEXT NOT NULL, state TEXT NOT NULL) STRICT',
  begin: 'INSERT INTO store_copy (stamp, state) VALUES (?, ?)',
  read: 'SELECT stamp, state FROM store_copy',
  write: 'UPDATE store_copy SET state = ?',
  drop: 'DROP TABLE IF EXISTS store_copy',
} as const

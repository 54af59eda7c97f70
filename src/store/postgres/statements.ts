// src/store/postgres/statements.ts — the SQL of the store on Postgres. Searches are composed in search-statements.ts.
import { ERASED } from '../../engine/ports/store.ts'
import type { Statement } from './session.ts'

/**
 * What a statement may touch. `account`: rows of the accounts whose ids are among its values, each with its own account; no join
 * across accounts. `finds account`: the one read of a request that names no account. `gateway`: the gateway's own work over all
 * accounts, never a merchant's request.
 */
export type Scope = 'account' | 'finds account' | 'gateway'

export interface ScopedStatement extends Statement {
  readonly scope: Scope
}

/** High bits of the advisory locks by which groups of commits mark where their numbers begin: `TG`. */
const MARK_TAG = 0x5447
const MARK_BASE = `(${MARK_TAG}::bigint << 48)`

const RECORD = 'account, kind, id, version, body'
const LISTED = `position, created_at AS "createdAt", ${RECORD}`
const EVENT = 'cursor, account, kind, id, version, at, type, body'
/** Arrays of the parts of record keys, as a table. */
const KEYS = 'unnest($1::text[], $2::text[], $3::text[]) AS u (account, kind, id)'
const SAME_RECORD = (table: string) => `${table}.account = u.account AND ${table}.kind = u.kind AND ${table}.id = u.id`

function statement(name: string, scope: Scope, text: string): ScopedStatement {
  return { name, scope, text }
}

/** Deletes the rows of records from a table that has their keys. */
function deleteOf(table: string): ScopedStatement {
  return statement(
    `delete_${table}`,
    'account',
    `DELETE FROM ${table} AS t USING ${KEYS} WHERE ${SAME_RECORD('t')} RETURNING t.id`,
  )
}

const LIVE = { true: ' AND live', false: ' AND NOT live', any: '' } as const
type Live = keyof typeof LIVE

function eachLive(make: (live: Live, condition: string) => ScopedStatement): Readonly<Record<Live, ScopedStatement>> {
  return { true: make('true', LIVE.true), false: make('false', LIVE.false), any: make('any', LIVE.any) }
}

/** What a group of commits reads while it has its accounts locked. */
export const GROUP_READS = {
  /** Marks that this transaction draws numbers above this one, for readers of the feed over all accounts. */
  mark: statement(
    'mark',
    'gateway',
    `SELECT pg_advisory_xact_lock_shared(${MARK_BASE} + last_value) AS marked FROM places`,
  ),
  /** Until the transaction ends, no other one changes these accounts. Sorted, so that two groups never wait for each other. */
  lockAccounts: statement(
    'lock_accounts',
    'account',
    `INSERT INTO feeds (account, groups) SELECT account, 1 FROM unnest($1::text[]) AS u (account)
     ON CONFLICT (account) DO UPDATE SET groups = feeds.groups + 1`,
  ),
  records: statement(
    'group_records',
    'account',
    `SELECT r.account, r.kind, r.id, r.position, r.version, r.parent, r.live, r.lock_key AS "lockKey", r.created_at AS "createdAt"
     FROM ${KEYS} JOIN records AS r ON ${SAME_RECORD('r')}`,
  ),
  lockKeys: statement(
    'group_lock_keys',
    'account',
    `SELECT r.account, r.lock_key AS key, r.kind, r.id
     FROM unnest($1::text[], $2::text[]) AS u (account, key) JOIN records AS r ON r.account = u.account AND r.lock_key = u.key`,
  ),
  uniqueKeys: statement(
    'group_unique_keys',
    'account',
    `SELECT k.account, k.key, k.kind, k.id
     FROM unnest($1::text[], $2::text[]) AS u (account, key) JOIN unique_keys AS k ON k.account = u.account AND k.key = u.key`,
  ),
  accountKeys: statement(
    'group_account_keys',
    'finds account',
    'SELECT key, account, kind, id FROM account_keys WHERE key = ANY ($1::text[])',
  ),
  idempotency: statement(
    'group_idempotency',
    'account',
    `SELECT i.account, i.key, i.expires_at AS "expiresAt"
     FROM unnest($1::text[], $2::text[]) AS u (account, key) JOIN idempotency AS i ON i.account = u.account AND i.key = u.key`,
  ),
  /** A claim of another process, which changes the fence, leaves these lanes alone until the transaction ends. */
  fences: statement(
    'group_fences',
    'gateway',
    'SELECT lane, fence FROM leases WHERE lane = ANY ($1::int[]) ORDER BY lane FOR KEY SHARE',
  ),
  numbers: statement('numbers', 'gateway', `SELECT nextval('places') AS number FROM generate_series(1, $1::int)`),
} as const

/** What a group of commits writes. Values are arrays, one member for each row. */
export const GROUP_WRITES = {
  releaseLockKeys: statement(
    'release_lock_keys',
    'account',
    `UPDATE records AS r SET lock_key = NULL FROM ${KEYS} WHERE ${SAME_RECORD('r')}`,
  ),
  updateBodies: statement(
    'update_bodies',
    'account',
    `UPDATE records AS r SET version = u.version, changed_at = u.at, body = u.body
     FROM unnest($1::text[], $2::text[], $3::text[], $4::bigint[], $5::bigint[], $6::text[])
       AS u (account, kind, id, version, at, body)
     WHERE ${SAME_RECORD('r')}`,
  ),
  updateRecords: statement(
    'update_records',
    'account',
    `UPDATE records AS r
     SET version = u.version, changed_at = u.at, body = u.body, parent = u.parent, live = u.live, lock_key = u.lock_key
     FROM unnest($1::text[], $2::text[], $3::text[], $4::bigint[], $5::bigint[], $6::text[], $7::text[], $8::boolean[], $9::text[])
       AS u (account, kind, id, version, at, body, parent, live, lock_key)
     WHERE ${SAME_RECORD('r')}`,
  ),
  insertRecords: statement(
    'insert_records',
    'account',
    `INSERT INTO records (account, kind, id, version, changed_at, body, parent, live, lock_key, position, created_at)
     SELECT * FROM unnest($1::text[], $2::text[], $3::text[], $4::bigint[], $5::bigint[], $6::text[], $7::text[], $8::boolean[],
       $9::text[], $10::bigint[], $11::bigint[])`,
  ),
  insertEvents: statement(
    'insert_events',
    'account',
    `INSERT INTO events (account, kind, id, cursor, version, at, type, body, writer)
     SELECT *, $9::bigint
     FROM unnest($1::text[], $2::text[], $3::text[], $4::bigint[], $5::bigint[], $6::bigint[], $7::text[], $8::text[])`,
  ),
  deleteEffects: statement(
    'delete_done_effects',
    'account',
    `DELETE FROM effects AS e USING unnest($1::text[], $2::text[]) AS u (account, effect_id)
     WHERE e.account = u.account AND e.effect_id = u.effect_id`,
  ),
  insertEffects: statement(
    'insert_effects',
    'account',
    `INSERT INTO effects (account, kind, id, effect_id, place, lane, type, body)
     SELECT * FROM unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::bigint[], $6::int[], $7::text[], $8::text[])`,
  ),
  deleteTimers: deleteOf('timers'),
  insertTimers: statement(
    'insert_timers',
    'account',
    `INSERT INTO timers (account, kind, id, name, position, lane, due_at)
     SELECT * FROM unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::bigint[], $6::int[], $7::bigint[])`,
  ),
  insertUniqueKeys: statement(
    'insert_unique_keys',
    'account',
    `INSERT INTO unique_keys (account, key, kind, id) SELECT * FROM unnest($1::text[], $2::text[], $3::text[], $4::text[])`,
  ),
  insertAccountKeys: statement(
    'insert_account_keys',
    'account',
    `INSERT INTO account_keys (account, key, kind, id) SELECT * FROM unnest($1::text[], $2::text[], $3::text[], $4::text[])`,
  ),
  deleteAccountKeys: statement(
    'delete_account_keys',
    'account',
    `DELETE FROM account_keys AS k USING unnest($1::text[], $2::text[]) AS u (account, key)
     WHERE k.account = u.account AND k.key = u.key`,
  ),
  writeIdempotency: statement(
    'write_idempotency',
    'account',
    // An existing row has expired, so its key is free again.
    `INSERT INTO idempotency (account, key, fingerprint, answer, expires_at)
     SELECT * FROM unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::bigint[])
     ON CONFLICT (account, key) DO UPDATE
     SET fingerprint = excluded.fingerprint, answer = excluded.answer, expires_at = excluded.expires_at`,
  ),
  removeTerms: statement(
    'remove_terms',
    'account',
    `DELETE FROM search_terms AS t USING unnest($1::text[], $2::text[], $3::text[], $4::bigint[]) AS u (account, kind, term, position)
     WHERE t.account = u.account AND t.kind = u.kind AND t.term = u.term AND t.position = u.position`,
  ),
  enterTerms: statement(
    'enter_terms',
    'account',
    `INSERT INTO search_terms (account, kind, term, position) SELECT * FROM unnest($1::text[], $2::text[], $3::text[], $4::bigint[])
     ON CONFLICT DO NOTHING`,
  ),
  enterDays: statement(
    'enter_days',
    'account',
    `INSERT INTO search_days (account, kind, day, first, last)
     SELECT * FROM unnest($1::text[], $2::text[], $3::bigint[], $4::bigint[], $5::bigint[])
     ON CONFLICT (account, kind, day) DO UPDATE
     SET first = least(search_days.first, excluded.first), last = greatest(search_days.last, excluded.last)`,
  ),
} as const

/** Erases records, which the transaction has read under the lock of their accounts. */
export const ERASURES = {
  events: deleteOf('events'),
  effects: deleteOf('effects'),
  timers: GROUP_WRITES.deleteTimers,
  records: deleteOf('records'),
  /** The keys stay taken. */
  uniqueKeys: statement(
    'detach_unique_keys',
    'account',
    `UPDATE unique_keys AS k SET id = NULL FROM ${KEYS} WHERE ${SAME_RECORD('k')}`,
  ),
  accountKeys: statement(
    'detach_account_keys',
    'account',
    `UPDATE account_keys AS k SET id = NULL FROM ${KEYS} WHERE ${SAME_RECORD('k')}`,
  ),
} as const

const OF_OTHERS = 'cursor > $1 AND writer <> $3 AND cursor <> ALL ($4::bigint[])'

export const READS = {
  load: statement('load', 'account', 'SELECT version, body FROM records WHERE account = $1 AND kind = $2 AND id = $3'),
  loadAll: statement(
    'load_all',
    'account',
    `SELECT r.account, r.kind, r.id, r.version, r.body
     FROM unnest($1::text[], $2::text[], $3::text[]) AS u (account, kind, id)
     JOIN records AS r ON r.account = u.account AND r.kind = u.kind AND r.id = u.id`,
  ),
  lockHolder: statement('lock_holder', 'account', `SELECT ${RECORD} FROM records WHERE account = $1 AND lock_key = $2`),
  uniqueHolder: statement(
    'unique_holder',
    'account',
    `SELECT r.account, r.kind, r.id, r.version, r.body
     FROM unique_keys AS k JOIN records AS r ON r.account = k.account AND r.kind = k.kind AND r.id = k.id
     WHERE k.account = $1 AND k.key = $2`,
  ),
  accountKeyHolder: statement(
    'account_key_holder',
    'finds account',
    `SELECT r.account, r.kind, r.id, r.version, r.body
     FROM account_keys AS k JOIN records AS r ON r.account = k.account AND r.kind = k.kind AND r.id = k.id
     WHERE k.key = $1`,
  ),
  list: eachLive((live, condition) =>
    statement(
      `list_${live}`,
      'account',
      `SELECT ${LISTED} FROM records WHERE account = $1 AND kind = $2 AND position < $3${condition}
       ORDER BY position DESC LIMIT $4`,
    ),
  ),
  listOfParent: eachLive((live, condition) =>
    statement(
      `list_of_parent_${live}`,
      'account',
      `SELECT ${LISTED} FROM records WHERE account = $1 AND kind = $2 AND position < $3 AND parent = $5${condition}
       ORDER BY position DESC LIMIT $4`,
    ),
  ),
  all: eachLive((live, condition) =>
    statement(
      `all_${live}`,
      'gateway',
      `SELECT ${LISTED} FROM records WHERE kind = $1 AND position > $2${condition} ORDER BY position LIMIT $3`,
    ),
  ),
  /** For the doctor. */
  newest: statement(
    'newest_records',
    'gateway',
    `SELECT ${RECORD} FROM records WHERE kind = $1 ORDER BY position DESC LIMIT $2`,
  ),
  countLive: statement('count_live', 'gateway', 'SELECT count(*) AS count FROM records WHERE kind = $1 AND live'),
  eventsOf: statement(
    'events_of',
    'account',
    `SELECT ${EVENT} FROM events WHERE account = $1 AND kind = $2 AND id = $3 ORDER BY cursor`,
  ),
  eventsAfter: statement(
    'events_after',
    'account',
    `SELECT ${EVENT} FROM events WHERE account = $1 AND cursor > $2 ORDER BY cursor LIMIT $3`,
  ),
  idempotency: statement(
    'idempotency',
    'account',
    'SELECT key, fingerprint, answer, expires_at AS "expiresAt" FROM idempotency WHERE account = $1 AND key = $2',
  ),
  /** The highest number that has been drawn. Read before `marks`. */
  drawn: statement('drawn', 'gateway', 'SELECT last_value AS number FROM places'),
  /** The lowest number above which a transaction under way may still commit events. */
  marks: statement(
    'marks',
    'gateway',
    `SELECT min(((classid::bigint & 65535) << 32) | objid::bigint) AS lowest FROM pg_locks
     WHERE locktype = 'advisory' AND objsubid = 1 AND classid::bigint >> 16 = ${MARK_TAG}
       AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`,
  ),
  allEvents: statement(
    'all_events',
    'gateway',
    `SELECT ${EVENT} FROM events WHERE cursor > $1 AND cursor <= $2 ORDER BY cursor LIMIT $3`,
  ),
  othersEvents: statement(
    'others_events',
    'gateway',
    // Each part reads no more than a page of its index, and the two are merged.
    `SELECT ${EVENT} FROM (
       (SELECT ${EVENT} FROM events WHERE ${OF_OTHERS} ORDER BY cursor LIMIT $2)
       UNION ALL
       (SELECT cursor, account, kind, id, 0::bigint, at, '${ERASED}'::text COLLATE "C", ''::text FROM erasures
        WHERE ${OF_OTHERS} ORDER BY cursor LIMIT $2)) AS u
     ORDER BY cursor LIMIT $2`,
  ),
  eventsAt: statement(
    'events_at',
    'account',
    `SELECT e.cursor, e.account, e.kind, e.id, e.version, e.at, e.type, e.body
     FROM unnest($1::text[], $2::bigint[]) AS u (account, cursor)
     JOIN events AS e ON e.account = u.account AND e.cursor = u.cursor WHERE e.writer = $3 ORDER BY e.cursor`,
  ),
  undoneEffects: statement(
    'undone_effects',
    'gateway',
    'SELECT account, kind, id, effect_id AS "effectId", type, body FROM effects ORDER BY place LIMIT $1',
  ),
  undoneEffectsOfLanes: statement(
    'undone_effects_of_lanes',
    'gateway',
    `SELECT account, kind, id, effect_id AS "effectId", type, body FROM effects WHERE lane = ANY ($2::int[])
     ORDER BY place LIMIT $1`,
  ),
  dueTimers: statement(
    'due_timers',
    'gateway',
    `SELECT account, kind, id, name, due_at AS "dueAt" FROM timers WHERE due_at <= $1 AND lane = ANY ($3::int[])
     ORDER BY due_at, position, name LIMIT $2`,
  ),
  dueTimersOfAccount: statement(
    'due_timers_of_account',
    'account',
    `SELECT account, kind, id, name, due_at AS "dueAt" FROM timers WHERE account = $4 AND due_at <= $1 AND lane = ANY ($3::int[])
     ORDER BY due_at, position, name LIMIT $2`,
  ),
  nextTimer: statement('next_timer', 'gateway', 'SELECT min(due_at) AS at FROM timers'),
  rewriteProgress: statement('rewrite_progress', 'gateway', 'SELECT after, finished FROM rewrites WHERE name = $1'),
} as const

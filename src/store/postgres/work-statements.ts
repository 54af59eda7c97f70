// src/store/postgres/work-statements.ts — the SQL of leases, rewrites, images and retention on Postgres.
import { ERASED_SHOWN_MS } from '../../engine/ports/store.ts'
import type { Scope, ScopedStatement } from './statements.ts'

function statement(name: string, scope: Scope, text: string): ScopedStatement {
  return { name, scope, text }
}

/** How long a lease lasts by the database's clock. A lane is taken over this long after its process has died, at the latest. */
export const LEASE_MS = 3_000

const LEASE = `interval '${LEASE_MS} milliseconds'`

/** How long a node that has died is shown in lists. */
const SHOWN_DEAD = "interval '1 hour'"

/** A node counts from its first claim until it leaves, or is not seen for as long as a lease lasts. */
export const NODES = {
  seen: statement(
    'node_seen',
    'gateway',
    `WITH forgotten AS (DELETE FROM nodes WHERE node <> $1 AND seen_at < clock_timestamp() - ${SHOWN_DEAD})
     INSERT INTO nodes (node, name, version, address, started_at, seen_at, read_to, leaving)
     VALUES ($1, $2, $3, $4, clock_timestamp(), clock_timestamp(), $5, FALSE)
     ON CONFLICT (node) DO UPDATE
     SET seen_at = excluded.seen_at, address = excluded.address, read_to = excluded.read_to`,
  ),
  /** The others. One that is leaving may still have connections, and answers until it ends. */
  others: statement(
    'other_nodes',
    'gateway',
    `SELECT address, leaving FROM nodes WHERE node <> $1 AND seen_at > clock_timestamp() - ${LEASE} ORDER BY node`,
  ),
  /** Also of nodes that are silent. */
  addresses: statement('node_addresses', 'gateway', 'SELECT address FROM nodes WHERE address IS NOT NULL'),
  /** Nodes with their lanes and, up to a limit, the number of events of others that they have not read. */
  all: statement(
    'all_nodes',
    'gateway',
    `SELECT n.name, n.version, n.address, n.leaving, (extract(epoch FROM n.started_at) * 1000)::bigint AS "startedAt",
       (extract(epoch FROM clock_timestamp() - n.seen_at) * 1000)::bigint AS "silentMs",
       (SELECT count(*) FROM leases AS l WHERE l.holder = n.node AND l.expires_at > clock_timestamp()) AS lanes,
       (SELECT count(*) FROM (SELECT 1 FROM events AS e WHERE e.cursor > n.read_to AND e.writer <> n.node LIMIT $1) AS unread) AS behind
     FROM nodes AS n ORDER BY n.started_at`,
  ),
  free: statement(
    'free_lanes',
    'gateway',
    'SELECT count(*) AS count FROM leases WHERE holder IS NULL OR expires_at <= clock_timestamp()',
  ),
  leave: statement('node_leaves', 'gateway', 'UPDATE nodes SET leaving = TRUE WHERE node = $1'),
  end: statement('node_ends', 'gateway', 'UPDATE nodes SET leaving = TRUE, address = NULL WHERE node = $1'),
} as const

export const LEASES = {
  writer: statement('new_writer', 'gateway', `SELECT nextval('writers') AS writer`),
  renew: statement(
    'renew_lanes',
    'gateway',
    `UPDATE leases SET expires_at = clock_timestamp() + ${LEASE} WHERE holder = $1 RETURNING lane, fence`,
  ),
  /** Takes up to $2 lanes that no other process holds. Those that a group of commits has locked are left for the next time. */
  claim: statement(
    'claim_lanes',
    'gateway',
    `UPDATE leases AS l SET fence = l.fence + 1, holder = $1, expires_at = clock_timestamp() + ${LEASE}
     FROM (SELECT lane FROM leases WHERE holder IS NULL OR (holder <> $1 AND expires_at <= clock_timestamp())
       ORDER BY lane LIMIT $2 FOR UPDATE SKIP LOCKED) AS free
     WHERE l.lane = free.lane RETURNING l.lane, l.fence`,
  ),
  release: statement(
    'release_lanes',
    'gateway',
    'UPDATE leases SET holder = NULL WHERE holder = $1 AND lane = ANY ($2::int[])',
  ),
  releaseAll: statement('release_all_lanes', 'gateway', 'UPDATE leases SET holder = NULL WHERE holder = $1'),
  inUse: statement(
    'lanes_in_use',
    'gateway',
    'SELECT count(*) AS count FROM leases WHERE holder IS NOT NULL AND expires_at > clock_timestamp()',
  ),
} as const

export const NOTICES = {
  listen: statement('listen', 'gateway', 'LISTEN tollgate'),
  send: statement('notify', 'gateway', "SELECT pg_notify('tollgate', $1)"),
} as const

/** Values of a rewrite are arrays. A body is written only if it still equals the one that was read. */
export const REWRITES = {
  records: statement(
    'rewrite_records',
    'account',
    `UPDATE records AS r SET body = u.body
     FROM unnest($1::text[], $2::text[], $3::bigint[], $4::text[], $5::text[]) AS u (account, kind, position, before, body)
     WHERE r.account = u.account AND r.kind = u.kind AND r.position = u.position AND r.body = u.before RETURNING r.id`,
  ),
  events: statement(
    'rewrite_events',
    'account',
    `UPDATE events AS e SET body = u.body
     FROM unnest($1::text[], $2::bigint[], $3::text[], $4::text[]) AS u (account, cursor, before, body)
     WHERE e.account = u.account AND e.cursor = u.cursor AND e.body = u.before RETURNING e.id`,
  ),
  progress: statement(
    'write_progress',
    'gateway',
    `INSERT INTO rewrites (name, after, finished) VALUES ($1, $2, $3)
     ON CONFLICT (name) DO UPDATE SET after = excluded.after, finished = excluded.finished`,
  ),
} as const

/** What tells whether a COMMIT without an answer has taken effect. */
export const OUTCOME_READS = {
  events: statement(
    'outcome_events',
    'account',
    `SELECT e.account, e.cursor
     FROM unnest($1::text[], $2::bigint[]) AS u (account, cursor) JOIN events AS e ON e.account = u.account AND e.cursor = u.cursor
     WHERE e.writer = $3`,
  ),
  records: statement(
    'outcome_records',
    'account',
    `SELECT r.account, r.kind, r.id, r.position, r.version, r.body
     FROM unnest($1::text[], $2::text[], $3::text[]) AS u (account, kind, id)
     JOIN records AS r ON r.account = u.account AND r.kind = u.kind AND r.id = u.id`,
  ),
} as const

/** The server's time in epoch milliseconds. */
const NOW = '(extract(epoch FROM clock_timestamp()) * 1000)::bigint'

export const RETENTION = {
  noteErased: statement(
    'note_erased',
    'account',
    `INSERT INTO erasures (account, kind, id, cursor, at, writer)
     SELECT *, ${NOW}, $5::bigint FROM unnest($1::text[], $2::text[], $3::text[], $4::bigint[])`,
  ),
  forgetErased: statement(
    'forget_erased',
    'gateway',
    `DELETE FROM erasures WHERE (account, cursor) IN
       (SELECT account, cursor FROM erasures WHERE at < ${NOW} - ${ERASED_SHOWN_MS} ORDER BY at LIMIT $1)
     RETURNING cursor`,
  ),
  forgetExpired: statement(
    'forget_expired',
    'gateway',
    `DELETE FROM idempotency WHERE (account, key) IN
       (SELECT account, key FROM idempotency WHERE expires_at <= $1 ORDER BY expires_at LIMIT $2 FOR UPDATE SKIP LOCKED)
     RETURNING key`,
  ),
  /** The same where the rows are on several machines, which cannot skip what is locked. One that was used again meanwhile stays. */
  forgetExpiredApart: statement(
    'forget_expired_apart',
    'gateway',
    `DELETE FROM idempotency WHERE expires_at <= $1 AND (account, key) IN
       (SELECT account, key FROM idempotency WHERE expires_at <= $1 ORDER BY expires_at LIMIT $2)
     RETURNING key`,
  ),
} as const

/** Rows of an account, but not of some kinds. */
const OF_ACCOUNT = 'account = $1 AND kind <> ALL ($2::text[])'

export const IMAGES = {
  records: statement(
    'image_records',
    'account',
    `SELECT position, kind, id, version, parent, live, lock_key AS exclusive, body FROM records WHERE ${OF_ACCOUNT} ORDER BY position`,
  ),
  uniqueKeys: statement(
    'image_unique_keys',
    'account',
    `SELECT kind, id, key FROM unique_keys WHERE ${OF_ACCOUNT} AND id IS NOT NULL ORDER BY key`,
  ),
  events: statement(
    'image_events',
    'account',
    `SELECT kind, id, cursor, version, at, type, body FROM events WHERE ${OF_ACCOUNT} ORDER BY cursor`,
  ),
  effects: statement(
    'image_effects',
    'account',
    `SELECT kind, id, effect_id AS "effectId", type, body FROM effects WHERE ${OF_ACCOUNT} ORDER BY place`,
  ),
  timers: statement(
    'image_timers',
    'account',
    `SELECT kind, id, name, due_at AS "dueAt" FROM timers WHERE ${OF_ACCOUNT} ORDER BY kind, id, name`,
  ),
  idempotency: statement(
    'image_idempotency',
    'account',
    'SELECT key, fingerprint, answer, expires_at AS "expiresAt" FROM idempotency WHERE account = $1 ORDER BY key',
  ),
} as const

/** Deletes the data of an account, but not of some kinds. Keys of records that were erased before stay taken. */
export const CLEARINGS = {
  records: statement('clear_records', 'account', `DELETE FROM records WHERE ${OF_ACCOUNT}`),
  uniqueKeys: statement(
    'clear_unique_keys',
    'account',
    `DELETE FROM unique_keys WHERE ${OF_ACCOUNT} AND id IS NOT NULL`,
  ),
  accountKeys: statement(
    'clear_account_keys',
    'account',
    `DELETE FROM account_keys WHERE ${OF_ACCOUNT} AND id IS NOT NULL`,
  ),
  events: statement('clear_events', 'account', `DELETE FROM events WHERE ${OF_ACCOUNT}`),
  effects: statement('clear_effects', 'account', `DELETE FROM effects WHERE ${OF_ACCOUNT}`),
  timers: statement('clear_timers', 'account', `DELETE FROM timers WHERE ${OF_ACCOUNT}`),
  terms: statement('clear_search_terms', 'account', `DELETE FROM search_terms WHERE ${OF_ACCOUNT}`),
  days: statement('clear_search_days', 'account', `DELETE FROM search_days WHERE ${OF_ACCOUNT}`),
} as const

export const IMAGE_WRITES = {
  clearIdempotency: statement('clear_idempotency', 'account', 'DELETE FROM idempotency WHERE account = $1'),
  /** Its record may have been erased since; no other record can have taken it. */
  uniqueKeys: statement(
    'restore_unique_keys',
    'account',
    `INSERT INTO unique_keys (account, key, kind, id) SELECT * FROM unnest($1::text[], $2::text[], $3::text[], $4::text[])
     ON CONFLICT (account, key) DO UPDATE SET kind = excluded.kind, id = excluded.id WHERE unique_keys.id IS NULL`,
  ),
  accountKeys: statement(
    'restore_account_keys',
    'account',
    `INSERT INTO account_keys (account, key, kind, id) SELECT * FROM unnest($1::text[], $2::text[], $3::text[], $4::text[])
     ON CONFLICT (key) DO UPDATE SET kind = excluded.kind, id = excluded.id
     WHERE account_keys.id IS NULL AND account_keys.account = excluded.account`,
  ),
} as const

/** The schema. Migrations run as one block, because a prepared statement is one statement. */
export const SCHEMA = {
  /** The number is ours by chance: what else locks in this database uses another. */
  lock: statement('lock_schema', 'gateway', 'SELECT pg_advisory_xact_lock(6074868811349083)'),
  /** From the table of tables: functions such as `to_regclass` may answer from a cache that is older than the lock. */
  exists: statement(
    'schema_exists',
    'gateway',
    `SELECT EXISTS (SELECT 1 FROM pg_tables WHERE schemaname = current_schema() AND tablename = 'migrations') AS exists`,
  ),
  create: statement(
    'create_migrations',
    'gateway',
    'CREATE TABLE migrations (number INTEGER PRIMARY KEY, name TEXT NOT NULL)',
  ),
  applied: statement('applied_migrations', 'gateway', 'SELECT coalesce(max(number), 0) AS number FROM migrations'),
  /** Whether the server knows of distributed tables, and whether ours are. ADR 61. */
  canDistribute: statement(
    'can_distribute',
    'gateway',
    `SELECT to_regclass('pg_catalog.pg_dist_partition') IS NOT NULL AS yes`,
  ),
  isDistributed: statement(
    'is_distributed',
    'gateway',
    `SELECT EXISTS (SELECT 1 FROM pg_dist_partition WHERE logicalrelid = 'records'::regclass AND partmethod = 'h') AS yes`,
  ),
  note: statement('note_migration', 'gateway', 'INSERT INTO migrations (number, name) VALUES ($1, $2)'),
} as const

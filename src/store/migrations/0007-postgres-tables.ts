// src/store/migrations/0007-postgres-tables.ts — the tables of a Postgres database, which begins with schema 7. ADR 61.

/** Tables whose rows are found by an account and more. */
const OF_ACCOUNTS = [
  'records',
  'events',
  'unique_keys',
  'effects',
  'timers',
  'idempotency',
  'search_terms',
  'search_days',
]

/** Has the server note nothing about single values of a column, which would be those of rows that are deleted again. -1: as usual. */
function noteValues(target: -1 | 1): string {
  const column = (table: string, name: string) => `ALTER TABLE ${table} ALTER ${name} SET STATISTICS ${target};`
  const kinds = OF_ACCOUNTS.filter(table => table !== 'idempotency')
  return [...OF_ACCOUNTS.map(table => column(table, 'account')), ...kinds.map(table => column(table, 'kind'))].join(
    '\n',
  )
}

/**
 * Statistics to plan by until the server has made its own: a few accounts and kinds, and many of everything else. Without any, reading
 * a hundred records by their keys takes an index of account and kind only, and walks through the whole account for each of them. The
 * statistics outlive the rows that they are made of, and the server makes its own once a table has had a thousand changes: of an empty
 * table it would note that it has no rows, and any index would do.
 */
const STATISTICS = `
  ${noteValues(1)}
  INSERT INTO records (account, kind, id, position, version, parent, live, lock_key, created_at, changed_at, body)
    SELECT n % 5, n / 5 % 4, n, n, 1, n % 10, n % 50 = 0, CASE WHEN n % 50 = 0 THEN n END, n, n, n FROM generate_series(1, 100) AS n;
  INSERT INTO events (account, cursor, kind, id, version, at, type, body, writer)
    SELECT n % 5, n, n / 5 % 4, n / 5, n, n, n % 5, n, n % 2 FROM generate_series(1, 100) AS n;
  INSERT INTO unique_keys (account, key, kind, id) SELECT n % 5, n, n / 5 % 4, n FROM generate_series(1, 100) AS n;
  INSERT INTO effects (account, effect_id, kind, id, place, lane, type, body)
    SELECT n % 5, n, n / 5 % 4, n, n, n % 64, n % 5, n FROM generate_series(1, 100) AS n;
  INSERT INTO timers (account, kind, id, name, position, lane, due_at)
    SELECT n % 5, n / 5 % 4, n, 'n', n, n % 64, n FROM generate_series(1, 100) AS n;
  INSERT INTO idempotency (account, key, fingerprint, answer, expires_at) SELECT n % 5, n, n, n, n FROM generate_series(1, 100) AS n;
  INSERT INTO search_terms (account, kind, term, position) SELECT n % 5, n / 5 % 4, n % 10, n FROM generate_series(1, 100) AS n;
  INSERT INTO search_days (account, kind, day, first, last) SELECT n % 5, n / 5 % 4, n, n, n FROM generate_series(1, 100) AS n;
  ANALYZE ${OF_ACCOUNTS.join(', ')};
  ${noteValues(-1)}
  ${OF_ACCOUNTS.map(table => `DELETE FROM ${table};`).join('\n')}
  ${OF_ACCOUNTS.map(table => `ALTER TABLE ${table} SET (autovacuum_analyze_threshold = 1000, autovacuum_vacuum_threshold = 1000);`).join('\n')}
`

/**
 * Each primary and unique key begins with the merchant account, so that the tables can be distributed by it. `account_keys` is
 * the exception: it finds the account, is small and changes rarely. Keys compare by their bytes, as on SQLite.
 *
 * One sequence, `places`, numbers events, records and undone effects: its numbers are unique in the whole database, and grow
 * in order of commit within an account, because they are drawn while the account's row in `feeds` is locked.
 */
export const POSTGRES_TABLES = `
  CREATE SEQUENCE places;
  -- Numbers the processes that have opened the store.
  CREATE SEQUENCE writers;

  CREATE TABLE feeds (
    account TEXT COLLATE "C" PRIMARY KEY,
    groups  BIGINT NOT NULL            -- groups of commits so far
  ) WITH (fillfactor = 50);

  CREATE TABLE records (
    account    TEXT COLLATE "C" NOT NULL,
    kind       TEXT COLLATE "C" NOT NULL,
    id         TEXT COLLATE "C" NOT NULL,
    position   BIGINT NOT NULL,
    version    BIGINT NOT NULL,
    parent     TEXT COLLATE "C" NOT NULL,
    live       BOOLEAN NOT NULL,
    lock_key   TEXT COLLATE "C",       -- null as soon as the record is no longer live
    created_at BIGINT NOT NULL,
    changed_at BIGINT NOT NULL,
    body       TEXT NOT NULL,
    PRIMARY KEY (account, kind, id)
  ) WITH (fillfactor = 70);            -- room for the next versions beside the first
  CREATE UNIQUE INDEX records_of_account ON records (account, kind, position);
  CREATE INDEX records_of_parent ON records (account, kind, parent, position);
  CREATE INDEX records_live ON records (account, kind, position) WHERE live;
  CREATE UNIQUE INDEX records_lock_key ON records (account, lock_key) WHERE lock_key IS NOT NULL;
  CREATE INDEX records_of_kind ON records (kind, position);
  CREATE INDEX records_live_of_kind ON records (kind, position) WHERE live;

  CREATE TABLE unique_keys (
    account TEXT COLLATE "C" NOT NULL,
    key     TEXT COLLATE "C" NOT NULL,
    kind    TEXT COLLATE "C" NOT NULL,
    id      TEXT COLLATE "C",          -- null when the record is erased
    PRIMARY KEY (account, key)
  );
  CREATE INDEX unique_keys_of_record ON unique_keys (account, kind, id);

  CREATE TABLE account_keys (
    key     TEXT COLLATE "C" PRIMARY KEY,
    account TEXT COLLATE "C" NOT NULL,
    kind    TEXT COLLATE "C" NOT NULL,
    id      TEXT COLLATE "C"           -- null when the record is erased
  );

  CREATE TABLE events (
    account TEXT COLLATE "C" NOT NULL,
    cursor  BIGINT NOT NULL,
    kind    TEXT COLLATE "C" NOT NULL,
    id      TEXT COLLATE "C" NOT NULL,
    version BIGINT NOT NULL,
    at      BIGINT NOT NULL,
    type    TEXT COLLATE "C" NOT NULL,
    body    TEXT NOT NULL,
    writer  BIGINT NOT NULL,           -- the process that has committed it
    PRIMARY KEY (account, cursor)
  );
  CREATE INDEX events_of_record ON events (account, kind, id, cursor);
  CREATE INDEX events_in_order ON events (cursor);

  -- Records that were erased, for the caches of other processes. A row stays for a while.
  CREATE TABLE erasures (
    account TEXT COLLATE "C" NOT NULL,
    cursor  BIGINT NOT NULL,
    kind    TEXT COLLATE "C" NOT NULL,
    id      TEXT COLLATE "C" NOT NULL,
    at      BIGINT NOT NULL,           -- by the server's clock
    writer  BIGINT NOT NULL,           -- the process that has erased it
    PRIMARY KEY (account, cursor)
  );
  CREATE INDEX erasures_in_order ON erasures (cursor);
  CREATE INDEX erasures_by_time ON erasures (at);

  CREATE TABLE effects (
    account   TEXT COLLATE "C" NOT NULL,
    effect_id TEXT COLLATE "C" NOT NULL,
    kind      TEXT COLLATE "C" NOT NULL,
    id        TEXT COLLATE "C" NOT NULL,
    place     BIGINT NOT NULL,
    lane      INTEGER NOT NULL,
    type      TEXT COLLATE "C" NOT NULL,
    body      TEXT NOT NULL,
    PRIMARY KEY (account, effect_id)
  );
  CREATE INDEX effects_of_record ON effects (account, kind, id);
  CREATE INDEX effects_in_order ON effects (place);

  CREATE TABLE timers (
    account  TEXT COLLATE "C" NOT NULL,
    kind     TEXT COLLATE "C" NOT NULL,
    id       TEXT COLLATE "C" NOT NULL,
    name     TEXT COLLATE "C" NOT NULL,
    position BIGINT NOT NULL,          -- of the record
    lane     INTEGER NOT NULL,
    due_at   BIGINT NOT NULL,
    PRIMARY KEY (account, kind, id, name)
  );
  CREATE INDEX timers_due ON timers (due_at, position, name);
  CREATE INDEX timers_of_account ON timers (account, due_at, position, name);

  CREATE TABLE idempotency (
    account     TEXT COLLATE "C" NOT NULL,
    key         TEXT COLLATE "C" NOT NULL,
    fingerprint TEXT NOT NULL,
    answer      TEXT NOT NULL,
    expires_at  BIGINT NOT NULL,
    PRIMARY KEY (account, key)
  );
  CREATE INDEX idempotency_expiring ON idempotency (expires_at);

  CREATE TABLE search_terms (
    account  TEXT COLLATE "C" NOT NULL,
    kind     TEXT COLLATE "C" NOT NULL,
    term     TEXT COLLATE "C" NOT NULL,
    position BIGINT NOT NULL,          -- of the record
    PRIMARY KEY (account, kind, term, position)
  );

  CREATE TABLE search_days (
    account TEXT COLLATE "C" NOT NULL,
    kind    TEXT COLLATE "C" NOT NULL,
    day     BIGINT NOT NULL,           -- days since 1970-01-01
    first   BIGINT NOT NULL,
    last    BIGINT NOT NULL,
    PRIMARY KEY (account, kind, day)
  );

  CREATE TABLE rewrites (
    name     TEXT COLLATE "C" PRIMARY KEY,
    after    BIGINT NOT NULL,
    finished BOOLEAN NOT NULL
  );

  CREATE TABLE documents (
    account    TEXT COLLATE "C" NOT NULL,
    collection TEXT COLLATE "C" NOT NULL,
    key        TEXT COLLATE "C" NOT NULL,
    position   BIGINT NOT NULL,
    revision   BIGINT NOT NULL,        -- of the account, when it was last written
    changed_at BIGINT NOT NULL,
    body       TEXT NOT NULL,
    PRIMARY KEY (account, collection, key)
  ) WITH (fillfactor = 70);
  CREATE INDEX documents_in_order ON documents (account, position);

  CREATE TABLE document_feeds (
    account  TEXT COLLATE "C" PRIMARY KEY,
    lane     INTEGER NOT NULL,
    revision BIGINT NOT NULL,          -- groups of changes so far
    erased   BIGINT NOT NULL           -- the last revision that has erased a document
  ) WITH (fillfactor = 50);
  CREATE INDEX document_feeds_of_lane ON document_feeds (lane);

  CREATE TABLE leases (
    lane       INTEGER PRIMARY KEY,
    fence      BIGINT NOT NULL,
    holder     BIGINT,                 -- the process that holds it; null when it has been given back
    expires_at TIMESTAMPTZ NOT NULL,
    -- A commit that checks the fence keeps others from changing it, and not the holder from renewing the lease.
    UNIQUE (lane, fence)
  );
  CREATE TABLE nodes (
    node       BIGINT PRIMARY KEY,     -- its number as a writer
    name       TEXT NOT NULL,
    version    TEXT NOT NULL,
    address    TEXT,                   -- where it listens for other nodes; null when it does not
    started_at TIMESTAMPTZ NOT NULL,
    seen_at    TIMESTAMPTZ NOT NULL,
    read_to    BIGINT NOT NULL,        -- cursor up to which it has read the events of others
    leaving    BOOLEAN NOT NULL        -- has given its lanes back, and takes none
  ) WITH (fillfactor = 50);
  PERFORM nextval('places');                   -- the first mark is below the first number
  INSERT INTO leases (lane, fence, expires_at) SELECT lane, 0, 'epoch' FROM generate_series(0, 63) AS lane;
${STATISTICS}`

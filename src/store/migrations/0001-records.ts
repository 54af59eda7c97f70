// src/store/migrations/0001-records.ts — the first tables.
import type { Migration } from './migration.ts'

/**
 * `position` numbers the records in order of creation. Events, effects and timers refer to a record by this number, so rows
 * are small and indexes grow at their end. Only the index over record ids is written in random order.
 */
export const records: Migration = {
  number: 1,
  name: 'records',
  sql: {
    sqlite: `
      CREATE TABLE records (
        position   INTEGER PRIMARY KEY,
        kind       TEXT NOT NULL,
        account    TEXT NOT NULL,
        id         TEXT NOT NULL,
        version    INTEGER NOT NULL,
        parent     TEXT NOT NULL,
        live       INTEGER NOT NULL,
        exclusive  TEXT,             -- the key this record holds; null as soon as it is no longer live
        created_at INTEGER NOT NULL,
        changed_at INTEGER NOT NULL,
        body       TEXT NOT NULL
      ) STRICT;
      CREATE UNIQUE INDEX records_key ON records (kind, account, id);
      CREATE INDEX records_of_kind ON records (kind, position);
      CREATE INDEX records_of_account ON records (account, kind, position);
      CREATE INDEX records_of_parent ON records (account, kind, parent, position);
      CREATE INDEX records_live ON records (kind, account, parent) WHERE live = 1;
      CREATE UNIQUE INDEX records_exclusive ON records (exclusive) WHERE exclusive IS NOT NULL;

      -- AUTOINCREMENT: a cursor that was once handed out is never given to another event, whatever is erased later.
      CREATE TABLE events (
        cursor  INTEGER PRIMARY KEY AUTOINCREMENT,
        record  INTEGER NOT NULL,
        account TEXT NOT NULL,
        version INTEGER NOT NULL,
        at      INTEGER NOT NULL,
        type    TEXT NOT NULL,
        body    TEXT NOT NULL
      ) STRICT;
      CREATE INDEX events_of_record ON events (record, cursor);
      CREATE INDEX events_of_account ON events (account, cursor);

      -- Only what is still to be done: a row goes when its effect has been performed.
      CREATE TABLE effects (
        place     INTEGER PRIMARY KEY,
        effect_id TEXT NOT NULL UNIQUE,
        record    INTEGER NOT NULL,
        type      TEXT NOT NULL,
        body      TEXT NOT NULL
      ) STRICT;

      CREATE TABLE timers (
        record INTEGER NOT NULL,
        name   TEXT NOT NULL,
        due_at INTEGER NOT NULL,
        PRIMARY KEY (record, name)
      ) STRICT, WITHOUT ROWID;
      CREATE INDEX timers_due ON timers (due_at, record, name);

      CREATE TABLE idempotency (
        account     TEXT NOT NULL,
        key         TEXT NOT NULL,
        fingerprint TEXT NOT NULL,
        answer      TEXT NOT NULL,
        expires_at  INTEGER NOT NULL,
        PRIMARY KEY (account, key)
      ) STRICT, WITHOUT ROWID;
      CREATE INDEX idempotency_expiring ON idempotency (expires_at);
    `,
    postgres: '',
  },
}

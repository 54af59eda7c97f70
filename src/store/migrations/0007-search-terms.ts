// src/store/migrations/0007-search-terms.ts — the indexes by which lists find records. ADR 55.
import { POSTGRES_TABLES } from './0007-postgres-tables.ts'
import type { Migration } from './migration.ts'

/**
 * `search_terms`: one row per record and term. `search_days`: the first and the last position of the records of a UTC day, so
 * that a list of a period need not walk through newer records. Both are filled for stored records while the gateway serves.
 */
export const searchTerms: Migration = {
  number: 7,
  name: 'search-terms',
  sql: {
    sqlite: `
      CREATE TABLE search_terms (
        account TEXT NOT NULL,
        kind    TEXT NOT NULL,
        term    TEXT NOT NULL,
        record  INTEGER NOT NULL,
        PRIMARY KEY (account, kind, term, record)
      ) STRICT, WITHOUT ROWID;
      CREATE TABLE search_days (
        account TEXT NOT NULL,
        kind    TEXT NOT NULL,
        day     INTEGER NOT NULL,    -- days since 1970-01-01
        first   INTEGER NOT NULL,
        last    INTEGER NOT NULL,
        PRIMARY KEY (account, kind, day)
      ) STRICT, WITHOUT ROWID;
    `,
    postgres: POSTGRES_TABLES,
  },
}

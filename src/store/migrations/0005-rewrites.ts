// src/store/migrations/0005-rewrites.ts — progress of rewriting what earlier versions stored.
import type { Migration } from './migration.ts'

/** One row per rewrite: everything up to `after` is rewritten. */
export const rewrites: Migration = {
  number: 5,
  name: 'rewrites',
  sql: {
    sqlite: `
      CREATE TABLE rewrites (
        name     TEXT PRIMARY KEY,
        after    INTEGER NOT NULL,
        finished INTEGER NOT NULL
      ) STRICT, WITHOUT ROWID;
    `,
    postgres: '',
  },
}

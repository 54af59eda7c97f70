// src/store/migrations/0005-rewrites.ts — how far the rewriting of what earlier versions stored has got.
import type { Migration } from './migration.ts'

/** One row for each rewrite: everything up to `after` is done. */
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
  },
}

// src/store/migrations/0002-claims.ts — the table of unique keys. ADR 18.
import type { Migration } from './migration.ts'

/** API keys are found by their id from now on, so existing ones get their unique key here. */
export const claims: Migration = {
  number: 2,
  name: 'claims',
  sql: {
    sqlite: `
      CREATE TABLE claims (
        claim  TEXT PRIMARY KEY,
        record INTEGER NOT NULL
      ) STRICT, WITHOUT ROWID;
      CREATE INDEX claims_of_record ON claims (record);
      INSERT INTO claims (claim, record) SELECT 'api-key-id:' || id, position FROM records WHERE kind = 'api-key';
    `,
    postgres: '',
  },
}

// src/store/migrations/0003-outside-changes.ts — how the gateway notices what the command line has changed.
import type { Migration } from './migration.ts'

/** One row, which grows by one with each group that another program than the gateway has written. */
export const outsideChanges: Migration = {
  number: 3,
  name: 'outside-changes',
  sql: {
    sqlite: `
      CREATE TABLE outside_changes (number INTEGER NOT NULL) STRICT;
      INSERT INTO outside_changes (number) VALUES (0);
    `,
  },
}

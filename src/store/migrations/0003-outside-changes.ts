// src/store/migrations/0003-outside-changes.ts — counts changes by the command line, so that the gateway notices them.
import type { Migration } from './migration.ts'

/** One row: the number of groups that programs other than the gateway have written. */
export const outsideChanges: Migration = {
  number: 3,
  name: 'outside-changes',
  sql: {
    sqlite: `
      CREATE TABLE outside_changes (number INTEGER NOT NULL) STRICT;
      INSERT INTO outside_changes (number) VALUES (0);
    `,
    postgres: '',
  },
}

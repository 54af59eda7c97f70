// src/store/migrations/0006-leases.ts — fences of lanes, and the events that programs other than the gateway have committed.
import type { Migration } from './migration.ts'

/**
 * `leases`: one row per lane. `others_events`: cursors of the events that the command line has committed since the gateway last
 * started; it replaces the number of `outside_changes`.
 */
export const leases: Migration = {
  number: 6,
  name: 'leases',
  sql: {
    sqlite: `
      CREATE TABLE leases (lane INTEGER PRIMARY KEY, fence INTEGER NOT NULL) STRICT;
      INSERT INTO leases (lane, fence) VALUES (0, 0);
      CREATE TABLE others_events (cursor INTEGER PRIMARY KEY) STRICT;
      DROP TABLE outside_changes;
    `,
    postgres: '',
  },
}

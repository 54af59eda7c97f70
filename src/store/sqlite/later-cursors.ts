// src/store/sqlite/later-cursors.ts — makes a restored database give out no cursor that it gave out before.
import Database from 'better-sqlite3'

/** More events than a gateway can write in a second. */
const EVENTS_A_SECOND = 100_000
/** For clocks that disagree, in milliseconds. */
const MARGIN_MS = 3_600_000

/**
 * Moves the cursors of new events above all that the gateway can have given out since the backup. Clients go on from a cursor
 * they hold, and would skip new events under the same numbers.
 * @param ageMs time since the backup, in milliseconds
 */
export function moveCursors(file: string, ageMs: number): void {
  const database = new Database(file, { fileMustExist: true })
  try {
    const more = Math.ceil(((Math.max(0, ageMs) + MARGIN_MS) / 1_000) * EVENTS_A_SECOND)
    const moved = database.prepare("UPDATE sqlite_sequence SET seq = seq + ? WHERE name = 'events'").run(more)
    // SQLite makes the row with the first event.
    if (moved.changes === 0) database.prepare("INSERT INTO sqlite_sequence (name, seq) VALUES ('events', ?)").run(more)
  } finally {
    database.close()
  }
}

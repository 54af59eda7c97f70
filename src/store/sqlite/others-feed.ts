// src/store/sqlite/others-feed.ts — follows the events of other processes by one cursor.
import type { OthersFeed, StoredEvent } from '../../engine/ports/store.ts'

/**
 * Follows from a cursor on. SQLite writes one transaction after the other, so cursors appear in their order and none is skipped.
 * @param read reads events of others after a cursor, in order
 */
export function followFrom(
  start: number,
  read: (after: number, limit: number) => Promise<readonly StoredEvent[]>,
): OthersFeed {
  let cursor = start
  return {
    async next(limit) {
      const events = await read(cursor, limit)
      cursor = events.at(-1)?.cursor ?? cursor
      return events
    },
  }
}

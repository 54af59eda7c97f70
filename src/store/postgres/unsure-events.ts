// src/store/postgres/unsure-events.ts — events of this process whose COMMIT has an unknown outcome, until they are found. ADR 61.
import type { StoredEvent } from '../../engine/ports/store.ts'
import type { GroupChanges } from './group-plan.ts'
import type { Query } from './session.ts'
import { READS } from './statements.ts'

/** Limit of remembered events: ten minutes of a standby that confirms nothing. The oldest goes first. */
const MOST = 10_000

export interface UnsureEvents {
  /** Remembers the events of a group. */
  add(events: GroupChanges['events']): void
  /** Returns those that are stored by now, in order of their cursors, and forgets them. */
  found(): Promise<readonly StoredEvent[]>
}

/** The process has told its callers that it does not know. Once it does, its caches, effects and timers must know it, too. */
export function createUnsureEvents(query: Query): UnsureEvents {
  /** Accounts by cursor, oldest first. A cursor is given out once. */
  const unsure = new Map<number, string>()
  return {
    add(events) {
      for (const { record, number } of events) unsure.set(number, record.account)
      for (const oldest of unsure.keys()) {
        if (unsure.size <= MOST) break
        unsure.delete(oldest)
      }
    },
    async found() {
      if (unsure.size === 0) return []
      const stored = await query<StoredEvent>(READS.eventsAt, [[...unsure.values()], [...unsure.keys()]])
      for (const { cursor } of stored) unsure.delete(cursor)
      return stored
    },
  }
}

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
  /** Forgets the events of a group whose outcome is known now. Returns whether none of them has been found before. */
  withdraw(events: GroupChanges['events']): boolean
}

/**
 * The process has told its callers that it does not know. Once it does, its caches, effects and timers must know it, too.
 * @param writer this process: after a failover another one may draw the numbers of events that were lost
 */
export function createUnsureEvents(query: Query, writer: number): UnsureEvents {
  /** Accounts by cursor, oldest first. */
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
      const stored = await query<StoredEvent>(READS.eventsAt, [[...unsure.values()], [...unsure.keys()], writer])
      // What was withdrawn meanwhile is its caller's.
      return stored.filter(({ cursor }) => unsure.delete(cursor))
    },
    withdraw: events => events.map(({ number }) => unsure.delete(number)).every(isLeft => isLeft),
  }
}

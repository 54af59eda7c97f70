// src/store/postgres/feed-reads.ts — reads the events of all accounts, without skipping one. ADR 61.
import type { Clock } from '../../engine/ports/clock.ts'
import type { OthersFeed, Store, StoredEvent } from '../../engine/ports/store.ts'
import type { Notices } from './notices.ts'
import type { Query } from './session.ts'
import { READS } from './statements.ts'
import type { UnsureEvents } from './unsure-events.ts'

/** How often it is looked up which cursors may still appear, in milliseconds. Until then events are read from the same one on. */
const SETTLE_EVERY_MS = 100

export interface FeedReadsParts {
  readonly query: Query
  readonly clock: Clock
  /** This process. Events that it has committed are no others' events, unless it does not know that it has. */
  readonly writer: number
  readonly unsure: UnsureEvents
  readonly notices: Pick<Notices, 'listen'>
}

export interface FeedReads extends Pick<Store, 'allEvents' | 'followOthers'> {
  /** Cursor up to which the others' events have been read; 0 before that begins. */
  readTo(): number
}

/**
 * Groups of several lanes commit at the same time, so a lower cursor can appear after a higher one. A reader in order stops below
 * the first cursor that may still appear: each transaction marks, before it draws its cursors, the number above which they will
 * be. A follower reads on, so that it sees what has been answered, and remembers what it was given above that cursor.
 */
export function createFeedReads({ query, clock, writer, unsure, notices }: FeedReadsParts): FeedReads {
  /** The cursor up to which every event is visible to a later read, or will never be. */
  async function settled(): Promise<number> {
    // In this order: a transaction whose mark is not seen has ended, or draws numbers above this one.
    const [drawn] = await query<{ readonly number: number }>(READS.drawn, [])
    const [marks] = await query<{ readonly lowest: number | null }>(READS.marks, [])
    const number = drawn?.number ?? 0
    return Math.min(marks?.lowest ?? number, number)
  }

  let readTo = 0

  async function followOthers(whenMore?: () => void): Promise<OthersFeed> {
    if (whenMore !== undefined) notices.listen(whenMore)
    let from = await settled()
    let settledAt = clock.now()
    /** Cursors above `from` that have been given. */
    let given: readonly number[] = []
    return {
      async next(limit) {
        let until = from
        const now = clock.now()
        if (now < settledAt || now >= settledAt + SETTLE_EVERY_MS) {
          // Before the events, which then include everything up to this cursor.
          until = await settled()
          settledAt = now
        }
        const events = await query<StoredEvent>(READS.othersEvents, [from, limit, writer, given])
        const found = await unsure.found()
        // Nothing that can fail comes after this: what counts as given must reach the caller.
        const cursors = events.map(({ cursor }) => cursor)
        const last = cursors.at(-1)
        const reached = last === undefined || events.length < limit ? until : Math.min(until, last)
        from = Math.max(from, reached)
        readTo = from
        given = [...given, ...cursors].filter(cursor => cursor > from)
        return found.length === 0 ? events : [...found, ...events]
      },
    }
  }

  return {
    async allEvents(after, limit) {
      return query<StoredEvent>(READS.allEvents, [after, await settled(), limit])
    },
    followOthers,
    readTo: () => readTo,
  }
}

// src/store/postgres/feed-reads.ts — reads the events of all accounts in the order of their cursors, without skipping one. ADR 61.
import type { Store, StoredEvent } from '../../engine/ports/store.ts'
import type { Query } from './session.ts'
import { READS } from './statements.ts'
import type { UnsureEvents } from './unsure-events.ts'

export interface FeedReadsParts {
  readonly query: Query
  /** This process. Events that it has committed are no others' events, unless it does not know that it has. */
  readonly writer: number
  readonly unsure: UnsureEvents
}

export type FeedReads = Pick<Store, 'allEvents' | 'othersEvents' | 'feedEnd'>

/**
 * Groups of several lanes commit at the same time, so a lower cursor can appear after a higher one. Readers stop below the first
 * cursor that may still appear: each transaction marks, before it draws its cursors, the number above which they will be.
 */
export function createFeedReads({ query, writer, unsure }: FeedReadsParts): FeedReads {
  /** Of a run of reads of the others' events: where it stands, and up to where it has found nothing more. */
  let run = { at: -1, settled: -1 }

  /** The cursor up to which every event is visible to a later read, or will never be. */
  async function settled(): Promise<number> {
    // In this order: a transaction whose mark is not seen has ended, or draws numbers above this one.
    const [drawn] = await query<{ readonly number: number }>(READS.drawn, [])
    const [marks] = await query<{ readonly lowest: number | null }>(READS.marks, [])
    const number = drawn?.number ?? 0
    return Math.min(marks?.lowest ?? number, number)
  }

  return {
    async allEvents(after, limit) {
      return query<StoredEvent>(READS.allEvents, [after, await settled(), limit])
    },
    async feedEnd() {
      const [end] = await query<{ readonly cursor: number | null }>(READS.feedEnd, [await settled()])
      return end?.cursor ?? 0
    },
    async othersEvents(after, limit) {
      const until = await settled()
      // Between two events of others are thousands of our own, which are not read again and again.
      const from = after >= run.at ? Math.max(after, run.settled) : after
      const events = await query<StoredEvent>(READS.othersEvents, [from, until, limit, writer])
      const at = events.at(-1)?.cursor ?? after
      run = { at, settled: events.length < limit ? until : at }
      const found = await unsure.found()
      return found.length === 0 ? events : [...found, ...events]
    },
  }
}

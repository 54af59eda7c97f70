// test/unit/store/feed-reads.test.ts — what a reader of the feed on Postgres keeps when the database goes away in the middle of a read.
import { deepEqual, rejects } from 'node:assert/strict'
import { test } from 'vitest'
import { Fault } from '../../../src/engine/fault.ts'
import type { StoredEvent } from '../../../src/engine/ports/store.ts'
import { createFeedReads } from '../../../src/store/postgres/feed-reads.ts'
import type { Query } from '../../../src/store/postgres/session.ts'
import { READS } from '../../../src/store/postgres/statements.ts'
import { TestClock } from '../../support/test-clock.ts'

const GONE = new Fault('store_unreachable', { detail: 'The database' })
const eventAt = (cursor: number): StoredEvent => ({
  ...{ cursor, account: 'shop', kind: 'transaction', id: `t${cursor}`, version: 1, at: 0 },
  ...{ type: 'started', body: '{}' },
})

/** A follower of a database with these events. `failing` names what fails next. */
async function following(events: readonly StoredEvent[], own: readonly StoredEvent[] = []) {
  const clock = new TestClock()
  const state = { failing: null as string | null, stored: events, drawn: 0 }
  const failIf = (what: string) => {
    if (state.failing !== what) return
    state.failing = null
    throw GONE
  }
  const query = (async (statement: unknown, values: readonly unknown[]) => {
    if (statement === READS.drawn) {
      failIf('drawn')
      return [{ number: state.drawn }]
    }
    if (statement === READS.marks) {
      failIf('marks')
      return [{ lowest: null }]
    }
    failIf('events')
    const [from, limit, , given] = values as readonly [number, number, number, readonly number[]]
    return state.stored.filter(({ cursor }) => cursor > from && !given.includes(cursor)).slice(0, limit)
  }) as Query
  let left = own
  const unsure = {
    add() {},
    withdraw: () => true,
    async found() {
      failIf('unsure')
      const found = left
      left = []
      return found
    },
  }
  const reads = createFeedReads({ query, clock, writer: 1, unsure, notices: { listen() {} } })
  return { state, clock, feed: await reads.followOthers() }
}

const cursorsOf = (events: readonly StoredEvent[]) => events.map(({ cursor }) => cursor)

test.each(['drawn', 'marks', 'events', 'unsure'])(
  'a read that fails at its %s skips nothing: the next one has what this one should have had',
  async failing => {
    const { state, clock, feed } = await following([eventAt(1), eventAt(2), eventAt(3)], [eventAt(9)])
    await clock.advance(1_000)
    Object.assign(state, { failing, drawn: 3 })
    await rejects(feed.next(200), GONE)
    deepEqual(cursorsOf(await feed.next(200)), [9, 1, 2, 3])
    deepEqual(cursorsOf(await feed.next(200)), [])
    await clock.advance(1_000)
    deepEqual(cursorsOf(await feed.next(200)), [])
  },
)

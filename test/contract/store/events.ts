// test/contract/store/events.ts — events of a record, and of an account.
import { deepEqual, equal, ok } from 'node:assert/strict'
import { test } from 'vitest'
import type { Store } from '../../../src/engine/ports/store.ts'
import { change, envelope, keyOf, NOON } from '../../support/changes.ts'

export function exerciseEvents(make: () => Promise<Store>): void {
  test('the events of a record are complete and in order', async () => {
    const store = await make()
    await store.commit(change('sale', { version: 2, events: [envelope('started'), envelope('card_read', 2)] }))
    await store.commit(change('other', { events: [envelope('started')] }))
    await store.commit(change('sale', { expectedVersion: 2, events: [envelope('ended', 3, NOON + 7)] }))
    const events = await store.eventsOf(keyOf('sale'))
    deepEqual(
      events.map(({ cursor, ...event }) => event),
      [
        { ...keyOf('sale'), ...envelope('started') },
        { ...keyOf('sale'), ...envelope('card_read', 2) },
        { ...keyOf('sale'), ...envelope('ended', 3, NOON + 7) },
      ],
    )
    deepEqual(await store.eventsOf(keyOf('unknown')), [])
  })

  test('cursors grow in order of commit over all records and accounts', async () => {
    const store = await make()
    await store.commit(change('a', { events: [envelope('started'), envelope('moved', 2)] }))
    await store.commit(change('b', { account: 'other', events: [envelope('started')] }))
    await store.commit(change('a', { expectedVersion: 1, events: [envelope('ended', 3)] }))
    const [started, moved, ended] = await store.eventsOf(keyOf('a'))
    const [theirs] = await store.eventsOf(keyOf('b', 'other'))
    const cursors = [started!, moved!, theirs!, ended!].map(event => event.cursor)
    ok(cursors.every(cursor => Number.isSafeInteger(cursor) && cursor > 0))
    deepEqual(
      cursors,
      cursors.toSorted((a, b) => a - b),
    )
    equal(new Set(cursors).size, 4)
  })

  test('events are read from any cursor, page by page, without gaps', async () => {
    const store = await make()
    for (const id of ['a', 'b', 'c']) {
      await store.commit(change(id, { events: [envelope('started'), envelope('ended', 2)] }))
      await store.commit(change(id, { account: 'other', events: [envelope('started')] }))
    }
    const seen: string[] = []
    for (let cursor = 0; ; ) {
      const page = await store.eventsAfter('shop', cursor, 4)
      if (page.length === 0) break
      ok(page.length <= 4)
      seen.push(...page.map(event => `${event.id} ${event.type}`))
      cursor = page.at(-1)!.cursor
    }
    deepEqual(seen, ['a started', 'a ended', 'b started', 'b ended', 'c started', 'c ended'])
  })

  test('the events of an account are only its own, with all their fields', async () => {
    const store = await make()
    await store.commit(change('sale', { events: [envelope('started')] }))
    await store.commit(change('sale', { account: 'other', kind: 'report', events: [envelope('requested', 1, 5)] }))
    const feed = await store.eventsAfter('other', 0, 10)
    deepEqual(
      feed.map(({ cursor, ...event }) => event),
      [{ ...keyOf('sale', 'other', 'report'), ...envelope('requested', 1, 5) }],
    )
    deepEqual(await store.eventsAfter('nobody', 0, 10), [])
    deepEqual(await store.eventsAfter('other', feed[0]!.cursor, 10), [])
  })
}

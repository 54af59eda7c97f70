// test/contract/store/rewrites.ts — stored bodies are rewritten in batches, with a record of progress.
import { deepEqual, equal } from 'node:assert/strict'
import { test } from 'vitest'
import type { Store } from '../../../src/engine/ports/store.ts'
import { change, envelope, keyOf } from '../../support/changes.ts'

const OF = { account: 'shop', kind: 'transaction' }

export function exerciseRewrites(make: () => Promise<Store>): void {
  test('the events of all accounts are read in order of their cursors, page by page', async () => {
    const store = await make()
    await store.commit(change('a', { events: [envelope('started'), envelope('moved', 2)] }))
    await store.commit(change('b', { account: 'other', events: [envelope('started')] }))
    const all = await store.allEvents(0, 10)
    deepEqual(
      all.map(({ account, id, type }) => [account, id, type]),
      [
        ['shop', 'a', 'started'],
        ['shop', 'a', 'moved'],
        ['other', 'b', 'started'],
      ],
    )
    const [first, second] = await store.allEvents(0, 2)
    deepEqual([first, second], all.slice(0, 2))
    deepEqual(await store.allEvents(second!.cursor, 10), all.slice(2))
  })

  test('a rewrite changes only bodies, and stores its progress', async () => {
    const store = await make()
    await store.commit(change('sale', { lockKey: 'terminal 1', events: [envelope('started')] }))
    const [record] = await store.all('transaction', { limit: 1 })
    const [event] = await store.allEvents(0, 1)
    equal(await store.rewriteProgress('whole'), null)
    const written = await store.rewrite({
      name: 'whole',
      progress: { after: 7, finished: false },
      records: [{ ...OF, place: record!.position, before: record!.body, body: '{"new":1}' }],
      events: [{ ...OF, place: event!.cursor, before: event!.body, body: '{"new":2}' }],
    })
    equal(written, 2)
    deepEqual(await store.rewriteProgress('whole'), { after: 7, finished: false })
    deepEqual(await store.all('transaction', { limit: 1 }), [{ ...record, body: '{"new":1}' }])
    deepEqual(await store.allEvents(0, 1), [{ ...event, body: '{"new":2}' }])
    equal((await store.lockHolderOf('shop', 'terminal 1'))?.id, 'sale')
    const end = { after: 9, finished: true }
    equal(await store.rewrite({ name: 'whole', progress: end, records: [], events: [] }), 0)
    deepEqual(await store.rewriteProgress('whole'), end)
    equal(await store.rewriteProgress('another'), null)
  })

  test('a body that has changed since it was read is not rewritten', async () => {
    const store = await make()
    await store.commit(change('sale'))
    const [record] = await store.all('transaction', { limit: 1 })
    await store.commit(change('sale', { expectedVersion: 1 }))
    const changes = [{ ...OF, place: record!.position, before: record!.body, body: '{"old":1}' }]
    const batch = { name: 'whole', progress: { after: 1, finished: true }, records: changes, events: [] }
    equal(await store.rewrite(batch), 0)
    equal((await store.load(keyOf('sale')))?.body, JSON.stringify({ id: 'sale', version: 2 }))
  })
}

// test/contract/store/lists.ts — records in order of creation: an account's newest first, the gateway's oldest first.
import { deepEqual, ok } from 'node:assert/strict'
import { test } from 'vitest'
import type { ListedRecord, ListQuery, Store } from '../../../src/engine/ports/store.ts'
import { change, keyOf, NOON } from '../../support/changes.ts'

export function exerciseLists(make: () => Promise<Store>): void {
  const ids = (records: readonly ListedRecord[]) => records.map(({ id }) => id)
  const query = (named: Partial<ListQuery> = {}): ListQuery => ({ kind: 'transaction', limit: 100, ...named })

  /** Two parents, two accounts, two kinds; every second record has ended. */
  async function filled(): Promise<Store> {
    const store = await make()
    for (const [index, id] of ['a', 'b', 'c', 'd', 'e', 'f'].entries()) {
      const live = index % 2 === 0
      await store.commit(change(id, { parent: index < 3 ? 'till 1' : 'till 2', live }))
      await store.commit(change(`their ${id}`, { account: 'other', parent: 'till 1', live }))
      await store.commit(change(`report ${id}`, { kind: 'report', parent: 'till 1', live }))
    }
    return store
  }

  test('a list holds the records of one account and kind, newest first', async () => {
    const store = await filled()
    deepEqual(ids(await store.list('shop', query())), ['f', 'e', 'd', 'c', 'b', 'a'])
    deepEqual(ids(await store.list('nobody', query())), [])
    deepEqual(ids(await store.list('shop', query({ kind: 'table' }))), [])
  })

  test('a list can be limited to a parent, to live records, and to both', async () => {
    const store = await filled()
    deepEqual(ids(await store.list('shop', query({ parent: 'till 1' }))), ['c', 'b', 'a'])
    deepEqual(ids(await store.list('shop', query({ parent: 'till 3' }))), [])
    deepEqual(ids(await store.list('shop', query({ live: true }))), ['e', 'c', 'a'])
    deepEqual(ids(await store.list('shop', query({ live: false }))), ['f', 'd', 'b'])
    deepEqual(ids(await store.list('shop', query({ live: true, parent: 'till 2' }))), ['e'])
    deepEqual(ids(await store.list('shop', query({ live: false, parent: 'till 2' }))), ['f', 'd'])
  })

  test('a list is read page by page, with any filter', async () => {
    const store = await filled()
    for (const narrowed of [query(), query({ live: true }), query({ live: false, parent: 'till 2' })]) {
      const whole = ids(await store.list('shop', narrowed))
      const seen: string[] = []
      for (let before = Number.MAX_SAFE_INTEGER; ; ) {
        const page = await store.list('shop', { ...narrowed, before, limit: 2 })
        if (page.length === 0) break
        ok(page.length <= 2)
        seen.push(...ids(page))
        before = page.at(-1)!.position
      }
      deepEqual(seen, whole)
    }
  })

  test('a listed record is complete, and keeps its position when it changes', async () => {
    const store = await filled()
    const [before] = await store.list('shop', query({ before: (await store.list('shop', query()))[4]!.position }))
    await store.commit(change('a', { expectedVersion: 1, body: '"changed"', parent: 'till 1', at: NOON + 1 }))
    const [after] = await store.list('shop', query({ before: before!.position + 1 }))
    const { position } = before!
    const createdAt = NOON
    deepEqual(after, { position, createdAt, ...keyOf('a'), version: 2, body: '"changed"' })
    deepEqual(ids(await store.list('shop', query())).at(-1), 'a')
  })

  test('a record moves between lists when its parent or its liveness changes', async () => {
    const store = await filled()
    await store.commit(change('a', { expectedVersion: 1, parent: 'till 2', live: false }))
    await store.commit(change('b', { expectedVersion: 1, parent: 'till 2', live: true }))
    deepEqual(ids(await store.list('shop', query({ parent: 'till 1' }))), ['c'])
    deepEqual(ids(await store.list('shop', query({ parent: 'till 2' }))), ['f', 'e', 'd', 'b', 'a'])
    deepEqual(ids(await store.list('shop', query({ live: true }))), ['e', 'c', 'b'])
    deepEqual(ids(await store.list('shop', query({ live: false, parent: 'till 2' }))), ['f', 'd', 'a'])
    deepEqual(ids(await store.list('shop', query({ live: true, parent: 'till 1' }))), ['c'])
  })

  test('all records of a kind are in order of creation, over all accounts', async () => {
    const store = await filled()
    const everyone = ['a', 'their a', 'b', 'their b', 'c', 'their c', 'd', 'their d', 'e', 'their e', 'f', 'their f']
    deepEqual(ids(await store.all('transaction', { limit: 100 })), everyone)
    deepEqual(ids(await store.all('transaction', { live: true, limit: 3 })), ['a', 'their a', 'c'])
    deepEqual(ids(await store.all('report', { live: false, limit: 100 })), ['report b', 'report d', 'report f'])
    deepEqual([await store.countLive('transaction'), await store.countLive('report')], [6, 3])
    deepEqual(await store.countLive('table'), 0)
  })

  test('all records are read page by page', async () => {
    const store = await filled()
    for (const live of [true, false]) {
      const whole = ids(await store.all('transaction', { live, limit: 100 }))
      const seen: string[] = []
      for (let after = 0; ; ) {
        const page = await store.all('transaction', { live, after, limit: 4 })
        if (page.length === 0) break
        ok(page.length <= 4)
        seen.push(...ids(page))
        after = page.at(-1)!.position
      }
      deepEqual(seen, whole)
    }
  })
}

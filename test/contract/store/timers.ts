// test/contract/store/timers.ts — what a record waits for.
import { deepEqual, equal } from 'node:assert/strict'
import { test } from 'vitest'
import type { Store } from '../../../src/engine/ports/store.ts'
import { change, keyOf, NOON } from '../../support/changes.ts'

export function exerciseTimers(make: () => Promise<Store>): void {
  const names = async (store: Store) => (await store.dueTimers(Number.MAX_SAFE_INTEGER, 100)).map(({ name }) => name)

  test('a store without timers waits for nothing', async () => {
    const store = await make()
    equal(await store.nextTimerAt(), null)
    deepEqual(await store.dueTimers(Number.MAX_SAFE_INTEGER, 10), [])
  })

  test('a timer is due at its time and not before', async () => {
    const store = await make()
    await store.commit(change('sale', { timers: [{ name: 'patience', dueAt: NOON }] }))
    deepEqual(await store.dueTimers(NOON - 1, 10), [])
    deepEqual(await store.dueTimers(NOON, 10), [{ ...keyOf('sale'), name: 'patience', dueAt: NOON }])
    equal(await store.nextTimerAt(), NOON)
  })

  test('due timers come earliest first, over all accounts, and no more than asked for', async () => {
    const store = await make()
    await store.commit(
      change('a', {
        timers: [
          { name: 'third', dueAt: 30 },
          { name: 'first', dueAt: 10 },
        ],
      }),
    )
    await store.commit(change('b', { account: 'other', timers: [{ name: 'second', dueAt: 20 }] }))
    deepEqual(await names(store), ['first', 'second', 'third'])
    deepEqual(
      (await store.dueTimers(30, 2)).map(({ name }) => name),
      ['first', 'second'],
    )
    equal(await store.nextTimerAt(), 10)
  })

  test('the due timers of one account are its own, whatever else is due before them', async () => {
    const store = await make()
    await store.commit(change('a', { timers: [{ name: 'first', dueAt: 10 }] }))
    await store.commit(change('b', { account: 'other', timers: [{ name: 'second', dueAt: 20 }] }))
    await store.commit(change('c', { account: 'other', timers: [{ name: 'third', dueAt: 30 }] }))
    const of = async (until: number, limit: number, account: string) =>
      (await store.dueTimers(until, limit, { account })).map(({ name }) => name)
    deepEqual(await of(30, 10, 'other'), ['second', 'third'])
    deepEqual(await of(30, 1, 'other'), ['second'])
    deepEqual(await of(29, 10, 'other'), ['second'])
    deepEqual(await of(30, 10, 'nobody'), [])
  })

  test('timers due at the same time come in order of their records and names', async () => {
    const store = await make()
    await store.commit(
      change('b', {
        timers: [
          { name: 'z', dueAt: 10 },
          { name: 'y', dueAt: 10 },
        ],
      }),
    )
    await store.commit(change('a', { timers: [{ name: 'x', dueAt: 10 }] }))
    deepEqual(await names(store), ['y', 'z', 'x'])
  })

  test('a commit that says nothing of timers leaves them as they are', async () => {
    const store = await make()
    await store.commit(change('sale', { timers: [{ name: 'patience', dueAt: 10 }] }))
    await store.commit(change('sale', { expectedVersion: 1, timers: null, live: false }))
    deepEqual(await names(store), ['patience'])
  })

  test('a commit that names timers replaces all of the record’s, and no other’s', async () => {
    const store = await make()
    await store.commit(
      change('sale', {
        timers: [
          { name: 'patience', dueAt: 10 },
          { name: 'signature', dueAt: 20 },
        ],
      }),
    )
    await store.commit(change('refund', { timers: [{ name: 'refund', dueAt: 15 }] }))
    await store.commit(change('sale', { expectedVersion: 1, timers: [{ name: 'signature', dueAt: 5 }] }))
    deepEqual(await names(store), ['signature', 'refund'])
    equal(await store.nextTimerAt(), 5)
    await store.commit(change('sale', { expectedVersion: 2, timers: [] }))
    deepEqual(await names(store), ['refund'])
    equal(await store.nextTimerAt(), 15)
  })
}

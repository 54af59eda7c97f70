// test/contract/store/timers.ts — timers of records.
import { deepEqual, equal } from 'node:assert/strict'
import { test } from 'vitest'
import type { Store } from '../../../src/engine/ports/store.ts'
import { change, keyOf, NOON } from '../../support/changes.ts'

export function exerciseTimers(make: () => Promise<Store>): void {
  const names = async (store: Store) => (await store.dueTimers(Number.MAX_SAFE_INTEGER, 100)).map(({ name }) => name)

  test('a store without timers has none due', async () => {
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

  test('due timers are earliest first, over all accounts, up to the limit', async () => {
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

  test('the due timers of one account are only its own, even if others are due earlier', async () => {
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

  test('timers due at the same time are ordered by record and name', async () => {
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

  test('a commit without timers leaves them unchanged', async () => {
    const store = await make()
    await store.commit(change('sale', { timers: [{ name: 'patience', dueAt: 10 }] }))
    await store.commit(change('sale', { expectedVersion: 1, timers: null, live: false }))
    deepEqual(await names(store), ['patience'])
  })

  test('a commit with timers replaces all timers of its record, and of no other', async () => {
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

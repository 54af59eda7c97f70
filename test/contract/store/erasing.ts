// test/contract/store/erasing.ts — erased records leave no trace except their unique keys.
import { deepEqual, equal } from 'node:assert/strict'
import { test } from 'vitest'
import type { AccountImages } from '../../../src/engine/ports/account-images.ts'
import type { Store } from '../../../src/engine/ports/store.ts'
import { change, envelope, fullChange, keyOf, NOON } from '../../support/changes.ts'

const LIST = { kind: 'transaction', limit: 100 }

export function exerciseErasing(make: () => Promise<Store & AccountImages>): void {
  const at = (id: string, version = 1, account = 'shop') => ({ ...keyOf(id, account), version })

  test('an erased record is gone from every list, with its events, effects and timers; other records stay', async () => {
    const store = await make()
    for (const id of ['a', 'b', 'c']) await store.commit(fullChange(id))
    await store.commit(fullChange('b', { account: 'other', lockKey: null, effects: [], idempotency: null }))
    equal(await store.erase([at('b')]), 1)
    equal(await store.load(keyOf('b')), null)
    equal(await store.lockHolderOf('shop', 'terminal of b'), null)
    deepEqual(await store.eventsOf(keyOf('b')), [])
    deepEqual(
      (await store.eventsAfter('shop', 0, 9)).map(({ id }) => id),
      ['a', 'c'],
    )
    deepEqual(
      (await store.undoneEffects(9)).map(({ id }) => id),
      ['a', 'c'],
    )
    deepEqual(
      (await store.dueTimers(NOON + 5_000, 9, { account: 'shop' })).map(({ id }) => id),
      ['a', 'c'],
    )
    for (const query of [LIST, { ...LIST, live: true }, { ...LIST, parent: 'till 1' }])
      deepEqual(
        (await store.list('shop', query)).map(({ id }) => id),
        ['c', 'a'],
      )
    equal((await store.load(keyOf('b', 'other')))?.version, 1)
    equal((await store.eventsOf(keyOf('b', 'other'))).length, 1)
  })

  test('a record that has changed since it was read stays; erasing a missing one does nothing', async () => {
    const store = await make()
    await store.commit(change('sale'))
    await store.commit(change('sale', { expectedVersion: 1 }))
    equal(await store.erase([at('sale', 1), at('nobody'), at('sale', 2, 'other')]), 0)
    equal((await store.load(keyOf('sale')))?.version, 2)
    equal(await store.erase([]), 0)
  })

  test('the unique keys of an erased record stay taken, without a holder', async () => {
    const store = await make()
    await store.commit(change('sale', { uniqueKeys: ['order 7'] }))
    equal(await store.erase([at('sale')]), 1)
    equal(await store.uniqueKeyHolderOf('shop', 'order 7'), null)
    // A store may give the new record the position of the old one.
    equal(await store.commit(change('next', { uniqueKeys: ['order 7'] })), 'unique_key_taken')
    equal(await store.commit(change('next', { uniqueKeys: ['order 8'] })), 'written')
    equal(await store.commit(change('sale', { uniqueKeys: ['order 7'] })), 'unique_key_taken')
    equal(await store.uniqueKeyHolderOf('shop', 'order 7'), null)
    equal(await store.commit(change('next', { uniqueKeys: ['order 7'], expectedVersion: 1 })), 'unique_key_taken')
  })

  test('a lock key of an erased record is free, and its id can be created again', async () => {
    const store = await make()
    await store.commit(fullChange('a', { idempotency: null }))
    await store.erase([at('a')])
    equal(await store.commit(fullChange('a', { idempotency: null, events: [envelope('anew')] })), 'written')
    deepEqual(
      (await store.eventsOf(keyOf('a'))).map(({ type }) => type),
      ['anew'],
    )
  })

  test('a cursor is never reused, even if the newest event was erased', async () => {
    const store = await make()
    await store.commit(change('a', { events: [envelope('first')] }))
    const [first] = await store.eventsAfter('shop', 0, 9)
    await store.erase([at('a')])
    await store.commit(change('b', { events: [envelope('second')] }))
    const [second] = await store.eventsAfter('shop', 0, 9)
    equal((second?.cursor ?? 0) > (first?.cursor ?? 0), true)
  })

  test('an account restored to a state before an erasure holds its unique keys again', async () => {
    const store = await make()
    await store.commit(change('sale', { uniqueKeys: ['order 7'] }))
    const image = await store.imageOf('shop', [])
    await store.erase([at('sale')])
    await store.putImage('shop', [], image)
    equal((await store.uniqueKeyHolderOf('shop', 'order 7'))?.id, 'sale')
  })
}

// test/contract/store/exclusives.ts — an exclusive key has one live holder in the whole store.
import { equal } from 'node:assert/strict'
import { test } from 'vitest'
import type { Store } from '../../../src/engine/ports/store.ts'
import { change, keyOf } from '../../support/changes.ts'

export function exerciseExclusives(make: () => Promise<Store>): void {
  const exclusive = 'terminal 22160001'

  test('the holder of an exclusive key is found by it', async () => {
    const store = await make()
    equal(await store.holderOf(exclusive), null)
    await store.commit(change('sale', { exclusive, body: '"holder"' }))
    equal((await store.holderOf(exclusive))?.id, 'sale')
    equal((await store.holderOf(exclusive))?.body, '"holder"')
  })

  test('an exclusive key that is held is refused, even to another account', async () => {
    const store = await make()
    await store.commit(change('sale', { exclusive }))
    equal(await store.commit(change('refund', { exclusive })), 'exclusive_taken')
    equal(await store.commit(change('sale', { exclusive, account: 'other' })), 'exclusive_taken')
    equal(await store.load(keyOf('refund')), null)
    equal((await store.holderOf(exclusive))?.account, 'shop')
  })

  test('a holder changes without losing its key', async () => {
    const store = await make()
    await store.commit(change('sale', { exclusive }))
    equal(await store.commit(change('sale', { exclusive, expectedVersion: 1 })), 'written')
    equal(await store.commit(change('refund', { exclusive })), 'exclusive_taken')
    equal((await store.holderOf(exclusive))?.version, 2)
  })

  test('the end of a record releases its key', async () => {
    const store = await make()
    await store.commit(change('sale', { exclusive }))
    await store.commit(change('sale', { exclusive, expectedVersion: 1, live: false }))
    equal(await store.holderOf(exclusive), null)
    equal(await store.commit(change('refund', { exclusive })), 'written')
    equal((await store.holderOf(exclusive))?.id, 'refund')
  })

  test('a record that has ended is not stopped by the new holder of its key', async () => {
    const store = await make()
    await store.commit(change('sale', { exclusive, live: false }))
    await store.commit(change('refund', { exclusive }))
    equal(await store.commit(change('sale', { exclusive, expectedVersion: 1, live: false })), 'written')
    equal((await store.holderOf(exclusive))?.id, 'refund')
  })

  test('a record that comes to life again must find its key free', async () => {
    const store = await make()
    await store.commit(change('sale', { exclusive, live: false }))
    await store.commit(change('refund', { exclusive }))
    equal(await store.commit(change('sale', { exclusive, expectedVersion: 1 })), 'exclusive_taken')
    await store.commit(change('refund', { exclusive, expectedVersion: 1, live: false }))
    equal(await store.commit(change('sale', { exclusive, expectedVersion: 1 })), 'written')
  })

  test('a record that asks for another key, or for none, lets go of the first', async () => {
    const store = await make()
    await store.commit(change('sale', { exclusive }))
    await store.commit(change('sale', { exclusive: 'terminal 22160002', expectedVersion: 1 }))
    equal(await store.holderOf(exclusive), null)
    equal((await store.holderOf('terminal 22160002'))?.id, 'sale')
    await store.commit(change('sale', { exclusive: null, expectedVersion: 2 }))
    equal(await store.holderOf('terminal 22160002'), null)
  })

  test('records without an exclusive key do not get in each other’s way', async () => {
    const store = await make()
    equal(await store.commit(change('sale')), 'written')
    equal(await store.commit(change('refund')), 'written')
  })

  test('a version that has moved is told before a key that is taken', async () => {
    const store = await make()
    await store.commit(change('sale', { exclusive }))
    equal(await store.commit(change('refund', { exclusive, expectedVersion: 4 })), 'version_moved')
  })
}

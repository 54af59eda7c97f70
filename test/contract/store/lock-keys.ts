// test/contract/store/lock-keys.ts — a lock key has one live holder in its account.
import { deepEqual, equal } from 'node:assert/strict'
import { test } from 'vitest'
import type { Store } from '../../../src/engine/ports/store.ts'
import { change, keyOf } from '../../support/changes.ts'

export function exerciseExclusives(make: () => Promise<Store>): void {
  const lockKey = 'terminal 22160001'

  test('the holder of a lock key is found by the key', async () => {
    const store = await make()
    equal(await store.lockHolderOf('shop', lockKey), null)
    await store.commit(change('sale', { lockKey, body: '"holder"' }))
    equal((await store.lockHolderOf('shop', lockKey))?.id, 'sale')
    equal((await store.lockHolderOf('shop', lockKey))?.body, '"holder"')
  })

  test('a held lock key is refused to all others of its account', async () => {
    const store = await make()
    await store.commit(change('sale', { lockKey }))
    equal(await store.commit(change('refund', { lockKey })), 'lock_key_taken')
    equal(await store.load(keyOf('refund')), null)
    equal((await store.lockHolderOf('shop', lockKey))?.id, 'sale')
  })

  test('the same key of another account is another key', async () => {
    const store = await make()
    for (const key of [lockKey, 'terminal:22160001', 'order:7/1']) {
      await store.commit(change(`mine ${key}`, { lockKey: key }))
      equal(await store.lockHolderOf('other', key), null)
      equal(await store.commit(change(`theirs ${key}`, { lockKey: key, account: 'other' })), 'written')
      equal((await store.lockHolderOf('shop', key))?.id, `mine ${key}`)
      equal((await store.lockHolderOf('other', key))?.id, `theirs ${key}`)
    }
  })

  test('an account key has one live holder in the whole store, and is found without naming the account', async () => {
    const store = await make()
    const key = 'api-key:5f0c'
    equal(await store.accountKeyHolderOf(key), null)
    await store.commit(change('k1', { kind: 'api-key', lockKey: key, body: '"holder"' }))
    deepEqual(await store.accountKeyHolderOf(key), { ...keyOf('k1', 'shop', 'api-key'), version: 1, body: '"holder"' })
    equal(await store.commit(change('k2', { kind: 'api-key', account: 'other', lockKey: key })), 'lock_key_taken')
    await store.commit(change('k1', { kind: 'api-key', expectedVersion: 1, lockKey: key, live: false }))
    equal(await store.accountKeyHolderOf(key), null)
    equal(await store.commit(change('k2', { kind: 'api-key', account: 'other', lockKey: key })), 'written')
    equal((await store.accountKeyHolderOf(key))?.account, 'other')
  })

  test('a holder changes without losing its key', async () => {
    const store = await make()
    await store.commit(change('sale', { lockKey }))
    equal(await store.commit(change('sale', { lockKey, expectedVersion: 1 })), 'written')
    equal(await store.commit(change('refund', { lockKey })), 'lock_key_taken')
    equal((await store.lockHolderOf('shop', lockKey))?.version, 2)
  })

  test('the end of a record releases its key', async () => {
    const store = await make()
    await store.commit(change('sale', { lockKey }))
    await store.commit(change('sale', { lockKey, expectedVersion: 1, live: false }))
    equal(await store.lockHolderOf('shop', lockKey), null)
    equal(await store.commit(change('refund', { lockKey })), 'written')
    equal((await store.lockHolderOf('shop', lockKey))?.id, 'refund')
  })

  test('an ended record can change although its former key has a new holder', async () => {
    const store = await make()
    await store.commit(change('sale', { lockKey, live: false }))
    await store.commit(change('refund', { lockKey }))
    equal(await store.commit(change('sale', { lockKey, expectedVersion: 1, live: false })), 'written')
    equal((await store.lockHolderOf('shop', lockKey))?.id, 'refund')
  })

  test('a record that becomes live again needs its key to be free', async () => {
    const store = await make()
    await store.commit(change('sale', { lockKey, live: false }))
    await store.commit(change('refund', { lockKey }))
    equal(await store.commit(change('sale', { lockKey, expectedVersion: 1 })), 'lock_key_taken')
    await store.commit(change('refund', { lockKey, expectedVersion: 1, live: false }))
    equal(await store.commit(change('sale', { lockKey, expectedVersion: 1 })), 'written')
  })

  test('a record that takes another key, or none, releases the first', async () => {
    const store = await make()
    await store.commit(change('sale', { lockKey }))
    await store.commit(change('sale', { lockKey: 'terminal 22160002', expectedVersion: 1 }))
    equal(await store.lockHolderOf('shop', lockKey), null)
    equal((await store.lockHolderOf('shop', 'terminal 22160002'))?.id, 'sale')
    await store.commit(change('sale', { lockKey: null, expectedVersion: 2 }))
    equal(await store.lockHolderOf('shop', 'terminal 22160002'), null)
  })

  test('records without a lock key do not block each other', async () => {
    const store = await make()
    equal(await store.commit(change('sale')), 'written')
    equal(await store.commit(change('refund')), 'written')
  })

  test('a version conflict is reported before a held key', async () => {
    const store = await make()
    await store.commit(change('sale', { lockKey }))
    equal(await store.commit(change('refund', { lockKey, expectedVersion: 4 })), 'version_moved')
  })
}

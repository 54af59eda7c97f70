// test/contract/store/unique-keys.ts — a unique key has one holder for ever in its account.
import { deepEqual, equal } from 'node:assert/strict'
import { test } from 'vitest'
import type { AccountImages } from '../../../src/engine/ports/account-images.ts'
import type { Store } from '../../../src/engine/ports/store.ts'
import { answered, change, keyOf } from '../../support/changes.ts'

export function exerciseClaims(make: () => Promise<Store & AccountImages>): void {
  const uniqueKeys = ['order 7 of shop', 'reference 12']

  test('the holder of a unique key is found by the key', async () => {
    const store = await make()
    equal(await store.uniqueKeyHolderOf('shop', 'reference 12'), null)
    equal(await store.commit(change('sale', { uniqueKeys, body: '"claimant"' })), 'written')
    equal((await store.uniqueKeyHolderOf('shop', 'reference 12'))?.id, 'sale')
    equal((await store.uniqueKeyHolderOf('shop', 'order 7 of shop'))?.body, '"claimant"')
  })

  test('a taken key is refused to all others, and nothing of the commit is written', async () => {
    const store = await make()
    await store.commit(change('sale', { uniqueKeys }))
    equal(await store.commit(change('refund', { uniqueKeys: ['free', 'reference 12'] })), 'unique_key_taken')
    equal(await store.load(keyOf('refund')), null)
    equal(await store.uniqueKeyHolderOf('shop', 'free'), null)
    equal((await store.uniqueKeyHolderOf('shop', 'reference 12'))?.id, 'sale')
  })

  test('the same key of another account is another key', async () => {
    const store = await make()
    await store.commit(change('mine', { uniqueKeys }))
    equal(await store.uniqueKeyHolderOf('other', 'reference 12'), null)
    equal(await store.commit(change('theirs', { uniqueKeys, account: 'other' })), 'written')
    equal((await store.uniqueKeyHolderOf('shop', 'reference 12'))?.id, 'mine')
    equal((await store.uniqueKeyHolderOf('other', 'reference 12'))?.id, 'theirs')
  })

  test('an account key has one holder for ever in the whole store, and is found without naming the account', async () => {
    const store = await make()
    const [key] = ['api-key-id:7'] as const
    equal(await store.accountKeyHolderOf(key), null)
    await store.commit(change('k1', { kind: 'api-key', uniqueKeys: [key] }))
    equal((await store.accountKeyHolderOf(key))?.id, 'k1')
    const theirs = change('k2', { kind: 'api-key', account: 'other', uniqueKeys: [key] })
    equal(await store.commit(theirs), 'unique_key_taken')
    await store.commit(change('k1', { kind: 'api-key', expectedVersion: 1, live: false }))
    equal((await store.accountKeyHolderOf(key))?.version, 2)
    equal(await store.commit(theirs), 'unique_key_taken')
    await store.erase([{ ...keyOf('k1', 'shop', 'api-key'), version: 2 }])
    equal(await store.accountKeyHolderOf(key), null)
    equal(await store.commit(theirs), 'unique_key_taken')
  })

  test('an ended record keeps its keys', async () => {
    const store = await make()
    await store.commit(change('sale', { uniqueKeys }))
    await store.commit(change('sale', { expectedVersion: 1, live: false }))
    equal((await store.uniqueKeyHolderOf('shop', 'reference 12'))?.version, 2)
    equal(await store.commit(change('refund', { uniqueKeys })), 'unique_key_taken')
  })

  test('a record can take further keys, and the same one twice', async () => {
    const store = await make()
    await store.commit(change('sale', { uniqueKeys }))
    equal(await store.commit(change('sale', { uniqueKeys: ['reference 12', 'more'], expectedVersion: 1 })), 'written')
    equal((await store.uniqueKeyHolderOf('shop', 'more'))?.id, 'sale')
    equal((await store.uniqueKeyHolderOf('shop', 'reference 12'))?.id, 'sale')
  })

  test('of a hundred that want the same key at once, one gets it', async () => {
    const store = await make()
    const results = await Promise.all(
      Array.from({ length: 100 }, (_, index) => store.commit(change(`p${index}`, { uniqueKeys: ['the one'] }))),
    )
    equal(results.filter(result => result === 'written').length, 1)
    equal(results.filter(result => result === 'unique_key_taken').length, 99)
    equal((await store.list('shop', { kind: 'transaction', limit: 200 })).length, 1)
  })

  test('a version conflict, a held lock key and a repeated request are reported before a taken unique key', async () => {
    const store = await make()
    await store.commit(change('sale', { uniqueKeys, lockKey: 'till', idempotency: answered('request') }))
    equal(await store.commit(change('refund', { uniqueKeys, expectedVersion: 3 })), 'version_moved')
    equal(await store.commit(change('refund', { uniqueKeys, lockKey: 'till' })), 'lock_key_taken')
    equal(
      await store.commit(change('refund', { uniqueKeys, idempotency: answered('request') })),
      'idempotency_key_taken',
    )
  })

  test('a restored account has exactly the keys that it had then', async () => {
    const store = await make()
    await store.commit(change('sale', { uniqueKeys }))
    await store.commit(change('theirs', { account: 'other', uniqueKeys: ['of other'] }))
    await store.commit(change('k', { kind: 'api-key', uniqueKeys: ['of the key'] }))
    const image = await store.imageOf('shop', ['api-key'])
    deepEqual(image.records[0]?.claims, ['shop/order 7 of shop', 'shop/reference 12'])
    await store.commit(change('refund', { uniqueKeys: ['later'] }))
    await store.putImage('shop', ['api-key'], image)
    deepEqual(await store.imageOf('shop', ['api-key']), image)
    equal((await store.uniqueKeyHolderOf('shop', 'reference 12'))?.id, 'sale')
    equal(await store.uniqueKeyHolderOf('shop', 'later'), null)
    equal((await store.uniqueKeyHolderOf('other', 'of other'))?.id, 'theirs')
    equal((await store.uniqueKeyHolderOf('shop', 'of the key'))?.id, 'k')
    equal(await store.commit(change('refund', { uniqueKeys: ['later'] })), 'written')
  })
}

// test/contract/store/odd-text.ts — characters that callers can send and not every database stores: U+0000, and halves of pairs.
import { deepEqual, equal } from 'node:assert/strict'
import { test } from 'vitest'
import type { AccountImages } from '../../../src/engine/ports/account-images.ts'
import type { Store } from '../../../src/engine/ports/store.ts'
import { change, keyOf } from '../../support/changes.ts'

export function exerciseOddText(make: () => Promise<Store & AccountImages>): void {
  test.each([
    ['U+0000', 'a\0b'],
    ['half of a surrogate pair', 'a\ud83db'],
  ])('an id with %s is found or not, like any other', async (_, odd) => {
    const store = await make()
    const answers = () =>
      Promise.all([
        store.load(keyOf(odd)),
        store.load(keyOf('sale', odd)),
        store.lockHolderOf('shop', odd),
        store.uniqueKeyHolderOf('shop', odd),
        store.idempotencyOf('shop', odd),
        store.accountKeyHolderOf(`api-key:${odd}`),
      ])
    deepEqual(await answers(), [null, null, null, null, null, null])
    deepEqual(await store.list('shop', { kind: 'transaction', parent: odd, limit: 9 }), [])
    deepEqual(await store.eventsOf(keyOf(odd)), [])
    const terms = [`orderId=${odd}`]
    const idempotency = { key: odd, fingerprint: 'f', answer: '{}', expiresAt: 1 }
    const keys = { lockKey: odd, uniqueKeys: [odd], searchTerms: { added: terms, removed: [] }, idempotency }
    equal(await store.commit(change(odd, { ...keys, parent: odd })), 'written')
    const [found, , locked, unique, answer] = await answers()
    deepEqual(
      [found, locked, unique].map(record => record?.version),
      [1, 1, 1],
    )
    equal(answer?.answer, '{}')
    equal((await store.list('shop', { kind: 'transaction', parent: odd, limit: 9 })).length, 1)
    equal((await store.search('shop', { kind: 'transaction', terms, limit: 9 })).records.length, 1)
    equal(await store.commit(change(odd)), 'version_moved')
    equal(await store.commit(change('other', { lockKey: odd })), 'lock_key_taken')
    equal(await store.commit(change('other', { uniqueKeys: [odd] })), 'unique_key_taken')
  })
}

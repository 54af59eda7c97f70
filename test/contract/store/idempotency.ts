// test/contract/store/idempotency.ts — a request with an idempotency key is executed once until the key expires.
import { deepEqual, equal } from 'node:assert/strict'
import { test } from 'vitest'
import type { Store } from '../../../src/engine/ports/store.ts'
import { answered, change, keyOf, NOON } from '../../support/changes.ts'

export function exerciseIdempotency(make: () => Promise<Store>): void {
  test('the first answer to a key is stored with its commit', async () => {
    const store = await make()
    equal(await store.idempotencyOf('shop', 'k1'), null)
    await store.commit(change('sale', { idempotency: answered('k1') }))
    deepEqual(await store.idempotencyOf('shop', 'k1'), answered('k1'))
  })

  test('a used key is refused, and the first answer stays', async () => {
    const store = await make()
    await store.commit(change('sale', { idempotency: answered('k1') }))
    const again = change('refund', { idempotency: answered('k1', { answer: '"second"' }) })
    equal(await store.commit(again), 'idempotency_key_taken')
    equal(await store.load(keyOf('refund')), null)
    deepEqual(await store.idempotencyOf('shop', 'k1'), answered('k1'))
  })

  test('a key belongs to its account', async () => {
    const store = await make()
    await store.commit(change('sale', { idempotency: answered('k1') }))
    equal(await store.idempotencyOf('other', 'k1'), null)
    const theirs = answered('k1', { answer: '"theirs"' })
    equal(await store.commit(change('sale', { account: 'other', idempotency: theirs })), 'written')
    deepEqual(await store.idempotencyOf('shop', 'k1'), answered('k1'))
    deepEqual(await store.idempotencyOf('other', 'k1'), theirs)
  })

  test('a repeated request is refused as a repetition, before the lock key that its first try holds', async () => {
    const store = await make()
    const first = { lockKey: 'terminal 22160001', idempotency: answered('k1') }
    await store.commit(change('sale', first))
    equal(await store.commit(change('sale again', first)), 'idempotency_key_taken')
    equal(await store.commit(change('sale', first)), 'idempotency_key_taken')
  })

  test('a key is free from the time at which it expires', async () => {
    const store = await make()
    await store.commit(change('sale', { idempotency: answered('k1', { expiresAt: NOON + 1_000 }) }))
    const early = change('refund', { at: NOON + 999, idempotency: answered('k1') })
    equal(await store.commit(early), 'idempotency_key_taken')
    const later = answered('k1', { answer: '"later"', expiresAt: NOON + 5_000 })
    equal(await store.commit(change('refund', { at: NOON + 1_000, idempotency: later })), 'written')
    deepEqual(await store.idempotencyOf('shop', 'k1'), later)
  })

  test('expired keys are deleted and counted, and the others stay', async () => {
    const store = await make()
    await store.commit(change('a', { idempotency: answered('k1', { expiresAt: NOON + 1 }) }))
    await store.commit(change('b', { idempotency: answered('k2', { expiresAt: NOON + 2 }) }))
    await store.commit(change('c', { idempotency: answered('k3', { expiresAt: NOON + 3 }) }))
    equal(await store.forgetExpired(NOON), 0)
    equal(await store.forgetExpired(NOON + 2), 2)
    equal(await store.idempotencyOf('shop', 'k1'), null)
    equal(await store.idempotencyOf('shop', 'k2'), null)
    deepEqual(await store.idempotencyOf('shop', 'k3'), answered('k3', { expiresAt: NOON + 3 }))
    equal((await store.load(keyOf('a')))?.version, 1)
  })

  test('any number of expired keys is deleted in one call', async () => {
    const store = await make()
    const ids = Array.from({ length: 2_500 }, (_, index) => `k${index}`)
    await Promise.all(ids.map(id => store.commit(change(id, { idempotency: answered(id) }))))
    equal(await store.forgetExpired(NOON + 1_000), 2_500)
    equal(await store.forgetExpired(NOON + 1_000), 0)
  })
}

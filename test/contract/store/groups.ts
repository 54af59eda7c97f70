// test/contract/store/groups.ts — concurrent commits are independent of each other.
import { deepEqual, equal } from 'node:assert/strict'
import { test } from 'vitest'
import type { Store } from '../../../src/engine/ports/store.ts'
import { change, effect, envelope, fullChange, keyOf, NOON } from '../../support/changes.ts'

export function exerciseGroups(make: () => Promise<Store>): void {
  test('of many changes decided on one version, exactly one is written', async () => {
    const store = await make()
    for (let version = 0; version < 5; version++) {
      const rivals = Array.from({ length: 200 }, (_, rival) =>
        change('sale', {
          expectedVersion: version,
          body: `"rival ${rival}"`,
          events: [envelope(`rival ${rival}`, version + 1)],
        }),
      )
      const results = await Promise.all(rivals.map(rival => store.commit(rival)))
      equal(results.filter(result => result === 'written').length, 1)
      equal(results.filter(result => result === 'version_moved').length, 199)
      const record = await store.load(keyOf('sale'))
      const event = (await store.eventsOf(keyOf('sale'))).at(-1)
      equal(record?.version, version + 1)
      equal(record?.body, `"${event?.type}"`)
    }
    equal((await store.eventsOf(keyOf('sale'))).length, 5)
  })

  test('of many records that want one lock key, exactly one gets it', async () => {
    const store = await make()
    const rivals = Array.from({ length: 200 }, (_, rival) => change(`sale ${rival}`, { lockKey: 'terminal 1' }))
    const results = await Promise.all(rivals.map(rival => store.commit(rival)))
    equal(results.filter(result => result === 'written').length, 1)
    equal(results.filter(result => result === 'lock_key_taken').length, 199)
    equal((await store.lockHolderOf('shop', 'terminal 1'))?.id, rivals[results.indexOf('written')]?.id)
    equal((await store.all('transaction', { limit: 1_000 })).length, 1)
  })

  test('changes of different records are all written', async () => {
    const store = await make()
    const ids = Array.from({ length: 1_000 }, (_, index) => `sale ${index}`)
    const results = await Promise.all(ids.map(id => store.commit(fullChange(id))))
    deepEqual(new Set(results), new Set(['written']))
    deepEqual(
      (await store.all('transaction', { limit: 2_000 })).map(({ id }) => id),
      ids,
    )
    equal((await store.undoneEffects(2_000)).length, 1_000)
    equal((await store.dueTimers(NOON + 5_000, 2_000)).length, 1_000)
  })

  test('a refused commit leaves nothing behind, and others are written', async () => {
    const store = await make()
    await store.commit(fullChange('holder'))
    const results = await Promise.all([
      store.commit(fullChange('before')),
      store.commit(fullChange('late', { expectedVersion: 1 })),
      store.commit(fullChange('busy', { lockKey: 'terminal of holder' })),
      store.commit(fullChange('again', { idempotency: fullChange('holder').idempotency })),
      store.commit(fullChange('after')),
    ])
    deepEqual(results, ['written', 'version_moved', 'lock_key_taken', 'idempotency_key_taken', 'written'])
    await assertOnly(store, ['holder', 'before', 'after'])
  })

  test('a commit that fails leaves nothing behind, and others are written', async () => {
    const store = await make()
    const twins = [effect('twin'), effect('twin')]
    const results = await Promise.allSettled([
      store.commit(fullChange('before')),
      store.commit(fullChange('bug', { effects: twins })),
      store.effectsDone('shop', ['before.1.start']),
      store.commit(fullChange('after')),
    ])
    deepEqual(
      results.map(({ status }) => status),
      ['fulfilled', 'rejected', 'fulfilled', 'fulfilled'],
    )
    await assertOnly(store, ['before', 'after'], ['after'])
  })

  /** Checks every place that `fullChange` writes to. */
  async function assertOnly(store: Store, ids: readonly string[], withEffect = ids): Promise<void> {
    const found = (items: readonly { readonly id: string }[]) => items.map(({ id }) => id)
    deepEqual(found(await store.all('transaction', { limit: 10 })), ids)
    deepEqual(found(await store.list('shop', { kind: 'transaction', parent: 'till 1', limit: 10 })), ids.toReversed())
    deepEqual(found(await store.eventsAfter('shop', 0, 10)), ids)
    deepEqual(found(await store.undoneEffects(10)), withEffect)
    deepEqual(found(await store.dueTimers(NOON + 5_000, 10)), ids)
    for (const id of ['late', 'busy', 'again', 'bug']) {
      equal(await store.load(keyOf(id)), null)
      equal(await store.lockHolderOf('shop', `terminal of ${id}`), null)
      equal(await store.idempotencyOf('shop', `request of ${id}`), null)
    }
  }
}

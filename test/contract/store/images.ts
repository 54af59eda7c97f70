// test/contract/store/images.ts — all records of an account, taken as one value and restored.
import { deepEqual, equal, ok, rejects } from 'node:assert/strict'
import { test } from 'vitest'
import type { AccountImages } from '../../../src/engine/ports/account-images.ts'
import type { Store } from '../../../src/engine/ports/store.ts'
import { laneOf } from '../../../src/engine/work-leases.ts'
import { answered, change, effect, envelope, fullChange, keyOf, NOON } from '../../support/changes.ts'

const EXCEPT = ['api-key']
const LIST = { kind: 'transaction', limit: 100 }

export function exerciseImages(make: () => Promise<Store & AccountImages>): void {
  /** All that a reader can see of an account. */
  async function seen(store: Store, account: string) {
    const records = await store.list(account, LIST)
    return {
      records: records.map(({ id, version, body }) => ({ id, version, body })),
      live: (await store.list(account, { ...LIST, live: true })).map(({ id }) => id),
      ofParent: (await store.list(account, { ...LIST, parent: 'till 1' })).map(({ id }) => id),
      events: await store.eventsAfter(account, 0, 100),
      effects: (await store.undoneEffects(100)).filter(undone => undone.account === account),
      timers: await store.dueTimers(Number.MAX_SAFE_INTEGER, 100, { account }),
      holders: await Promise.all(['a', 'b', 'c'].map(id => store.lockHolderOf(account, `terminal of ${id}`))),
      keys: await Promise.all(['a', 'b', 'c'].map(id => store.idempotencyOf(account, `request of ${id}`))),
    }
  }

  async function filled(): Promise<Store & AccountImages> {
    const store = await make()
    await store.commit(fullChange('a'))
    await store.commit(fullChange('x', { account: 'other', lockKey: 'terminal of x' }))
    await store.commit(fullChange('b'))
    await store.commit(change('k', { kind: 'api-key', lockKey: 'key', events: [envelope('created')] }))
    return store
  }

  test('a restored account is as it was, and other accounts are unchanged', async () => {
    const store = await filled()
    const [before, neighbour] = [await seen(store, 'shop'), await seen(store, 'other')]
    const image = await store.imageOf('shop', EXCEPT)
    const ended = { expectedVersion: 1, live: false, timers: [], events: [envelope('ended', 2)] }
    await store.commit(fullChange('a', { ...ended, effects: [], effectsDone: ['a.1.start'], idempotency: null }))
    await store.commit(fullChange('c'))
    await store.effectsDone('shop', ['b.1.start'])
    await store.putImage('shop', EXCEPT, image)
    deepEqual(await seen(store, 'shop'), before)
    deepEqual(await seen(store, 'other'), neighbour)
    deepEqual(await store.imageOf('shop', EXCEPT), image)
  })

  test('records of excluded kinds stay, with their events', async () => {
    const store = await filled()
    await store.putImage('shop', EXCEPT, { records: [], idempotency: [] })
    deepEqual(await store.list('shop', LIST), [])
    equal((await store.load(keyOf('k', 'shop', 'api-key')))?.version, 1)
    equal((await store.lockHolderOf('shop', 'key'))?.id, 'k')
    deepEqual(
      (await store.eventsAfter('shop', 0, 100)).map(({ kind }) => kind),
      ['api-key'],
    )
    equal(await store.idempotencyOf('shop', 'request of a'), null)
  })

  test('later writes continue from there, and cursors only grow', async () => {
    const store = await filled()
    const image = await store.imageOf('shop', EXCEPT)
    await store.commit(fullChange('c'))
    const [latest] = (await store.eventsAfter('shop', 0, 100)).slice(-1)
    await store.putImage('shop', EXCEPT, image)
    const next = { expectedVersion: 1, idempotency: null, effects: [effect('a.2.next')] }
    equal(await store.commit(fullChange('a', { ...next, events: [envelope('prompted', 2)] })), 'written')
    equal(await store.commit(fullChange('c')), 'written')
    equal(await store.commit(fullChange('d', { lockKey: 'terminal of b' })), 'lock_key_taken')
    const events = await store.eventsAfter('shop', latest?.cursor ?? 0, 100)
    deepEqual(
      events.map(({ id, type }) => `${id} ${type}`),
      ['a prompted', 'c started'],
    )
    deepEqual(
      (await store.list('shop', LIST)).map(({ id }) => id),
      ['c', 'b', 'a'],
    )
    equal(await store.commit(change('e', { idempotency: answered('request of b'), at: NOON })), 'idempotency_key_taken')
  })

  test('a restore under the lease of the lane is written; under a lost one it is refused and changes nothing', async () => {
    const store = await filled()
    const image = await store.imageOf('shop', EXCEPT)
    await store.commit(fullChange('c'))
    const before = await seen(store, 'shop')
    const lane = laneOf('shop', store.lanes.count)
    const lease = (await store.claimLanes()).leases.find(each => each.lane === lane)
    ok(lease !== undefined)
    for (const fence of [lease.fence - 1, lease.fence + 1])
      await rejects(store.putImage('shop', EXCEPT, image, { lane, fence }), { code: 'lease_lost' })
    deepEqual(await seen(store, 'shop'), before)
    await store.putImage('shop', EXCEPT, image, lease)
    deepEqual(await store.imageOf('shop', EXCEPT), image)
  })

  test('an account without records has an empty image', async () => {
    const store = await filled()
    deepEqual(await store.imageOf('nobody', EXCEPT), { records: [], idempotency: [] })
    await store.putImage('nobody', EXCEPT, { records: [], idempotency: [] })
    equal((await store.list('shop', LIST)).length, 2)
  })
}

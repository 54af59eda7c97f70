// test/contract/store/leases.ts — lanes of work are leased, and a commit under a lost lease is refused.
import { deepEqual, equal } from 'node:assert/strict'
import { test } from 'vitest'
import type { Lease, Store } from '../../../src/engine/ports/store.ts'
import { laneOf } from '../../../src/engine/work-leases.ts'
import { change, effect, envelope, keyOf } from '../../support/changes.ts'

export function exerciseLeases(make: () => Promise<Store>): void {
  async function claimed(store: Store): Promise<Lease> {
    const lane = laneOf('shop', store.lanes.count)
    const lease = (await store.claimLanes()).leases.find(each => each.lane === lane)
    if (lease === undefined) throw new Error('a store of one process gives it every lane')
    return lease
  }

  test('a single process gets every lane, and the same leases when it claims again', async () => {
    const store = await make()
    const claim = await store.claimLanes()
    deepEqual(
      claim.leases.map(({ lane }) => lane),
      Array.from({ length: store.lanes.count }, (_, lane) => lane),
    )
    equal(claim.surplus, 0)
    deepEqual(await store.claimLanes(), claim)
  })

  test('a commit under the lease of its lane is written', async () => {
    const store = await make()
    const lease = await claimed(store)
    equal(await store.commit(change('sale', { lease })), 'written')
    equal((await store.load(keyOf('sale')))?.version, 1)
  })

  test('a commit under another fence is refused and changes nothing', async () => {
    const store = await make()
    const lease = await claimed(store)
    await store.commit(change('sale', { events: [envelope('changed', 1)], effects: [effect('e1')] }))
    for (const fence of [lease.fence - 1, lease.fence + 1]) {
      const late = change('sale', {
        ...{ expectedVersion: 1, events: [envelope('changed', 2)] },
        ...{ effectsDone: ['e1'], lease: { ...lease, fence } },
      })
      equal(await store.commit(late), 'lease_lost')
    }
    equal((await store.load(keyOf('sale')))?.version, 1)
    equal((await store.eventsOf(keyOf('sale'))).length, 1)
    deepEqual(
      (await store.undoneEffects(9)).map(({ effectId }) => effectId),
      ['e1'],
    )
  })

  test('a commit refused for its lease does not affect others in the group', async () => {
    const store = await make()
    const lease = await claimed(store)
    const results = await Promise.all([
      store.commit(change('first', { lease })),
      store.commit(change('second', { lease: { ...lease, fence: lease.fence + 1 } })),
      store.commit(change('third')),
    ])
    deepEqual(results, ['written', 'lease_lost', 'written'])
  })

  test('effects and timers can be read by lane', async () => {
    const store = await make()
    const all = Array.from({ length: store.lanes.count }, (_, lane) => lane)
    await store.commit(change('sale', { effects: [effect('e1')], timers: [{ name: 'limit', dueAt: 10 }] }))
    const own = laneOf('shop', store.lanes.count)
    equal((await store.undoneEffects(9, [own])).length, 1)
    equal((await store.dueTimers(10, 9, { lanes: [own] })).length, 1)
    deepEqual(
      await store.undoneEffects(
        9,
        [...all, own + 1].filter(lane => lane !== own),
      ),
      [],
    )
    deepEqual(await store.dueTimers(10, 9, { lanes: [] }), [])
  })

  test('a process does not read its own commits as those of others', async () => {
    const store = await make()
    const others = await store.followOthers()
    await store.commit(change('sale', { events: [envelope('changed', 1)] }))
    deepEqual(await others.next(9), [])
  })

  test('records of several accounts are loaded together, those that exist', async () => {
    const store = await make()
    await store.commit(change('sale'))
    await store.commit(change('refund', { account: 'other' }))
    const keys = [keyOf('sale'), { ...keyOf('refund'), account: 'other' }, keyOf('refund')]
    const loaded = await store.loadAll(keys)
    deepEqual(loaded.map(({ account, id, version }) => `${account} ${id} ${version}`).toSorted(), [
      'other refund 1',
      'shop sale 1',
    ])
    deepEqual(await store.loadAll([]), [])
  })
}

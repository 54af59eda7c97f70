// test/contract/store/leases.ts — lanes of work are leased, and a commit under a lost lease is refused.
import { deepEqual, equal } from 'node:assert/strict'
import { test } from 'vitest'
import type { Lease, Store } from '../../../src/engine/ports/store.ts'
import { laneOf } from '../../../src/engine/work-leases.ts'
import { change, effect, envelope, keyOf } from '../../support/changes.ts'

export function exerciseLeases(make: () => Promise<Store>): void {
  async function claimed(store: Store): Promise<Lease> {
    const lane = laneOf('shop', store.lanes.count)
    const lease = (await store.claimLanes()).find(each => each.lane === lane)
    if (lease === undefined) throw new Error('a store of one process gives it every lane')
    return lease
  }

  test('a single process gets every lane, and the same leases when it claims again', async () => {
    const store = await make()
    const leases = await store.claimLanes()
    deepEqual(
      leases.map(({ lane }) => lane),
      Array.from({ length: store.lanes.count }, (_, lane) => lane),
    )
    deepEqual(await store.claimLanes(), leases)
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

  test('the end of the feed is the cursor of the newest event', async () => {
    const store = await make()
    equal(await store.feedEnd(), 0)
    await store.commit(change('sale', { events: [envelope('changed', 1)] }))
    await store.commit(change('refund', { events: [envelope('changed', 1)] }))
    const [, last] = await store.allEvents(0, 9)
    equal(await store.feedEnd(), last!.cursor)
  })

  test('a process does not read its own commits as events of others', async () => {
    const store = await make()
    await store.commit(change('sale', { events: [envelope('changed', 1)] }))
    deepEqual(await store.othersEvents(0, 9), [])
  })
}

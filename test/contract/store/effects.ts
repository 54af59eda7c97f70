// test/contract/store/effects.ts — effects are stored until they are done.
import { deepEqual, equal, rejects } from 'node:assert/strict'
import { test } from 'vitest'
import type { Store } from '../../../src/engine/ports/store.ts'
import { change, effect, fullChange, keyOf } from '../../support/changes.ts'

export function exerciseEffects(make: () => Promise<Store>): void {
  const undone = async (store: Store) => (await store.undoneEffects(100)).map(({ effectId }) => effectId)

  test('an effect is stored with its record and payload', async () => {
    const store = await make()
    await store.commit(change('sale', { effects: [effect('e1', 'acquirer.authorise')] }))
    deepEqual(await store.undoneEffects(10), [{ ...keyOf('sale'), ...effect('e1', 'acquirer.authorise') }])
  })

  test('pending effects are returned in order of commit', async () => {
    const store = await make()
    await store.commit(change('b', { effects: [effect('z'), effect('a')] }))
    await store.commit(change('a', { account: 'other', effects: [effect('m')] }))
    await store.commit(change('b', { expectedVersion: 1, effects: [effect('b')] }))
    deepEqual(await undone(store), ['z', 'a', 'm', 'b'])
    deepEqual(
      (await store.undoneEffects(2)).map(({ effectId }) => effectId),
      ['z', 'a'],
    )
  })

  test('an effect is done by the commit that records it as done', async () => {
    const store = await make()
    await store.commit(change('sale', { effects: [effect('e1'), effect('e2')] }))
    await store.commit(change('sale', { expectedVersion: 1, effectsDone: ['e1'], effects: [effect('e3')] }))
    deepEqual(await undone(store), ['e2', 'e3'])
  })

  test('effects marked as done are not read any more', async () => {
    const store = await make()
    await store.commit(change('sale', { effects: [effect('e1'), effect('e2'), effect('e3')] }))
    await store.effectsDone('shop', ['e1', 'e3'])
    deepEqual(await undone(store), ['e2'])
  })

  test('marking an effect twice, or an unknown one, does nothing', async () => {
    const store = await make()
    await store.commit(change('sale', { effects: [effect('e1'), effect('e2')] }))
    await store.effectsDone('shop', ['e1'])
    await store.effectsDone('shop', ['e1', 'unknown'])
    await store.effectsDone('shop', [])
    deepEqual(await undone(store), ['e2'])
  })

  test('the id of a done effect may be used again, that of a pending one may not', async () => {
    const store = await make()
    await store.commit(change('a', { effects: [effect('e1')] }))
    await rejects(store.commit(fullChange('b', { effects: [effect('e2'), effect('e1')] })))
    equal(await store.load(keyOf('b')), null)
    equal(await store.lockHolderOf('shop', 'terminal of b'), null)
    deepEqual(await store.eventsOf(keyOf('b')), [])
    deepEqual(await undone(store), ['e1'])
    await store.effectsDone('shop', ['e1'])
    equal(await store.commit(fullChange('b', { effects: [effect('e2'), effect('e1')] })), 'written')
    deepEqual(await undone(store), ['e2', 'e1'])
  })
}

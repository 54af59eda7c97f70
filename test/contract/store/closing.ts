// test/contract/store/closing.ts — a closing store finishes its writes, and refuses all later calls.
import { doesNotReject, equal, rejects } from 'node:assert/strict'
import { test } from 'vitest'
import { Fault } from '../../../src/engine/fault.ts'
import type { Store } from '../../../src/engine/ports/store.ts'
import { change, keyOf } from '../../support/changes.ts'

export function exerciseClosing(make: () => Promise<Store>): void {
  test('a closing store finishes pending writes', async () => {
    const store = await make()
    const asked = Array.from({ length: 50 }, (_, index) => store.commit(change(`sale ${index}`)))
    await store.close()
    equal((await Promise.all(asked)).filter(result => result === 'written').length, 50)
  })

  test('a closed store refuses every call, and closing it again does nothing', async () => {
    const store = await make()
    await store.close()
    const gone = (error: unknown) => error instanceof Fault && error.code === 'store_gone'
    await rejects(store.commit(change('sale')), gone)
    await rejects(store.effectsDone(['e1']), gone)
    await rejects(store.forgetExpired(0), gone)
    await rejects(store.load(keyOf('sale')), gone)
    await rejects(store.list('shop', { kind: 'transaction', limit: 1 }), gone)
    await rejects(store.all('transaction', { limit: 1 }), gone)
    await rejects(store.lockHolderOf('terminal'), gone)
    await rejects(store.eventsOf(keyOf('sale')), gone)
    await rejects(store.eventsAfter('shop', 0, 1), gone)
    await rejects(store.idempotencyOf('shop', 'k1'), gone)
    await rejects(store.undoneEffects(1), gone)
    await rejects(store.dueTimers(0, 1), gone)
    await rejects(store.nextTimerAt(), gone)
    await doesNotReject(store.close())
  })
}

// test/contract/store/closing.ts — a closing store finishes its writes, and refuses all later calls.
import { doesNotReject, equal, rejects } from 'node:assert/strict'
import { test } from 'vitest'
import { Fault } from '../../../src/engine/fault.ts'
import type { AccountImages } from '../../../src/engine/ports/account-images.ts'
import type { Store } from '../../../src/engine/ports/store.ts'
import { change, keyOf } from '../../support/changes.ts'

type Call = (store: Store & AccountImages) => Promise<unknown>

/**
 * A call of each method except `close`, and those that give lanes back, which a closed store has done already. A method that is added
 * to the ports must be added here, or this does not compile.
 */
const CALLS: Readonly<
  Record<Exclude<keyof (Store & AccountImages), 'close' | 'lanes' | 'shared' | 'releaseLanes' | 'leaveLanes'>, Call>
> = {
  commit: store => store.commit(change('sale')),
  effectsDone: store => store.effectsDone('shop', ['e1']),
  forgetExpired: store => store.forgetExpired(0),
  countLive: store => store.countLive('transaction'),
  search: store => store.search('shop', { kind: 'transaction', limit: 1 }),
  enterTerms: store => store.enterTerms({ name: 'terms', progress: { after: 1, finished: true }, records: [] }),
  erase: store => store.erase([{ ...keyOf('sale'), version: 1 }]),
  rewrite: store => store.rewrite({ name: 'whole', progress: { after: 0, finished: false }, records: [], events: [] }),
  putImage: store => store.putImage('shop', [], { records: [], idempotency: [] }),
  load: store => store.load(keyOf('sale')),
  list: store => store.list('shop', { kind: 'transaction', limit: 1 }),
  all: store => store.all('transaction', { limit: 1 }),
  lockHolderOf: store => store.lockHolderOf('shop', 'terminal'),
  uniqueKeyHolderOf: store => store.uniqueKeyHolderOf('shop', 'order 7'),
  accountKeyHolderOf: store => store.accountKeyHolderOf('api-key:1'),
  eventsOf: store => store.eventsOf(keyOf('sale')),
  eventsAfter: store => store.eventsAfter('shop', 0, 1),
  allEvents: store => store.allEvents(0, 1),
  idempotencyOf: store => store.idempotencyOf('shop', 'k1'),
  rewriteProgress: store => store.rewriteProgress('whole'),
  undoneEffects: store => store.undoneEffects(1),
  dueTimers: store => store.dueTimers(0, 1),
  nextTimerAt: store => store.nextTimerAt(),
  claimLanes: store => store.claimLanes(),
  followOthers: store => store.followOthers(),
  loadAll: store => store.loadAll([keyOf('sale')]),
  imageOf: store => store.imageOf('shop', []),
}

export function exerciseClosing(make: () => Promise<Store & AccountImages>): void {
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
    for (const [name, call] of Object.entries(CALLS)) await rejects(call(store), gone, name)
    await doesNotReject(store.close())
  })
}

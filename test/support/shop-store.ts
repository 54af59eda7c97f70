// test/support/shop-store.ts — the store of a shop and of its simulated world: in memory, or with TEST_STORE=postgres on Postgres.
import type { AccountImages } from '../../src/engine/ports/account-images.ts'
import type { Store } from '../../src/engine/ports/store.ts'
import type { SimulatedMemory } from '../../src/simulator/memory/memory.ts'
import { createProcessMemory } from '../../src/simulator/memory/process-memory.ts'
import { createSharedMemory } from '../../src/simulator/memory/shared-memory.ts'
import { openMemoryStore } from '../../src/store/sqlite/memory-store.ts'
import { createPendingCalls, type PendingCalls } from './pending-calls.ts'
import { openEmptyPostgres } from './postgres-store.ts'

export interface ShopStore {
  readonly store: Store & AccountImages
  /** Opens the memory of the simulated world. Called once at most. @param now epoch milliseconds on the shop's clock */
  openMemory(now: () => number): SimulatedMemory
  /** Calls that wait for a database. */
  readonly pending: Pick<PendingCalls, 'count' | 'nextAnswer'>
}

/** Whether shops are on Postgres in this run. */
export function isOnPostgres(): boolean {
  return process.env['TEST_STORE'] === 'postgres'
}

/** Opens an empty store for one test. */
export async function openShopStore(): Promise<ShopStore> {
  const calls = createPendingCalls()
  if (!isOnPostgres()) return { store: openMemoryStore(), openMemory: createProcessMemory, pending: calls }
  const { store, documents } = await openEmptyPostgres()
  // The shop is the only node, and its clock may jump by weeks: nobody takes over a lease that is not renewed.
  const unrenewed = { ...store, lanes: { ...store.lanes, renewEveryMs: null } }
  return {
    store: calls.countedStore(unrenewed),
    openMemory: now => createSharedMemory({ documents: calls.counted(documents), lanes: store.lanes.count, now }),
    pending: calls,
  }
}

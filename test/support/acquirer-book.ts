// test/support/acquirer-book.ts — reads the simulated acquirer's ledger, an independent record of where the money is.
import { createLedger } from '../../src/simulator/acquirer/ledger.ts'
import type { SimulatedMemory } from '../../src/simulator/memory/memory.ts'

const ALL = 100_000

/** Money that an account received, less what it returned, in minor units of all currencies together. */
export function moneyOfAccount(memory: SimulatedMemory, account: string): number {
  const ledger = createLedger(memory)
  return ledger.list(account, ALL).reduce((sum, { orderId }) => sum + ledger.moneyOf(account, orderId), 0)
}

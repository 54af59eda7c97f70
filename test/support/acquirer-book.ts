// test/support/acquirer-book.ts — the simulated acquirer's book as an independent witness of where the money is.
import { createLedger } from '../../src/simulator/acquirer/ledger.ts'
import type { SimulatedMemory } from '../../src/simulator/memory/memory.ts'

const ALL = 100_000

/** What an account has been paid, less what it gave back, in minor units of all currencies together. */
export function moneyOfAccount(memory: SimulatedMemory, account: string): number {
  const ledger = createLedger(memory)
  return ledger.list(account, ALL).reduce((sum, { orderId }) => sum + ledger.moneyOf(account, orderId), 0)
}

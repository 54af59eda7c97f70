// test/contract/acquirer.test.ts — runs the contract for every acquirer, over every memory.

import { oneClock } from '../../src/engine/clocks.ts'
import { createSimulatedAcquirer } from '../../src/simulator/acquirer/acquirer.ts'
import type { SimulatedMemory } from '../../src/simulator/memory/memory.ts'
import { SeededRandom } from '../support/seeded-random.ts'
import { MEMORIES, type MemoryUnderTest } from '../support/simulated-memories.ts'
import { TestClock } from '../support/test-clock.ts'
import { type AcquirerUnderTest, exerciseAcquirer } from './acquirer.suite.ts'

function over(kept: MemoryUnderTest, memory: SimulatedMemory, close: () => Promise<void>): AcquirerUnderTest {
  const acquirer = createSimulatedAcquirer({ memory, clocks: oneClock(new TestClock()), random: new SeededRandom(3) })
  return {
    acquirer,
    cards: { approved: 'sim-visa-debit', declined: 'sim-visa-declined' },
    moneyOf: acquirer.ledger.moneyOf,
    afterCrash: () => over(kept, kept.afterCrash(), async () => {}),
    close,
  }
}

for (const { name, make } of MEMORIES)
  exerciseAcquirer(`simulated, remembered ${name}`, () => {
    const kept = make()
    return over(kept, kept.memory, kept.close)
  })

// test/contract/terminal-driver.test.ts — every terminal driver there is, over every memory there is, at full speed and at
// the pace of a person.
import type { Terminal } from '../../src/domain/accounts/terminal.ts'
import { oneClock } from '../../src/engine/clocks.ts'
import type { SimulatedMemory } from '../../src/simulator/memory/memory.ts'
import { createSimulatedTerminals } from '../../src/simulator/terminals/terminals.ts'
import { SeededRandom } from '../support/seeded-random.ts'
import { silentLog } from '../support/silent-log.ts'
import { MEMORIES, type MemoryUnderTest } from '../support/simulated-memories.ts'
import { aTerminal, SHOP } from '../support/simulated-shop.ts'
import { TestClock } from '../support/test-clock.ts'
import { type DriverUnderTest, exerciseTerminalDriver } from './terminal-driver.suite.ts'

function over(
  kept: MemoryUnderTest,
  memory: SimulatedMemory,
  clock: TestClock,
  paceMs: number,
  close: () => void,
): DriverUnderTest {
  const simulated = createSimulatedTerminals({
    memory,
    clocks: oneClock(clock),
    log: silentLog,
    random: new SeededRandom(1),
    paceMs,
    profileOf: async () => SHOP,
  })
  const press = async (terminal: Terminal, key: 'unplug' | 'plug_in') => {
    await simulated.press(terminal, { key })
  }
  return {
    driver: simulated.driver,
    clock,
    terminals: {
      approving: aTerminal('VCMDEMOSIP0'),
      signing: aTerminal('VCMDEMOSIS0'),
      waiting: aTerminal('22160001'),
    },
    unplug: terminal => press(terminal, 'unplug'),
    plugIn: terminal => press(terminal, 'plug_in'),
    afterCrash: () => over(kept, kept.afterCrash(), clock, paceMs, () => {}),
    close,
  }
}

for (const { name, make } of MEMORIES)
  for (const paceMs of [0, 500])
    exerciseTerminalDriver(`simulated, ${paceMs} ms a step, remembered ${name}`, () => {
      const kept = make()
      return over(kept, kept.memory, new TestClock(), paceMs, kept.close)
    })

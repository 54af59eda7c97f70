// test/contract/terminal-driver.test.ts — runs the contracts for every terminal driver, over every memory, at full speed and
// at a person's pace.
import type { Terminal } from '../../src/domain/accounts/terminal.ts'
import { oneClock } from '../../src/engine/clocks.ts'
import type { TerminalCall } from '../../src/engine/ports/terminal.ts'
import type { SimulatedMemory } from '../../src/simulator/memory/memory.ts'
import { createSimulatedTerminals } from '../../src/simulator/terminals/terminals.ts'
import { SeededRandom } from '../support/seeded-random.ts'
import { silentLog } from '../support/silent-log.ts'
import { clockOver, MEMORIES, type MemoryUnderTest } from '../support/simulated-memories.ts'
import { aTerminal, SHOP } from '../support/simulated-shop.ts'
import type { TestClock } from '../support/test-clock.ts'
import { exerciseScriptableDriver, type ScriptableDriverUnderTest } from './scriptable-driver.suite.ts'
import { exerciseTerminalDriver } from './terminal-driver.suite.ts'

function over(
  kept: MemoryUnderTest,
  memory: SimulatedMemory,
  clock: TestClock,
  paceMs: number,
  close: () => Promise<void>,
): ScriptableDriverUnderTest {
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
    reportsScreens: true,
    terminals: {
      approving: aTerminal('VCMDEMOSIP0'),
      signing: aTerminal('VCMDEMOSIS0'),
      waiting: aTerminal('22160001'),
    },
    unplug: terminal => press(terminal, 'unplug'),
    plugIn: terminal => press(terminal, 'plug_in'),
    afterCrash: () => over(kept, kept.afterCrash(), clock, paceMs, async () => {}),
    close,
  }
}

/** The same terminals with an acquirer of their own: the gateway learns only the result. */
function authorisingByThemselves(
  under: ScriptableDriverUnderTest,
  /** Calls to the terminals, which survive a crash of the gateway. */
  calls = new Map<string, TerminalCall>(),
): ScriptableDriverUnderTest {
  const { driver } = under
  const approve = async (requestId: string) => {
    const call = calls.get(requestId)
    if (call === undefined) throw new Error(`${requestId} was never started`)
    await driver.answerAuthorisation(
      { ...call, effectId: `${requestId}.own` },
      { answer: 'approved', authCode: 'AB12C3' },
    )
  }
  return {
    ...under,
    driver: {
      ...driver,
      authorisedBy: 'terminal',
      async start(call) {
        calls.set(call.transaction.requestId, call)
        await driver.start(call)
      },
      listen: sink =>
        driver.listen({
          ...sink,
          async report(delivery) {
            const reports = delivery.reports.filter(({ type }) => type !== 'authorisation_requested')
            await sink.report({ ...delivery, reports })
            if (reports.length < delivery.reports.length)
              under.clock.alarm(under.clock.now(), () => void approve(delivery.requestId))
          },
        }),
    },
    afterCrash: () => authorisingByThemselves(under.afterCrash(), calls),
  }
}

for (const { name, make } of MEMORIES)
  for (const paceMs of [0, 500]) {
    const simulated = () => {
      const kept = make()
      return over(kept, kept.memory, clockOver(kept), paceMs, kept.close)
    }
    const title = `${paceMs} ms a step, remembered ${name}`
    exerciseTerminalDriver(`simulated, ${title}`, simulated)
    exerciseScriptableDriver(`simulated, ${title}`, simulated)
    exerciseTerminalDriver(`authorising by themselves, ${title}`, () => authorisingByThemselves(simulated()))
  }

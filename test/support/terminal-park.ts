// test/support/terminal-park.ts — terminals and an acquirer outside of the nodes: they go on when a node dies, and an independent
// record of the money is with them.
import { oneClock } from '../../src/engine/clocks.ts'
import type { Acquirer } from '../../src/engine/ports/acquirer.ts'
import type { Clock } from '../../src/engine/ports/clock.ts'
import type { TerminalDriver, TerminalSink } from '../../src/engine/ports/terminal.ts'
import { createSimulatedAcquirer } from '../../src/simulator/acquirer/acquirer.ts'
import { createProcessMemory } from '../../src/simulator/memory/process-memory.ts'
import { createSimulatedTerminals } from '../../src/simulator/terminals/terminals.ts'
import { moneyOfAccount } from './acquirer-book.ts'
import { SeededRandom } from './seeded-random.ts'
import { silentLog } from './silent-log.ts'
import { SHOP } from './simulated-shop.ts'

export interface TerminalPark {
  /** The park as one node knows it. */
  driverFor(node: string): TerminalDriver
  readonly acquirer: Acquirer
  /** Calls in order: the node, the call, and the id of its effect. */
  readonly calls: readonly string[]
  /** Charged less refunded, in minor units. */
  moneyOf(account: string): number
}

interface Connected {
  readonly node: string
  readonly sink: TerminalSink
  readonly serves: (account: string) => boolean
}

/** @param paceMs milliseconds a terminal takes for a step */
export function createTerminalPark(clock: Clock, paceMs: number): TerminalPark {
  const memory = createProcessMemory(() => clock.now())
  const { driver } = createSimulatedTerminals({
    ...{ memory, clocks: oneClock(clock), log: silentLog, random: new SeededRandom(1), paceMs },
    profileOf: async () => SHOP,
  })
  const acquirer = createSimulatedAcquirer({ memory, clocks: oneClock(clock), random: new SeededRandom(3) })
  const connected = new Set<Connected>()
  const calls: string[] = []
  /** The node that serves an account. The terminals repeat their reports until there is one. */
  const sinkOf = (account: string): TerminalSink => {
    const found = [...connected].find(({ serves }) => serves(account))
    if (found === undefined) throw new Error(`no node serves ${account}`)
    return found.sink
  }
  const listening = driver.listen({
    report: async delivery => sinkOf(delivery.account).report(delivery),
    reportProgress: async delivery => sinkOf(delivery.account).reportProgress(delivery),
    reconnected: async (account, tid) => sinkOf(account).reconnected(account, tid),
    atTable: async (account, by, question) => sinkOf(account).atTable(account, by, question),
  })
  return {
    driverFor: node => ({
      ...driver,
      async start(call) {
        calls.push(`${node} start ${call.effectId}`)
        await driver.start(call)
      },
      async cancel(call) {
        calls.push(`${node} cancel ${call.effectId}`)
        await driver.cancel(call)
      },
      async listen(sink, serves = () => true) {
        await listening
        connected.add({ node, sink, serves })
      },
      async servesOthers() {},
      async close() {
        for (const each of connected) if (each.node === node) connected.delete(each)
      },
    }),
    acquirer,
    calls,
    moneyOf: account => moneyOfAccount(memory, account),
  }
}

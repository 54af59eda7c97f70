// test/contract/nexo-driver.test.ts — runs the contract of terminal drivers for nexo terminals, which are in a process of their own.
import { afterAll, beforeAll } from 'vitest'
import type { Terminal } from '../../src/domain/accounts/terminal.ts'
import { type NexoBench, type NexoPeer, openNexoDriver, startNexoPeer } from '../support/nexo-peer.ts'
import type { DriverUnderTest } from './driver-bench.ts'
import { exerciseTerminalDriver } from './terminal-driver.suite.ts'

let peer: NexoPeer
beforeAll(async () => {
  peer = await startNexoPeer()
})
afterAll(() => peer.close())

/** Long enough for a driver to notice that a terminal is there again. */
const NOTICED_MS = 15_000

function under(bench: NexoBench, terminals: DriverUnderTest['terminals'], close: () => Promise<void>): DriverUnderTest {
  const { driver, clock, store } = bench
  const all: readonly Terminal[] = [terminals.approving, terminals.waiting]
  return {
    ...{ driver, clock, terminals, close, reportsScreens: false },
    async unplug(terminal) {
      await peer.unplug(terminal)
      await clock.advance(0)
    },
    async plugIn(terminal) {
      await peer.plugIn(terminal)
      await clock.advance(NOTICED_MS)
    },
    afterCrash: () => under(openNexoDriver(peer, all, { store, clock }), terminals, async () => {}),
  }
}

exerciseTerminalDriver('nexo, over the local network', async () => {
  const terminals = { approving: await peer.make('22160001'), waiting: await peer.make('22160002') }
  await peer.script(terminals.waiting, { payments: ['wait', 'wait', 'wait'] })
  const bench = openNexoDriver(peer, [terminals.approving, terminals.waiting])
  return under(bench, terminals, () => bench.store.close())
})

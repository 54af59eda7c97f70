// test/support/simulated-shop.ts — simulated terminals, an acquirer and a pocket gateway over one memory.

import type { AccountProfile } from '../../src/domain/accounts/merchant-account.ts'
import type { Terminal, TerminalSettings } from '../../src/domain/accounts/terminal.ts'
import { oneClock } from '../../src/engine/clocks.ts'
import { createSimulatedAcquirer, type SimulatedAcquirer } from '../../src/simulator/acquirer/acquirer.ts'
import type { SimulatedMemory } from '../../src/simulator/memory/memory.ts'
import { createProcessMemory } from '../../src/simulator/memory/process-memory.ts'
import { createSimulatedTerminals, type SimulatedTerminals } from '../../src/simulator/terminals/terminals.ts'
import { PocketGateway } from './pocket-gateway.ts'
import { SeededRandom } from './seeded-random.ts'
import { silentLog } from './silent-log.ts'
import { TestClock } from './test-clock.ts'

export const SHOP: AccountProfile = {
  name: 'Corner Shop',
  address: '1 Harbour Street',
  merchantNumber: '21249872',
  currency: 'GBP',
  timeZone: 'Europe/London',
  public: false,
}

const SETTINGS: TerminalSettings = {
  currency: 'GBP',
  gratuity: false,
  cashbackAllowed: true,
  printing: true,
  contactlessCustomerCopy: false,
  paceMs: null,
}

/** A terminal of the account `demo`. */
export function aTerminal(tid: string, settings: Partial<TerminalSettings> = {}): Terminal {
  return {
    tid,
    merchantAccount: 'demo',
    driver: 'simulated',
    settings: { ...SETTINGS, ...settings },
    status: 'installed',
    version: 1,
    createdAt: 0,
  }
}

export interface SimulatedShop {
  readonly memory: SimulatedMemory
  readonly clock: TestClock
  readonly terminals: SimulatedTerminals
  readonly acquirer: SimulatedAcquirer
  readonly gateway: PocketGateway
}

/** Opens a shop. With memory and clock of an earlier shop, it is that shop after a crash. */
export async function openSimulatedShop(
  given: {
    readonly memory?: SimulatedMemory
    readonly clock?: TestClock
    readonly paceMs?: number
    readonly scenarios?: readonly unknown[]
  } = {},
): Promise<SimulatedShop> {
  const memory = given.memory ?? createProcessMemory()
  const clock = given.clock ?? new TestClock()
  const terminals = createSimulatedTerminals({
    memory,
    clocks: oneClock(clock),
    log: silentLog,
    random: new SeededRandom(1),
    paceMs: given.paceMs ?? 0,
    scenarios: given.scenarios ?? [],
    profileOf: async () => SHOP,
  })
  const acquirer = createSimulatedAcquirer({ memory, clocks: oneClock(clock), random: new SeededRandom(1) })
  const gateway = new PocketGateway({ clock, driver: terminals.driver, acquirer })
  await terminals.driver.listen(gateway.sink)
  return { memory, clock, terminals, acquirer, gateway }
}

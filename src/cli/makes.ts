// src/cli/makes.ts — the makes of terminals, acquirers and directory servers in each mode, for commands that open none.
import type { Config } from '../config.ts'
import type { Makes } from '../engine/makes.ts'
import { createRegistry, type Named, type Registry } from '../engine/registry.ts'
import { SIMULATED, SIMULATED_TERMINALS } from '../simulator/makes.ts'
import { Failure } from './failure.ts'

/** As the wiring registers them. This version ships none but the simulated ones, which live mode does not have. */
export function makesOf(mode: Config['mode']): Makes {
  const simulated = mode === 'sandbox'
  return {
    terminals: createRegistry('terminal drivers', simulated ? [SIMULATED_TERMINALS] : []),
    acquirers: createRegistry('acquirers', simulated ? [{ name: SIMULATED }] : []),
    directoryServers: createRegistry('directory servers', simulated ? [{ name: SIMULATED }] : []),
  }
}

/** Names what an option has chosen. @throws Failure that lists what there is. */
export function chosen(option: string, name: string | undefined, registry: Registry<Named>): string | undefined {
  if (name === undefined || registry.find(name) !== null) return name
  const names = registry.all.map(part => part.name)
  const there = names.length === 0 ? 'this mode has none to choose from' : `it must be ${names.join(' or ')}`
  throw new Failure(`${option} ${name} names nothing that is registered; ${there}.`)
}

// src/cli/makes.ts — registers terminal drivers, acquirers and directory servers by name, for commands that open none.
import { ISO8583 } from '../acquirers/iso8583/host-document.ts'
import type { Config } from '../config.ts'
import type { Makes } from '../engine/makes.ts'
import { createRegistry, type Named, type Registry } from '../engine/registry.ts'
import { SIMULATED, SIMULATED_TERMINALS } from '../simulator/makes.ts'
import { nexoMake } from '../terminals/nexo/settings.ts'
import { EMV } from '../three-d-secure/emv/directory-server.ts'
import { Failure } from './failure.ts'

/** The same registrations as in the wiring. Live mode does not use simulated parts. */
export function makesOf({ mode, directoryServers }: Pick<Config, 'mode' | 'directoryServers'>): Makes {
  const simulated = mode === 'sandbox'
  return {
    terminals: createRegistry('terminal drivers', [...(simulated ? [SIMULATED_TERMINALS] : []), nexoMake(mode)]),
    acquirers: createRegistry('acquirers', [...(simulated ? [{ name: SIMULATED }] : []), { name: ISO8583 }]),
    directoryServers: createRegistry('directory servers', [
      ...(simulated ? [{ name: SIMULATED }] : []),
      ...(directoryServers === null ? [] : [{ name: EMV }]),
    ]),
  }
}

/** Checks the name given by an option. @throws Failure with the registered names */
export function chosen(option: string, name: string | undefined, registry: Registry<Named>): string | undefined {
  if (name === undefined || registry.find(name) !== null) return name
  const names = registry.all.map(part => part.name)
  const there = names.length === 0 ? 'this mode has none' : `it must be ${names.join(' or ')}`
  throw new Failure(`${option} ${name} is not registered; ${there}.`)
}

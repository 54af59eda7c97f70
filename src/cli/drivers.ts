// src/cli/drivers.ts — opens the drivers of real terminals, and what `terminals check` needs of them.
import { readFile } from 'node:fs/promises'
import type { Config } from '../config.ts'
import type { Clock } from '../engine/ports/clock.ts'
import type { Log } from '../engine/ports/log.ts'
import type { Random } from '../engine/ports/random.ts'
import type { Store } from '../engine/ports/store.ts'
import type { TerminalDriver } from '../engine/ports/terminal.ts'
import type { Vault } from '../engine/ports/vault.ts'
import { installedTerminals } from '../terminals/installed.ts'
import type { CheckParts } from '../terminals/nexo/check.ts'
import { createNexoDriver } from '../terminals/nexo/driver.ts'
import { createHttpsCarrier } from '../terminals/nexo/https-carrier.ts'
import { NEXO } from '../terminals/nexo/settings.ts'
import { programVersion } from './version.ts'

export interface DriverParts {
  readonly mode: Config['mode']
  readonly store: Store
  readonly vault: Pick<Vault, 'openText'>
  readonly clock: Clock
  readonly random: Random
  readonly log: Log
}

/** The drivers of real terminals, in the order of `makesOf`. */
export function openDrivers(parts: DriverParts): readonly TerminalDriver[] {
  const terminals = () => installedTerminals(parts.store, NEXO)
  return [createNexoDriver({ ...parts, ...nexoParts(parts), terminals })]
}

/** Parts of a check of one terminal. */
export function nexoParts({ mode, vault, clock, random }: Omit<DriverParts, 'store' | 'log'>): Omit<CheckParts, 'log'> {
  return {
    ...{ mode, vault, clock, random, carrier: createHttpsCarrier({ clock }) },
    readFile: path => readFile(path, 'utf8'),
    software: { name: 'Tollgate', version: programVersion() },
  }
}

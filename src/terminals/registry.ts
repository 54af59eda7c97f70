// src/terminals/registry.ts — reaches each terminal through the driver that it names.
import type { Terminal } from '../domain/accounts/terminal.ts'
import type { TerminalCapabilities, TerminalDriver, TerminalPresence } from '../engine/ports/terminal.ts'
import type { Registry } from '../engine/registry.ts'

export interface Fleet {
  /** @throws Error when no driver of that name is registered; `presence` says so beforehand. */
  driverOf(terminal: Terminal): TerminalDriver
  /** Null: not connected, not in counter mode, or of a make that is not registered. */
  presence(terminal: Terminal): TerminalPresence | null
  /** What is told to acquirers; undefined: nothing is known of them. */
  capabilitiesOf(terminal: Terminal): TerminalCapabilities | undefined
}

/** All terminals, whatever their make. */
export function createFleet(drivers: Registry<TerminalDriver>): Fleet {
  return {
    driverOf({ driver: name }) {
      const driver = drivers.find(name)
      if (driver === null) throw new Error(`no driver named ${name} is registered`)
      return driver
    },
    presence: terminal => drivers.find(terminal.driver)?.presence(terminal) ?? null,
    capabilitiesOf: terminal => drivers.find(terminal.driver)?.capabilities,
  }
}

// src/terminals/registry.ts — finds the driver of each terminal.
import type { Terminal } from '../domain/accounts/terminal.ts'
import type { TerminalCapabilities, TerminalDriver, TerminalPresence } from '../engine/ports/terminal.ts'
import type { Registry } from '../engine/registry.ts'

export interface Fleet {
  /** The driver of a terminal. @throws Error when it is not registered; `presence` is null then. */
  driverOf(terminal: Terminal): TerminalDriver
  /** The state of the connection. Null when not connected, or when the driver is not registered. */
  presence(terminal: Terminal): TerminalPresence | null
  /** Capabilities for acquirers; undefined when not known. */
  capabilitiesOf(terminal: Terminal): TerminalCapabilities | undefined
  /** How long a transaction may take without a fault, in milliseconds; undefined when the driver does not say. */
  longestTransactionMsOf(terminal: Terminal): number | undefined
}

/** Combines the drivers of all makes. */
export function createFleet(drivers: Registry<TerminalDriver>): Fleet {
  return {
    driverOf({ driver: name }) {
      const driver = drivers.find(name)
      if (driver === null) throw new Error(`no driver named ${name} is registered`)
      return driver
    },
    presence: terminal => drivers.find(terminal.driver)?.presence(terminal) ?? null,
    capabilitiesOf: terminal => drivers.find(terminal.driver)?.capabilities,
    longestTransactionMsOf: terminal => drivers.find(terminal.driver)?.longestTransactionMs,
  }
}

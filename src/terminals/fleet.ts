// src/terminals/fleet.ts — all terminals whatever their make: finds the driver that reaches one.
import type { Terminal } from '../domain/accounts/terminal.ts'
import type { TerminalDriver, TerminalPresence } from '../engine/ports/terminal.ts'

export interface Fleet {
  readonly drivers: readonly TerminalDriver[]
  /** @throws Error when no driver of that name is plugged in; `presence` says so beforehand. */
  driverOf(terminal: Terminal): TerminalDriver
  /** Null: not connected, not in counter mode, or of a make that is not plugged in. */
  presence(terminal: Terminal): TerminalPresence | null
}

/** Holds drivers by their names. @throws Error when two bear the same one. */
export function createFleet(drivers: readonly TerminalDriver[]): Fleet {
  const byName = new Map(drivers.map(driver => [driver.name, driver]))
  if (byName.size !== drivers.length) throw new Error('two terminal drivers bear the same name')
  return {
    drivers,
    driverOf(terminal) {
      const driver = byName.get(terminal.driver)
      if (driver === undefined) throw new Error(`no driver named ${terminal.driver} is plugged in`)
      return driver
    },
    presence: terminal => byName.get(terminal.driver)?.presence(terminal) ?? null,
  }
}

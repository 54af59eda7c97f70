// bench/silent-driver.ts — a terminal driver that takes every start and reports nothing.
import type { TerminalDriver } from '../src/engine/ports/terminal.ts'

/** Registered under the name that the terminals of a sandbox are stored with. */
export const SILENT: TerminalDriver = {
  name: 'simulated',
  authorisedBy: 'terminal',
  presence: () => ({ paperOut: false }),
  start: async () => {},
  cancel: async () => {},
  answerSignature: async () => {},
  answerAuthorisation: async () => {},
  runReport: async () => {},
  lastTransaction: async () => ({ state: 'running' }),
  listen: async () => {},
  close: async () => {},
}

// bench/silent-driver.ts — a terminal driver that accepts every start and sends no reports.
import type { TerminalDriver } from '../src/engine/ports/terminal.ts'

/** Its name is that of the driver in the sandbox's terminal records. */
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

// src/engine/terminals.ts — what the engine knows of terminals: which are there, what runs on them, how to reach them.
import type { Report } from '../domain/report.ts'
import { type Terminal, tableSettingsOf } from '../domain/terminal.ts'
import type { TerminalTransaction } from '../domain/terminal-transaction.ts'
import type { Engine } from './engine.ts'
import { REPORT, TERMINAL, TERMINAL_TRANSACTION, terminalClaim } from './machines.ts'
import type { Store, TerminalDriver, TerminalPresence } from './ports.ts'

/** How the drivers are found. */
export interface Fleet {
  driverOf(terminal: Terminal): TerminalDriver
  /** Null: not connected. */
  presence(terminal: Terminal): TerminalPresence | null
}

/** What runs on a terminal now. A terminal does one thing at a time. */
export type Live =
  | { readonly kind: 'transaction'; readonly transaction: TerminalTransaction }
  | { readonly kind: 'report'; readonly report: Report }

export interface Terminals {
  readonly fleet: Fleet
  /** A terminal that is not removed, or null. */
  installed(account: string, tid: string): Promise<Terminal | null>
  /** An installed and connected terminal, or null. */
  connected(account: string, tid: string): Promise<Terminal | null>
  /** The same, if it serves tills at the counter. */
  atCounter(account: string, tid: string): Promise<Terminal | null>
  /** Whether a waiter is at work on it, so that tills have to wait. */
  inUse(terminal: Terminal): boolean
  liveOn(account: string, tid: string): Promise<Live | null>
}

/** Binds the view of terminals to the engine and the fleet. */
export function createTerminals({
  engine,
  store,
  fleet,
}: {
  readonly engine: Engine
  readonly store: Store
  readonly fleet: Fleet
}): Terminals {
  const installed: Terminals['installed'] = (account, tid) =>
    engine
      .read(TERMINAL, { account, id: tid })
      .then(entry => (entry === null || entry.record.status === 'removed' ? null : entry.record))
  const connected: Terminals['connected'] = (account, tid) =>
    installed(account, tid).then(terminal => (terminal === null || fleet.presence(terminal) === null ? null : terminal))
  return {
    fleet,
    installed,
    connected,
    atCounter: (account, tid) =>
      connected(account, tid).then(terminal => (terminal !== null && servesTills(terminal) ? terminal : null)),
    inUse: terminal => fleet.presence(terminal)?.inUse === true,
    async liveOn(account, tid) {
      const holder = await store.holderOf(terminalClaim(account, tid))
      switch (holder?.kind) {
        case TERMINAL_TRANSACTION.kind:
          return { kind: 'transaction', transaction: JSON.parse(holder.body) as TerminalTransaction }
        case REPORT.kind:
          return { kind: 'report', report: JSON.parse(holder.body) as Report }
        default:
          return null
      }
    },
  }
}

/** Whether tills at the counter reach a terminal at all. */
export function servesTills(terminal: Terminal): boolean {
  return tableSettingsOf(terminal.settings).mode !== 'table'
}

// src/simulator/terminals/session.ts — a waiter at a simulated terminal: which table, what is to be paid, what was asked of
// the gateway. All of it is remembered with the terminal. Terminal reference 10.7.
import { type TableSettings, tableSettingsOf } from '../../domain/accounts/terminal.ts'
import type { PayAtTableRequest } from '../../engine/ports/pay-at-table.ts'
import type { WaiterScript } from '../scenarios/waiter-script.ts'
import type { DeviceState, Session, Setup } from './device.ts'

/** Milliseconds a waiter may stand there and do nothing. A table must not stay locked because of it. */
const WAITER_IDLE_MS = 120_000

/** Milliseconds before something that is not known yet is asked again. */
export const LATER_MS = 1_000

/** A terminal with a waiter at it. */
export type Attended = DeviceState & { readonly session: Session }

export function isAttended(state: DeviceState): state is Attended {
  return state.session !== null
}

/** The settings that the session has begun with. */
export function rulesOf({ setup }: Session): TableSettings {
  return tableSettingsOf(setup.settings)
}

/** The waiter has said who it is: which tables are there? */
export function begun(
  state: DeviceState,
  {
    waiterId,
    setup,
    script,
  }: { readonly waiterId: string; readonly setup: Setup; readonly script: WaiterScript | null },
  at: number,
): DeviceState {
  const session: Session = {
    waiterId,
    setup,
    names: [],
    table: null,
    shares: [],
    paying: null,
    ask: null,
    asked: 0,
    signed: null,
    message: '',
    printed: [],
    script: script === null ? null : { table: script.table ?? null, steps: script.steps },
    dueAt: at,
  }
  return asking({ ...state, session }, { ask: 'tables' })
}

/** The terminal with its session changed. */
export function altered(state: Attended, changes: Partial<Session>): Attended {
  return { ...state, session: { ...state.session, ...changes } }
}

/** Puts a question to the gateway. */
export function asking(state: Attended, question: PayAtTableRequest, changes: Partial<Session> = {}): Attended {
  const number = state.session.asked + 1
  return altered(state, { ...changes, asked: number, ask: { number, question, retryAt: null } })
}

/** Waits for the waiter: the script goes on a pace later, a person has so long. */
export function waiting(state: Attended, at: number, changes: Partial<Session> = {}): Attended {
  const { script, setup } = state.session
  return altered(state, { ...changes, ask: null, dueAt: at + (script === null ? WAITER_IDLE_MS : setup.paceMs) })
}

/** Gives the table back, or goes at once when there is none. */
export function leaving(state: Attended): DeviceState {
  const { table } = state.session
  if (table === null) return { ...state, session: null }
  return asking(state, { ask: 'let_go', tableId: table.tableId }, { paying: null })
}

/** What would be paid next without another word: a share, or all that is open. */
export function nextShareOf({ shares, table }: Session): number {
  const open = table?.openMinor ?? 0
  return Math.min(shares[0] ?? open, open)
}

/** When the session goes on by itself; null while it waits for the gateway or for a card. */
export function sessionDueAt({ session, running, report }: DeviceState): number | null {
  if (session === null || running !== null || report !== null) return null
  return session.ask === null ? session.dueAt : session.ask.retryAt
}

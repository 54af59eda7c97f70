// src/simulator/terminals/session.ts — session of a waiter at a simulated terminal: table, payment and pending request. It
// is stored with the terminal.
import { type TableSettings, tableSettingsOf } from '../../domain/accounts/terminal.ts'
import type { PayAtTableRequest } from '../../engine/ports/pay-at-table.ts'
import type { WaiterScript } from '../scenarios/waiter-script.ts'
import type { DeviceState, Session, Setup } from './device.ts'

/** Milliseconds after which an idle waiter's session ends, so that the table does not stay locked. */
const WAITER_IDLE_MS = 120_000

/** Milliseconds before the gateway is asked again for a result that is not known yet. */
export const LATER_MS = 1_000

/** A terminal with a waiter's session. */
export type Attended = DeviceState & { readonly session: Session }

export function isAttended(state: DeviceState): state is Attended {
  return state.session !== null
}

/** The table settings at the start of the session. */
export function rulesOf({ setup }: Session): TableSettings {
  return tableSettingsOf(setup.settings)
}

/** Starts a session by asking for the list of tables. */
export function startSession(
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
  const { scriptStopped, ...free } = state
  return withRequest({ ...free, session }, { ask: 'tables' })
}

/** The terminal with its session changed. */
export function altered(state: Attended, changes: Partial<Session>): Attended {
  return { ...state, session: { ...state.session, ...changes } }
}

/** Starts a request to the gateway. */
export function withRequest(state: Attended, question: PayAtTableRequest, changes: Partial<Session> = {}): Attended {
  const number = state.session.asked + 1
  return altered(state, { ...changes, asked: number, ask: { number, question, retryAt: null } })
}

/** Drops the question for the result of a share: its transaction has arrived, and is waited for. */
export function unasked(state: Attended): Attended {
  return state.session.ask?.question.ask === 'look' ? altered(state, { ask: null }) : state
}

/** Waits for the waiter: a script continues after one step time, a person has a limit. */
export function waiting(state: Attended, at: number, changes: Partial<Session> = {}): Attended {
  const { script, setup } = state.session
  return altered(state, { ...changes, ask: null, dueAt: at + (script === null ? WAITER_IDLE_MS : setup.paceMs) })
}

/** Gives the table back; without a table the session ends at once. */
export function leaving(state: Attended): DeviceState {
  const { table } = state.session
  if (table === null) return { ...state, session: null }
  return withRequest(state, { ask: 'let_go', tableId: table.tableId }, { paying: null })
}

/** Stops a script that cannot continue, and gives the table back: a step after it could charge what nobody meant. */
export function stopping(state: Attended, why: string): DeviceState {
  return leaving({ ...state, scriptStopped: `SCRIPT STOPPED: ${why}` })
}

/** Amount of the next payment: the next share, or the open amount. Minor units. */
export function nextShareOf({ shares, table }: Session): number {
  const open = table?.openMinor ?? 0
  return Math.min(shares[0] ?? open, open)
}

/** Time of the session's next step, epoch milliseconds; null while it waits for the gateway or for a card. */
export function sessionDueAt({ session, running, report }: DeviceState): number | null {
  if (session === null || running !== null || report !== null) return null
  return session.ask === null ? session.dueAt : session.ask.retryAt
}

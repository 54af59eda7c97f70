// src/terminals/simulated/session.ts — a waiter at a simulated terminal: which table, what is to be paid, what was asked of
// the gateway. All of it is remembered with the terminal. Terminal reference 10.7.
import type { BillLine } from '../../domain/table.ts'
import { type TableSettings, tableSettingsOf } from '../../domain/terminal.ts'
import type { WaiterScript, WaiterStep } from '../../engine/sandbox/waiter-script.ts'
import type { HeldTable } from '../../engine/table-hosts.ts'
import type { WaiterAsk } from '../../engine/waiters.ts'
import type { DeviceState, Setup } from './device.ts'

/** Milliseconds a waiter may stand there and do nothing. A table must not stay locked because of it. */
export const WAITER_IDLE_MS = 120_000

/** Milliseconds before something that is not known yet is asked again. */
export const LATER_MS = 1_000

/** A share that is being paid. */
export interface Paying {
  readonly how: 'card' | 'other'
  readonly amountMinor: number
  /** Null: it is still to be said. */
  readonly gratuityMinor: number | null
  readonly paymentId: string
  /** The transaction that takes it, as soon as the gateway has named it. */
  readonly requestId: string | null
}

/** A question to the gateway, asked until it is answered. */
export interface OpenAsk {
  /** Tells answers to it from those to an earlier one. */
  readonly number: number
  readonly question: WaiterAsk
  /** When it is to be asked again; null: now. Epoch milliseconds. */
  readonly retryAt: number | null
}

/** What a script has still to do. */
export interface Playing {
  /** Null: the first in the list. */
  readonly table: string | null
  readonly steps: readonly WaiterStep[]
}

export interface Session {
  readonly waiterId: string
  readonly setup: Setup
  /** The tables to choose from. */
  readonly names: readonly string[]
  readonly table: HeldTable | null
  /** What the guests have still to pay, the next one first; empty: it is not split. Minor units. */
  readonly shares: readonly number[]
  readonly paying: Paying | null
  readonly ask: OpenAsk | null
  readonly asked: number
  /** The last line of the display. */
  readonly message: string
  /** What came out of the printer last. */
  readonly printed: readonly BillLine[]
  /** Null: a person presses the keys. */
  readonly script: Playing | null
  /** When the script goes on, or a person has stood there too long; epoch milliseconds. */
  readonly dueAt: number
}

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
export function asking(state: Attended, question: WaiterAsk, changes: Partial<Session> = {}): Attended {
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

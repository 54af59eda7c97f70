// src/domain/tables/table-session.ts — one session of a terminal at a table that the till stores: what to send to the till,
// and when. ADR 16.
import type { Timer } from '../machine.ts'
import { apply, type PatTable, sumsOf, type TableEvent } from './table.ts'

/**
 * How long a payment may wait before it is sent to the till, in milliseconds. Payments that a waiter takes meanwhile are sent
 * together; a dead terminal must not delay them further.
 */
const SENT_WITHIN_MS = 60_000

/** Sends the till the payments from index `from` up to, but not including, `upTo`. */
export interface SendPayments {
  readonly type: 'table.tell_payments'
  readonly from: number
  readonly upTo: number
}

/** Sends the till the terminal's unlock. */
export interface SendUnlock {
  readonly type: 'table.tell_unlock'
}

export type SessionEffect = SendPayments | SendUnlock

/**
 * Adds the events that follow for a table that the till stores. Payments are sent when the bill is fully paid or the session
 * is over. The session is over when the table is unlocked and no payment is in progress.
 */
export function withSession(before: PatTable | null, events: readonly TableEvent[]): readonly TableEvent[] {
  if (before === null || before.host !== 'till' || before.state === 'closed') return events
  const after = foreseen(before, events)
  const settling = events.some(({ type }) => SETTLES.has(type))
  if (!settling || after.begun.length > 0 || after.state === 'closed') return events
  const over = after.lock === null
  const unsent = over || sumsOf(after).open.minor <= 0 ? unsentOf(after) : []
  return [...events, ...unsent, ...(over ? [{ type: 'closed' } as const] : [])]
}

const SETTLES: ReadonlySet<TableEvent['type']> = new Set(['unlocked', 'payment_recorded', 'payment_dropped'])

/** The event that sends all payments not yet sent; none when there are none. */
export function unsentOf({ payments, told }: PatTable): readonly TableEvent[] {
  return payments.length > told ? [{ type: 'payments_told', from: told, upTo: payments.length }] : []
}

/** The effect of an event. `after` is the record after it. */
export function sessionEffectOf(event: TableEvent, after: PatTable): SessionEffect | null {
  if (after.host !== 'till') return null
  switch (event.type) {
    case 'payments_told':
      return { type: 'table.tell_payments', from: event.from, upTo: event.upTo }
    case 'closed':
      return { type: 'table.tell_unlock' }
    case 'created':
    case 'amount_changed':
    case 'bill_changed':
    case 'waiters_changed':
    case 'locked':
    case 'unlocked':
    case 'payment_begun':
    case 'payment_recorded':
    case 'payment_dropped':
      return null
  }
}

/** The timer that sends waiting payments. */
export function sessionTimersOf(table: PatTable): readonly Timer[] {
  if (table.host !== 'till' || table.state === 'closed') return []
  const unsent = table.payments[table.told]
  return unsent === undefined ? [] : [{ name: 'tell', dueAt: unsent.takenAt + SENT_WITHIN_MS }]
}

/** The record after these events. Their times do not matter here. */
function foreseen(before: PatTable, events: readonly TableEvent[]): PatTable {
  return events.reduce<PatTable>((table, event) => apply(table, { event, at: 0, report: 0 }), before)
}

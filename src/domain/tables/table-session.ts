// src/domain/tables/table-session.ts — a table that the till keeps itself: what is noted here is one visit of a terminal to it, and
// what the till has still to be told of it. ADR 16.
import type { Timer } from '../machine.ts'
import { apply, type PatTable, sumsOf, type TableEvent } from './table.ts'

/**
 * How long a payment may be known here and not be told, in milliseconds. A waiter who is still at the table may take more
 * of them, which are then told together; a terminal that is dead must not keep the till from what was paid.
 */
const TOLD_WITHIN_MS = 60_000

/** What the till is to be told of the payments from one place in the list up to another. */
export interface TellPayments {
  readonly type: 'table.tell_payments'
  readonly from: number
  readonly upTo: number
}

/** The terminal is done with the table. */
export interface TellUnlock {
  readonly type: 'table.tell_unlock'
}

export type SessionEffect = TellPayments | TellUnlock

/**
 * Adds to events what follows from them where the till keeps the table: what was paid is told when all of it is paid or
 * when the visit is over, and the visit is over with its lock, as soon as nothing is under way any more.
 */
export function withVisit(before: PatTable | null, events: readonly TableEvent[]): readonly TableEvent[] {
  if (before === null || before.host !== 'till' || before.state === 'closed') return events
  const after = foreseen(before, events)
  const settling = events.some(({ type }) => SETTLES.has(type))
  if (!settling || after.begun.length > 0 || after.state === 'closed') return events
  const over = after.lock === null
  const told = over || sumsOf(after).open.minor <= 0 ? untoldOf(after) : []
  return [...events, ...told, ...(over ? [{ type: 'closed' } as const] : [])]
}

const SETTLES: ReadonlySet<TableEvent['type']> = new Set(['unlocked', 'payment_recorded', 'payment_dropped'])

/** The event by which all payments so far count as told; none when they do already. */
export function untoldOf({ payments, told }: PatTable): readonly TableEvent[] {
  return payments.length > told ? [{ type: 'payments_told', from: told, upTo: payments.length }] : []
}

/** What an event asks for. `after` is the record after it. */
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

/** What is told by time. */
export function sessionTimersOf(table: PatTable): readonly Timer[] {
  if (table.host !== 'till' || table.state === 'closed') return []
  const untold = table.payments[table.told]
  return untold === undefined ? [] : [{ name: 'tell', dueAt: untold.takenAt + TOLD_WITHIN_MS }]
}

/** The record after events that have not happened yet. What they are dated does not matter here. */
function foreseen(before: PatTable, events: readonly TableEvent[]): PatTable {
  return events.reduce<PatTable>((table, event) => apply(table, { event, at: 0, report: 0 }), before)
}

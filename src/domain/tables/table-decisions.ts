// src/domain/tables/table-decisions.ts — decisions, effects and timers of tables.

import type { Partner } from '../counter/transaction-events.ts'
import type { MerchantAccountId, RequestId, TableId, TablePaymentId, TerminalId } from '../ids.ts'
import type { Decision, Effect, Timer } from '../machine.ts'
import { add, isMore, money, type TerminalCurrency } from '../money.ts'
import type { PlainCode, Refusal } from '../refusals.ts'
import {
  type BillLine,
  type DropReason,
  type PatTable,
  sumsOf,
  type TableEvent,
  type TableHost,
  type TablePayment,
} from './table.ts'
import { type SessionEffect, sessionEffectOf, sessionTimersOf, unsentOf, withSession } from './table-session.ts'

/** The till's last known amounts. Both must equal the stored ones, or nothing changes. See docs/pay-at-table.md. */
export interface LastKnown {
  readonly amountMinor: number
  /** Includes cashback, as on the wire. */
  readonly paidMinor: number
}

/** Changes by a till to a table that it has uploaded. */
export type TillChange =
  | { readonly type: 'amount'; readonly amountMinor: number }
  | { readonly type: 'bill'; readonly bill: readonly BillLine[] }
  | { readonly type: 'waiters'; readonly waiterIds: readonly string[] }
  | { readonly type: 'lock'; readonly by: string; readonly override: boolean }
  | { readonly type: 'unlock'; readonly by: string; readonly override: boolean }
  | { readonly type: 'close' }

export type TableCommand =
  | {
      readonly type: 'create'
      readonly tableId: TableId
      readonly merchantAccount: MerchantAccountId
      readonly host: TableHost
      readonly name: string
      readonly currency: TerminalCurrency
      readonly amountMinor: number
      readonly waiterIds: readonly string[]
      readonly bill: readonly BillLine[]
      readonly partner?: Partner
      /** The terminal that the till has locked it for: created and locked in one commit. */
      readonly lock?: { readonly tid: TerminalId; readonly waiterId: string; readonly leaseMs: number }
    }
  | { readonly type: 'till_changes'; readonly lastKnown: LastKnown; readonly change: TillChange }
  | {
      readonly type: 'lock_for_terminal'
      readonly tid: TerminalId
      readonly waiterId: string
      readonly override: boolean
      readonly leaseMs: number
    }
  | { readonly type: 'unlock_for_terminal'; readonly tid: TerminalId }
  | {
      readonly type: 'begin_payment'
      readonly paymentId: TablePaymentId
      readonly requestId: RequestId
      readonly tid: TerminalId
      readonly amountMinor: number
      readonly gratuityMinor: number
    }
  /** A share that was paid by other means; no money moves here. */
  | { readonly type: 'record_payment'; readonly payment: Omit<TablePayment, 'takenAt' | 'requestId' | 'waiterId'> }
  /** A begun payment has taken its money. Never refused, because money that was taken must be shown. */
  | { readonly type: 'payment_taken'; readonly payment: Omit<TablePayment, 'takenAt' | 'waiterId'> }
  /** A begun payment has taken no money and never will. */
  | { readonly type: 'payment_dropped'; readonly paymentId: TablePaymentId; readonly why: DropReason }
  /** Sends the payments now to the till that stores the table. */
  | { readonly type: 'tell_till' }
  | { readonly type: 'time_is_up' }

/** Facts for opening a table. */
export interface NameFacts {
  /** Whether an open table has the name. */
  readonly nameTaken: boolean
  /** Number of open tables that the account has uploaded; not used for tables that the till stores. */
  readonly openTables: number
}

/** Facts for beginning a payment: whether its terminal can take it. */
export interface BeginFacts {
  /** Whether the terminal is known and connected. */
  readonly isConnected: boolean
  readonly live: { readonly requestId: RequestId; readonly awaitsSignature: boolean } | null
}

export type TableFacts = NameFacts | BeginFacts

export interface StartPayment {
  readonly type: 'table.start_payment'
  readonly paymentId: TablePaymentId
}
export type TableEffect = StartPayment | SessionEffect

/** Limit of payment attempts per table: enough for a coach party with half of the cards declined. */
export const MOST_ATTEMPTS = 200

/**
 * Limit of open tables per account: more than any restaurant has. All of them are read for each sign-in of a waiter and for
 * each list. Two simultaneous uploads may exceed it by one.
 */
export const MOST_OPEN_TABLES = 1_000

const ZERO = 'is zero. It must be at least 1 minor unit, together with the gratuity.'

type TableDecision = Decision<TableEvent, Refusal>

const NOTHING: TableDecision = { events: [] }

const refused = (code: PlainCode, tid?: TerminalId): TableDecision => ({
  refused: tid === undefined ? { code } : { code, tid },
})

/** Decides a command on the current record. Pure. */
export function decide(table: PatTable | null, command: TableCommand, facts: TableFacts | null): TableDecision {
  const decision = decideAlone(table, command, facts)
  return 'events' in decision ? { events: withSession(table, decision.events) } : decision
}

function decideAlone(table: PatTable | null, command: TableCommand, facts: TableFacts | null): TableDecision {
  if (command.type === 'create') {
    if (facts !== null && 'nameTaken' in facts && facts.nameTaken) return refused('table_exists')
    if (facts !== null && 'openTables' in facts && facts.openTables >= MOST_OPEN_TABLES)
      return refused('too_many_tables')
    if (table !== null) throw new Error('a table id was given twice')
    const { type: _, lock, ...given } = command
    const created: TableEvent = { type: 'created', ...given }
    return { events: lock === undefined ? [created] : [created, lockedFor(lock, null)] }
  }
  if (table === null) return refused('table_unknown')
  switch (command.type) {
    case 'till_changes':
      return decideTill(table, command.lastKnown, command.change)
    case 'lock_for_terminal':
      return decideTerminalLock(table, command)
    case 'unlock_for_terminal':
      return decideTerminalUnlock(table, command.tid)
    case 'begin_payment':
      return decideBegin(table, command, facts !== null && 'isConnected' in facts ? facts : null)
    case 'record_payment':
      return decideRecord(table, command.payment)
    case 'payment_taken':
      return decideTaken(table, command.payment)
    case 'payment_dropped':
      return isUnderWay(table, command.paymentId) ? { events: [command] } : NOTHING
    case 'tell_till':
      return { events: table.state === 'open' ? unsentOf(table) : [] }
    case 'time_is_up':
      return decideTime(table)
  }
}

/** The checks have the published order, see docs/pay-at-table.md. */
function decideTill(table: PatTable, lastKnown: LastKnown, change: TillChange): TableDecision {
  const { paid, cashback } = sumsOf(table)
  if (table.state === 'closed') return refused('table_unknown')
  if (lastKnown.amountMinor !== table.amountMinor) return refused('table_amount_differs')
  if (lastKnown.paidMinor !== add(paid, cashback).minor) return refused('table_paid_differs')
  switch (change.type) {
    case 'lock':
      return decideTillLock(table, change.by, change.override)
    case 'unlock':
      return decideTillUnlock(table, change.by, change.override)
    case 'close':
      return closing(table)
    case 'amount':
      return whenUnlocked(table, { type: 'amount_changed', amountMinor: change.amountMinor })
    case 'bill':
      return whenUnlocked(table, { type: 'bill_changed', bill: change.bill })
    case 'waiters':
      return whenUnlocked(table, { type: 'waiters_changed', waiterIds: change.waiterIds })
  }
}

/** These requests have no `lockedBy`, so any lock refuses them. See docs/pay-at-table.md. */
function whenUnlocked(table: PatTable, event: TableEvent): TableDecision {
  return table.lock === null ? { events: [event] } : refused('table_locked')
}

function decideTillLock(table: PatTable, by: string, override: boolean): TableDecision {
  if (table.lock !== null && !override) return refused('table_locked')
  return { events: [{ type: 'locked', kind: 'till', by, waiterId: '', leaseMs: 0, overrode: table.lock?.by ?? null }] }
}

/** A till unlocks a terminal's lock only with `override`, even if the name matches. See docs/pay-at-table.md. */
function decideTillUnlock(table: PatTable, by: string, override: boolean): TableDecision {
  const { lock } = table
  if (lock === null) return NOTHING
  const isOwner = lock.kind === 'till' && lock.by === by
  return isOwner || override ? unlocked(table, 'asked', by) : refused('table_locked')
}

/** A table can be closed even if it is locked, but not while a payment may still take money. ADR 14. */
function closing(table: PatTable): TableDecision {
  const [begun] = table.begun
  return begun === undefined ? { events: [{ type: 'closed' }] } : refused('table_payment_under_way', begun.tid)
}

function decideTerminalLock(
  table: PatTable,
  { tid, waiterId, override, leaseMs }: Extract<TableCommand, { type: 'lock_for_terminal' }>,
): TableDecision {
  const { lock } = table
  if (table.state === 'closed') return refused('table_unknown')
  if (isLockedBy(table, tid) && lock?.waiterId === waiterId) return NOTHING
  if (lock !== null && !isLockedBy(table, tid) && !override) return refused('table_locked')
  return { events: [lockedFor({ tid, waiterId, leaseMs }, lock?.by ?? null)] }
}

function lockedFor(
  { tid, waiterId, leaseMs }: { readonly tid: TerminalId; readonly waiterId: string; readonly leaseMs: number },
  overrode: string | null,
): TableEvent {
  return { type: 'locked', kind: 'terminal', by: tid, waiterId, leaseMs, overrode }
}

/** Unlocks only the terminal's own lock; another holder's lock stays. */
function decideTerminalUnlock(table: PatTable, tid: TerminalId): TableDecision {
  if (!isLockedBy(table, tid)) return NOTHING
  return table.begun.some(each => each.tid === tid)
    ? refused('table_payment_under_way', tid)
    : unlocked(table, 'asked', tid)
}

function decideBegin(
  table: PatTable,
  { type: _, ...payment }: Extract<TableCommand, { type: 'begin_payment' }>,
  facts: BeginFacts | null,
): TableDecision {
  const { paymentId, tid, amountMinor, gratuityMinor } = payment
  // A repeated request for the same payment changes nothing.
  if (isUnderWay(table, paymentId) || isRecorded(table, paymentId)) return NOTHING
  if (facts?.isConnected !== true) return refused('terminal_unavailable', tid)
  if (table.state === 'closed') return refused('table_unknown')
  if (amountMinor + gratuityMinor === 0) return { refused: { code: 'field_invalid', field: 'amount', detail: ZERO } }
  const { live } = facts
  if (live?.awaitsSignature) return { refused: { code: 'signature_pending', tid, requestId: live.requestId } }
  if (live !== null) return refused('terminal_busy', tid)
  if (wasDropped(table, paymentId)) return { refused: { code: 'already_exists', field: 'paymentId' } }
  const stop = standsAgainst(table, tid, amountMinor)
  if (stop !== null) return stop
  return { events: [{ type: 'payment_begun', ...payment, waiterId: table.lock?.waiterId ?? '' }] }
}

function decideRecord(
  table: PatTable,
  payment: Extract<TableCommand, { type: 'record_payment' }>['payment'],
): TableDecision {
  const { paymentId, tid, amountMinor } = payment
  if (isRecorded(table, paymentId)) return NOTHING
  if (table.state === 'closed') return refused('table_unknown')
  if (isUnderWay(table, paymentId) || wasDropped(table, paymentId))
    return { refused: { code: 'already_exists', field: 'paymentId' } }
  const stop = standsAgainst(table, tid, amountMinor)
  if (stop !== null) return stop
  const waiterId = table.lock?.waiterId ?? ''
  return { events: [{ type: 'payment_recorded', ...payment, requestId: null, waiterId }] }
}

/** Why a terminal may not take a share of this size; null when it may. */
function standsAgainst(table: PatTable, tid: TerminalId, amountMinor: number): TableDecision | null {
  if (!isLockedBy(table, tid)) return refused(table.lock === null ? 'table_not_held' : 'table_locked', tid)
  if (isMore(money(amountMinor, table.currency), sumsOf(table).open)) return refused('table_overpaid')
  const attempts = table.payments.length + table.begun.length + table.dropped.length
  return attempts >= MOST_ATTEMPTS ? refused('table_attempts_exhausted') : null
}

function decideTaken(
  table: PatTable,
  payment: Extract<TableCommand, { type: 'payment_taken' }>['payment'],
): TableDecision {
  if (isRecorded(table, payment.paymentId)) return NOTHING
  const waiterId = table.begun.find(each => each.paymentId === payment.paymentId)?.waiterId ?? ''
  return { events: [{ type: 'payment_recorded', ...payment, waiterId }] }
}

/** Unlocks when the lease of a lock is over. */
function decideTime(table: PatTable): TableDecision {
  return leaseOf(table).length > 0 ? unlocked(table, 'lease_expired', 'gateway') : NOTHING
}

function unlocked(table: PatTable, why: 'asked' | 'lease_expired', by: string): TableDecision {
  return table.lock === null ? NOTHING : { events: [{ type: 'unlocked', why, by }] }
}

function isLockedBy({ lock }: PatTable, tid: TerminalId): boolean {
  return lock !== null && lock.kind === 'terminal' && lock.by === tid
}

function isUnderWay(table: PatTable, paymentId: TablePaymentId): boolean {
  return table.begun.some(each => each.paymentId === paymentId)
}

function isRecorded(table: PatTable, paymentId: TablePaymentId): boolean {
  return table.payments.some(each => each.paymentId === paymentId)
}

function wasDropped(table: PatTable, paymentId: TablePaymentId): boolean {
  return table.dropped.some(each => each.paymentId === paymentId)
}

/** The effect of an event. A begun payment starts on its terminal after the commit, retried until it has started. */
export function effectsOf(event: TableEvent, table: PatTable): readonly Effect<TableEffect>[] {
  const payload: TableEffect | null =
    event.type === 'payment_begun'
      ? { type: 'table.start_payment', paymentId: event.paymentId }
      : sessionEffectOf(event, table)
  if (payload === null) return []
  return [{ id: `${table.tableId}.${table.version}.${payload.type}`, type: payload.type, payload }]
}

/** The timers of a table. A terminal's lease does not run during a payment, which has its own limit. */
export function timersOf(table: PatTable): readonly Timer[] {
  return [...leaseOf(table), ...sessionTimersOf(table)]
}

function leaseOf({ lock, begun }: PatTable): readonly Timer[] {
  if (lock === null || lock.kind === 'till' || lock.leaseMs === 0 || begun.length > 0) return []
  return [{ name: 'lease', dueAt: lock.renewedAt + lock.leaseMs }]
}

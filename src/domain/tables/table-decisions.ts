// src/domain/tables/table-decisions.ts — what a table answers to tills and terminals, what has to be done, and by when.

import type { Partner } from '../counter/transaction-events.ts'
import type { MerchantAccountId, RequestId, TableId, TablePaymentId, TerminalId } from '../ids.ts'
import type { Decision, Effect, Timer } from '../machine.ts'
import { add, isMore, money, type TerminalCurrency } from '../money.ts'
import type { Refusal } from '../refusals.ts'
import {
  type BillLine,
  type DropReason,
  type PatTable,
  sumsOf,
  type TableEvent,
  type TableHost,
  type TablePayment,
} from './table.ts'
import { type SessionEffect, sessionEffectOf, sessionTimersOf, untoldOf, withVisit } from './table-session.ts'

/** What the till last saw. Both must be what is stored, or nothing changes. Terminal reference 10.5. */
export interface LastKnown {
  readonly amountMinor: number
  /** As on the wire: with cashback. */
  readonly paidMinor: number
}

/** What a till can do to a table that it has uploaded. */
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
      /** The terminal that a till has locked it for already: opened and locked at once. */
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
  /** A share that was paid by other means: no money moves here. */
  | { readonly type: 'record_payment'; readonly payment: Omit<TablePayment, 'takenAt' | 'requestId' | 'waiterId'> }
  /** A payment that was begun has taken its money. Never refused: what was taken is shown. */
  | { readonly type: 'payment_taken'; readonly payment: Omit<TablePayment, 'takenAt' | 'waiterId'> }
  /** A payment that was begun has taken no money, and never will. */
  | { readonly type: 'payment_dropped'; readonly paymentId: TablePaymentId; readonly why: DropReason }
  /** The till that keeps the table is told now of what was paid. */
  | { readonly type: 'tell_till' }
  | { readonly type: 'time_is_up' }

/** What opening a table must know of the world. */
export interface NameFacts {
  /** Whether an open table has the name. */
  readonly nameTaken: boolean
  /** Open tables that the account has uploaded; not looked at for those that the till keeps. */
  readonly openTables: number
}

/** What the beginning of a payment must know of the world: whether its terminal can take it. */
export interface BeginFacts {
  /** Null when the terminal is unknown or not connected. */
  readonly terminal: { readonly authorisedBy: 'gateway' | 'terminal' } | null
  readonly live: { readonly requestId: RequestId; readonly awaitsSignature: boolean } | null
}

export type TableFacts = NameFacts | BeginFacts

export interface StartPayment {
  readonly type: 'table.start_payment'
  readonly paymentId: TablePaymentId
}
export type TableEffect = StartPayment | SessionEffect

/** Attempts to pay that one table takes: a bill that a whole coach splits by the head, with every second card declined. */
export const MOST_ATTEMPTS = 200

/**
 * Open tables that an account can have: more than any house seats at once. All of them are read for every waiter who comes
 * to a terminal, and for every list. Two uploads in the same instant may both be the last.
 */
export const MOST_OPEN_TABLES = 1_000

type TableDecision = Decision<TableEvent, Refusal>

const NOTHING: TableDecision = { events: [] }

const refused = (code: Refusal['code'], tid?: TerminalId): TableDecision => ({
  refused: tid === undefined ? { code } : { code, tid },
})

/** Decides a command against the record as it is. */
export function decide(table: PatTable | null, command: TableCommand, facts: TableFacts | null): TableDecision {
  const decision = decideAlone(table, command, facts)
  return 'events' in decision ? { events: withVisit(table, decision.events) } : decision
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
      return decideBegin(table, command, facts !== null && 'terminal' in facts ? facts : null)
    case 'record_payment':
      return decideRecord(table, command.payment)
    case 'payment_taken':
      return decideTaken(table, command.payment)
    case 'payment_dropped':
      return isBegun(table, command.paymentId) ? { events: [command] } : NOTHING
    case 'tell_till':
      return { events: table.state === 'open' ? untoldOf(table) : [] }
    case 'time_is_up':
      return decideTime(table)
  }
}

/** The order of the checks is that of the lists in the published files. Terminal reference 10.5. */
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

/** These requests name nobody, so they are refused whoever holds the lock. Terminal reference 10.6. */
function whenUnlocked(table: PatTable, event: TableEvent): TableDecision {
  return table.lock === null ? { events: [event] } : refused('table_locked')
}

function decideTillLock(table: PatTable, by: string, override: boolean): TableDecision {
  if (table.lock !== null && !override) return refused('table_locked')
  return { events: [{ type: 'locked', kind: 'till', by, waiterId: '', leaseMs: 0, overrode: table.lock?.by ?? null }] }
}

/** A terminal's lock is never given back by a name alone: the till must mean it. Terminal reference 10.6. */
function decideTillUnlock(table: PatTable, by: string, override: boolean): TableDecision {
  const { lock } = table
  if (lock === null) return NOTHING
  const own = lock.kind === 'till' && lock.by === by
  return own || override ? unlocked(table, 'asked', by) : refused('table_locked')
}

/** Locked or not, a table can be deleted; but never while it is not known whether a payment of it took money. ADR 14. */
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
  if (holds(table, tid) && lock?.waiterId === waiterId) return NOTHING
  if (lock !== null && !holds(table, tid) && !override) return refused('table_locked')
  return { events: [lockedFor({ tid, waiterId, leaseMs }, lock?.by ?? null)] }
}

function lockedFor(
  { tid, waiterId, leaseMs }: { readonly tid: TerminalId; readonly waiterId: string; readonly leaseMs: number },
  overrode: string | null,
): TableEvent {
  return { type: 'locked', kind: 'terminal', by: tid, waiterId, leaseMs, overrode }
}

/** A lock that is not the terminal's any more is left to whoever took it. */
function decideTerminalUnlock(table: PatTable, tid: TerminalId): TableDecision {
  if (!holds(table, tid)) return NOTHING
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
  // The same payment asked for again is the same payment.
  if (isBegun(table, paymentId) || isRecorded(table, paymentId)) return NOTHING
  const terminal = facts?.terminal ?? null
  if (terminal === null) return refused('terminal_unavailable', tid)
  if (table.state === 'closed') return refused('table_unknown')
  if (amountMinor + gratuityMinor === 0) return { refused: { code: 'field_invalid', field: 'amount' } }
  const { live } = facts ?? { live: null }
  if (live?.awaitsSignature) return { refused: { code: 'signature_pending', tid, requestId: live.requestId } }
  if (live !== null) return refused('terminal_busy', tid)
  // Such a terminal may fall silent after it has taken money, and nobody else could say so. ADR 14.
  if (terminal.authorisedBy === 'terminal') return refused('terminal_unfit', tid)
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
  if (isBegun(table, paymentId) || wasDropped(table, paymentId))
    return { refused: { code: 'already_exists', field: 'paymentId' } }
  const stop = standsAgainst(table, tid, amountMinor)
  if (stop !== null) return stop
  const waiterId = table.lock?.waiterId ?? ''
  return { events: [{ type: 'payment_recorded', ...payment, requestId: null, waiterId }] }
}

/** Why a terminal may not take a share of this size; null when it may. */
function standsAgainst(table: PatTable, tid: TerminalId, amountMinor: number): TableDecision | null {
  if (!holds(table, tid)) return refused(table.lock === null ? 'table_not_held' : 'table_locked', tid)
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

/** The lease of a lock is over. */
function decideTime(table: PatTable): TableDecision {
  return leaseOf(table).length > 0 ? unlocked(table, 'lease_expired', 'gateway') : NOTHING
}

function unlocked(table: PatTable, why: 'asked' | 'lease_expired', by: string): TableDecision {
  return table.lock === null ? NOTHING : { events: [{ type: 'unlocked', why, by }] }
}

function holds({ lock }: PatTable, tid: TerminalId): boolean {
  return lock !== null && lock.kind === 'terminal' && lock.by === tid
}

function isBegun(table: PatTable, paymentId: TablePaymentId): boolean {
  return table.begun.some(each => each.paymentId === paymentId)
}

function isRecorded(table: PatTable, paymentId: TablePaymentId): boolean {
  return table.payments.some(each => each.paymentId === paymentId)
}

function wasDropped(table: PatTable, paymentId: TablePaymentId): boolean {
  return table.dropped.some(each => each.paymentId === paymentId)
}

/** A payment that is begun starts on its terminal after the commit, however often it takes to be sure of it. */
export function effectsOf(event: TableEvent, table: PatTable): readonly Effect<TableEffect>[] {
  const payload: TableEffect | null =
    event.type === 'payment_begun'
      ? { type: 'table.start_payment', paymentId: event.paymentId }
      : sessionEffectOf(event, table)
  if (payload === null) return []
  return [{ id: `${table.tableId}.${table.version}.${payload.type}`, type: payload.type, payload }]
}

/** A terminal's lock is let go when its lease is over; not while a payment is under way, which has a limit of its own. */
export function timersOf(table: PatTable): readonly Timer[] {
  return [...leaseOf(table), ...sessionTimersOf(table)]
}

function leaseOf({ lock, begun }: PatTable): readonly Timer[] {
  if (lock === null || lock.kind === 'till' || lock.leaseMs === 0 || begun.length > 0) return []
  return [{ name: 'lease', dueAt: lock.renewedAt + lock.leaseMs }]
}

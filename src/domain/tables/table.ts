// src/domain/tables/table.ts — a restaurant table: its bill, lock and payments.

import type { PaymentMethod } from '../card.ts'
import type { Partner } from '../counter/transaction-events.ts'
import type { MerchantAccountId, RequestId, TableId, TablePaymentId, TerminalId } from '../ids.ts'
import { type EventEnvelope, moved, type SideBySide } from '../machine.ts'
import { add, amountOf, type Money, money, subtract, sumOf, type TerminalCurrency } from '../money.ts'
import { LINE_TYPES, type LineFormat } from '../receipt.ts'

/** Line types of counter receipts and of table receipts. Both are accepted. */
export const BILL_LINE_TYPES = [
  ...LINE_TYPES,
  'IMAGE_LOGO',
  'BARCODE_CODE25',
  'BARCODE_CODE39',
  'BARCODE_CODE128',
] as const

/** A line of the bill. */
export interface BillLine {
  readonly value: string
  readonly type: (typeof BILL_LINE_TYPES)[number]
  readonly format?: readonly LineFormat[]
}

/** `gateway`: the till has uploaded the table; `till`: the till stores it, and the record is one session of a terminal at it. */
export type TableHost = 'gateway' | 'till'

export type TableState = 'open' | 'closed'
export type LockState = 'unlocked' | 'locked'

/** `by` is `lockedBy` on the wire: the till's own name, or the id of the terminal. */
export interface TableLock {
  readonly kind: 'till' | 'terminal'
  readonly by: string
  /** The waiter at the terminal; empty when a till has the lock. */
  readonly waiterId: string
  readonly since: number
  /** Start of a terminal's lease: the lock, or the last payment that ended under it. */
  readonly renewedAt: number
  /** How long a terminal may keep the lock without a payment, in milliseconds; 0 for no limit. */
  readonly leaseMs: number
}

/** A share that was paid. Amounts are minor units of the table's currency. */
export interface TablePayment {
  readonly paymentId: TablePaymentId
  /** Amount off the bill, without cashback and gratuity. */
  readonly amountMinor: number
  readonly cashbackMinor: number
  readonly gratuityMinor: number
  readonly authCode: string
  readonly cardSchemeName: string
  readonly paymentMethod: PaymentMethod
  /** The counter transaction that took it; null when it was paid by other means. */
  readonly requestId: RequestId | null
  readonly tid: TerminalId
  readonly waiterId: string
  readonly takenAt: number
}

/** A payment in progress at a terminal. Its amount is reserved until the outcome is known. */
export interface BegunPayment {
  readonly paymentId: TablePaymentId
  readonly amountMinor: number
  readonly gratuityMinor: number
  /** The counter transaction that takes it. */
  readonly requestId: RequestId
  readonly tid: TerminalId
  readonly waiterId: string
  readonly begunAt: number
}

/** A begun payment that took no money. Its id cannot be used again. */
export interface DroppedPayment extends BegunPayment {
  readonly why: DropReason
  readonly droppedAt: number
}

/** Why a begun payment takes no money. `not_started`: the terminal did not accept it. */
export type DropReason = 'not_started' | 'declined' | 'cancelled' | 'unsuccessful' | 'timed_out'

export type UnlockReason = 'asked' | 'lease_expired'

export type TableEvent =
  | {
      readonly type: 'created'
      readonly tableId: TableId
      readonly merchantAccount: MerchantAccountId
      readonly host: TableHost
      readonly name: string
      readonly currency: TerminalCurrency
      readonly amountMinor: number
      readonly waiterIds: readonly string[]
      readonly bill: readonly BillLine[]
      /** Software house and installer of the till; absent when not sent. */
      readonly partner?: Partner
    }
  | { readonly type: 'amount_changed'; readonly amountMinor: number }
  | { readonly type: 'bill_changed'; readonly bill: readonly BillLine[] }
  | { readonly type: 'waiters_changed'; readonly waiterIds: readonly string[] }
  | {
      readonly type: 'locked'
      readonly kind: TableLock['kind']
      readonly by: string
      readonly waiterId: string
      readonly leaseMs: number
      /** Holder of the lock that this one overrode; null when it was unlocked. */
      readonly overrode: string | null
    }
  | { readonly type: 'unlocked'; readonly why: UnlockReason; readonly by: string }
  | ({ readonly type: 'payment_begun' } & Omit<BegunPayment, 'begunAt'>)
  | ({ readonly type: 'payment_recorded' } & Omit<TablePayment, 'takenAt'>)
  | { readonly type: 'payment_dropped'; readonly paymentId: TablePaymentId; readonly why: DropReason }
  /** Payments from index `from` up to, but not including, `upTo` are sent to the till that stores the table. */
  | { readonly type: 'payments_told'; readonly from: number; readonly upTo: number }
  | { readonly type: 'closed' }

type EventType = TableEvent['type']

interface TableStates {
  readonly state: TableState
  readonly lock: LockState
}

export const TRANSITIONS: SideBySide<TableStates, EventType> = {
  /** Whether the till can use the table. Payments begun while it was open may still end. */
  state: {
    open: {
      amount_changed: 'open',
      bill_changed: 'open',
      waiters_changed: 'open',
      locked: 'open',
      unlocked: 'open',
      payment_begun: 'open',
      payment_recorded: 'open',
      payment_dropped: 'open',
      payments_told: 'open',
      closed: 'closed',
    },
    // Money that was taken is shown, even on a closed table.
    closed: { payment_recorded: 'closed', payment_dropped: 'closed' },
  },
  /** State of the lock. An override locks a locked table again; closing a table unlocks it. */
  lock: {
    unlocked: { locked: 'locked', closed: 'unlocked' },
    locked: { locked: 'locked', unlocked: 'unlocked', closed: 'unlocked' },
  },
}

export interface PatTable {
  readonly tableId: TableId
  readonly merchantAccount: MerchantAccountId
  readonly host: TableHost
  readonly name: string
  readonly currency: TerminalCurrency
  readonly state: TableState
  /** Number of events so far; the record is their fold. */
  readonly version: number
  readonly amountMinor: number
  readonly waiterIds: readonly string[]
  readonly bill: readonly BillLine[]
  /** Credited with the payments. */
  readonly partner?: Partner
  readonly lock: TableLock | null
  /** Oldest first. */
  readonly payments: readonly TablePayment[]
  readonly begun: readonly BegunPayment[]
  readonly dropped: readonly DroppedPayment[]
  /** Number of payments sent to the till that stores the table. */
  readonly told: number
  readonly createdAt: number
  readonly closedAt: number | null
}

/** Sums over the payments of a table, in its currency. */
export interface TableSums {
  /** Paid amount of the bill, without cashback and gratuity. */
  readonly paid: Money
  readonly cashback: Money
  readonly gratuity: Money
  /** Amount of payments in progress. */
  readonly reserved: Money
  /** Amount neither paid nor being paid; negative when the till has reduced the bill below the payments. */
  readonly open: Money
}

/** Sums the payments. `amountPaid` on the wire is paid plus cashback, see docs/pay-at-table.md. */
export function sumsOf(table: PatTable): TableSums {
  const { currency, payments, begun } = table
  const sum = (minors: readonly number[]) => {
    const amounts = minors.map(minor => money(minor, currency))
    return sumOf(amounts, currency)
  }
  const paid = sum(payments.map(({ amountMinor }) => amountMinor))
  const reserved = sum(begun.map(({ amountMinor }) => amountMinor))
  return {
    paid,
    cashback: sum(payments.map(({ cashbackMinor }) => cashbackMinor)),
    gratuity: sum(payments.map(({ gratuityMinor }) => gratuityMinor)),
    reserved,
    open: subtract(amountOf(table), add(paid, reserved)),
  }
}

/** Whether a waiter may see the table: it has no waiter ids, or has this one. */
export function isFor(table: PatTable, waiterId: string): boolean {
  return table.waiterIds.length === 0 || table.waiterIds.includes(waiterId)
}

/** Folds one event into the record: first the states move, then the event adds its data. */
export function apply(before: PatTable | null, { event, at }: EventEnvelope<TableEvent>): PatTable {
  if (event.type === 'created') {
    const { type: _, ...given } = event
    const nothing = { lock: null, payments: [], begun: [], dropped: [], told: 0, closedAt: null }
    return { ...given, ...nothing, state: 'open', version: 1, createdAt: at }
  }
  if (before === null) throw new Error(`${event.type} before created`)
  // The lock member itself is the lock state: `moved` only checks the transition, the switch below makes it.
  const { state } = moved<TableStates, EventType>(
    TRANSITIONS,
    { state: before.state, lock: before.lock === null ? 'unlocked' : 'locked' },
    event.type,
  )
  const table: PatTable = { ...before, version: before.version + 1, state }
  switch (event.type) {
    case 'amount_changed':
      return { ...table, amountMinor: event.amountMinor }
    case 'bill_changed':
      return { ...table, bill: event.bill }
    case 'waiters_changed':
      return { ...table, waiterIds: event.waiterIds }
    case 'locked': {
      const { kind, by, waiterId, leaseMs } = event
      return { ...table, lock: { kind, by, waiterId, leaseMs, since: at, renewedAt: at } }
    }
    case 'unlocked':
      return { ...table, lock: null }
    case 'payment_begun': {
      const { type: _, ...begun } = event
      return { ...table, begun: [...table.begun, { ...begun, begunAt: at }] }
    }
    case 'payment_recorded': {
      const { type: _, ...payment } = event
      return { ...settled(table, event.paymentId, at), payments: [...table.payments, { ...payment, takenAt: at }] }
    }
    case 'payment_dropped': {
      const dropped = table.begun
        .filter(({ paymentId }) => paymentId === event.paymentId)
        .map(each => ({ ...each, why: event.why, droppedAt: at }))
      return { ...settled(table, event.paymentId, at), dropped: [...table.dropped, ...dropped] }
    }
    case 'payments_told':
      return { ...table, told: event.upTo }
    case 'closed':
      return { ...table, lock: null, closedAt: at }
  }
}

/** Ends the reservation of a payment and restarts the lease of the lock. */
function settled(table: PatTable, paymentId: TablePaymentId, at: number): PatTable {
  return {
    ...table,
    begun: table.begun.filter(each => each.paymentId !== paymentId),
    lock: table.lock === null ? null : { ...table.lock, renewedAt: at },
  }
}

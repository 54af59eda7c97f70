// src/engine/tables.ts — tables between the engine, the tills that upload them and the terminals that take payments.
import type { TerminalCurrency } from '../domain/money.ts'
import type { Refusal } from '../domain/refusals.ts'
import type { BillLine, PatTable, TableEvent, TableHost, TablePayment } from '../domain/table.ts'
import type { Effect } from '../domain/machine.ts'
import type { Performers } from './effects.ts'
import type { Executed } from './engine.ts'
import type { Entry } from './cache.ts'
import type { StoredTimer } from './ports.ts'

export interface TableOrder {
  readonly account: string
  readonly name: string
  readonly currency: TerminalCurrency
  readonly amountMinor: number
  readonly waiterIds: readonly string[]
  readonly bill: readonly BillLine[]
  /** `till`: the till keeps the table and this notes one visit to it. Such a table is not shown over REST. */
  readonly host?: TableHost
}

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

/** Names a table of an account by its own id. */
export interface TableKey {
  readonly account: string
  readonly tableId: string
}

/** A payment by card that a terminal is to take. Amounts are minor units. */
export interface CardShare {
  /** Given by whoever asks, so that asking again is the same payment. */
  readonly paymentId: string
  readonly tid: string
  readonly amountMinor: number
  readonly gratuityMinor: number
}

/** A share that was paid by other means: nothing is taken, it is only recorded. */
export type OtherShare = Omit<TablePayment, 'takenAt' | 'requestId' | 'waiterId'>

export type TableAnswer = Executed<PatTable, TableEvent>

export interface Tables {
  /** Opens a table, or refuses with `table_exists`. */
  create(order: TableOrder): Promise<TableAnswer>
  /** The open table of this name, or null. */
  find(account: string, name: string): Promise<Entry<PatTable> | null>
  /** Any table by its id, closed ones too. */
  read(key: TableKey): Promise<Entry<PatTable> | null>
  /** The open tables that were uploaded, oldest first. */
  list(account: string, filter?: { readonly locked?: boolean; readonly currency?: TerminalCurrency }): Promise<readonly PatTable[]>
  /** A till changes the open table of this name. */
  change(account: string, name: string, lastKnown: LastKnown, change: TillChange): Promise<TableAnswer>

  // What a terminal does.
  /** The open tables in its currency that the waiter may see, oldest first. */
  tablesFor(account: string, who: { readonly waiterId: string; readonly currency: TerminalCurrency }): Promise<readonly PatTable[]>
  /** Locks a table for a terminal; refused with `table_locked` when anybody else holds it. Twice is the same as once. */
  lockFor(key: TableKey, who: { readonly tid: string; readonly waiterId: string; readonly override?: boolean }): Promise<TableAnswer>
  /** Gives the terminal's lock back; changes nothing when somebody else holds it by now. */
  unlockFor(key: TableKey, who: { readonly tid: string }): Promise<TableAnswer>
  /**
   * Takes a share by card: reserves it on the table, then starts a SALE on the terminal. When it resolves, both are
   * durable, or neither stands. How the payment ends is on the transaction (`requestId`), and then on the table.
   */
  takePayment(key: TableKey, share: CardShare): Promise<PaymentTaken>
  /** Records a share that was paid by other means. */
  recordPayment(key: TableKey, share: OtherShare): Promise<TableAnswer>
  /** Ends the visit to a table that the till keeps. */
  closeVisit(key: TableKey): Promise<TableAnswer>

  readonly performers: Performers
  fire(timer: StoredTimer): Promise<boolean>
}

export type PaymentTaken = { readonly requestId: string; readonly table: PatTable } | { readonly refused: Refusal }

export type TableEffect = Effect<{ readonly type: 'table.start_payment'; readonly paymentId: string }>

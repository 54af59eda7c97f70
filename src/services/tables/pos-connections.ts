// src/services/tables/pos-connections.ts — port to tills that store their own tables: their connections, at most one per account,
// requests and messages. See docs/pay-at-table.md.

import type { MerchantAccountId, TerminalId } from '../../domain/ids.ts'
import type { TillMessage } from '../../domain/tables/pos-message.ts'
import type { BillLine } from '../../domain/tables/table.ts'

/** Time limit for a till's answer, in milliseconds: a waiter is waiting. See docs/pay-at-table.md. */
export const TILL_ANSWERS_WITHIN_MS = 10_000

/** Time limit of a call to the node that has the till's connection, in milliseconds: the till's, and two seconds for the way. */
export const TILL_CALL_MS = TILL_ANSWERS_WITHIN_MS + 2_000

/** The terminal and waiter of a request. */
export interface RequestingTerminal {
  readonly tid: TerminalId
  /** As typed; null when the terminal does not ask for one. */
  readonly waiterId: string | null
}

/** Answer of a till. `none`: no answer in time, an error, or no connection. */
export type TillAnswer<Value> =
  | { readonly answer: 'given'; readonly value: Value }
  /** `says` is the till's message for the display, or null. */
  | { readonly answer: 'none'; readonly says: string | null }

export const NO_ANSWER: TillAnswer<never> = { answer: 'none', says: null }

export interface TillTables {
  readonly names: readonly string[]
  /** Null when the till sends none. */
  readonly currency: string | null
}

export type TillLock =
  | { readonly confirmed: true; readonly amountMinor: number; readonly currency: string }
  | { readonly confirmed: false }

/** The connection of one account's till. */
export interface PosConnection {
  /** Whether the till also wants requests for the bill after the payment. */
  readonly wantsFinalBill: boolean
  tables(who: RequestingTerminal): Promise<TillAnswer<TillTables>>
  /** `tooLate` is called when the till confirms after the time limit: the till has locked the table, but no terminal uses it. */
  lock(who: RequestingTerminal, table: string, tooLate: () => void): Promise<TillAnswer<TillLock>>
  bill(who: RequestingTerminal, table: string, which: 'before' | 'final'): Promise<TillAnswer<readonly BillLine[]>>
  /**
   * Sends a message without an answer. True when it has left the process that has the connection; false when that is not open, and
   * when its node does not answer: then it may have been sent.
   */
  notify(message: TillMessage): boolean | Promise<boolean>
}

/** The connection of an account's till, wherever it is. */
export type FoundConnection =
  /** `node` is the address of the node that has it; null for this one. */
  | { readonly connection: PosConnection; readonly node: string | null }
  /** Not `sure`: a node has not said whether it has it. */
  | { readonly connection: null; readonly sure: boolean }

export interface ConnectionListeners {
  /** A till has connected to this node. */
  connected(account: MerchantAccountId): void
  /** A till has connected to another node. Resolves when nothing is being sent over its earlier connection to this one. */
  replaced(account: MerchantAccountId): Promise<void>
}

export interface PosConnections {
  /** The connection of an account's till to this node, or null. */
  of(account: MerchantAccountId): PosConnection | null
  /** The connection of an account's till to any node. A node that does not answer within a second is passed over. */
  find(account: MerchantAccountId): Promise<FoundConnection>
  /** Resolves when the other nodes have dropped an older connection than that to this node, or after two seconds. */
  announced(account: MerchantAccountId): Promise<unknown>
  /** Registers a connection; it replaces an earlier one, on whatever node. */
  connect(account: MerchantAccountId, connection: PosConnection): void
  /** Removes a closed connection, unless another one has replaced it. */
  disconnect(account: MerchantAccountId, connection: PosConnection): void
  /** Sets the callbacks. Called once, by the composition root. */
  attach(listeners: ConnectionListeners): void
}

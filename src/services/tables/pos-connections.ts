// src/services/tables/pos-connections.ts — connections of tills that store their own tables, at most one per account, and the
// port through which they get requests and messages. See docs/pay-at-table.md.

import type { MerchantAccountId, TerminalId } from '../../domain/ids.ts'
import type { TillMessage } from '../../domain/tables/pos-message.ts'
import type { BillLine } from '../../domain/tables/table.ts'

/** Time limit for a till's answer, in milliseconds: a waiter is waiting. See docs/pay-at-table.md. */
export const TILL_ANSWERS_WITHIN_MS = 10_000

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
   * Sends a message without an answer. True when it has left this process; false when the connection is not open and nothing
   * was sent.
   */
  notify(message: TillMessage): boolean
}

export interface PosConnections {
  /** The connection of an account's till, or null. */
  of(account: MerchantAccountId): PosConnection | null
  /** Registers a connection; it replaces an earlier one. */
  connect(account: MerchantAccountId, connection: PosConnection): void
  /** Removes a closed connection, unless another one has replaced it. */
  disconnect(account: MerchantAccountId, connection: PosConnection): void
  /** Sets the callback for each new connection. Called once, by the composition root. */
  onConnect(listener: (account: MerchantAccountId) => void): void
}

/** Keeps the connections in memory, because they end with the process. */
export function createPosConnections(): PosConnections {
  const connections = new Map<string, PosConnection>()
  let notify: (account: MerchantAccountId) => void = () => {}
  return {
    of: account => connections.get(account) ?? null,
    connect(account, connection) {
      connections.set(account, connection)
      notify(account)
    },
    disconnect(account, connection) {
      if (connections.get(account) === connection) connections.delete(account)
    },
    onConnect(listener) {
      notify = listener
    },
  }
}

// src/services/tables/pos-connections.ts — the tills that keep their tables themselves, each on a line of its own making: at most one
// an account. What a till is asked and told, whatever the line is made of. Terminal socket reference, section 6.

import type { MerchantAccountId, TerminalId } from '../../domain/ids.ts'
import type { TillMessage } from '../../domain/tables/pos-message.ts'
import type { BillLine } from '../../domain/tables/table.ts'

/** How long a till may take to answer, in milliseconds: a person stands at the table. Terminal socket reference 6.2. */
export const TILL_ANSWERS_WITHIN_MS = 10_000

/** Who asks: a terminal, with a waiter at it. */
export interface RequestingTerminal {
  readonly tid: TerminalId
  /** As typed; null where terminals ask for none. */
  readonly waiterId: string | null
}

/** What became of a question. `none`: no answer in time, an error instead of one, or nobody there. */
export type TillAnswer<Value> =
  | { readonly answer: 'given'; readonly value: Value }
  /** `says` is what the till wants to be shown, or null. */
  | { readonly answer: 'none'; readonly says: string | null }

export interface TillTables {
  readonly names: readonly string[]
  /** Null when the till names none. */
  readonly currency: string | null
}

export type TillLock =
  | { readonly confirmed: true; readonly amountMinor: number; readonly currency: string }
  | { readonly confirmed: false }

/** The way to the till of one account. */
export interface PosConnection {
  /** Whether the till wants to print the bill after the payment too. */
  readonly wantsFinalBill: boolean
  tables(who: RequestingTerminal): Promise<TillAnswer<TillTables>>
  /** `tooLate` is called when the till confirms after its time: nobody holds the table then. */
  lock(who: RequestingTerminal, table: string, tooLate: () => void): Promise<TillAnswer<TillLock>>
  bill(who: RequestingTerminal, table: string, which: 'before' | 'final'): Promise<TillAnswer<readonly BillLine[]>>
  /**
   * Sends without an answer. True: the message has left this process, and may be noted as sent. False: the line is not open,
   * and nothing was sent.
   */
  tell(message: TillMessage): boolean
}

export interface PosConnections {
  /** The line of an account's till, or null. */
  of(account: MerchantAccountId): PosConnection | null
  /** A till has connected: from now on it is the one that is asked. */
  connect(account: MerchantAccountId, line: PosConnection): void
  /** The line has closed. Nothing changes when another one is in its place. */
  disconnect(account: MerchantAccountId, line: PosConnection): void
  /** Calls back whenever a till has connected. Called once, by the composition root. */
  onConnect(listener: (account: MerchantAccountId) => void): void
}

/** Keeps who is connected, in memory: a line does not outlive the process. */
export function createPosConnections(): PosConnections {
  const lines = new Map<string, PosConnection>()
  let told: (account: MerchantAccountId) => void = () => {}
  return {
    of: account => lines.get(account) ?? null,
    connect(account, line) {
      lines.set(account, line)
      told(account)
    },
    disconnect(account, line) {
      if (lines.get(account) === line) lines.delete(account)
    },
    onConnect(listener) {
      told = listener
    },
  }
}

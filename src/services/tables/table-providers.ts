// src/services/tables/table-providers.ts — port for the tables of waiters, and its implementation for uploaded tables. Tills
// that store their own tables have another one. Payments are the same for both: they are on the gateway's table record.

import { idHoldsCardNumber } from '../../domain/card-numbers.ts'
import type { MerchantAccountId } from '../../domain/ids.ts'
import type { TerminalCurrency } from '../../domain/money.ts'
import { MAY_BE_CARD, type Refusal, sentenceOf } from '../../domain/refusals.ts'
import { type BillLine, type PatTable, sumsOf } from '../../domain/tables/table.ts'
import type { LockedTable } from '../../engine/ports/pay-at-table.ts'
import type { RequestingTerminal } from './pos-connections.ts'
import type { Tables } from './tables.ts'

/** A waiter at a terminal. */
export interface Waiter extends RequestingTerminal {
  readonly account: MerchantAccountId
  readonly currency: TerminalCurrency
}

/** The locked table, or the sentence that the terminal shows instead. */
export type TableLockResult = { readonly locked: LockedTable } | { readonly says: string }

export interface TableProvider {
  /** Names of the open tables that this waiter may see, in the terminal's currency. */
  tables(waiter: Waiter): Promise<readonly string[]>
  /** Locks a table for the terminal. Idempotent for the terminal that has the lock. */
  lock(waiter: Waiter, name: string): Promise<TableLockResult>
  /** The bill to print before payment; empty when there is none. */
  bill(waiter: Waiter, table: PatTable): Promise<readonly BillLine[]>
  /** The bill to print after payment. The till gets the payments first. */
  finalBill(waiter: Waiter, table: PatTable): Promise<readonly BillLine[]>
}

/** What is typed as the waiter's id is stored with the table. */
export const NO_WAITER = shown({ code: 'field_invalid', field: 'waiterId', detail: MAY_BE_CARD })

export function lockedTableOf(table: PatTable): LockedTable {
  const { tableId, name, currency, bill } = table
  return { tableId, name, currency, bill, openMinor: sumsOf(table).open.minor }
}

export function shown(refusal: Refusal): { readonly says: string } {
  return { says: sentenceOf(refusal) }
}

/** The tables that the till has uploaded. */
export function uploadedTables(tables: Tables): TableProvider {
  return {
    async tables({ account, waiterId, currency }) {
      const open = await tables.tablesFor(account, { waiterId: waiterId ?? '', currency })
      return open.map(({ name }) => name)
    },
    async lock({ account, tid, waiterId, currency }, name) {
      const mine = await tables.tablesFor(account, { waiterId: waiterId ?? '', currency })
      const wanted = mine.find(table => table.name === name)
      if (wanted === undefined) return shown({ code: 'table_unknown' })
      if (waiterId !== null && idHoldsCardNumber(waiterId) && !wanted.waiterIds.includes(waiterId)) return NO_WAITER
      const key = { account, tableId: wanted.tableId }
      const locked = await tables.lockFor(key, { tid, waiterId: waiterId ?? '' })
      if ('refused' in locked) return shown(locked.refused)
      return 'record' in locked ? { locked: lockedTableOf(locked.record) } : shown({ code: 'gateway_busy' })
    },
    bill: async (_, { bill }) => bill,
    // The till prints the final bill itself when it closes the table.
    finalBill: async () => [],
  }
}

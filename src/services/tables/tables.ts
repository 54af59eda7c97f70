// src/services/tables/tables.ts — use cases of tables: open, change, lock and pay.

import type { Partner } from '../../domain/counter/transaction-events.ts'
import type { MerchantAccountId, TableId, TerminalId } from '../../domain/ids.ts'
import type { TerminalCurrency } from '../../domain/money.ts'
import {
  type BillLine,
  isFor,
  type PatTable,
  type TableEvent,
  type TableHost,
  type TablePayment,
} from '../../domain/tables/table.ts'
import {
  type LastKnown,
  MOST_OPEN_TABLES,
  type TableCommand,
  type TableFacts,
  type TillChange,
} from '../../domain/tables/table-decisions.ts'
import type { Entry } from '../../engine/cache.ts'
import type { Performers } from '../../engine/effects.ts'
import type { Executed, ExecuteOptions } from '../../engine/engine.ts'
import { TABLE } from '../../engine/machines.ts'
import { recordsOf } from '../../engine/pages.ts'
import type { Idempotency, Lease, Store, StoredTimer } from '../../engine/ports/store.ts'
import { createTableNames } from './table-names.ts'
import {
  type CardShare,
  createTablePayments,
  type PaymentTaken,
  type TableKey,
  type TablePaymentsParts,
} from './table-payments.ts'

export interface TableOrder {
  readonly account: MerchantAccountId
  readonly name: string
  readonly currency: TerminalCurrency
  readonly amountMinor: number
  readonly waiterIds: readonly string[]
  readonly bill: readonly BillLine[]
  /** Software house and installer of the till; credited with the payments. */
  readonly partner?: Partner
  /** `till`: the till stores the table, and the record is one session of a terminal at it; not shown under `/pat`. */
  readonly host?: TableHost
  /** The terminal that has the lock from the start, because its till has locked the table already. */
  readonly lockedBy?: { readonly tid: TerminalId; readonly waiterId: string }
  /** Set when the caller has generated the id. */
  readonly tableId?: TableId
  readonly idempotency?: Idempotency
  /** As of `ExecuteOptions`. */
  readonly lease?: Lease
}

/** A share that was paid by other means; it is only recorded. */
export type OtherShare = Omit<TablePayment, 'takenAt' | 'requestId' | 'waiterId'>

export type TableAnswer = Executed<PatTable, TableEvent>

export interface TableFilter {
  readonly locked?: boolean
  readonly currency?: TerminalCurrency
}

export interface Tables {
  /** Opens a table, or refuses with `table_exists`. */
  create(order: TableOrder): Promise<TableAnswer>
  /** The open uploaded table of this name, or null. */
  find(account: MerchantAccountId, name: string): Promise<Entry<PatTable> | null>
  /** Any table by its id, closed ones too; or null. */
  read(key: TableKey): Promise<Entry<PatTable> | null>
  /** The open uploaded tables, oldest first. */
  list(account: MerchantAccountId, filter?: TableFilter): Promise<readonly PatTable[]>
  /** A till changes the open table of this name. */
  change(account: MerchantAccountId, name: string, lastKnown: LastKnown, change: TillChange): Promise<TableAnswer>

  // For terminals.
  /** The open tables in its currency that the waiter may see, oldest first. */
  tablesFor(
    account: MerchantAccountId,
    who: { readonly waiterId: string; readonly currency: TerminalCurrency },
  ): Promise<readonly PatTable[]>
  /** Locks a table for a terminal. Refuses with `table_locked` when another holder has it. Idempotent. */
  lockFor(
    key: TableKey,
    who: { readonly tid: TerminalId; readonly waiterId: string; readonly override?: boolean },
  ): Promise<TableAnswer>
  /** Releases the terminal's lock; changes nothing when another holder has it by now. `lease`: as of `ExecuteOptions`. */
  unlockFor(key: TableKey, who: { readonly tid: TerminalId; readonly lease?: Lease }): Promise<TableAnswer>
  /**
   * Takes a share by card: reserves it on the table, then starts a SALE on the terminal. Resolves when both are durable, or
   * refuses with neither. The outcome is on the transaction (`requestId`), then on the table.
   */
  takePayment(key: TableKey, share: CardShare): Promise<PaymentTaken>
  /** Records a share that was paid by other means. */
  recordPayment(key: TableKey, share: OtherShare): Promise<TableAnswer>
  /** Sends the payments not yet sent to the till that stores the table. */
  notifyTill(key: TableKey): Promise<TableAnswer>

  readonly performers: Performers
  fire(timer: StoredTimer): Promise<boolean>
}

export interface TablesParts extends TablePaymentsParts {
  readonly store: Store
  /** How long a terminal may lock a table without a payment, in milliseconds; 0 or absent for no limit. */
  readonly tableLeaseMs?: number
}

/** Binds tables to their ports. */
export function createTables(parts: TablesParts): Tables {
  const { engine, store, random, tableLeaseMs: leaseMs = 0 } = parts
  const names = createTableNames(engine, store)
  const payments = createTablePayments(parts)

  const execute = (
    { account, tableId }: TableKey,
    command: TableCommand,
    options: ExecuteOptions<PatTable, TableFacts | null> = {},
  ) => engine.execute(TABLE, { account, id: tableId }, command, options)

  async function list(account: MerchantAccountId, filter: TableFilter = {}): Promise<readonly PatTable[]> {
    const tables = await recordsOf(store, account, TABLE, { parent: 'gateway', live: true })
    return tables.filter(
      ({ lock, currency }) =>
        (filter.locked === undefined || filter.locked === (lock !== null)) &&
        (filter.currency === undefined || filter.currency === currency),
    )
  }

  return {
    create: ({ account, host = 'gateway', tableId = random.uuid(), idempotency, lockedBy, lease, ...order }) =>
      execute(
        { account, tableId },
        {
          ...{ type: 'create', tableId, merchantAccount: account, host, ...order },
          ...(lockedBy === undefined ? {} : { lock: { ...lockedBy, leaseMs } }),
        },
        {
          isNew: true,
          facts: async () => ({
            // The gateway does not check names of tables that a till stores.
            nameTaken: host === 'gateway' && (await names.taken(account, order.name)),
            openTables: host === 'gateway' ? await countOpen(store, account) : 0,
          }),
          ...(idempotency === undefined ? {} : { idempotency }),
          ...(lease === undefined ? {} : { lease }),
        },
      ),
    find: names.find,
    read: ({ account, tableId }) => engine.read(TABLE, { account, id: tableId }),
    list,
    async change(account, name, lastKnown, change) {
      const entry = await names.find(account, name)
      if (entry === null) return { refused: { code: 'table_unknown' } }
      return execute({ account, tableId: entry.record.tableId }, { type: 'till_changes', lastKnown, change })
    },
    tablesFor: async (account, { waiterId, currency }) =>
      (await list(account, { currency })).filter(table => isFor(table, waiterId)),
    lockFor: (key, { tid, waiterId, override = false }) =>
      execute(key, { type: 'lock_for_terminal', tid, waiterId, override, leaseMs }),
    unlockFor: (key, { tid, lease }) =>
      execute(key, { type: 'unlock_for_terminal', tid }, lease === undefined ? {} : { lease }),
    takePayment: payments.take,
    recordPayment: (key, payment) => execute(key, { type: 'record_payment', payment }),
    notifyTill: key => execute(key, { type: 'tell_till' }),
    performers: payments.performers,
    async fire({ account, id, name }) {
      const type = name === 'tell' ? 'tell_till' : 'time_is_up'
      const executed = await execute({ account, tableId: id }, { type }, { timer: true })
      return 'events' in executed && executed.events.length > 0
    },
  }
}

/** Counts open tables up to the limit. Cheap enough: tables are opened rarely, and a restaurant has tens of them. */
async function countOpen(store: Store, account: MerchantAccountId): Promise<number> {
  const open = await store.list(account, { kind: TABLE.kind, parent: 'gateway', live: true, limit: MOST_OPEN_TABLES })
  return open.length
}

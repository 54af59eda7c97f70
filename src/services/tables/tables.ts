// src/services/tables/tables.ts — tables between the engine, the tills that upload them and the terminals that take payments.

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
import type { Idempotency, Store, StoredTimer } from '../../engine/ports/store.ts'
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
  /** Who made and installed the till: credited with what is paid. */
  readonly partner?: Partner
  /** `till`: the till keeps the table and this notes one visit to it. Such a table is not shown over REST. */
  readonly host?: TableHost
  /** The terminal that holds it from the beginning: its till has locked it already. */
  readonly heldBy?: { readonly tid: TerminalId; readonly waiterId: string }
  /** When the caller has made it up already. */
  readonly tableId?: TableId
  readonly idempotency?: Idempotency
}

/** A share that was paid by other means: nothing is taken, it is only recorded. */
export type OtherShare = Omit<TablePayment, 'takenAt' | 'requestId' | 'waiterId'>

export type TableAnswer = Executed<PatTable, TableEvent>

export interface TableFilter {
  readonly locked?: boolean
  readonly currency?: TerminalCurrency
}

export interface Tables {
  /** Opens a table, or refuses with `table_exists`. */
  create(order: TableOrder): Promise<TableAnswer>
  /** The open table of this name that was uploaded, or null. */
  find(account: MerchantAccountId, name: string): Promise<Entry<PatTable> | null>
  /** Any table by its id, closed ones too. */
  read(key: TableKey): Promise<Entry<PatTable> | null>
  /** The open tables that were uploaded, oldest first. */
  list(account: MerchantAccountId, filter?: TableFilter): Promise<readonly PatTable[]>
  /** A till changes the open table of this name. */
  change(account: MerchantAccountId, name: string, lastKnown: LastKnown, change: TillChange): Promise<TableAnswer>

  // What a terminal does.
  /** The open tables in its currency that the waiter may see, oldest first. */
  tablesFor(
    account: MerchantAccountId,
    who: { readonly waiterId: string; readonly currency: TerminalCurrency },
  ): Promise<readonly PatTable[]>
  /** Locks a table for a terminal; refused with `table_locked` when anybody else holds it. Twice is the same as once. */
  lockFor(
    key: TableKey,
    who: { readonly tid: TerminalId; readonly waiterId: string; readonly override?: boolean },
  ): Promise<TableAnswer>
  /** Gives the terminal's lock back; changes nothing when somebody else holds it by now. */
  unlockFor(key: TableKey, who: { readonly tid: TerminalId }): Promise<TableAnswer>
  /**
   * Takes a share by card: reserves it on the table, then starts a SALE on the terminal. When it resolves, both are
   * durable, or neither stands. How the payment ends is on the transaction (`requestId`), and then on the table.
   */
  takePayment(key: TableKey, share: CardShare): Promise<PaymentTaken>
  /** Records a share that was paid by other means. */
  recordPayment(key: TableKey, share: OtherShare): Promise<TableAnswer>
  /** Has the till that keeps the table told of what was paid, if there is anything that it was not told yet. */
  tellTill(key: TableKey): Promise<TableAnswer>

  readonly performers: Performers
  fire(timer: StoredTimer): Promise<boolean>
}

export interface TablesParts extends TablePaymentsParts {
  readonly store: Store
  /** How long a terminal may hold a table without a payment, in milliseconds; 0 or missing: until somebody overrides it. */
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
    create: ({ account, host = 'gateway', tableId = random.uuid(), idempotency, heldBy, ...order }) =>
      execute(
        { account, tableId },
        {
          ...{ type: 'create', tableId, merchantAccount: account, host, ...order },
          ...(heldBy === undefined ? {} : { lock: { ...heldBy, leaseMs } }),
        },
        {
          isNew: true,
          facts: async () => ({
            // Names of tables that a till keeps itself are its own affair.
            nameTaken: host === 'gateway' && (await names.taken(account, order.name)),
            openTables: host === 'gateway' ? await countOpen(store, account) : 0,
          }),
          ...(idempotency === undefined ? {} : { idempotency }),
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
    unlockFor: (key, { tid }) => execute(key, { type: 'unlock_for_terminal', tid }),
    takePayment: payments.take,
    recordPayment: (key, payment) => execute(key, { type: 'record_payment', payment }),
    tellTill: key => execute(key, { type: 'tell_till' }),
    performers: payments.performers,
    async fire({ account, id, name }) {
      const type = name === 'tell' ? 'tell_till' : 'time_is_up'
      const executed = await execute({ account, tableId: id }, { type }, { timer: true })
      return 'events' in executed && executed.events.length > 0
    },
  }
}

/** As far as it matters: tables are opened rarely, and a house has tens. */
async function countOpen(store: Store, account: MerchantAccountId): Promise<number> {
  const open = await store.list(account, { kind: TABLE.kind, parent: 'gateway', live: true, limit: MOST_OPEN_TABLES })
  return open.length
}

// test/crash/table-audit.ts — final checks of tables and reports: each bill against the acquirer's ledger, and against its
// till's notes.

import { deepEqual, equal, ok } from 'node:assert/strict'
import type { TerminalTransaction } from '../../src/domain/counter/transaction.ts'
import type { PatTable, TablePayment } from '../../src/domain/tables/table.ts'
import { decodeRecord } from '../../src/engine/decoding.ts'
import { REPORT, TABLE } from '../../src/engine/machines.ts'
import type { Store } from '../../src/engine/ports/store.ts'
import { createLedger } from '../../src/simulator/acquirer/ledger.ts'
import type { SimulatedMemory } from '../../src/simulator/memory/memory.ts'
import { checkTable } from '../simulation/restaurant/table-checks.ts'
import type { TableTill } from './pos-table-till.ts'
import type { ReportEntry } from './reports.ts'
import type { UploadedTable } from './uploaded-tables.ts'

const MOST = 1_000_000

export interface TableBooks {
  readonly store: Store
  readonly memory: SimulatedMemory
  readonly records: readonly TerminalTransaction[]
}

/** Checks the tables of the run. */
export async function checkTables(books: TableBooks, uploaded: readonly UploadedTable[], till: TableTill) {
  const { store, memory } = books
  const stored = await store.all('table', { limit: MOST })
  const tables = stored.map(({ body }) => decodeRecord(TABLE, body))
  for (const table of tables) {
    await checkTable({ store, memory, log: { lines: [] } }, table)
    equal(table.lock, null, `${table.name} is locked for ever`)
  }
  checkMoney(books, tables)
  for (const entry of uploaded) checkUploaded(entry, tables)
  checkTold(till, tables)
}

/** The acquirer's payments for tables are on the tables, each once and to the penny. */
function checkMoney({ memory, records }: TableBooks, tables: readonly PatTable[]): void {
  const ledger = createLedger(memory)
  const payments = tables.flatMap(table => table.payments)
  equal(new Set(payments.map(({ paymentId }) => paymentId)).size, payments.length, 'a payment is on two tables')
  const shown = new Map(payments.flatMap(each => (each.requestId === null ? [] : [[each.requestId, each]])))
  for (const { requestId, merchantAccount, authorisationId, request } of records) {
    if (request.table === undefined) continue
    const taken = authorisationId === null ? 0 : ledger.moneyOf(merchantAccount, authorisationId)
    equal(taken, totalOf(shown.get(requestId)), `${requestId}: the acquirer and the table differ`)
    shown.delete(requestId)
  }
  deepEqual([...shown.keys()], [], 'payments by card without a transaction')
}

function totalOf(payment: TablePayment | undefined): number {
  return payment === undefined ? 0 : payment.amountMinor + payment.cashbackMinor + payment.gratuityMinor
}

/** All payments that the till has seen are on the table, which was closed with them. */
function checkUploaded({ account, name, seen }: UploadedTable, tables: readonly PatTable[]): void {
  const [table, ...others] = tables.filter(each => each.merchantAccount === account && each.name === name)
  equal(others.length, 0, `${name} was opened twice`)
  equal(table?.state, 'closed', name)
  deepEqual(
    table?.payments.map(({ paymentId }) => paymentId),
    seen,
    name,
  )
}

/** The till has each payment of its tables, and each table that a terminal locked is unlocked. */
function checkTold({ tables: kept }: TableTill, tables: readonly PatTable[]): void {
  for (const { name, amountMinor, payments, lockedBy, lockedAt } of kept) {
    const visits = tables.filter(table => table.host === 'till' && table.name === name)
    const paid = visits.flatMap(context => context.payments)
    deepEqual(new Map(paid.map(payment => [payment.paymentId, payment.amountMinor])), payments, name)
    ok(paid.reduce((sum, payment) => sum + payment.amountMinor, 0) <= amountMinor, `${name} is overpaid`)
    // A lock whose answer was lost in a kill created no table session, and has to be released by hand.
    const visited = visits.some(({ createdAt }) => createdAt >= lockedAt)
    ok(lockedBy === null || !visited, `${name} was not given back by ${lockedBy}`)
  }
}

/** Each acknowledged report exists with the result that was read, and none is unfinished. */
export async function checkReports(store: Store, entries: readonly ReportEntry[]): Promise<void> {
  const stored = await store.all('report', { limit: MOST })
  const reports = new Map(stored.map(({ id, body }) => [id, decodeRecord(REPORT, body)]))
  for (const report of reports.values()) equal(report.progress, 'finished', report.requestId)
  for (const { requestId, tid, result } of entries)
    deepEqual([reports.get(requestId)?.tid, reports.get(requestId)?.result], [tid, result])
  const asked = [...reports.values()].filter(({ origin }) => origin !== 'terminal')
  equal(asked.length, entries.length, 'reports that nobody has asked for')
}

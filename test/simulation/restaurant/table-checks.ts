// test/simulation/restaurant/table-checks.ts — invariants of tables at the end of every run: no payment is lost, hidden or
// beyond the bill, and the acquirer agrees with the tables.

import { deepEqual, equal, ok } from 'node:assert/strict'
import { apply, type PatTable, sumsOf, type TablePayment } from '../../../src/domain/tables/table.ts'
import { decodeEvent, decodeRecord } from '../../../src/engine/decoding.ts'
import { TABLE } from '../../../src/engine/machines.ts'
import { createLedger } from '../../../src/simulator/acquirer/ledger.ts'
import { checkInvariants, type Remains } from '../../support/invariants.ts'

const MOST = 1_000_000

export interface TableFigures {
  readonly tables: readonly PatTable[]
  readonly payments: readonly TablePayment[]
  /** Card payments with gratuity, minor units. */
  readonly cardMinor: number
  readonly dropped: number
}

/** Checks all tables and table sessions in the store, and the money of the account `demo`. */
export async function checkTables(remains: Remains): Promise<TableFigures> {
  const stored = await remains.store.all('table', { limit: MOST })
  const tables = stored.map(({ body }) => decodeRecord(TABLE, body))
  for (const table of tables) await checkTable(remains, table)
  const payments = tables.flatMap(table => table.payments)
  equal(new Set(payments.map(({ paymentId }) => paymentId)).size, payments.length, 'a payment is on two tables')
  const cardMinor = sumOf(
    payments.filter(({ requestId }) => requestId !== null),
    each => each.amountMinor + each.cashbackMinor + each.gratuityMinor,
  )
  // Each transaction here belongs to a table, so the acquirer's money must equal that of the tables.
  await checkInvariants(remains, new Set(payments.flatMap(({ requestId }) => requestId ?? [])))
  const ledger = createLedger(remains.memory)
  equal(
    sumOf(ledger.list('demo', MOST), ({ orderId }) => ledger.moneyOf('demo', orderId)),
    cardMinor,
    'acquirer and tables',
  )
  return { tables, payments, cardMinor, dropped: tables.flatMap(({ dropped }) => dropped).length }
}

/** Checks one table: it is the fold of its events, no terminal has overpaid it, and no payment is in progress. */
export async function checkTable({ store }: Remains, table: PatTable): Promise<void> {
  const key = { account: table.merchantAccount, kind: 'table', id: table.tableId }
  const happenings = (await store.eventsOf(key)).map(({ body }) => decodeEvent(TABLE, body))
  let now: PatTable | null = null
  for (const envelope of happenings) {
    const openBefore = now === null ? 0 : sumsOf(now).open.minor
    now = apply(now, envelope)
    const { event } = envelope
    const takes = event.type === 'payment_begun' || (event.type === 'payment_recorded' && event.requestId === null)
    // A terminal takes at most the amount that was open at its start; only the till can reduce it later.
    if (takes) ok(event.amountMinor <= openBefore, `${table.name}: ${event.amountMinor} of ${openBefore}`)
    if (event.type === 'amount_changed' || event.type === 'created') continue
    ok(sumsOf(now).open.minor >= Math.min(openBefore, 0), `${table.name} is overpaid by ${event.type}`)
  }
  deepEqual(JSON.parse(JSON.stringify(now)), table, 'the record is the fold of its events')
  deepEqual(table.begun, [], `${table.name} has payments under way`)
}

export function sumOf<Each>(list: readonly Each[], of: (each: Each) => number): number {
  return list.reduce((sum, each) => sum + of(each), 0)
}

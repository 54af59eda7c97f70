// test/crash/uploaded-tables.ts — a till that uploads its tables over REST, and the waiter at its terminal.
import { deepEqual, equal, ok } from 'node:assert/strict'
import type { SeededRandom } from '../support/seeded-random.ts'
import type { Heard, Line } from './line.ts'
import { addTerminal, anOrder, reportAt, serve, type TableTerminal } from './waiter.ts'

export interface UploadedTable {
  readonly account: string
  readonly name: string
  readonly amountMinor: number
  /** Payments that the till has seen; null when the answer to the deletion of the table was lost. */
  seen: readonly string[]
}

export interface UploadingTillParts {
  readonly account: string
  readonly currency: string
  readonly tid: string
  readonly line: Line
  readonly random: SeededRandom
  readonly tables: UploadedTable[]
  readonly isOpen: () => boolean
}

interface TableBody {
  readonly amount: number
  readonly amountPaid: number
  readonly amountCashback: number
  readonly locked: boolean
  readonly payments: readonly { readonly paymentId: string; readonly amountPaid: number }[]
}

/** Number of waiters at one table before the till closes it, paid or not. */
const MOST_WAITERS = 4

/**
 * Opens tables one after the other, lets waiters take payments and deletes them. Resolves when the shop is closed and the
 * last table deleted.
 */
export async function runUploadingTill(parts: UploadingTillParts): Promise<void> {
  await addTerminal(parts.line, parts.tid)
  for (let number = 1; parts.isOpen(); number += 1) {
    const table = await openTable(parts, `${parts.tid} ${number}`)
    let etag = ''
    const pause = async () => {
      const headers = { prefer: 'wait=1', 'if-none-match': etag }
      const heard = await parts.line.ask('GET', addressOf(table), { headers })
      if (heard === null || heard.status === 304) return
      etag = String(heard.headers.etag)
      see(table, heard)
    }
    const terminal: TableTerminal = { line: parts.line, tid: parts.tid, pause }
    if (parts.random.integer(6) === 0) await reportAt(terminal)
    for (let waiters = 0; waiters < MOST_WAITERS; waiters += 1) {
      await serve(terminal, anOrder(table.name, parts.random))
      const { amount, amountPaid } = see(table, await parts.line.insist('GET', addressOf(table)))
      if (amountPaid >= amount || !parts.isOpen()) break
    }
    await closeTable(parts.line, table)
  }
}

async function openTable({ line, account, currency, random, tables }: UploadingTillParts, name: string) {
  const amountMinor = 1_000 + random.integer(9_000)
  const body = { tableName: name, amount: amountMinor, currency, receiptLines: [{ value: `Set menu  ${amountMinor}` }] }
  const headers = { 'idempotency-key': random.uuid() }
  const { status, text } = await line.insist('PUT', '/pat/tables', { headers, body })
  equal(status, 201, text)
  const table: UploadedTable = { account, name, amountMinor, seen: [] }
  tables.push(table)
  return table
}

/** Checks a table as the till reads it: known payments stay, and the sums agree. */
function see(table: UploadedTable, { status, text }: Heard): TableBody {
  equal(status, 200, text)
  const body = JSON.parse(text) as TableBody
  const ids = body.payments.map(({ paymentId }) => paymentId)
  deepEqual(ids.slice(0, table.seen.length), table.seen, `a payment of ${table.name} has gone`)
  equal(
    body.payments.reduce((sum, payment) => sum + payment.amountPaid, 0),
    body.amountPaid,
  )
  ok(body.amountPaid - body.amountCashback <= body.amount, `${table.name} is overpaid`)
  table.seen = ids
  return body
}

/** Deletes the table with the state last seen. Reads it again when that has changed, or a payment is in progress. */
async function closeTable(line: Line, table: UploadedTable): Promise<void> {
  for (;;) {
    const looked = await line.insist('GET', addressOf(table))
    // Deleted before, and the answer was lost.
    if (looked.status === 404) return
    const { amount, amountPaid } = see(table, looked)
    const body = { lastKnownAmount: amount, lastKnownPaidAmount: amountPaid }
    const heard = await line.ask('DELETE', addressOf(table), { body })
    if (heard !== null && heard.status === 204) return
    if (heard !== null) ok(heard.status === 422 || heard.status === 404, heard.text)
  }
}

function addressOf({ name }: UploadedTable): string {
  return `/pat/tables/${encodeURIComponent(name)}`
}

// test/crash/pos-table-till.ts — a POS table provider (a till that stores its own tables) on a WebSocket. It survives the kills
// of the gateway, records each payment once, and reconnects.
import { equal } from 'node:assert/strict'
import type { SeededRandom } from '../support/seeded-random.ts'
import { deferred } from './deferred.ts'
import type { Line } from './line.ts'
import { addTerminal, anOrder, reportAt, serve } from './waiter.ts'
import { connect, type Json, type Message, type Wire, type WireParts } from './wire.ts'

export interface TillTable {
  readonly name: string
  readonly amountMinor: number
  lockedBy: string | null
  /** Time of the last lock, epoch milliseconds. */
  lockedAt: number
  /** Minor units off the bill, by payment id. */
  readonly payments: Map<string, number>
}

export interface TableTill {
  readonly tables: readonly TillTable[]
  /** Number of repeated payments. */
  readonly repeated: number
  /** A table with an open amount; a new one when there are few. */
  aTable(random: SeededRandom): TillTable
  /** A table that no waiter has used yet. */
  newTable(random: SeededRandom): TillTable
  /** Resolves when it is connected. */
  onTheLine(): Promise<void>
  /** Rejects when a running gateway closes the connection. */
  readonly done: Promise<void>
  /** Disconnects for the rest of the run. */
  close(): void
}

const PATH = '/pat?api-version=v1&software-house-id=maker&installer-id=fitter&final-pos-receipt-request'
/** Number of tables in use at once. */
const AT_ONCE = 3

/** Stays connected until it is closed. */
export function openTableTill(parts: WireParts, currency: string): TableTill {
  const tables: TillTable[] = []
  const open = () => tables.filter(table => paidOf(table) < table.amountMinor)
  let wire: Wire | null = null
  let closed = false
  let repeated = 0

  function hear({ id, method, params = {} }: Message, line: Wire): void {
    const table = tables.find(each => each.name === params['tableId'])
    if (method === 'transactionResponse' && table !== undefined) repeated += record(table, params)
    if (method === 'tableUnlock' && table?.lockedBy === params['tid'] && table !== undefined) table.lockedBy = null
    const names = open().map(({ name }) => name)
    if (id !== undefined)
      line.say({ jsonrpc: '2.0', id, result: answerTo(method ?? '', params, table, names, currency) })
  }

  let online = deferred<void>()

  async function stay(): Promise<void> {
    while (!closed) {
      wire = await connect(parts, PATH, hear)
      if (wire === null) continue
      online.resolve()
      await wire.ended
      online = deferred()
    }
  }

  const done = stay()
  done.catch(() => {})
  return {
    tables,
    get repeated() {
      return repeated
    },
    aTable(random) {
      const known = open()
      return known.length >= AT_ONCE ? known[random.integer(known.length)]! : newTable(random)
    },
    newTable,
    onTheLine: () => online.promise,
    done,
    close() {
      closed = true
      wire?.close()
    },
  }

  function newTable(random: SeededRandom): TillTable {
    const amountMinor = 1_000 + random.integer(9_000)
    const table: TillTable = {
      ...{ name: `Table ${tables.length + 1}`, amountMinor, lockedBy: null, lockedAt: 0 },
      payments: new Map(),
    }
    tables.push(table)
    return table
  }
}

function paidOf({ payments }: TillTable): number {
  return [...payments.values()].reduce((sum, each) => sum + each, 0)
}

/** Returns how many of the payments were known already. */
function record({ payments }: TillTable, params: Json): number {
  let again = 0
  for (const each of params['payments'] as readonly Record<'paymentId' | 'amountPaid' | 'amountCashback', never>[]) {
    const paid = Number(each.amountPaid) - Number(each.amountCashback)
    if (payments.has(each.paymentId)) again += 1
    equal(payments.get(each.paymentId) ?? paid, paid, 'a payment was told twice, and differently')
    payments.set(each.paymentId, paid)
  }
  return again
}

function answerTo(
  method: string,
  { tid }: Json,
  table: TillTable | undefined,
  names: readonly string[],
  currency: string,
): object {
  switch (method) {
    case 'tableListRequest':
      return { tables: names, currency }
    case 'tableLockRequest': {
      if (table === undefined || (table.lockedBy !== null && table.lockedBy !== tid)) return { confirmed: false }
      table.lockedBy = String(tid)
      table.lockedAt = Date.now()
      return { confirmed: true, amount: table.amountMinor - paidOf(table), currency }
    }
    default:
      return { receiptLines: [{ type: 'TEXT', value: `Table ${table?.name}` }] }
  }
}

export interface WaiterParts {
  readonly tid: string
  readonly line: Line
  readonly till: TableTill
  readonly random: SeededRandom
  readonly isOpen: () => boolean
}

/** An uploaded table that never changes: waiting for a change of it takes a second. */
const OFFICE = '/pat/tables/Office'

/** A waiter at one terminal, who serves tables until the shop is closed. */
export async function runWaiter({ tid, line, till, random, isOpen }: WaiterParts): Promise<void> {
  await addTerminal(line, tid)
  await line.insist('PUT', '/pat/tables', { body: { tableName: 'Office', amount: 1, currency: 'GBP' } })
  const etag = String((await line.insist('GET', OFFICE)).headers.etag)
  const pause = async () =>
    void (await line.ask('GET', OFFICE, { headers: { prefer: 'wait=1', 'if-none-match': etag } }))
  const terminal = { line, tid, pause }
  while (isOpen()) {
    // Without a connected till a waiter gets no table.
    await till.onTheLine()
    if (random.integer(6) === 0) await reportAt(terminal)
    await serve(terminal, anOrder(till.aTable(random).name, random))
  }
  await till.onTheLine()
  // Lives are short and waiters slow. The last guests are served without kills, so that each run has some payments.
  await serve(terminal, { script: 'pay_in_one', table: till.newTable(random).name })
}

// test/crash/table-till.ts — a till that keeps its tables itself and is asked over a WebSocket. It outlives every death of
// the gateway, records each payment once, and is on the line again as soon as there is one.
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
  /** When it was locked last, epoch milliseconds. */
  lockedAt: number
  /** By payment id, minor units off the bill. */
  readonly payments: Map<string, number>
}

export interface TableTill {
  readonly tables: readonly TillTable[]
  /** Payments that came more than once. */
  readonly repeated: number
  /** One of its tables with something to pay; a new one when there are few. */
  aTable(random: SeededRandom): TillTable
  /** A table at which nobody has been yet. */
  newTable(random: SeededRandom): TillTable
  /** Resolves when it is on the line. */
  onTheLine(): Promise<void>
  /** Rejects when a gateway that lives breaks the line. */
  readonly done: Promise<void>
  /** Goes home. */
  close(): void
}

const PATH = '/pat?api-version=v1&software-house-id=maker&installer-id=fitter&final-pos-receipt-request'
/** Tables that are served at once. */
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

/** Returns how many of the payments it had before. */
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

/** An uploaded table that never changes: whoever waits for a change of it lets a second pass. */
const OFFICE = '/pat/tables/Office'

/** A waiter at one terminal, who goes from table to table until the shop is closed. */
export async function runWaiter({ tid, line, till, random, isOpen }: WaiterParts): Promise<void> {
  await addTerminal(line, tid)
  await line.insist('PUT', '/pat/tables', { body: { tableName: 'Office', amount: 1, currency: 'GBP' } })
  const etag = String((await line.insist('GET', OFFICE)).headers.etag)
  const pause = async () =>
    void (await line.ask('GET', OFFICE, { headers: { prefer: 'wait=1', 'if-none-match': etag } }))
  const terminal = { line, tid, pause }
  while (isOpen()) {
    // A waiter who comes before the till is back gets no table.
    await till.onTheLine()
    if (random.integer(6) === 0) await reportAt(terminal)
    await serve(terminal, anOrder(till.aTable(random).name, random))
  }
  await till.onTheLine()
  // Lives are short and waiters slow: the last guests are served in peace, so that some have paid on every day.
  await serve(terminal, { script: 'pay_in_one', table: till.newTable(random).name })
}

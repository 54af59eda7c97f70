// test/crash/evening.ts — final checks: waits until no work is left, repeats every request, and compares the records.
import { deepEqual, equal, ok } from 'node:assert/strict'
import { join } from 'node:path'
import { createSqliteMemory } from '../../src/simulator/memory/sqlite-memory.ts'
import { openSqliteStore } from '../../src/store/sqlite/store.ts'
import { checkInvariants } from '../support/invariants.ts'
import { checkEnds, checkHeard, checkMoney, checkStarts } from './audit.ts'
import type { Entry } from './book.ts'
import type { Line } from './line.ts'
import { PATIENCE_MS } from './mortal-gateway.ts'
import { checkSocketSales, type ListedSale } from './socket-till.ts'
import { checkReports, checkTables } from './table-audit.ts'
import type { Shop, Town } from './town.ts'

/** Page size of the management API. */
const PAGE = 200
const MOST = 1_000_000

interface ListedTransaction extends ListedSale {
  readonly verdict: { readonly final: boolean; readonly moneyTaken: string }
}

interface ListedTable {
  readonly reservedMinor: number
  readonly lock: object | null
}

/** The transactions in the management API, once no payment or table can change any more. */
export async function allAtRest(town: Town): Promise<readonly ListedTransaction[]> {
  const listed: ListedTransaction[] = []
  for (const shop of town.shops) {
    const rest = town.gateway.patiently(`rest in ${shop.account}`, PATIENCE_MS.rest, atRest(shop))
    listed.push(...(await rest))
  }
  return listed
}

async function atRest({ line, listener }: Shop): Promise<readonly ListedTransaction[]> {
  for (;;) {
    const event = listener.next()
    event.catch(() => {})
    const tables = await listAll<ListedTable>(line, 'tables')
    const transactions = await listAll<ListedTransaction>(line, 'transactions')
    const free = tables.every(({ reservedMinor, lock }) => reservedMinor === 0 && lock === null)
    if (free && transactions.every(({ verdict }) => verdict.final)) return transactions
    await event
  }
}

async function listAll<Each>(line: Line, what: 'tables' | 'transactions'): Promise<readonly Each[]> {
  const found: Each[] = []
  for (let before: number | null = null; ; ) {
    const path = `/api/${what}?limit=${PAGE}${before === null ? '' : `&before=${before}`}`
    const { status, text } = await line.insist('GET', path)
    equal(status, 200, text)
    const page = JSON.parse(text) as { readonly next: number | null } & Readonly<Record<typeof what, Each[]>>
    found.push(...page[what])
    if (page.next === null) return found
    before = page.next
  }
}

/** Repeats each start and each read. The answers must be the same, byte for byte. */
export async function checkAnswersAgain({ shops, book }: Town): Promise<void> {
  for (const { account, line } of shops) {
    const entries = book.entries.filter(entry => entry.account === account)
    await Promise.all(entries.map(entry => checkAnswers(line, entry)))
  }
}

async function checkAnswers(line: Line, entry: Entry): Promise<void> {
  const { tid, request, requestId, idempotencyKey } = entry
  const path = `/pac/terminals/${tid}/transactions`
  const headers = { 'idempotency-key': idempotencyKey }
  const again = await line.insist('POST', path, { headers, body: request })
  deepEqual([again.status, again.text, again.headers['idempotency-replayed']], [201, entry.answer, 'true'])
  const other = { transactionType: 'SALE', amount: 20_001, currency: 'GBP' }
  const misused = await line.insist('POST', path, { headers, body: other })
  equal(misused.status, 422, misused.text)
  const look = await line.insist('GET', `${path}/${requestId}`)
  deepEqual([look.status, look.text, look.headers.etag], [200, entry.end?.text, entry.end?.etag])
}

/** Waits until the listeners have received the last event. */
export async function hearAll({ shops, gateway }: Town): Promise<void> {
  for (const shop of shops)
    await gateway.patiently(`the last event of ${shop.account}`, PATIENCE_MS.rest, hearTheLast(shop))
}

async function hearTheLast({ line, listener }: Shop): Promise<void> {
  for (;;) {
    const event = listener.next()
    // Handled by the caller, if it waits for it.
    event.catch(() => {})
    const after = listener.heard.at(-1)?.cursor ?? 0
    const { text } = await line.insist('GET', `/api/events?after=${after}`)
    if ((JSON.parse(text) as { readonly events: readonly unknown[] }).events.length === 0) break
    await event
  }
  listener.close()
}

/** Checks the files of a stopped gateway, which no other process has open. */
export async function checkBooks(town: Town, listed: readonly ListedTransaction[]): Promise<void> {
  const { directory, book, gateway, shops } = town
  const taken = new Map(listed.map(({ requestId, verdict }) => [requestId, verdict.moneyTaken]))
  const store = await openSqliteStore({ directory })
  const memory = createSqliteMemory(join(directory, 'sandbox.db'))
  try {
    const acknowledged = new Set(book.entries.map(entry => entry.requestId))
    const lines = gateway.printed.flatMap(text => text.split('\n'))
    ok(lines.length > acknowledged.size)
    const records = await checkInvariants({ store, memory, log: { lines } }, acknowledged)
    deepEqual([...taken.keys()].toSorted(), records.map(({ requestId }) => requestId).toSorted())
    const sockets = new Set(shops.flatMap(({ onSockets }) => onSockets))
    const [counter, others] = partition(records, ({ tid, request }) => request.table === undefined && !sockets.has(tid))
    checkStarts(book, counter)
    await checkEnds(store, book, counter)
    checkMoney(memory, book, taken, new Set(others.map(({ requestId }) => requestId)))
    checkSocketSales(town.sales, listed)
    await checkTables({ store, memory, records }, town.uploaded, town.tableTill)
    await checkReports(store, town.reports)
    for (const { account, listener } of shops) checkHeard(listener.heard, await store.eventsAfter(account, 0, MOST))
    deepEqual(await store.undoneEffects(MOST), [])
    equal(await store.nextTimerAt(), null)
  } finally {
    await memory.close()
    await store.close()
  }
}

function partition<Each>(list: readonly Each[], is: (each: Each) => boolean): readonly [Each[], Each[]] {
  return [list.filter(is), list.filter(each => !is(each))]
}

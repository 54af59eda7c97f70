// test/crash/audit.ts — compares the tills' notes, the gateway's records and the acquirer's ledger after a run. Invariants
// of every run are in test/support/invariants.ts.

import { deepEqual, equal, ok } from 'node:assert/strict'
import type { TerminalTransaction } from '../../src/domain/counter/transaction.ts'
import type { TransactionEvent, TransactionType } from '../../src/domain/counter/transaction-events.ts'
import type { EventEnvelope } from '../../src/domain/machine.ts'
import { decodeEvent } from '../../src/engine/decoding.ts'
import { TERMINAL_TRANSACTION } from '../../src/engine/machines.ts'
import type { Store, StoredEvent } from '../../src/engine/ports/store.ts'
import { createLedger, type LedgerOrder } from '../../src/simulator/acquirer/ledger.ts'
import type { SimulatedMemory } from '../../src/simulator/memory/memory.ts'
import type { Book, Entry } from './book.ts'
import type { HeardEvent } from './event-listener.ts'

/** More than one run can have. */
const MOST = 1_000_000

/** Direction of the money: 1 to the shop, -1 to the cardholder. */
const SIGN: Readonly<Record<TransactionType, number>> = {
  SALE: 1,
  COMPLETION: 1,
  REFUND: -1,
  PRE_AUTH: 0,
  ACCOUNT_VERIFICATION: 0,
  DUPLICATE: 0,
}

type History = readonly EventEnvelope<TransactionEvent>[]

/** Each request, under its own key, has started exactly one transaction, and there are no others. */
export function checkStarts(book: Book, records: readonly TerminalTransaction[]): void {
  const asked = book.entries.map(entry => entry.requestId)
  equal(new Set(asked).size, asked.length)
  deepEqual(records.map(record => record.requestId).toSorted(), asked.toSorted())
  const byId = new Map(records.map(record => [record.requestId, record]))
  for (const { requestId, account, tid, request } of book.entries) {
    const record = byId.get(requestId)
    deepEqual(
      [record?.merchantAccount, record?.tid, record?.request.transactionType, record?.request.amountMinor],
      [account, tid, request.transactionType, request.amount ?? 0],
    )
  }
}

/** Each transaction has ended by the rules, and each accepted cancel has one outcome. */
export async function checkEnds(store: Store, book: Book, records: readonly TerminalTransaction[]): Promise<void> {
  const byId = new Map(records.map(record => [record.requestId, record]))
  for (const entry of book.entries) {
    const record = byId.get(entry.requestId)!
    const key = { account: entry.account, kind: 'terminal-transaction', id: entry.requestId }
    const history = (await store.eventsOf(key)).map(event => decodeEvent(TERMINAL_TRANSACTION, event.body))
    equal(history.filter(({ event }) => event.type === 'ended' || event.type === 'timed_out').length, 1)
    checkTimeLimit(record, history, book.unplugged.has(entry.requestId))
    checkCancels(entry, record, history)
  }
}

/** Only a time limit, or a terminal that lost the transaction, results in TIMED_OUT. */
function checkTimeLimit(record: TerminalTransaction, history: History, unplugged: boolean): void {
  const timedOut = history.some(({ event }) => event.type === 'timed_out')
  equal(record.result === 'TIMED_OUT', timedOut, record.requestId)
  if (!timedOut || unplugged) return
  const { signature, limits, startedAt, finishedAt } = record
  const waitedMs = (signature?.answeredAt ?? 0) - (signature?.askedAt ?? 0)
  ok((finishedAt ?? 0) - startedAt >= limits.transactionMs + waitedMs, `${record.requestId} was given up too early`)
}

/** A cancel acknowledged before the end is recorded, and each recorded cancel has an outcome. At most one succeeds. */
function checkCancels({ cancels, requestId }: Entry, { finishedAt }: TerminalTransaction, history: History): void {
  const count = (...types: string[]) => history.filter(({ event }) => types.includes(event.type)).length
  const inTime = cancels.filter(cancel => cancel.answeredAt < (finishedAt ?? 0)).length
  const taken = count('cancel_requested')
  ok(taken >= Math.min(inTime, 1), `a cancel of ${requestId} was acknowledged and forgotten`)
  if (cancels.length === 0) equal(taken, 0, requestId)
  equal(count('cancel_refused', 'cancel_done'), taken, requestId)
  ok(count('cancel_done') <= 1, requestId)
}

/**
 * Money, to the penny: the tills' final answers agree with the ledger. For TIMED_OUT the till reads the verdict from the
 * management API; `taken` holds these verdicts. `others`: transactions of tills without notes.
 */
export function checkMoney(
  memory: SimulatedMemory,
  book: Book,
  taken: ReadonlyMap<string, string>,
  others: ReadonlySet<string>,
): void {
  const ledger = createLedger(memory)
  for (const account of new Set(book.entries.map(entry => entry.account))) {
    const orders = ledger.list(account, MOST)
    const moved = new Map<string, number>()
    for (const { orderId } of orders) {
      const requestId = orderId.split('.')[0] ?? ''
      ok(!moved.has(requestId), `${requestId} has asked the acquirer twice`)
      moved.set(requestId, ledger.moneyOf(account, orderId))
    }
    for (const entry of book.entries.filter(each => each.account === account)) {
      equal(moved.get(entry.requestId) ?? 0, believedBy(entry, taken.get(entry.requestId)), entry.requestId)
      moved.delete(entry.requestId)
    }
    deepEqual(
      [...moved.keys()].filter(requestId => !others.has(requestId)),
      [],
      'orders of nobody',
    )
    checkHolds(orders)
  }
}

/** Money moved according to the till; positive to the shop. */
function believedBy({ request, end }: Entry, taken: string | undefined): number {
  const result = end?.body.transactionResult
  const succeeded = result === 'TIMED_OUT' ? taken === 'yes' : result === 'SUCCESSFUL'
  return succeeded ? SIGN[request.transactionType] * (end?.body.amountTotal ?? 0) : 0
}

/** No hold was used by two completions, and no completion took more than its holds. */
function checkHolds(orders: readonly LedgerOrder[]): void {
  const byId = new Map(orders.map(order => [order.orderId, order]))
  const captures = orders.filter(order => order.kind === 'capture' && order.state === 'captured')
  const used = captures.flatMap(capture => capture.captured)
  equal(new Set(used).size, used.length, 'a hold was used twice')
  for (const { captured, amountMinor, orderId } of captures) {
    const held = captured.reduce((sum, id) => sum + (byId.get(id)?.amountMinor ?? 0), 0)
    ok(amountMinor <= held, `${orderId} took more than was held`)
  }
}

/** A listener that reconnects after each kill has received each event once, in order. */
export function checkHeard(heard: readonly HeardEvent[], stored: readonly StoredEvent[]): void {
  const name = (event: HeardEvent | StoredEvent) => `${event.cursor} ${event.id} ${event.version} ${event.type}`
  deepEqual(heard.map(name), stored.map(name))
}

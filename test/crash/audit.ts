// test/crash/audit.ts — the books at the end: what the tills wrote down against the gateway's records, and both against
// the acquirer's ledger. What holds in every run is in test/support/invariants.ts.

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

/** Which way the money goes: 1 to the shop, -1 to the cardholder. */
const SIGN: Readonly<Record<TransactionType, number>> = {
  SALE: 1,
  COMPLETION: 1,
  REFUND: -1,
  PRE_AUTH: 0,
  ACCOUNT_VERIFICATION: 0,
  DUPLICATE: 0,
}

type History = readonly EventEnvelope<TransactionEvent>[]

/** Each request under a key of its own has started one transaction, and nothing else has started any. */
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

/** Each transaction has ended by the rules, and each wish to cancel it has its one outcome. */
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

/** Only time makes a transaction TIMED_OUT, or a terminal that has lost it. */
function checkTimeLimit(record: TerminalTransaction, history: History, unplugged: boolean): void {
  const timedOut = history.some(({ event }) => event.type === 'timed_out')
  equal(record.result === 'TIMED_OUT', timedOut, record.requestId)
  if (!timedOut || unplugged) return
  const { signature, limits, startedAt, finishedAt } = record
  const waitedMs = (signature?.answeredAt ?? 0) - (signature?.askedAt ?? 0)
  ok((finishedAt ?? 0) - startedAt >= limits.transactionMs + waitedMs, `${record.requestId} was given up too early`)
}

/** A wish that was acknowledged before the end has left its mark. Who wished twice in vain was refused twice. */
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
 * Money, to the penny: what the tills believe, by their last answers, is what the ledger has. A till that was told
 * TIMED_OUT asks Tollgate's own interface, whose verdicts are `taken`. `others` are no tills' of this book.
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

/** What has moved as far as the till knows: above 0 to the shop. */
function believedBy({ request, end }: Entry, taken: string | undefined): number {
  const result = end?.body.transactionResult
  const succeeded = result === 'TIMED_OUT' ? taken === 'yes' : result === 'SUCCESSFUL'
  return succeeded ? SIGN[request.transactionType] * (end?.body.amountTotal ?? 0) : 0
}

/** No hold was used by two completions, and no completion took more than was held. */
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

/** Who followed the events over every death has heard each of them once, in order. */
export function checkHeard(heard: readonly HeardEvent[], stored: readonly StoredEvent[]): void {
  const name = (event: HeardEvent | StoredEvent) => `${event.cursor} ${event.id} ${event.version} ${event.type}`
  deepEqual(heard.map(name), stored.map(name))
}

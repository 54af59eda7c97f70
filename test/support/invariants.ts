// test/support/invariants.ts — invariants at the end of every run, checked against the store, the events and the acquirer's
// ledger.

import { deepEqual, equal, ok } from 'node:assert/strict'
import { apply, type TerminalTransaction } from '../../src/domain/counter/transaction.ts'
import type { TransactionEvent } from '../../src/domain/counter/transaction-events.ts'
import { verdictOf } from '../../src/domain/counter/transaction-verdict.ts'
import type { EventEnvelope } from '../../src/domain/machine.ts'
import { totalOf } from '../../src/domain/money.ts'
import { decodeEvent, decodeRecord } from '../../src/engine/decoding.ts'
import { TERMINAL_TRANSACTION } from '../../src/engine/machines.ts'
import type { Store } from '../../src/engine/ports/store.ts'
import { createLedger } from '../../src/simulator/acquirer/ledger.ts'
import type { SimulatedMemory } from '../../src/simulator/memory/memory.ts'
import { numbersThatLookLikeCards } from './card-scanner.ts'

/** State after a run, when no work is left. */
export interface Remains {
  readonly store: Store
  /** Memory of the simulated terminals and acquirer. */
  readonly memory: SimulatedMemory
  readonly log: { readonly lines: readonly unknown[] }
}

/** Upper bound of records, orders and events per run. More would not fit into the pages below. */
const MOST = 10_000_000

export async function allTransactions(store: Store): Promise<TerminalTransaction[]> {
  const stored = await store.all('terminal-transaction', { limit: MOST })
  return stored.map(({ body }) => decodeRecord(TERMINAL_TRANSACTION, body))
}

/** Checks all invariants. `acknowledged`: request ids whose start was answered to a till. */
export async function checkInvariants(
  remains: Remains,
  acknowledged: ReadonlySet<string>,
): Promise<TerminalTransaction[]> {
  const records = await allTransactions(remains.store)
  const known = new Set(records.map(record => record.requestId))
  for (const requestId of acknowledged) ok(known.has(requestId), `acknowledged ${requestId} is missing`)
  for (const record of records) {
    await checkFold(remains, record)
    checkOutcome(record)
  }
  checkMoney(remains, records)
  await checkSecrets(remains)
  return records
}

async function eventsOf(remains: Remains, record: TerminalTransaction): Promise<EventEnvelope<TransactionEvent>[]> {
  const key = { account: record.merchantAccount, kind: 'terminal-transaction', id: record.requestId }
  const events = await remains.store.eventsOf(key)
  return events.map(event => decodeEvent(TERMINAL_TRANSACTION, event.body))
}

/** The record is the fold of its events, and each accepted cancel has exactly one outcome. */
async function checkFold(remains: Remains, record: TerminalTransaction): Promise<void> {
  const happenings = await eventsOf(remains, record)
  const folded = happenings.reduce<TerminalTransaction | null>((sofar, envelope) => apply(sofar, envelope), null)
  deepEqual(JSON.parse(JSON.stringify(folded)), record)
  const count = (...types: string[]) => happenings.filter(({ event }) => types.includes(event.type)).length
  equal(count('cancel_requested'), count('cancel_refused', 'cancel_done'), `cancels of ${record.requestId}`)
  checkReports(happenings)
}

/** No terminal report was applied twice, and none out of order. */
function checkReports(happenings: readonly EventEnvelope<TransactionEvent>[]): void {
  const taken = happenings.filter(({ report }) => report > 0)
  const numbers = taken.map(({ report }) => report)
  deepEqual(
    numbers,
    numbers.toSorted((one, other) => one - other),
  )
  const each = taken.map(({ report, event }) => `${report} ${JSON.stringify(event)}`)
  equal(new Set(each).size, each.length, `a report was taken twice: ${each.join('; ')}`)
}

/** Each transaction has ended, and its money agrees with its result. */
function checkOutcome(record: TerminalTransaction): void {
  equal(record.progress, 'finished', record.requestId)
  ok(
    ['none', 'declined', 'confirmed', 'reversed'].includes(record.authorisation),
    `${record.requestId}: ${record.authorisation}`,
  )
  const verdict = verdictOf(record)
  ok(verdict.final, record.requestId)
  if (record.request.transactionType === 'DUPLICATE') return
  if (record.result === 'SUCCESSFUL') equal(record.authorisation, 'confirmed')
  if (record.authorisation === 'confirmed') ok(record.result === 'SUCCESSFUL' || record.result === 'TIMED_OUT')
}

/** The acquirer's ledger agrees with the verdicts to the penny: no double payment, and no money unaccounted for. */
function checkMoney(remains: Remains, records: readonly TerminalTransaction[]): void {
  const ledger = createLedger(remains.memory)
  let expected = 0
  let booked = 0
  for (const record of records) {
    const moved = record.authorisationId === null ? 0 : ledger.moneyOf(record.merchantAccount, record.authorisationId)
    const { moneyTaken } = verdictOf(record)
    const sign = record.request.transactionType === 'REFUND' ? -1 : 1
    const duplicate = record.request.transactionType === 'DUPLICATE'
    equal(moved, moneyTaken === 'yes' && !duplicate ? sign * totalOf(record.amounts) : 0, record.requestId)
    expected += moved
  }
  for (const account of ['demo', 'demo-eur'])
    for (const order of ledger.list(account, MOST)) booked += ledger.moneyOf(account, order.orderId)
  equal(booked, expected)
}

/** No card number in stored events or log lines. */
async function checkSecrets(remains: Remains): Promise<void> {
  const events = [
    ...(await remains.store.eventsAfter('demo', 0, MOST)),
    ...(await remains.store.eventsAfter('demo-eur', 0, MOST)),
  ]
  for (const { body } of events) deepEqual(numbersThatLookLikeCards(body), [])
  for (const line of remains.log.lines) deepEqual(numbersThatLookLikeCards(JSON.stringify(line)), [])
}

// src/services/tables/pos-table-provider.ts — tables that the till keeps: each step of the waiter is asked over the till's line, and each
// visit of a terminal to such a table is noted as a table of its own, so that its payments are as safe as any. ADR 16.

import type { MerchantAccountId } from '../../domain/ids.ts'
import { TERMINAL_CURRENCIES, type TerminalCurrency } from '../../domain/money.ts'
import type { PatTable, TableEvent } from '../../domain/tables/table.ts'
import type { SessionEffect } from '../../domain/tables/table-session.ts'
import type { Activity } from '../../engine/activity.ts'
import { decodeEvent, decodeRecord } from '../../engine/decoding.ts'
import type { Performers } from '../../engine/effects.ts'
import type { Engine } from '../../engine/engine.ts'
import { TABLE } from '../../engine/machines.ts'
import type { Store } from '../../engine/ports/store.ts'
import { createPendingPosRequests, type PendingPosRequests, type Question } from './pending-pos-requests.ts'
import type { PosConnections, TillAnswer } from './pos-connections.ts'
import type { TillMessages } from './pos-messages.ts'
import type { PosRecorder } from './pos-recorder.ts'
import { heldOf, shown, type TableLockResult, type TableProvider, type Waiter } from './table-providers.ts'
import type { Tables } from './tables.ts'

/** Visits of one account that are open at once: more than it has terminals. */
const MOST_VISITS = 1_000

/** Visits among which the last one to a table is looked for. An older one was told long ago. */
const RECENT_VISITS = 100

/** How often a till is asked anew because a table changed while it answered: a person stands there and waits. */
const MOST_QUESTIONS = 3

export interface PosTableProviderParts {
  readonly engine: Engine
  readonly store: Store
  readonly tables: Tables
  readonly lines: PosConnections
  readonly messages: TillMessages
  readonly activity: Activity
  /** Hears what is asked. */
  readonly talk: PosRecorder
}

type Parts = PosTableProviderParts & { readonly questions: PendingPosRequests }

export interface PosTableProvider extends TableProvider {
  readonly performers: Performers
}

/** What one question for a lock is about. */
interface Asked {
  readonly waiter: Waiter
  readonly name: string
  readonly question: Question
  /** The visits to the table that were open before the till was asked. */
  readonly earlier: readonly PatTable[]
  /** Questions of others that the till was asked before and had not answered yet. */
  readonly before: readonly Question[]
}

/** Binds the till's own tables to their ports. */
export function createPosTableProvider(given: PosTableProviderParts): PosTableProvider {
  const parts: Parts = { ...given, questions: createPendingPosRequests() }
  const { lines, messages } = parts
  return {
    async tables(waiter) {
      const line = lines.of(waiter.account)
      if (line === null) return []
      await messages.flush(waiter.account)
      const answer = await outside(parts, waiter.account, () => line.tables(waiter))
      if (answer.answer === 'none') return []
      const { names, currency } = answer.value
      return currency === null || currency === waiter.currency ? names : []
    },
    async hold(waiter, name) {
      for (let asked = 0; asked < MOST_QUESTIONS; asked += 1) {
        const question = parts.questions.open(keyOf(waiter.account, name), waiter.tid)
        const hold = await ask(parts, waiter, name, question).finally(question.close)
        if (hold !== 'again') return hold
      }
      return shown({ code: 'table_locked' })
    },
    bill: (waiter, table) => billFrom(parts, waiter, table, 'before'),
    async finalBill(waiter, table) {
      await tellAtOnce(parts, table)
      return lines.of(waiter.account)?.wantsFinalBill === true ? billFrom(parts, waiter, table, 'final') : []
    },
    performers: performersOf(parts),
  }
}

/** What the terminal shows when its till has not answered. */
const NOT_THERE = 'The till does not answer. Please try again.'

/** Asks the till for the lock once. The question stays open until it is known what came of it. */
async function ask(parts: Parts, waiter: Waiter, name: string, question: Question): Promise<TableLockResult | 'again'> {
  const { account } = waiter
  const line = parts.lines.of(account)
  if (line === null) return { says: NOT_THERE }
  const earlier = await visitsOf(parts, account, name)
  // The till cannot know of what is being paid this moment, and would have it paid again.
  const stop = underWay(earlier)
  if (stop !== null) return stop
  await tellEverything(parts, account, name, earlier)
  const before = parts.questions.sent(keyOf(account, name), question)
  const asked: Asked = { waiter, name, question, earlier, before }
  const tooLate = (): void => {
    question.close()
    // A store that fails now leaves the table locked at the till, where it can be unlocked by hand.
    void letGo(parts, asked).catch(() => {})
  }
  const noted = parts.talk.lockAsked(waiter, name)
  const answer = await outside(parts, account, () => line.lock(waiter, name, tooLate))
  if (answer.answer === 'none') return { says: answer.says ?? NOT_THERE }
  const lock = answer.value
  if (!lock.confirmed) return shown({ code: 'table_locked' })
  const currency = TERMINAL_CURRENCIES.find(each => each === lock.currency)
  const hold = await parts.questions.enqueue(keyOf(account, name), async () => {
    let taken: TableLockResult | 'again' | null = null
    try {
      if (currency === undefined || currency !== waiter.currency) return shown({ code: 'table_unknown' })
      taken = await takeOver(parts, asked, orderOf(account, name, currency, lock.amountMinor))
      if (taken !== 'again' && 'held' in taken) noted(taken.held.tableId, answer)
      return taken
    } finally {
      if (taken === null || taken === 'again' || !('held' in taken)) unlockAtTill(parts, waiter, name)
    }
  })
  return hold
}

/**
 * Ends the visits before this one, and notes this one. The till took its time to answer: whatever was paid or begun
 * meanwhile is not in the amount that it named, so nothing may be paid upon that. `again`: the till must be asked anew.
 */
async function takeOver(
  parts: Parts,
  { waiter, name, question, earlier }: Asked,
  order: ReturnType<typeof orderOf>,
): Promise<TableLockResult | 'again'> {
  const { tables, questions } = parts
  const { account, tid, waiterId } = waiter
  const open = await visitsOf(parts, account, name)
  const stop = underWay(open)
  if (stop !== null) return stop
  if (question.overtaken || (await paidSince(parts, earlier))) return 'again'
  // The till has given the table to this terminal, so whoever had it before has it no more; unless it pays this moment.
  for (const { tableId, lock } of open) {
    if (lock === null) return 'again'
    const ended = await tables.unlockFor({ account, tableId }, { tid: lock.by })
    if ('refused' in ended) return shown(ended.refused)
  }
  // What was paid until the end of those visits; after it nothing can be.
  if (await paidSince(parts, earlier)) return 'again'
  const created = await tables.create({ ...order, host: 'till', heldBy: { tid, waiterId: waiterId ?? '' } })
  if (!('record' in created)) throw new Error('a visit has a name of its own')
  questions.overtake(keyOf(account, name), question, created.record.tableId)
  return { held: heldOf(created.record) }
}

/** A payment under way on one of the visits, as the terminal shows it; or null. */
function underWay(visits: readonly PatTable[]): TableLockResult | null {
  const [begun] = visits.flatMap(table => table.begun)
  return begun === undefined ? null : shown({ code: 'table_payment_under_way', tid: begun.tid })
}

/** Whether a visit has payments by now that it did not have, be it over or not. */
async function paidSince({ tables }: Parts, visits: readonly PatTable[]): Promise<boolean> {
  for (const { merchantAccount: account, tableId, payments } of visits) {
    const now = await tables.read({ account, tableId })
    if (now?.record.payments.length !== payments.length) return true
  }
  return false
}

function keyOf(account: MerchantAccountId, name: string): string {
  return `${account}/${name}`
}

function orderOf(account: MerchantAccountId, name: string, currency: TerminalCurrency, amountMinor: number) {
  return { account, name, currency, amountMinor, waiterIds: [], bill: [] }
}

async function billFrom(parts: Parts, waiter: Waiter, table: PatTable, which: 'before' | 'final') {
  const line = parts.lines.of(waiter.account)
  if (line === null) return []
  const noted = parts.talk.billAsked(waiter, table, which)
  const answer = await outside(parts, waiter.account, () => line.bill(waiter, table.name, which))
  noted(answer)
  return answer.answer === 'none' ? [] : answer.value
}

/** A till takes its time, and is no work of this gateway: an account that waits for one is at rest. */
async function outside<Value>(
  { activity }: Parts,
  account: MerchantAccountId,
  ask: () => Promise<TillAnswer<Value>>,
): Promise<TillAnswer<Value>> {
  activity.end(account)
  try {
    return await ask()
  } finally {
    activity.begin(account)
  }
}

/**
 * A confirmation that came too late: the table is given back, unless this terminal holds it all the same, or the till has
 * given it to somebody who asked later. Who asks now is waited for, or the late answer would undo theirs. Reference 6.4.
 */
async function letGo(parts: Parts, { waiter, name, earlier, before }: Asked): Promise<void> {
  const { questions } = parts
  const key = keyOf(waiter.account, name)
  // The till gave the table to these first and to this terminal after them.
  const isOlder = (id: string) =>
    earlier.some(({ tableId }) => tableId === id) || before.some(({ visitId }) => visitId === id)
  const decided = () =>
    questions.enqueue(key, async () => {
      const visits = await visitsOf(parts, waiter.account, name)
      if (questions.asked(key)) return false
      const stands = visits.some(({ tableId, lock }) => lock?.by === waiter.tid || !isOlder(tableId))
      if (!stands) unlockAtTill(parts, waiter, name)
      return true
    })
  do await questions.quiet(key)
  while (!(await decided()))
}

function unlockAtTill({ lines }: Parts, { account, tid }: Waiter, table: string): void {
  // It goes to the till that has just answered; a till that has gone since has no lock of that line to keep.
  lines.of(account)?.tell({ type: 'unlock', tid, table })
}

/**
 * The till hears of what was paid before it is asked anything that depends on it: also of what an effect, which may not
 * have been performed yet, is to tell it.
 */
async function tellAtOnce(parts: Parts, { merchantAccount: account, tableId }: PatTable): Promise<void> {
  const told = await parts.tables.tellTill({ account, tableId })
  if (!('record' in told)) return
  for (const event of await historyOf(parts, told.record))
    if (event.type === 'payments_told') await tellPayments(parts, told.record, event)
}

/** Before the till is asked for a lock it hears of everything that was paid, also of the visit that was over just now. */
async function tellEverything(
  parts: Parts,
  account: MerchantAccountId,
  name: string,
  open: readonly PatTable[],
): Promise<void> {
  const recent = await parts.store.list(account, { kind: TABLE.kind, parent: 'till', limit: RECENT_VISITS })
  const last = recent
    .map(({ body }) => decodeRecord(TABLE, body))
    .find(visit => visit.name === name && visit.state === 'closed')
  for (const visit of [...(last === undefined ? [] : [last]), ...open]) await tellAtOnce(parts, visit)
  await parts.messages.flush(account)
}

/** Open visits to a table of this name, oldest first. */
async function visitsOf({ store }: Parts, account: MerchantAccountId, name: string): Promise<readonly PatTable[]> {
  const visits = await store.list(account, { kind: TABLE.kind, parent: 'till', live: true, limit: MOST_VISITS })
  return visits
    .map(({ body }) => decodeRecord(TABLE, body))
    .filter(visit => visit.name === name)
    .reverse()
}

function performersOf(parts: Parts): Performers {
  return {
    async 'table.tell_payments'(effect) {
      const entry = await parts.engine.read(TABLE, effect)
      const payload = JSON.parse(effect.body) as SessionEffect
      if (entry !== null && payload.type === 'table.tell_payments') await tellPayments(parts, entry.record, payload)
      return 'done'
    },
    async 'table.tell_unlock'(effect) {
      const entry = await parts.engine.read(TABLE, effect)
      return entry === null ? 'done' : tellUnlock(parts, entry.record)
    },
  }
}

/** The same payments are the same message, however often it is written. */
async function tellPayments(
  { messages }: Parts,
  table: PatTable,
  { from, upTo }: { readonly from: number; readonly upTo: number },
): Promise<void> {
  const { merchantAccount: account, tableId, name, currency } = table
  const payments = table.payments.slice(from, upTo)
  const last = payments.at(-1)
  if (last === undefined) return
  const { tid, waiterId } = last
  const message = { type: 'payments', tid, waiterId, table: name, currency, payments } as const
  await messages.write({ account, messageId: `${tableId}.payments.${from}`, tableId, message })
}

/**
 * Unless another terminal has the table by now, or is just given it: then it is not this one's to give back. While this very
 * terminal asks for it again the till may have said yes already, and would take that back: what comes of it is waited for.
 */
async function tellUnlock(parts: Parts, table: PatTable): Promise<'done' | 'again'> {
  const { merchantAccount: account, tableId, name } = table
  const tid = await lastHolder(parts, table)
  if (tid === null) return 'done'
  const key = keyOf(account, name)
  return parts.questions.enqueue(key, async () => {
    if (parts.questions.asked(key, tid)) return 'again'
    const others = await visitsOf(parts, account, name)
    if (others.some(other => other.tableId !== tableId && other.lock !== null)) return 'done'
    const message = { type: 'unlock', tid, table: name } as const
    await parts.messages.write({ account, messageId: `${tableId}.unlock`, tableId, message })
    return 'done'
  })
}

/** The terminal that held the table last; null: none ever did. */
async function lastHolder(parts: Parts, table: PatTable): Promise<string | null> {
  const locked = (await historyOf(parts, table)).findLast(event => event.type === 'locked')
  return locked?.type === 'locked' ? locked.by : null
}

async function historyOf({ store }: Parts, table: PatTable): Promise<readonly TableEvent[]> {
  const events = await store.eventsOf({ account: table.merchantAccount, kind: TABLE.kind, id: table.tableId })
  return events.map(({ body }) => decodeEvent(TABLE, body).event)
}

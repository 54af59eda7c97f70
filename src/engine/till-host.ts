// src/engine/till-host.ts — tables that the till keeps: each step of the waiter is asked over the till's line, and each
// visit of a terminal to such a table is noted as a table of its own, so that its payments are as safe as any. ADR 16.

import type { Happening } from '../domain/machine.ts'
import { TERMINAL_CURRENCIES, type TerminalCurrency } from '../domain/money.ts'
import type { PatTable, TableEvent } from '../domain/table.ts'
import type { VisitEffect } from '../domain/table-visit.ts'
import type { Activity } from './activity.ts'
import type { Performers } from './effects.ts'
import type { Engine } from './engine.ts'
import { TABLE } from './machines.ts'
import type { Store } from './ports.ts'
import { type Hold, heldOf, shown, type TableHost, type Waiter } from './table-hosts.ts'
import type { Tables } from './tables.ts'
import type { TillAnswer, TillLine, TillLines } from './till-lines.ts'
import type { TillMessages } from './till-messages.ts'

/** Visits of one account that are open at once: more than it has terminals. */
const MOST_VISITS = 1_000

export interface TillHostParts {
  readonly engine: Engine
  readonly store: Store
  readonly tables: Tables
  readonly lines: TillLines
  readonly messages: TillMessages
  readonly activity: Activity
}

export interface TillHost extends TableHost {
  readonly performers: Performers
}

/** Binds the till's own tables to their ports. */
export function createTillHost(parts: TillHostParts): TillHost {
  const { lines } = parts
  /** Questions for a lock that are open, by table. A late answer to an earlier one must not undo what comes of them. */
  const asking = new Map<string, Set<symbol>>()

  async function lockAsked(line: TillLine, waiter: Waiter, name: string) {
    const key = `${waiter.account}/${name}`
    const mine = Symbol(name)
    const open = asking.get(key) ?? new Set()
    asking.set(key, open.add(mine))
    const close = (): void => {
      open.delete(mine)
      if (open.size === 0 && asking.get(key) === open) asking.delete(key)
    }
    const tooLate = (): void => {
      close()
      // A store that fails now leaves the table locked at the till, where it can be unlocked by hand.
      void letGo(parts, waiter, name, () => asking.has(key)).catch(() => {})
    }
    return outside(parts, waiter.account, () => line.lock(waiter, name, tooLate)).finally(close)
  }

  return {
    async tables(waiter) {
      const line = lines.of(waiter.account)
      const answer = line === null ? null : await outside(parts, waiter.account, () => line.tables(waiter))
      if (answer === null || answer.answer === 'none') return []
      const { names, currency } = answer.value
      return currency === null || currency === waiter.currency ? names : []
    },
    async hold(waiter, name) {
      const line = lines.of(waiter.account)
      if (line === null) return { says: NOT_THERE }
      const earlier = await visitsOf(parts, waiter.account, name)
      // The till cannot know of what is being paid this moment, and would have it paid again.
      const [begun] = earlier.flatMap(table => table.begun)
      if (begun !== undefined) return shown({ code: 'table_payment_under_way', tid: begun.tid })
      for (const visit of earlier) await tellAtOnce(parts, visit)
      const answer = await lockAsked(line, waiter, name)
      if (answer.answer === 'none') return { says: answer.says ?? NOT_THERE }
      if (!answer.value.confirmed) return shown({ code: 'table_locked' })
      return visit(parts, waiter, name, answer.value, earlier)
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

/** Notes the visit of a terminal to a table that its till has just locked for it. */
async function visit(
  parts: TillHostParts,
  waiter: Waiter,
  name: string,
  lock: { readonly amountMinor: number; readonly currency: string },
  earlier: readonly PatTable[],
): Promise<Hold> {
  const { tables } = parts
  const { account, tid, waiterId } = waiter
  const currency = TERMINAL_CURRENCIES.find(each => each === lock.currency)
  if (currency === undefined || currency !== waiter.currency) {
    await unlockAtTill(parts, waiter, name)
    return shown({ code: 'table_unknown' })
  }
  const created = await tables.create({ ...orderOf(account, name, currency, lock.amountMinor), host: 'till' })
  if (!('record' in created)) throw new Error('a visit has a name of its own')
  const key = { account, tableId: created.record.tableId }
  const locked = await tables.lockFor(key, { tid, waiterId: waiterId ?? '' })
  if (!('record' in locked)) throw new Error('a visit that has just begun was locked by somebody else')
  // The till has given the table to this terminal, so whoever had it before has it no more.
  for (const { tableId, lock: held } of earlier)
    await (held === null
      ? tables.endVisit({ account, tableId })
      : tables.unlockFor({ account, tableId }, { tid: held.by }))
  return { held: heldOf(locked.record) }
}

function orderOf(account: string, name: string, currency: TerminalCurrency, amountMinor: number) {
  return { account, name, currency, amountMinor, waiterIds: [], bill: [] }
}

async function billFrom(parts: TillHostParts, waiter: Waiter, { name }: PatTable, which: 'before' | 'final') {
  const line = parts.lines.of(waiter.account)
  if (line === null) return []
  const answer = await outside(parts, waiter.account, () => line.bill(waiter, name, which))
  return answer.answer === 'none' ? [] : answer.value
}

/** A till takes its time, and is no work of this gateway: an account that waits for one is at rest. */
async function outside<Value>(
  { activity }: TillHostParts,
  account: string,
  ask: () => Promise<TillAnswer<Value>>,
): Promise<TillAnswer<Value>> {
  activity.end(account)
  try {
    return await ask()
  } finally {
    activity.begin(account)
  }
}

/** A confirmation that came too late: nobody holds the table, unless it was asked for again meanwhile. Reference 6.4. */
async function letGo(parts: TillHostParts, waiter: Waiter, name: string, askedAgain: () => boolean): Promise<void> {
  if ((await visitsOf(parts, waiter.account, name)).length > 0 || askedAgain()) return
  await unlockAtTill(parts, waiter, name)
}

async function unlockAtTill({ lines }: TillHostParts, { account, tid }: Waiter, table: string): Promise<void> {
  // It goes to the till that has just answered; a till that has gone since has no lock of that line to keep.
  lines.of(account)?.tell({ type: 'unlock', tid, table })
}

/**
 * The till hears of what was paid before it is asked anything that depends on it: also of what an effect, which may not
 * have been performed yet, is to tell it.
 */
async function tellAtOnce(parts: TillHostParts, { merchantAccount: account, tableId }: PatTable): Promise<void> {
  const told = await parts.tables.tellTill({ account, tableId })
  if (!('record' in told)) return
  for (const event of await historyOf(parts, told.record))
    if (event.type === 'payments_told') await tellPayments(parts, told.record, event)
}

/** Open visits to a table of this name, oldest first. */
async function visitsOf({ store }: TillHostParts, account: string, name: string): Promise<readonly PatTable[]> {
  const visits = await store.list(account, { kind: TABLE.kind, parent: 'till', live: true, limit: MOST_VISITS })
  return visits
    .map(({ body }) => JSON.parse(body) as PatTable)
    .filter(visit => visit.name === name)
    .reverse()
}

function performersOf(parts: TillHostParts): Performers {
  return {
    async 'table.tell_payments'(effect) {
      const entry = await parts.engine.read(TABLE, effect)
      const payload = JSON.parse(effect.body) as VisitEffect
      if (entry !== null && payload.type === 'table.tell_payments') await tellPayments(parts, entry.record, payload)
      return 'done'
    },
    async 'table.tell_unlock'(effect) {
      const entry = await parts.engine.read(TABLE, effect)
      if (entry !== null) await tellUnlock(parts, entry.record)
      return 'done'
    },
  }
}

/** The same payments are the same message, however often it is written. */
async function tellPayments(
  { messages }: TillHostParts,
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

/** Unless another terminal has the table by now: then it is not this one's to give back. */
async function tellUnlock(parts: TillHostParts, table: PatTable): Promise<void> {
  const { merchantAccount: account, tableId, name } = table
  const tid = await lastHolder(parts, table)
  if (tid === null) return
  const others = await visitsOf(parts, account, name)
  if (others.some(other => other.tableId !== tableId && other.lock !== null)) return
  const message = { type: 'unlock', tid, table: name } as const
  await parts.messages.write({ account, messageId: `${tableId}.unlock`, tableId, message })
}

/** The terminal that held the table last; null: none ever did. */
async function lastHolder(parts: TillHostParts, table: PatTable): Promise<string | null> {
  const locked = (await historyOf(parts, table)).findLast(event => event.type === 'locked')
  return locked?.type === 'locked' ? locked.by : null
}

async function historyOf({ store }: TillHostParts, table: PatTable): Promise<readonly TableEvent[]> {
  const events = await store.eventsOf({ account: table.merchantAccount, kind: TABLE.kind, id: table.tableId })
  return events.map(({ body }) => (JSON.parse(body) as Happening<TableEvent>).event)
}

// src/services/tables/pos-table-provider.ts — POS table provider, for tills that store their own tables. Requests go over the
// till's connection. Each session of a terminal at such a table is a table record, so its payments are durable. ADR 16.

import { idHoldsCardNumber } from '../../domain/card-numbers.ts'
import type { MerchantAccountId } from '../../domain/ids.ts'
import { TERMINAL_CURRENCIES, type TerminalCurrency } from '../../domain/money.ts'
import type { PatTable, TableEvent } from '../../domain/tables/table.ts'
import type { SessionEffect } from '../../domain/tables/table-session.ts'
import type { Activity } from '../../engine/activity.ts'
import { decodeEvent, decodeRecord } from '../../engine/decoding.ts'
import type { Performers } from '../../engine/effects.ts'
import type { Engine } from '../../engine/engine.ts'
import { Fault } from '../../engine/fault.ts'
import { TABLE } from '../../engine/machines.ts'
import type { Lease, Store } from '../../engine/ports/store.ts'
import type { WorkLeases } from '../../engine/work-leases.ts'
import { createPendingPosRequests, type PendingPosRequests, type PosRequest } from './pending-pos-requests.ts'
import type { PosConnections, TillAnswer } from './pos-connections.ts'
import type { TillMessages } from './pos-messages.ts'
import type { PosRecorder } from './pos-recorder.ts'
import {
  lockedTableOf,
  NO_WAITER,
  shown,
  type TableLockResult,
  type TableProvider,
  type Waiter,
} from './table-providers.ts'
import type { Tables } from './tables.ts'

/** Upper bound of open sessions per account; an account has fewer terminals. */
const MOST_SESSIONS = 1_000

/** Recent sessions to search for the last one at a table. Payments of older ones were sent long ago. */
const RECENT_SESSIONS = 100

/** Lock requests per attempt of a waiter, when the table changes while the till answers. A waiter is waiting. */
const MOST_ATTEMPTS = 3

export interface PosTableProviderParts {
  readonly engine: Engine
  readonly store: Store
  readonly tables: Tables
  readonly posConnections: PosConnections
  readonly messages: TillMessages
  readonly activity: Activity
  /** Records requests. */
  readonly posRecorder: PosRecorder
  /** The node with the lane of an account has its terminals. */
  readonly leases: Pick<WorkLeases, 'of'>
}

type Parts = PosTableProviderParts & { readonly requests: PendingPosRequests }

export interface PosTableProvider extends TableProvider {
  readonly performers: Performers
}

/** The context of one lock request. */
interface LockRequest {
  readonly waiter: Waiter
  readonly name: string
  readonly request: PosRequest
  /** Sessions at the table that were open before the request was sent. */
  readonly earlier: readonly PatTable[]
  /** Pending requests that were sent to the till before this one. */
  readonly before: readonly PosRequest[]
  /** Under which it was sent. When the lane has changed hands, the terminal has asked the node that has it now. */
  readonly lease: Lease
}

/** Binds the till's own tables to their ports. */
export function createPosTableProvider(given: PosTableProviderParts): PosTableProvider {
  const parts: Parts = { ...given, requests: createPendingPosRequests() }
  const { posConnections, messages } = parts
  return {
    async tables(waiter) {
      const { connection } = await posConnections.find(waiter.account)
      if (connection === null) return []
      await messages.flush(waiter.account)
      const answer = await outside(parts, waiter.account, () => connection.tables(waiter))
      if (answer.answer === 'none') return []
      const { names, currency } = answer.value
      return currency === null || currency === waiter.currency ? storable(parts, waiter.account, names) : []
    },
    async lock(waiter, name) {
      // Both are stored with the session.
      if ((await storable(parts, waiter.account, [name])).length === 0) return shown({ code: 'table_unknown' })
      if (idHoldsCardNumber(waiter.waiterId ?? '')) return NO_WAITER
      const lease = parts.leases.of(waiter.account)
      if (lease === null) throw laneIsGone(waiter)
      for (let attempt = 0; attempt < MOST_ATTEMPTS; attempt += 1) {
        const request = parts.requests.open(keyOf(waiter.account, name), waiter.tid)
        const locked = await requestLock(parts, { waiter, name, request, lease }).finally(request.close)
        if (locked !== 'again') return locked
      }
      return shown({ code: 'table_locked' })
    },
    bill: (waiter, table) => billFrom(parts, waiter, table, 'before'),
    async finalBill(waiter, table) {
      await sendAtOnce(parts, table)
      const { connection } = await posConnections.find(waiter.account)
      return connection?.wantsFinalBill === true ? billFrom(parts, waiter, table, 'final') : []
    },
    performers: performersOf(parts),
  }
}

/** Names without what may be a card number, unless a session of that name is open already: it may go on. */
async function storable(parts: Parts, account: MerchantAccountId, names: readonly string[]) {
  if (!names.some(idHoldsCardNumber)) return names
  const open = await Promise.all(names.map(name => sessionsOf(parts, account, name)))
  return names.filter((name, index) => !idHoldsCardNumber(name) || (open[index]?.length ?? 0) > 0)
}

/** Shown on the terminal when the till has not answered. */
const NOT_THERE = 'The till does not answer. Please try again.'

/** Requests the lock from the till once. The caller keeps the request pending until its outcome is known. */
async function requestLock(
  parts: Parts,
  asked: Pick<LockRequest, 'waiter' | 'name' | 'request' | 'lease'>,
): Promise<TableLockResult | 'again'> {
  const { waiter, name, request } = asked
  const { account } = waiter
  const { connection } = await parts.posConnections.find(account)
  if (connection === null) return { says: NOT_THERE }
  const earlier = await sessionsOf(parts, account, name)
  // The till does not know of a payment in progress, so it would be paid again.
  const stop = underWay(earlier)
  if (stop !== null) return stop
  await sendEverything(parts, account, name, earlier)
  const before = parts.requests.sent(keyOf(account, name), request)
  const context: LockRequest = { ...asked, earlier, before }
  const tooLate = (): void => {
    request.close()
    // If the store fails now, the table stays locked at the till and can be unlocked there by hand.
    void letGo(parts, context).catch(() => {})
  }
  const noted = parts.posRecorder.noteLockRequest(waiter, name)
  const answer = await outside(parts, account, () => connection.lock(waiter, name, tooLate))
  if (answer.answer === 'none') return { says: answer.says ?? NOT_THERE }
  const lock = answer.value
  if (!lock.confirmed) return shown({ code: 'table_locked' })
  const currency = TERMINAL_CURRENCIES.find(each => each === lock.currency)
  const locked = await parts.requests.enqueue(keyOf(account, name), async () => {
    let taken: TableLockResult | 'again' | null = null
    try {
      if (!isValid(parts, context)) throw laneIsGone(waiter)
      if (currency === undefined || currency !== waiter.currency) return shown({ code: 'table_unknown' })
      taken = await takeOver(parts, context, orderOf(account, name, currency, lock.amountMinor))
      if (taken !== 'again' && 'locked' in taken) noted(taken.locked.tableId, answer)
      return taken
    } finally {
      const isTaken = taken !== null && taken !== 'again' && 'locked' in taken
      if (!isTaken && isValid(parts, context)) await unlockAtTill(parts, waiter, name)
    }
  })
  return locked
}

/**
 * Whether this node still has the lane under whose lease it sent the request. When it has not, the till's answer is the business of
 * the node that has it: an unlock from here would undo what that has locked.
 */
function isValid({ leases }: Parts, { waiter, lease }: LockRequest): boolean {
  return leases.of(waiter.account)?.fence === lease.fence
}

/** The terminal repeats its request on the node that has the lane now. */
function laneIsGone({ account }: Waiter): Fault {
  return new Fault('lease_lost', { detail: account })
}

/**
 * Ends the earlier sessions and creates a new one. `again`: payments were made or begun while the till answered, so its
 * amount is out of date and the till must be asked again.
 */
async function takeOver(
  parts: Parts,
  { waiter, name, request, earlier, lease }: LockRequest,
  order: ReturnType<typeof orderOf>,
): Promise<TableLockResult | 'again'> {
  const { tables, requests } = parts
  const { account, tid, waiterId } = waiter
  const open = await sessionsOf(parts, account, name)
  const stop = underWay(open)
  if (stop !== null) return stop
  if (request.overtaken || (await paidSince(parts, earlier))) return 'again'
  // The till has given the table to this terminal, so earlier sessions end, unless one is paying at this moment.
  for (const { tableId, lock } of open) {
    if (lock === null) return 'again'
    const ended = await tables.unlockFor({ account, tableId }, { tid: lock.by, lease })
    if ('refused' in ended) return shown(ended.refused)
  }
  // Checked again, because payments were possible until those sessions ended.
  if (await paidSince(parts, earlier)) return 'again'
  const lockedBy = { tid, waiterId: waiterId ?? '' }
  const created = await tables.create({ ...order, host: 'till', lockedBy, lease })
  if (!('record' in created)) throw new Error('a table session must have a unique name')
  requests.overtake(keyOf(account, name), request, created.record.tableId)
  return { locked: lockedTableOf(created.record) }
}

/** The refusal when a payment is in progress in one of the sessions; null when none is. */
function underWay(sessions: readonly PatTable[]): TableLockResult | null {
  const [begun] = sessions.flatMap(table => table.begun)
  return begun === undefined ? null : shown({ code: 'table_payment_under_way', tid: begun.tid })
}

/** Whether a session, open or closed, has new payments. */
async function paidSince({ tables }: Parts, sessions: readonly PatTable[]): Promise<boolean> {
  for (const { merchantAccount: account, tableId, payments } of sessions) {
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
  const { connection } = await parts.posConnections.find(waiter.account)
  if (connection === null) return []
  const noted = parts.posRecorder.noteBillRequest(waiter, table, which)
  const answer = await outside(parts, waiter.account, () => connection.bill(waiter, table.name, which))
  noted(answer)
  return answer.answer === 'none' ? [] : answer.value
}

/** Excludes the wait for a till from the activity count: an account that waits for its till is idle. */
async function outside<Value>(
  { activity }: Parts,
  account: MerchantAccountId,
  request: () => Promise<TillAnswer<Value>>,
): Promise<TillAnswer<Value>> {
  activity.end(account)
  try {
    return await request()
  } finally {
    activity.begin(account)
  }
}

/**
 * Handles a confirmation after the time limit: unlocks the table at the till, unless this terminal has it all the same or a
 * later request got it. Waits for pending requests first, because the unlock would undo theirs. See docs/pay-at-table.md.
 */
async function letGo(parts: Parts, context: LockRequest): Promise<void> {
  const { waiter, name, earlier, before } = context
  const { requests } = parts
  const key = keyOf(waiter.account, name)
  // Sessions that the till granted before the late confirmation.
  const isOlder = (id: string) =>
    earlier.some(({ tableId }) => tableId === id) || before.some(({ sessionId }) => sessionId === id)
  const decided = () =>
    requests.enqueue(key, async () => {
      const sessions = await sessionsOf(parts, waiter.account, name)
      if (requests.isPending(key)) return false
      const isLocked = sessions.some(({ tableId, lock }) => lock?.by === waiter.tid || !isOlder(tableId))
      if (!isLocked && isValid(parts, context)) await unlockAtTill(parts, waiter, name)
      return true
    })
  do await requests.quiet(key)
  while (!(await decided()))
}

async function unlockAtTill({ posConnections }: Parts, { account, tid }: Waiter, table: string): Promise<void> {
  // Sent to the till that has just answered. A till that has disconnected since keeps no lock of that connection.
  const { connection } = await posConnections.find(account)
  await connection?.notify({ type: 'unlock', tid, table })
}

/**
 * Sends the till all payments before a request that depends on them, also those whose effect may not have been performed yet.
 */
async function sendAtOnce(parts: Parts, { merchantAccount: account, tableId }: PatTable): Promise<void> {
  const notified = await parts.tables.notifyTill({ account, tableId })
  if (!('record' in notified)) return
  for (const event of await historyOf(parts, notified.record))
    if (event.type === 'payments_told') await sendPayments(parts, notified.record, event)
}

/** Sends the till all payments before a lock request, also those of the last closed session. */
async function sendEverything(
  parts: Parts,
  account: MerchantAccountId,
  name: string,
  open: readonly PatTable[],
): Promise<void> {
  const recent = await parts.store.list(account, { kind: TABLE.kind, parent: 'till', limit: RECENT_SESSIONS })
  const last = recent
    .map(({ body }) => decodeRecord(TABLE, body))
    .find(session => session.name === name && session.state === 'closed')
  for (const session of [...(last === undefined ? [] : [last]), ...open]) await sendAtOnce(parts, session)
  await parts.messages.flush(account)
}

/** Open sessions at a table of this name, oldest first. */
async function sessionsOf({ store }: Parts, account: MerchantAccountId, name: string): Promise<readonly PatTable[]> {
  const sessions = await store.list(account, { kind: TABLE.kind, parent: 'till', live: true, limit: MOST_SESSIONS })
  return sessions
    .map(({ body }) => decodeRecord(TABLE, body))
    .filter(session => session.name === name)
    .reverse()
}

function performersOf(parts: Parts): Performers {
  return {
    async 'table.tell_payments'(effect) {
      const entry = await parts.engine.read(TABLE, effect)
      const payload = JSON.parse(effect.body) as SessionEffect
      if (entry !== null && payload.type === 'table.tell_payments') await sendPayments(parts, entry.record, payload)
      return 'done'
    },
    async 'table.tell_unlock'(effect) {
      const entry = await parts.engine.read(TABLE, effect)
      return entry === null ? 'done' : sendUnlock(parts, entry.record)
    },
  }
}

/** Writes the message about these payments. Idempotent, because its id depends on `from`. */
async function sendPayments(
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
 * Writes the unlock message, unless another terminal has the table by now. `again` while this terminal has a pending lock
 * request: the till may have granted it already, and the unlock would undo that.
 */
async function sendUnlock(parts: Parts, table: PatTable): Promise<'done' | 'again'> {
  const { merchantAccount: account, tableId, name } = table
  const tid = await lastHolder(parts, table)
  if (tid === null) return 'done'
  const key = keyOf(account, name)
  return parts.requests.enqueue(key, async () => {
    if (parts.requests.isPending(key, tid)) return 'again'
    const others = await sessionsOf(parts, account, name)
    if (others.some(other => other.tableId !== tableId && other.lock !== null)) return 'done'
    const message = { type: 'unlock', tid, table: name } as const
    await parts.messages.write({ account, messageId: `${tableId}.unlock`, tableId, message })
    return 'done'
  })
}

/** The terminal that locked the table last; null when none has. */
async function lastHolder(parts: Parts, table: PatTable): Promise<string | null> {
  const locked = (await historyOf(parts, table)).findLast(event => event.type === 'locked')
  return locked?.type === 'locked' ? locked.by : null
}

async function historyOf({ store }: Parts, table: PatTable): Promise<readonly TableEvent[]> {
  const events = await store.eventsOf({ account: table.merchantAccount, kind: TABLE.kind, id: table.tableId })
  return events.map(({ body }) => decodeEvent(TABLE, body).event)
}

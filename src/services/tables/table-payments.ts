// src/services/tables/table-payments.ts — a share of a table is paid by card: reserved on the table, taken by a transaction on
// the terminal, and told to the table when it is certain what it came to. Every step is an effect of the one before, so
// a crash between two of them is made good at the next start.

import type { Partner } from '../../domain/counter/transaction-events.ts'
import type { MerchantAccountId, RequestId, TableId, TablePaymentId, TerminalId } from '../../domain/ids.ts'
import type { Refusal } from '../../domain/refusals.ts'
import type { BegunPayment, DropReason, PatTable } from '../../domain/tables/table.ts'
import type { BeginFacts, StartPayment } from '../../domain/tables/table-decisions.ts'
import { settlementOf } from '../../domain/tables/table-payment.ts'
import type { Performers } from '../../engine/effects.ts'
import type { Engine } from '../../engine/engine.ts'
import { TABLE, TERMINAL_TRANSACTION } from '../../engine/machines.ts'
import type { Clocks } from '../../engine/ports/clock.ts'
import type { Log } from '../../engine/ports/log.ts'
import type { Random } from '../../engine/ports/random.ts'
import type { StoredEffect } from '../../engine/ports/store.ts'
import { occupantOf, type Terminals } from '../counter/terminals.ts'
import type { Transactions } from '../counter/transactions.ts'

/** Names a table of an account by its own id. */
export interface TableKey {
  readonly account: MerchantAccountId
  readonly tableId: TableId
}

/** A payment by card that a terminal is to take. Amounts are minor units. */
export interface CardShare {
  /** Given by whoever asks, so that asking again is the same payment. Not used again when it took no money. */
  readonly paymentId: TablePaymentId
  readonly tid: TerminalId
  readonly amountMinor: number
  readonly gratuityMinor: number
}

export type PaymentTaken = { readonly requestId: RequestId; readonly table: PatTable } | { readonly refused: Refusal }

export interface TablePaymentsParts {
  readonly engine: Engine
  readonly clocks: Clocks
  readonly random: Random
  readonly log: Log
  readonly terminals: Terminals
  readonly transactions: Transactions
}

/**
 * How late a payment may still start on its terminal, in milliseconds. After a crash that took longer the waiter has
 * gone on, and a terminal that asks for a card out of nowhere would take money that nobody waits for.
 */
const START_WITHIN_MS = 30_000

export interface TablePayments {
  take(key: TableKey, share: CardShare): Promise<PaymentTaken>
  readonly performers: Performers
}

/** Null: the transaction runs, or the payment has ended already. */
type Started = { readonly refused: Refusal } | null

/** Binds payments of tables to their ports. */
export function createTablePayments(parts: TablePaymentsParts): TablePayments {
  const { engine, random } = parts
  /** Starts under way, by request id: whoever asks and the effect share one. */
  const starting = new Map<string, Promise<Started>>()

  function startOnce(key: TableKey, table: PatTable, payment: BegunPayment): Promise<Started> {
    const { requestId } = payment
    const running = starting.get(requestId)
    if (running !== undefined) return running
    const start = startPayment(parts, key, table, payment).finally(() => starting.delete(requestId))
    starting.set(requestId, start)
    return start
  }

  return {
    async take(key, share) {
      const { account, tableId } = key
      const command = { type: 'begin_payment', requestId: random.uuid(), ...share } as const
      const facts = () => beginFacts(parts, account, share.tid)
      const executed = await engine.execute(TABLE, { account, id: tableId }, command, { facts })
      if ('refused' in executed) return executed
      if ('repeated' in executed) throw new Error('a payment bears no idempotency key')
      const table = executed.record
      const begun = table.begun.find(({ paymentId }) => paymentId === share.paymentId)
      if (begun === undefined) return paidBefore(table, share.paymentId)
      const started = await startOnce(key, table, begun)
      return started ?? { requestId: begun.requestId, table }
    },
    performers: {
      async 'table.start_payment'(effect) {
        const { paymentId } = JSON.parse(effect.body) as StartPayment
        const entry = await engine.read(TABLE, effect)
        const begun = entry?.record.begun.find(each => each.paymentId === paymentId)
        if (entry === null || begun === undefined) return 'done'
        await startOnce({ account: effect.account, tableId: effect.id }, entry.record, begun)
        return 'done'
      },
      'table.settle_payment': effect => settle(parts, effect),
    },
  }
}

function paidBefore(table: PatTable, id: TablePaymentId): PaymentTaken {
  const paid = table.payments.find(({ paymentId }) => paymentId === id)
  return paid === undefined || paid.requestId === null
    ? { refused: { code: 'already_exists', field: 'paymentId' } }
    : { requestId: paid.requestId, table }
}

async function beginFacts(
  { terminals }: TablePaymentsParts,
  account: MerchantAccountId,
  tid: TerminalId,
): Promise<BeginFacts> {
  const [terminal, live] = await Promise.all([terminals.connected(account, tid), terminals.liveOn(account, tid)])
  return {
    terminal: terminal === null ? null : { authorisedBy: terminals.fleet.driverOf(terminal).authorisedBy },
    live: live === null ? null : occupantOf(live),
  }
}

const NOBODY: Partner = { softwareHouseId: null, installerId: null }

/** Starts the transaction of a payment that was begun, unless it was started before; else lets the share go again. */
async function startPayment(
  parts: TablePaymentsParts,
  key: TableKey,
  { currency, partner = NOBODY }: PatTable,
  payment: BegunPayment,
): Promise<Started> {
  const { engine, clocks, transactions } = parts
  const { account, tableId } = key
  const { requestId, tid, paymentId, waiterId, amountMinor, gratuityMinor } = payment
  if ((await engine.read(TERMINAL_TRANSACTION, { account, id: requestId })) !== null) return null
  // Whoever asks may have heard of the reservation after the effect had let it go again.
  const now = await engine.read(TABLE, { account, id: tableId })
  if (!now?.record.begun.some(begun => begun.requestId === requestId))
    return { refused: { code: 'terminal_busy', tid } }
  if (clocks.of(account).now() - payment.begunAt > START_WITHIN_MS) {
    await drop(parts, key, paymentId, 'not_started')
    return { refused: { code: 'terminal_silent', tid } }
  }
  const executed = await transactions.start({
    requestId,
    account,
    tid,
    request: {
      transactionType: 'SALE',
      amountMinor,
      currency,
      cashbackMinor: 0,
      cardholderNotPresent: false,
      authCode: null,
      preAuthorisedTotalMinor: null,
      table: { tableId, paymentId, waiterId, gratuityMinor },
    },
    partner,
  })
  if (!('refused' in executed)) return null
  await drop(parts, key, paymentId, 'not_started')
  return executed
}

async function drop(
  { engine }: TablePaymentsParts,
  { account, tableId }: TableKey,
  paymentId: TablePaymentId,
  why: DropReason,
) {
  await engine.execute(TABLE, { account, id: tableId }, { type: 'payment_dropped', paymentId, why })
}

/** Tells the table what its payment came to. Told twice, it changes nothing. */
async function settle(parts: TablePaymentsParts, effect: StoredEffect): Promise<'done'> {
  const { engine, log } = parts
  const { account } = effect
  const entry = await engine.read(TERMINAL_TRANSACTION, effect)
  const settlement = entry === null ? null : settlementOf(entry.record)
  const order = entry?.record.request.table
  if (settlement === null || order === undefined) return 'done'
  const { tableId, paymentId } = order
  if (settlement.settled === 'dropped') {
    await drop(parts, { account, tableId }, paymentId, settlement.why)
    return 'done'
  }
  const command = { type: 'payment_taken', payment: settlement.payment } as const
  const executed = await engine.execute(TABLE, { account, id: tableId }, command)
  // Records are never erased, so there is a table wherever a payment of it has begun.
  if ('refused' in executed) log.error({ requestId: effect.id, tableId, paymentId }, 'a payment has no table')
  return 'done'
}

// src/simulator/acquirer/ledger.ts — the acquirer's ledger: one row per order, written before the order is answered. It is
// separate from the gateway's store, so a test can check independently where the money went.
import type { DeclineReason } from '../../domain/counter/transaction-events.ts'
import type { AcquirerOrder } from '../../engine/ports/acquirer.ts'
import type { MemoryDocument, SimulatedMemory } from '../memory/memory.ts'

/** `unseen`: reversed before it arrived, or not decided yet. */
export type OrderKind = 'charge' | 'hold' | 'capture' | 'refund' | 'verify' | 'unseen'

export type OrderState =
  /** Received, not decided yet. */
  | 'undecided'
  | 'charged'
  | 'held'
  | 'captured'
  | 'refunded'
  | 'verified'
  | 'declined'
  | 'reversed'
  /** A hold that was released without a capture. */
  | 'released'

export interface LedgerOrder {
  readonly orderId: string
  readonly account: string
  readonly kind: OrderKind
  readonly state: OrderState
  readonly amountMinor: number
  readonly currency: string
  readonly cardToken: string
  readonly authCode: string
  readonly reference: string
  readonly decline: { readonly reason: DeclineReason; readonly responseCode: string } | null
  /** Position of a hold among the holds on its card; 0 for other orders. */
  readonly holdNumber: number
  /** Order ids of the holds that this capture has used up. */
  readonly captured: readonly string[]
  /** Epoch milliseconds. */
  readonly at: number
}

/** The open holds of one card at one merchant account, oldest first. */
export interface OpenHolds {
  readonly account: string
  readonly cardToken: string
  /** Number of holds ever made; numbers the next one. */
  readonly counted: number
  readonly orderIds: readonly string[]
}

export interface Ledger {
  find(account: string, orderId: string): LedgerOrder | null
  /** Orders of an account, newest first, at most `limit`. */
  list(account: string, limit?: number): readonly LedgerOrder[]
  /** Money that an order has moved, in minor units: positive to the merchant, negative to the cardholder. */
  moneyOf(account: string, orderId: string): number
  openHolds(account: string, cardToken: string): OpenHolds
  /** Writes orders, and the list of open holds if given, atomically. */
  write(orders: readonly LedgerOrder[], holds?: OpenHolds): void
}

/** Default length of a list. */
const LISTED = 1000

/** Creates a ledger in this memory. */
export function createLedger(memory: SimulatedMemory): Ledger {
  function find(account: string, orderId: string): LedgerOrder | null {
    const body = memory.read('order', orderKey(account, orderId))
    return body === null ? null : (JSON.parse(body) as LedgerOrder)
  }
  return {
    find,
    list: (account, limit = LISTED) =>
      memory.list('order', { parent: account, limit }).map(({ body }) => JSON.parse(body) as LedgerOrder),
    moneyOf(account, orderId) {
      const order = find(account, orderId)
      return order === null ? 0 : moneyMovedBy(order)
    },
    openHolds(account, cardToken) {
      const body = memory.read('hold', holdKey(account, cardToken))
      return body === null ? { account, cardToken, counted: 0, orderIds: [] } : (JSON.parse(body) as OpenHolds)
    },
    write(orders, holds) {
      memory.write([...orders.map(orderDocument), ...(holds === undefined ? [] : [holdsDocument(holds)])])
    },
  }
}

/** An undecided row for an order. `at`: epoch milliseconds. */
export function rowOf(order: AcquirerOrder, kind: OrderKind, at: number): Omit<LedgerOrder, 'state'> {
  const { orderId, account, amount, cardToken } = order
  return {
    orderId,
    account,
    kind,
    amountMinor: amount.minor,
    currency: amount.currency,
    cardToken,
    authCode: '',
    reference: '',
    decline: null,
    holdNumber: 0,
    captured: [],
    at,
  }
}

function moneyMovedBy(order: LedgerOrder): number {
  switch (order.state) {
    case 'charged':
      return order.amountMinor
    case 'captured':
      // The hold itself has moved nothing; its capture has.
      return order.kind === 'capture' ? order.amountMinor : 0
    case 'refunded':
      return -order.amountMinor
    case 'undecided':
    case 'held':
    case 'verified':
    case 'declined':
    case 'reversed':
    case 'released':
      return 0
  }
}

function orderDocument(order: LedgerOrder): MemoryDocument {
  const { account, orderId } = order
  return { collection: 'order', key: orderKey(account, orderId), parent: account, body: JSON.stringify(order) }
}

function holdsDocument(holds: OpenHolds): MemoryDocument {
  const { account, cardToken } = holds
  return { collection: 'hold', key: holdKey(account, cardToken), parent: account, body: JSON.stringify(holds) }
}

function orderKey(account: string, orderId: string): string {
  return `${account}/${orderId}`
}

function holdKey(account: string, cardToken: string): string {
  return `${account}/${cardToken}`
}

// src/simulator/acquirer/pre-authorisations.ts — open pre-authorisations of a card, and which of them a completion uses up.

import type { DeclineReason } from '../../domain/counter/transaction-events.ts'
import { amountOf, isMore, isSame, sumOf } from '../../domain/money.ts'
import type { CaptureOrder } from '../../engine/ports/acquirer.ts'
import type { Ledger, LedgerOrder, OpenHolds } from './ledger.ts'

/** Open holds on one card at one merchant account. One more releases the oldest. Bounds the list; not a rule of the trade. */
export const MOST_OPEN_HOLDS = 200

/** The holds that a capture uses up, oldest first, or the reason it is declined. */
export type Capturable = { readonly holds: readonly LedgerOrder[] } | { readonly declined: DeclineReason }

/**
 * Returns the holds that a completion uses up: the one whose authorisation code it names and all later ones, which increased
 * it. Earlier open holds belong to another bill and stay open.
 */
export function capturable(ledger: Ledger, order: CaptureOrder): Capturable {
  const open = holdsIn(ledger, ledger.openHolds(order.account, order.cardToken))
  if (order.holdOrderId !== undefined) return capturableAlone(open, order)
  const first = open.findIndex(hold => hold.authCode === order.authCode)
  if (first === -1) return { declined: 'no_pre_authorisation' }
  const holds = open.slice(first)
  const { amount, preAuthorisedTotal } = order
  if (holds.some(hold => hold.currency !== amount.currency)) return { declined: 'pre_authorisation_differs' }
  const total = sumOf(holds.map(amountOf), amount.currency)
  const fits = !isMore(amount, total) && (preAuthorisedTotal === null || isSame(preAuthorisedTotal, total))
  return fits ? { holds } : { declined: 'pre_authorisation_differs' }
}

/** Online a capture names one hold by its order id; other holds on the card do not count. */
function capturableAlone(open: readonly LedgerOrder[], order: CaptureOrder): Capturable {
  const hold = open.find(({ orderId }) => orderId === order.holdOrderId)
  if (hold === undefined) return { declined: 'no_pre_authorisation' }
  const fits = order.amount.currency === hold.currency && !isMore(order.amount, amountOf(hold))
  return fits ? { holds: [hold] } : { declined: 'pre_authorisation_differs' }
}

/** Adds a hold to the open ones of its card. `released`: the oldest holds, dropped by the limit. */
export function withHold(
  ledger: Ledger,
  hold: LedgerOrder,
): { readonly hold: LedgerOrder; readonly open: OpenHolds; readonly released: readonly LedgerOrder[] } {
  const before = ledger.openHolds(hold.account, hold.cardToken)
  const orderIds = [...before.orderIds, hold.orderId]
  const remaining = orderIds.slice(-MOST_OPEN_HOLDS)
  const counted = before.counted + 1
  const fallen = { ...before, orderIds: orderIds.slice(0, orderIds.length - remaining.length) }
  return {
    hold: { ...hold, holdNumber: counted },
    open: { ...before, counted, orderIds: remaining },
    released: holdsIn(ledger, fallen).map(old => ({ ...old, state: 'released' })),
  }
}

/** Removes holds from the open ones of their card. */
export function withoutHolds(open: OpenHolds, gone: readonly LedgerOrder[]): OpenHolds {
  const ids = new Set(gone.map(hold => hold.orderId))
  return { ...open, orderIds: open.orderIds.filter(id => !ids.has(id)) }
}

/** Reopens the holds of a reversed capture, at their old positions. */
export function reopened(
  ledger: Ledger,
  capture: LedgerOrder,
): { readonly holds: readonly LedgerOrder[]; readonly open: OpenHolds } {
  const before = ledger.openHolds(capture.account, capture.cardToken)
  const holds = holdsIn(ledger, { ...before, orderIds: capture.captured })
    .filter(hold => hold.state === 'captured')
    .map((hold): LedgerOrder => ({ ...hold, state: 'held' }))
  const inOrder = [...holdsIn(ledger, before), ...holds].sort((one, other) => one.holdNumber - other.holdNumber)
  return { holds, open: { ...before, orderIds: inOrder.map(hold => hold.orderId) } }
}

function holdsIn(ledger: Ledger, { account, orderIds }: OpenHolds): readonly LedgerOrder[] {
  return orderIds.map(id => ledger.find(account, id)).filter(hold => hold !== null)
}

// src/simulator/acquirer/pre-authorisations.ts — pre-authorisations on a card, and which of them a completion may use up.

import type { DeclineReason } from '../../domain/counter/transaction-events.ts'
import { amountOf, isMore, isSame, sumOf } from '../../domain/money.ts'
import type { CaptureOrder } from '../../engine/ports/acquirer.ts'
import type { Ledger, LedgerOrder, OpenHolds } from './ledger.ts'

/** Open holds on one card in one shop; the oldest is given back when there is one more. A limit on a list, no rule. */
export const MOST_OPEN_HOLDS = 200

/** The holds that a capture may use up, oldest first, or why it may not. */
export type Capturable = { readonly holds: readonly LedgerOrder[] } | { readonly declined: DeclineReason }

/**
 * A completion names the code of the first pre-authorisation and may take what was held from that one on: later ones
 * were added to it. Earlier ones that nobody completed belong to another bill and stay as they are.
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

/** Online each hold stands for itself, whatever else is held on the card. */
function capturableAlone(open: readonly LedgerOrder[], order: CaptureOrder): Capturable {
  const hold = open.find(({ orderId }) => orderId === order.holdOrderId)
  if (hold === undefined) return { declined: 'no_pre_authorisation' }
  const fits = order.amount.currency === hold.currency && !isMore(order.amount, amountOf(hold))
  return fits ? { holds: [hold] } : { declined: 'pre_authorisation_differs' }
}

/** Adds a hold to the open ones of its card. `released`: what fell off the list. */
export function withHold(
  ledger: Ledger,
  hold: LedgerOrder,
): { readonly hold: LedgerOrder; readonly open: OpenHolds; readonly released: readonly LedgerOrder[] } {
  const before = ledger.openHolds(hold.account, hold.cardToken)
  const orderIds = [...before.orderIds, hold.orderId]
  const kept = orderIds.slice(-MOST_OPEN_HOLDS)
  const counted = before.counted + 1
  const fallen = { ...before, orderIds: orderIds.slice(0, orderIds.length - kept.length) }
  return {
    hold: { ...hold, holdNumber: counted },
    open: { ...before, counted, orderIds: kept },
    released: holdsIn(ledger, fallen).map(old => ({ ...old, state: 'released' })),
  }
}

/** Takes holds off the open ones of their card. */
export function withoutHolds(open: OpenHolds, gone: readonly LedgerOrder[]): OpenHolds {
  const ids = new Set(gone.map(hold => hold.orderId))
  return { ...open, orderIds: open.orderIds.filter(id => !ids.has(id)) }
}

/** Puts the holds of a capture that was undone back to where they were among the open ones. */
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

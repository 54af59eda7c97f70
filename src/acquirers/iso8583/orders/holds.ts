// src/acquirers/iso8583/orders/holds.ts — finds the hold of a capture, and claims it for that capture.
import type { AcquirerAnswer, CaptureOrder } from '../../../engine/ports/acquirer.ts'
import type { Values } from '../compose.ts'
import { declined, type Noted } from './journal.ts'
import { type OrderCard, sealedCard } from './order-card.ts'
import type { OrderParts } from './order-parts.ts'
import { reversalValues } from './order-values.ts'

/** What a message needs beside the order: of a capture, what names the hold. Or the answer without asking the host. */
export type Prepared =
  | { readonly values: Values; readonly card: OrderCard | null }
  | { readonly answer: AcquirerAnswer }

export function createHolds({ dialect, journal, vault }: Pick<OrderParts, 'dialect' | 'journal' | 'vault'>) {
  const UNKNOWN: AcquirerAnswer = { answer: 'unknown' }

  async function holdOf(order: CaptureOrder): Promise<Noted | null> {
    const { account, cardToken, authCode, holdOrderId, orderId } = order
    const found =
      holdOrderId === undefined
        ? await journal.holds(account, cardToken, authCode)
        : [await journal.load(account, holdOrderId)]
    const open = found.filter(each => each !== null)
    return (
      open.find(
        ({ note }) =>
          note.kind === 'hold' &&
          note.phase === 'approved' &&
          (note.capturedBy === null || note.capturedBy === orderId),
      ) ?? null
    )
  }

  async function claim(order: CaptureOrder): Promise<Prepared> {
    const hold = await holdOf(order)
    const { amount, preAuthorisedTotal: total, account, orderId } = order
    if (hold === null || hold.note.answer?.answer !== 'approved')
      return { answer: declined('no_pre_authorisation', '25') }
    const { note } = hold
    const differs =
      amount.currency !== note.currency ||
      amount.minor > note.amountMinor ||
      (total !== null && total.minor !== note.amountMinor)
    if (differs) return { answer: declined('pre_authorisation_differs', '64') }
    // Claimed before it is sent: no second order can capture it meanwhile.
    if (note.capturedBy === null && (await journal.change(hold, { capturedBy: orderId })) === null)
      return { answer: UNKNOWN }
    const sealed = note.card === null ? null : await vault.openText(account, 'acquirer-card', note.card)
    const { 56: original1993, 90: original1987 } = reversalValues(dialect, note)
    return {
      values: {
        ...{ 37: hold.note.answer.reference, 38: hold.note.answer.authCode },
        ...(original1993 === undefined ? {} : { 56: original1993 }),
        ...(original1987 === undefined ? {} : { 90: original1987 }),
      },
      card: sealed === null ? null : sealedCard(sealed),
    }
  }

  /** A hold whose capture was declined can be captured by another order. */
  async function release(order: CaptureOrder): Promise<void> {
    const hold = await holdOf(order)
    if (hold !== null && hold.note.capturedBy === order.orderId) await journal.change(hold, { capturedBy: null })
  }

  return { claim, release }
}

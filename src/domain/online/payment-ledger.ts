// src/domain/online/payment-ledger.ts — collections, refunds and voids of a payment. The ledger is part of the payment's
// record, so that simultaneous requests are checked against its limits one commit after the other.

import { onlineAmountOf } from '../currency.ts'
import type { PaymentId } from '../ids.ts'
import { accepts, next, type Transitions } from '../machine.ts'
import { add, isMore, type Money, money, sumOf } from '../money.ts'
import type { LinkedType, OnlineType } from './access-token.ts'

export type EntryState = 'reserved' | 'settled' | 'released' | 'refunded'
export type EntryEvent = 'link_settled' | 'link_released' | 'link_refunded'

/** An entry counts from its reservation on, because the acquirer may approve it. */
export const TRANSITIONS: Transitions<EntryState, EntryEvent> = {
  reserved: { link_settled: 'settled', link_released: 'released' },
  // A voided collection: the pre-authorisation is in force again. A collection refunded in full has used it up.
  settled: { link_released: 'released', link_refunded: 'refunded' },
  released: {},
  refunded: {},
}

export interface LedgerEntry {
  /** Id of the linked payment. */
  readonly by: PaymentId
  readonly type: LinkedType
  readonly amountMinor: number
  readonly state: EntryState
}

export interface Reservation {
  readonly by: PaymentId
  readonly type: LinkedType
  /** Not read for VOID. */
  readonly amountMinor: number
  readonly currencyCode: string
}

/** The original payment, as far as the limits depend on it. */
export interface LedgerSubject {
  readonly transactionType: OnlineType
  readonly amount: Money
  /** Whether it ended with status 0. */
  readonly successful: boolean
  /** When it ended, epoch milliseconds. */
  readonly at: number
  readonly entries: readonly LedgerEntry[]
}

/** Limit of entries: far more than real payments have; each makes the record longer. */
const MOST_ENTRIES = 200

const DAY_MS = 86_400_000
/** How long a pre-authorisation can be voided, in milliseconds. See docs/online-payments.md. */
const PREAUTH_VOID_MS = 7 * DAY_MS

/**
 * Why a reservation is refused, as a short message to the shop; null when it is allowed. See docs/online-payments.md.
 * @param at epoch milliseconds
 */
export function refusalReasonOf(reservation: Reservation, subject: LedgerSubject, at: number): string | null {
  const live = subject.entries.filter(({ state }) => state !== 'released')
  if (!subject.successful) return 'The referenced payment was not successful'
  if (subject.entries.length >= MOST_ENTRIES) return 'Too many operations on one payment'
  if (live.some(({ type }) => type === 'VOID')) return 'The referenced payment was voided'
  const amount = onlineAmountOf(reservation)
  if (amount.currency !== subject.amount.currency) return 'The currency differs from that of the referenced payment'
  switch (reservation.type) {
    case 'COLLECTION':
      return reasonAgainstCollection(amount, subject, live)
    case 'REFUND':
      return reasonAgainstRefund(amount, subject, live)
    case 'VOID':
      return reasonAgainstVoid(subject, live, at)
  }
}

function reasonAgainstCollection(amount: Money, subject: LedgerSubject, live: readonly LedgerEntry[]): string | null {
  if (subject.transactionType !== 'PREAUTH') return 'Only a PREAUTH can be collected'
  if (live.some(({ type }) => type === 'COLLECTION')) return 'The referenced payment was collected already'
  return isMore(amount, subject.amount) ? 'More than was authorised cannot be collected' : null
}

function reasonAgainstRefund(amount: Money, subject: LedgerSubject, live: readonly LedgerEntry[]): string | null {
  if (!isCaptured(subject.transactionType)) return 'Only a SALE or a COLLECTION can be refunded'
  const refunded = add(refundedOf(live, amount.currency), amount)
  return isMore(refunded, subject.amount) ? 'More than was captured cannot be refunded' : null
}

function reasonAgainstVoid(subject: LedgerSubject, live: readonly LedgerEntry[], at: number): string | null {
  if (subject.transactionType === 'PREAUTH') {
    if (live.some(({ type }) => type === 'COLLECTION')) return 'The referenced payment was collected already'
    return at > subject.at + PREAUTH_VOID_MS ? 'It is too late to void the referenced payment' : null
  }
  if (!isCaptured(subject.transactionType)) return 'The referenced payment cannot be voided'
  if (live.length > 0) return 'The referenced payment was refunded already'
  // Settlement runs after the end of the day, UTC. See docs/online-payments.md.
  const sameDay = Math.floor(at / DAY_MS) === Math.floor(subject.at / DAY_MS)
  return sameDay ? null : 'It is too late to void the referenced payment'
}

function isCaptured(type: OnlineType): boolean {
  return type === 'SALE' || type === 'COLLECTION'
}

/** The refunded amount, refunds in progress included. */
export function refundedOf(entries: readonly LedgerEntry[], currency: string): Money {
  const refunds = entries.filter(({ type, state }) => type === 'REFUND' && state !== 'released')
  return sumOf(
    refunds.map(({ amountMinor }) => money(amountMinor, currency)),
    currency,
  )
}

/**
 * Whether nothing of a successful payment is left on the card: it was voided, or it or its collection was refunded in full.
 * Only settled entries count, because the acquirer may still refuse a reserved one.
 */
export function isUndone({
  order,
  entries,
}: {
  readonly order: Ordered
  readonly entries: readonly LedgerEntry[]
}): boolean {
  if (entries.length === 0) return false
  const settled = entries.filter(({ state }) => state === 'settled')
  if (settled.some(({ type }) => type === 'VOID') || entries.some(({ state }) => state === 'refunded')) return true
  const captured = onlineAmountOf(order)
  return settled.some(({ type }) => type === 'REFUND') && !isMore(captured, refundedOf(settled, captured.currency))
}

type Ordered = Parameters<typeof onlineAmountOf>[0]

/** Whether the entry of a linked payment accepts this event. */
export function canMove(entries: readonly LedgerEntry[], by: PaymentId, event: EntryEvent): boolean {
  const entry = entries.find(each => each.by === by)
  return entry !== undefined && accepts(TRANSITIONS, entry.state, event)
}

/** The ledger entry of a new reservation. */
export function entryOf({ by, type, amountMinor }: Reservation): LedgerEntry {
  return { by, type, amountMinor, state: 'reserved' }
}

/** The entries after the event of one of them. @throws Error when its state does not accept the event */
export function moveEntry(entries: readonly LedgerEntry[], by: PaymentId, event: EntryEvent): readonly LedgerEntry[] {
  return entries.map(entry => (entry.by === by ? { ...entry, state: next(TRANSITIONS, entry.state, event) } : entry))
}

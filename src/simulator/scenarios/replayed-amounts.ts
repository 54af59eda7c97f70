// src/simulator/scenarios/replayed-amounts.ts — finds in the events what a terminal charged other than it was asked.
import type { TransactionEvent, TransactionRequest } from '../../domain/counter/transaction-events.ts'
import type { EventEnvelope } from '../../domain/machine.ts'
import type { Amounts } from '../../domain/money.ts'
import type { Fault } from '../faults/catalogue.ts'

/** An event with its time, epoch milliseconds. */
export type PlayedEvent = Pick<EventEnvelope<TransactionEvent>, 'event' | 'at'>

export interface ReplayedAmounts {
  /** Faults that make the terminal charge and report the same amounts. */
  readonly faults: readonly Fault[]
  /** Gratuity that was given; null when none was. */
  readonly gratuityMinor: number | null
  readonly uncaptured: readonly string[]
}

const AS_REQUESTED: ReplayedAmounts = { faults: [], gratuityMinor: null, uncaptured: [] }

/** Compares the amounts of the events with those of the request. */
export function amountsIn(request: TransactionRequest | null, recording: readonly PlayedEvent[]): ReplayedAmounts {
  const events = recording.map(({ event }) => event)
  const requested = events.findLast(event => event.type === 'authorisation_requested')?.amounts ?? null
  const ended = events.findLast(event => event.type === 'ended')?.ending.amounts ?? null
  const cardRead = events.some(event => event.type === 'card_read')
  const charged = requested ?? ended
  // Without a card, and in types that charge nothing, no amounts count.
  if (request === null || charged === null || !cardRead || !CHARGES.has(request.transactionType)) return AS_REQUESTED
  const more = charged.baseMinor - request.amountMinor
  const moreAtEnd = reportedMore(requested, ended)
  const refused = request.cashbackMinor > 0 && charged.cashbackMinor === 0
  const given = charged.gratuityMinor > 0 && request.table === undefined
  return {
    faults: [
      ...(more > 0 && more <= MOST_MORE ? [{ name: 'wrong_amount', number: more } as const] : []),
      ...(moreAtEnd > 0 && moreAtEnd <= MOST_MORE ? [{ name: 'wrong_amount_at_end', number: moreAtEnd } as const] : []),
      ...(refused ? [{ name: 'cashback_refused', number: 0 } as const] : []),
    ],
    gratuityMinor: given ? charged.gratuityMinor : null,
    uncaptured: [
      ...(isRepeatable(more) && isRepeatable(moreAtEnd) ? [] : ['The amount that the terminal charged or reported.']),
      ...(charged.cashbackMinor !== 0 && charged.cashbackMinor !== request.cashbackMinor
        ? ['The cashback, which is not the one that was asked.']
        : []),
    ],
  }
}

/** Largest number of a fault. */
const MOST_MORE = 3_600_000

function isRepeatable(more: number): boolean {
  return more >= 0 && more <= MOST_MORE
}

const CHARGES: ReadonlySet<string> = new Set(['SALE', 'REFUND', 'PRE_AUTH', 'COMPLETION'])

function reportedMore(requested: Amounts | null, ended: Amounts | null): number {
  return requested === null || ended === null ? 0 : ended.baseMinor - requested.baseMinor
}

// src/terminals/nexo/wire/displays.ts — reads display notifications of terminals: what they show while a payment runs. Pure.
import { NO_CARD, type PaymentMethod } from '../../../domain/card.ts'
import type { TerminalReport, TransactionRequest } from '../../../domain/counter/transaction-events.ts'
import { pairsOf } from './additional-response.ts'
import { listOf, type Members, memberAt, textOf } from './lenient.ts'

/** A report, and its place in a transaction. Notifications may come late, twice or in any order: only a higher place is news. */
export interface Shown {
  readonly place: number
  readonly report: TerminalReport
}

const PLACES = { prompted: 1, card_read: 2, pin_requested: 3 } as const
/** Place of the end, behind all that is shown before. */
export const PLACE_OF_END = 4

const CARD_EVENTS: Readonly<Record<string, PaymentMethod>> = {
  CARD_INSERTED: 'ICC_CHIP',
  CARD_PRESENTED: 'CONTACTLESS',
  CARD_SWIPED: 'SWIPED',
  CARD_DETAILS_PROVIDED: 'KEYED',
}

/** Names of the events in a notification; none when it shows something else, such as a result. */
export function eventsIn(body: Members): readonly string[] {
  return listOf(memberAt(body, 'DisplayRequest', 'DisplayOutput')).flatMap(output => {
    const reference = textOf(memberAt(output, 'OutputContent', 'PredefinedContent', 'ReferenceID'))
    const event = pairsOf(reference).get('event')
    return event === undefined ? [] : [event]
  })
}

/**
 * What an event means to a till; null when nothing corresponds to it.
 * @param asksTip whether the terminal asks for a tip, which it does before it asks for a card
 */
export function shownBy(event: string, request: TransactionRequest, asksTip: boolean): Shown | null {
  const paymentMethod = Object.hasOwn(CARD_EVENTS, event) ? CARD_EVENTS[event] : undefined
  if (paymentMethod !== undefined)
    return { place: PLACES.card_read, report: { type: 'card_read', card: { ...NO_CARD, paymentMethod } } }
  if (event === 'WAIT_FOR_PIN') return { place: PLACES.pin_requested, report: { type: 'pin_requested' } }
  if (event === 'TENDER_CREATED' && !asksTip && !request.cardholderNotPresent)
    return { place: PLACES.prompted, report: { type: 'prompted', prompt: 'PRESENT_CARD' } }
  return null
}

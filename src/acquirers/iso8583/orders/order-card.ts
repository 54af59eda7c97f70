// src/acquirers/iso8583/orders/order-card.ts — number, expiry, track and chip data of the card of an order.
import type { AcquirerOrder } from '../../../engine/ports/acquirer.ts'
import type { FieldFormat, SubField } from '../field-format.ts'
import { createReader } from '../reader.ts'
import { unpackStructure } from '../sub-fields.ts'

/** Data of a card by field. In memory only, but for number and expiry, which the vault keeps for a reversal. */
export interface OrderCard {
  readonly 2?: string
  readonly 14?: string
  readonly 23?: string
  readonly 35?: string
  readonly 55?: readonly SubField[]
}

/** Tags with data of the card that no host takes in field 55. */
const NEVER_SENT = new Set(['56', '57', '5A', '5F20', '5F24', '99', '9F0B', '9F1F', '9F20'])

/** The card of an order; null when the gateway does not know its number. @throws Refused for chip data that are no tags */
export function cardOf(order: AcquirerOrder, chipFormat: FieldFormat | undefined): OrderCard | null {
  if (order.online !== undefined) {
    const { number, expiry } = order.online.card
    const year = String(expiry.year % 100).padStart(2, '0')
    return { 2: number.reveal(), 14: year + String(expiry.month).padStart(2, '0') }
  }
  if (order.chipData === undefined || chipFormat === undefined) return null
  const all = tagsIn(order.chipData.reveal(), chipFormat)
  const of = (tag: string) => all.find(({ id }) => id === tag)?.value
  const track = of('57')?.replace(/F$/, '').replace('D', '=')
  const number = of('5A')?.replace(/F$/, '') ?? track?.split('=')[0]
  if (number === undefined) return null
  const expiry = of('5F24')?.slice(0, 4) ?? track?.split('=')[1]?.slice(0, 4)
  const sequence = of('5F34')
  return {
    2: number,
    ...(expiry === undefined ? {} : { 14: expiry }),
    ...(sequence === undefined ? {} : { 23: sequence.padStart(3, '0') }),
    ...(track === undefined ? {} : { 35: track }),
    55: all.filter(({ id }) => !NEVER_SENT.has(id)),
  }
}

function tagsIn(hex: string, format: FieldFormat): readonly SubField[] {
  return unpackStructure(format, { kind: 'ber' }, createReader(Buffer.from(hex, 'hex')), () => '')
}

/** Number and expiry as the vault keeps them. */
export function sealedText({ 2: number = '', 14: expiry = '' }: OrderCard): string {
  return `${number}=${expiry}`
}

/** The reverse of `sealedText`. */
export function sealedCard(text: string): OrderCard {
  const [number = '', expiry = ''] = text.split('=')
  return { 2: number, ...(expiry === '' ? {} : { 14: expiry }) }
}

// src/acquirers/iso8583/orders/order-pin.ts — the PIN block of an order, encrypted anew for the host. ADR 90.
import type { AcquirerOrder } from '../../../engine/ports/acquirer.ts'
import type { Values } from '../compose.ts'
import type { DialectMessage } from '../dialect-messages.ts'
import { declined, type FinalAnswer } from './journal.ts'
import type { OrderCard } from './order-card.ts'
import type { OrderParts } from './order-parts.ts'

/** `later`: the keys cannot be reached now, and nothing was sent. */
export type ForwardedPin =
  | { readonly values: Values }
  | { readonly answer: FinalAnswer; readonly why: string }
  | { readonly later: string }

const PIN_BLOCK = 52

/** Field 52 of an order; no field for one without a PIN. It is in memory only, and no reversal carries it. */
export async function forwardedPin(
  { dialect, keys, terminalKey }: Pick<OrderParts, 'dialect' | 'keys' | 'terminalKey'>,
  message: DialectMessage,
  { pinBlock }: AcquirerOrder,
  { 2: cardNumber = '' }: OrderCard,
): Promise<ForwardedPin> {
  if (pinBlock === undefined) return { values: {} }
  const { pin } = dialect.document
  const takesPin = message.fields.some(({ oneOf }) => oneOf.includes(PIN_BLOCK))
  if (pin === undefined || keys === null || terminalKey === null || !takesPin) return refused('there is no key for it')
  const made = await keys.translatePin({
    from: terminalKey,
    to: pin.key,
    format: pin.format,
    pin: pinBlock,
    cardNumber,
  })
  if (!('refused' in made)) return { values: { [PIN_BLOCK]: Buffer.from(made.block).toString('hex').toUpperCase() } }
  switch (made.refused) {
    case 'unreachable':
      return { later: 'the keys cannot be reached' }
    case 'wrong_pin_block':
      return {
        answer: declined('incorrect_pin', '86'),
        why: 'no PIN is in the PIN block; compare the keys of the terminals',
      }
    case 'unknown_key':
    case 'wrong_use':
    case 'not_supported':
      return refused(made.refused)
  }
}

function refused(why: string): ForwardedPin {
  return { answer: declined('card_not_supported', '57'), why: `PIN block cannot be forwarded: ${why}` }
}

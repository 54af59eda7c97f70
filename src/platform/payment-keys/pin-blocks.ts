// src/platform/payment-keys/pin-blocks.ts — PIN blocks of ISO 9564-1, formats 0, 3 and 4.
import type { PinFormat } from '../../engine/ports/payment-keys.ts'
import type { Random } from '../../engine/ports/random.ts'
import { AES_BLOCK, encryptAes, encryptDes, xor } from './block-ciphers.ts'

const FIELD_DIGITS = 16
const PIN = /^\d{4,12}$/
/** Digits of the card number in a block, without the check digit. */
const CARD_DIGITS = 12

/** The PIN in a decrypted block of format 0 or 3. Null when it is none: the key or the card number is another. */
export function pinIn(block: Uint8Array, cardNumber: string): string | null {
  const field = xor(block, cardField(cardNumber)).toString('hex')
  const [control, length] = [field.charAt(0), Number.parseInt(field.charAt(1), 16)]
  const pin = field.slice(2, 2 + length)
  const fill = field.slice(2 + length)
  const isFilled = control === '0' ? /^f+$/.test(fill) : control === '3' && /^[a-f]+$/.test(fill)
  return isFilled && PIN.test(pin) ? pin : null
}

/** The encrypted block. The key must be of AES for format 4, and of TDES for the others. */
export function encryptedPin(
  pin: string,
  { format, cardNumber, key }: { readonly format: PinFormat; readonly cardNumber: string; readonly key: Uint8Array },
  random: Random,
): Buffer {
  const length = pin.length.toString(16)
  switch (format) {
    case 'iso0':
      return encryptDes(key, xor(bytesOf(`0${length}${pin}`.padEnd(FIELD_DIGITS, 'f')), cardField(cardNumber)))
    case 'iso3': {
      const fill = [...random.bytes(FIELD_DIGITS)].map(byte => (10 + (byte % 6)).toString(16)).join('')
      return encryptDes(key, xor(bytesOf(`3${length}${pin}${fill}`.slice(0, FIELD_DIGITS)), cardField(cardNumber)))
    }
    case 'iso4': {
      const field = Buffer.concat([bytesOf(`4${length}${pin}`.padEnd(FIELD_DIGITS, 'a')), random.bytes(AES_BLOCK / 2)])
      const more = Math.max(0, cardNumber.length - CARD_DIGITS)
      const card = bytesOf(`${more}${cardNumber.padStart(CARD_DIGITS, '0')}`.padEnd(2 * AES_BLOCK, '0'))
      return encryptAes(key, xor(encryptAes(key, field), card))
    }
  }
}

function cardField(cardNumber: string): Buffer {
  return bytesOf(cardNumber.slice(0, -1).slice(-CARD_DIGITS).padStart(FIELD_DIGITS, '0'))
}

function bytesOf(hex: string): Buffer {
  return Buffer.from(hex, 'hex')
}

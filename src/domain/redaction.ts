// src/domain/redaction.ts — what may be shown of a message: everything, save what is secret.
import { isCardNumber } from './card.ts'

/** Never shown, whatever stands in them: stand-ins for cards, and what proves who somebody is. */
const SECRET: ReadonlySet<string> = new Set([
  'authorization',
  'cardNumber',
  'cardToken',
  'digits',
  'hash',
  'key',
  'password',
  'pin',
  'secret',
  'securityCode',
  'token',
])

const STRUCK_OUT = '[redacted]'
/** Digits in groups that may be a card number, wherever they stand. */
const MAY_BE_CARD = /\d(?:[ -]?\d){12,18}/g
/** Deeper than any message; stops circles. */
const DEEPEST = 12

/** A copy of plain data without secrets and without anything that looks like a card number. */
export function redacted(value: unknown, depth = 0): unknown {
  if (typeof value === 'string')
    return value.replace(MAY_BE_CARD, digits => (isCardNumber(digits) ? STRUCK_OUT : digits))
  // Times in milliseconds have 13 digits, and some of them pass for card numbers.
  if (typeof value === 'number') return value >= 1e13 && isCardNumber(String(value)) ? STRUCK_OUT : value
  if (typeof value !== 'object' || value === null) return value
  if (depth === DEEPEST) return STRUCK_OUT
  if (Array.isArray(value)) return value.map(each => redacted(each, depth + 1))
  return Object.fromEntries(
    Object.entries(value).map(([name, each]) => [name, SECRET.has(name) ? STRUCK_OUT : redacted(each, depth + 1)]),
  )
}

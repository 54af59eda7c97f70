// src/domain/redaction.ts — redacts secrets and card numbers in recorded messages.
import { isCardNumber } from './card.ts'

/** Members that are always redacted: card tokens and credentials. */
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
/** Grouped digits that may be a card number. */
const MAY_BE_CARD = /\d(?:[ -]?\d){12,18}/g
/** Maximum depth: deeper than any message; ends cycles. */
const DEEPEST = 12

/** Copies plain data without secrets and without anything that looks like a card number. */
export function redacted(value: unknown, depth = 0): unknown {
  if (typeof value === 'string')
    return value.replace(MAY_BE_CARD, digits => (isCardNumber(digits) ? STRUCK_OUT : digits))
  // Times in milliseconds have 13 digits, and some look like card numbers: only longer numbers are checked.
  if (typeof value === 'number') return value >= 1e13 && isCardNumber(String(value)) ? STRUCK_OUT : value
  if (typeof value !== 'object' || value === null) return value
  if (depth === DEEPEST) return STRUCK_OUT
  if (Array.isArray(value)) return value.map(each => redacted(each, depth + 1))
  return Object.fromEntries(
    Object.entries(value).map(([name, each]) => [name, SECRET.has(name) ? STRUCK_OUT : redacted(each, depth + 1)]),
  )
}

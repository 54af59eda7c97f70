// src/domain/redaction.ts — redacts secrets and card numbers in recorded messages.
import { LONGER_THAN_A_REFERENCE, replaceCardNumbers } from './card-numbers.ts'

/** Members that are always redacted, in any case of letters: card data, card tokens and credentials. */
const SECRET: ReadonlySet<string> = new Set([
  'authorization',
  'cardnumber',
  'cardtoken',
  'cv2',
  'cvc',
  'cvc2',
  'cvv',
  'cvv2',
  'digits',
  'hash',
  'key',
  'pan',
  'password',
  'pin',
  'secret',
  'securitycode',
  'token',
  'track1',
  'track2',
])

const STRUCK_OUT = '[redacted]'
/** Maximum depth: deeper than any message; ends cycles. */
const DEEPEST = 12

/** Copies plain data without secrets and without anything that looks like a card number. */
export function redacted(value: unknown, depth = 0): unknown {
  if (typeof value === 'string') return struckOut(value)
  if (typeof value === 'number') return redacted(String(value)) === STRUCK_OUT ? STRUCK_OUT : value
  if (typeof value !== 'object' || value === null) return value
  if (depth === DEEPEST) return STRUCK_OUT
  if (Array.isArray(value)) return value.map(each => redacted(each, depth + 1))
  return Object.fromEntries(
    Object.entries(value).map(([name, each]) => [
      struckOut(name),
      SECRET.has(name.toLowerCase()) ? STRUCK_OUT : redacted(each, depth + 1),
    ]),
  )
}

function struckOut(text: string): string {
  return replaceCardNumbers(text, () => STRUCK_OUT, LONGER_THAN_A_REFERENCE)
}

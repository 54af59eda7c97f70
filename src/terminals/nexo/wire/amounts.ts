// src/terminals/nexo/wire/amounts.ts — converts amounts between minor units and the decimal numbers of messages. Pure.
import { decimalOf } from '../../../domain/money.ts'
import { textOf } from './lenient.ts'

/** The largest amount of a message is 99,999,999.999999; both terminal currencies have two decimals. */
const MOST_MINOR = 9_999_999_999
const DECIMAL = /^\d{1,10}(?:\.\d{1,20})?$/

/**
 * `2599` → `25.99`, as a number whose JSON is the shortest decimal text.
 * @throws RangeError when a message cannot hold it
 */
export function majorOf(minor: number): number {
  const major = Number(decimalOf(minor))
  if (!Number.isSafeInteger(minor) || minor < 0 || minor > MOST_MINOR || minorOf(major) !== minor)
    throw new RangeError(`${minor} minor units do not fit into a message`)
  return major
}

/** `25.99` → `2599`, also from text. Null when it is no amount, or no whole number of minor units. */
export function minorOf(value: unknown): number | null {
  const number = typeof value === 'number' ? value : DECIMAL.test(textOf(value)) ? Number(value) : Number.NaN
  if (!Number.isFinite(number) || number < 0) return null
  // Six decimals are what a message has. More come from binary fractions, 0.1 + 0.2, and mean nothing.
  const [whole = '', decimals = ''] = number.toFixed(6).split('.')
  const minor = Number(whole + decimals.slice(0, 2))
  return Number(decimals.slice(2)) === 0 && minor <= MOST_MINOR ? minor : null
}

// src/domain/tables/split.ts — a bill in shares: equally, by amounts, or by what each guest has had. Every minor unit of the
// bill is in exactly one share, whatever the currency: decimals are for reading only.
import { isMore, type Money, money, subtract, sumOf } from '../money.ts'
import type { BillLine } from './table.ts'

/** Guests that a bill may be split between: two digits on a keypad. */
export const MOST_SHARES = 99

/** A line of the bill that costs something. */
export interface BillItem {
  readonly text: string
  /** Minor units, more than 0. */
  readonly amountMinor: number
}

/** An item, and the guests (counted from 0) who share it equally. */
export interface SharedItem {
  readonly amountMinor: number
  readonly guests: readonly number[]
}

/** Lines that add up others, or tell of them: they cost nothing themselves. */
const NO_ITEM = /^\W*(sub[\s-]?total|total|balance|amount|to pay|due|vat|tax|incl|change|cash|card|paid)\b/i

/**
 * Splits an amount by weights: each share is its part rounded down, and what is left goes, unit by unit, to those who
 * were rounded down most (the first of equals first). The shares come to the amount exactly; none is negative.
 * @param amount at least 0
 * @param weights at least one of them more than 0, none negative
 */
export function splitByWeights(amount: Money, weights: readonly bigint[]): readonly Money[] {
  const whole = weights.reduce((sum, weight) => sum + weight, 0n)
  if (amount.minor < 0) throw new Error(`${amount.minor} cannot be split`)
  if (whole <= 0n || weights.some(weight => weight < 0n)) throw new Error('weights must be positive')
  const minor = BigInt(amount.minor)
  const parts = weights.map((weight, index) => ({
    index,
    floor: (minor * weight) / whole,
    rest: (minor * weight) % whole,
  }))
  const left = Number(minor - parts.reduce((sum, { floor }) => sum + floor, 0n))
  const byRest = parts.toSorted((one, other) => (one.rest === other.rest ? 0 : one.rest > other.rest ? -1 : 1))
  const rounded = new Set(byRest.slice(0, left).map(({ index }) => index))
  return parts.map(({ index, floor }) => money(Number(floor) + (rounded.has(index) ? 1 : 0), amount.currency))
}

/** Splits an amount equally: shares differ by one minor unit at most, the larger ones first. */
export function splitEqually(amount: Money, shares: number): readonly Money[] {
  if (!Number.isInteger(shares) || shares < 1 || shares > MOST_SHARES) throw new Error(`no ${shares} shares`)
  return splitByWeights(
    amount,
    Array.from({ length: shares }, () => 1n),
  )
}

/**
 * What is left of an amount after these shares, as a last share; null when they are more than there is.
 * @param minors as they were typed, in the currency of the amount; null for anything that is no amount
 */
export function splitByAmounts(amount: Money, minors: readonly number[]): readonly Money[] | null {
  if (minors.some(minor => !Number.isSafeInteger(minor) || minor < 0 || minor > amount.minor)) return null
  const shares = minors.map(minor => money(minor, amount.currency))
  const sum = sumOf(shares, amount.currency)
  if (isMore(sum, amount)) return null
  const rest = subtract(amount, sum)
  return rest.minor === 0 ? shares : [...shares, rest]
}

/**
 * Splits an amount by what each guest has had. What is on the bill beside the items, such as service or a discount, is
 * borne in proportion.
 * @param guests how many there are; each gets a share, which may be 0
 * @returns null when no item is anybody's
 */
export function splitByItems(amount: Money, items: readonly SharedItem[], guests: number): readonly Money[] | null {
  const counted = items.filter(item => item.amountMinor > 0 && item.guests.length > 0)
  // In units of which every item's share is a whole number.
  const unit = counted.reduce((common, item) => leastCommonMultiple(common, BigInt(item.guests.length)), 1n)
  const weights = Array.from({ length: guests }, (_, guest) =>
    counted.reduce((sum, item) => {
      const times = BigInt(item.guests.filter(each => each === guest).length)
      return sum + (BigInt(item.amountMinor) * unit * times) / BigInt(item.guests.length)
    }, 0n),
  )
  return weights.some(weight => weight > 0n) ? splitByWeights(amount, weights) : null
}

/**
 * The items of a bill: lines of text that end in an amount, without those that add up.
 * @param decimals of the currency: `54.00` are 5400 minor units with two of them
 */
export function itemsOf(bill: readonly BillLine[], decimals: number): readonly BillItem[] {
  const amount = decimals === 0 ? '(\\d{1,9})' : `(\\d{1,9}[.,]\\d{${decimals}})`
  // A number alone may be that of the table, so it must stand apart from the text. What is taken off is no item.
  const line = new RegExp(`^\\s*(\\S.*?)\\s${decimals === 0 ? '{2,}' : '+'}[^\\d\\s−-]?${amount}\\s*$`)
  return bill.flatMap(({ type, value }) => {
    const [, text, digits] = type === 'TEXT' ? (line.exec(value) ?? []) : []
    if (text === undefined || digits === undefined || NO_ITEM.test(text)) return []
    const amountMinor = Number(digits.replace(/[.,]/, ''))
    return amountMinor === 0 ? [] : [{ text: text.trim(), amountMinor }]
  })
}

function leastCommonMultiple(one: bigint, other: bigint): bigint {
  let [a, b] = [one, other]
  while (b !== 0n) [a, b] = [b, a % b]
  return (one / a) * other
}

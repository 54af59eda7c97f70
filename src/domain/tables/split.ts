// src/domain/tables/split.ts — splits a bill: equally, by amounts or by items. Every minor unit of the bill is in exactly one
// share, in any currency; decimals matter only for reading bills.
import { isMore, type Money, money, subtract, sumOf } from '../money.ts'
import type { BillLine } from './table.ts'

/** Maximum number of guests: two digits on a keypad. */
export const MOST_SHARES = 99

/** A line of the bill with a price. */
export interface BillItem {
  readonly text: string
  /** Minor units, more than 0. */
  readonly amountMinor: number
}

/** An item and the guests (numbered from 0) who share it equally. */
export interface SharedItem {
  readonly amountMinor: number
  readonly guests: readonly number[]
}

/** Lines that sum up or describe others; they are no items. */
const NO_ITEM = /^\W*(sub[\s-]?total|total|balance|amount|to pay|due|vat|tax|incl|change|cash|card|paid)\b/i

/**
 * Splits an amount by weights. Each share is rounded down; the remaining units go, one each, to the shares that were rounded
 * down most (the first of equals first). The shares add up to the amount exactly; none is negative.
 * @param amount at least 0
 * @param weights at least one more than 0, none negative
 * @throws Error when an argument is out of range
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

/** Splits an amount equally: shares differ by one minor unit at most, larger ones first. @throws Error unless 1 to 99 shares */
export function splitEqually(amount: Money, shares: number): readonly Money[] {
  if (!Number.isInteger(shares) || shares < 1 || shares > MOST_SHARES) throw new Error(`no ${shares} shares`)
  return splitByWeights(
    amount,
    Array.from({ length: shares }, () => 1n),
  )
}

/**
 * Splits an amount into these shares and, if anything is left, a last one; null when they exceed the amount.
 * @param minors as typed, in minor units; the result is null when one is not a whole number from 0 to the amount
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
 * Splits an amount by the items of each guest. The rest of the bill, such as service or a discount, is shared in proportion.
 * @param guests number of guests; each gets a share, which may be 0
 * @returns null when no item has a guest
 */
export function splitByItems(amount: Money, items: readonly SharedItem[], guests: number): readonly Money[] | null {
  const counted = items.filter(item => item.amountMinor > 0 && item.guests.length > 0)
  // Scaled so that every share of an item is a whole number.
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
 * Finds the items of a bill: text lines that end in an amount, without totals.
 * @param decimals of the currency: with two, `54.00` is 5400 minor units
 */
export function itemsOf(bill: readonly BillLine[], decimals: number): readonly BillItem[] {
  const amount = decimals === 0 ? '(\\d{1,9})' : `(\\d{1,9}[.,]\\d{${decimals}})`
  // Without decimals a number may be part of the text, so two blanks must precede it. Negative amounts are no items.
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

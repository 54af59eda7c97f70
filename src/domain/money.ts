// src/domain/money.ts — money is an integer number of minor units with its currency.

declare const checked: unique symbol

/**
 * An amount with its currency (ISO 4217 letters). Only `money` creates one, so it is always a safe integer. Amounts of
 * different currencies are neither added nor compared. Records store amount and currency as separate members; `amountOf` and
 * similar functions read them. ADR 49.
 */
export interface Money {
  readonly minor: number
  readonly currency: string
  readonly [checked]: true
}

/** Creates an amount. @throws RangeError when it is no safe integer; that is a bug, because input is checked at the edge */
export function money(minor: number, currency: string): Money {
  if (!Number.isSafeInteger(minor)) throw new RangeError(`${minor} ${currency} is no whole number of minor units`)
  return { minor, currency } as Money
}

/** The amount of a record that stores it beside its currency. */
export function amountOf({
  amountMinor,
  currency,
}: {
  readonly amountMinor: number
  readonly currency: string
}): Money {
  return money(amountMinor, currency)
}

export function add(one: Money, other: Money): Money {
  return money(one.minor + sameCurrency(one, other).minor, one.currency)
}

export function subtract(one: Money, other: Money): Money {
  return money(one.minor - sameCurrency(one, other).minor, one.currency)
}

/** Whether the first is the larger amount. */
export function isMore(one: Money, other: Money): boolean {
  return one.minor > sameCurrency(one, other).minor
}

export function isSame(one: Money, other: Money): boolean {
  return one.minor === sameCurrency(one, other).minor
}

/** The sum of amounts of one currency; 0 when there are none. @throws Error when a currency differs */
export function sumOf(amounts: readonly Money[], currency: string): Money {
  return amounts.reduce(add, money(0, currency))
}

function sameCurrency(one: Money, other: Money): Money {
  if (one.currency !== other.currency) throw new Error(`${one.currency} and ${other.currency} do not mix`)
  return other
}

/** Currencies of the terminal interfaces. Source: the published v2 types. */
export const TERMINAL_CURRENCIES = ['GBP', 'EUR'] as const
export type TerminalCurrency = (typeof TERMINAL_CURRENCIES)[number]

/** Parts of a card transaction's amount, in minor units. The total is always derived, see `totalOf`. */
export interface Amounts {
  readonly baseMinor: number
  readonly cashbackMinor: number
  readonly gratuityMinor: number
}

export const NO_AMOUNTS: Amounts = { baseMinor: 0, cashbackMinor: 0, gratuityMinor: 0 }

/** The total that moves on the card, in minor units. */
export function totalOf(amounts: Amounts): number {
  return amounts.baseMinor + amounts.cashbackMinor + amounts.gratuityMinor
}

/** `2599` → `25.99`. Both terminal currencies have two decimals. */
export function decimalOf(amountMinor: number): string {
  const sign = amountMinor < 0 ? '-' : ''
  const digits = String(Math.abs(amountMinor)).padStart(3, '0')
  return `${sign}${digits.slice(0, -2)}.${digits.slice(-2)}`
}

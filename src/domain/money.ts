// src/domain/money.ts — money is an integer number of minor units with its currency.

/** Currencies that the terminal interfaces know. Source: the published v2 types. */
export const TERMINAL_CURRENCIES = ['GBP', 'EUR'] as const
export type TerminalCurrency = (typeof TERMINAL_CURRENCIES)[number]

/** What a card transaction is made of, in minor units. `total` is always derived, see `totalOf`. */
export interface Amounts {
  readonly baseMinor: number
  readonly cashbackMinor: number
  readonly gratuityMinor: number
}

export const NO_AMOUNTS: Amounts = { baseMinor: 0, cashbackMinor: 0, gratuityMinor: 0 }

/** The sum that moves on the card, in minor units. */
export function totalOf(amounts: Amounts): number {
  return amounts.baseMinor + amounts.cashbackMinor + amounts.gratuityMinor
}

/** `2599` → `25.99`. Both terminal currencies have two decimals. */
export function decimalOf(amountMinor: number): string {
  const sign = amountMinor < 0 ? '-' : ''
  const digits = String(Math.abs(amountMinor)).padStart(3, '0')
  return `${sign}${digits.slice(0, -2)}.${digits.slice(-2)}`
}

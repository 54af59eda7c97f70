// src/cli/decimal-amount.ts — converts a decimal amount to minor units, for error messages.
import { decimalsOf } from '../domain/currency.ts'

/** A decimal amount. A group of three digits after a comma may be thousands, so it is read by the decimals of a currency only. */
const DECIMAL = /^(\d{1,8})[.,](\d{1,8})$/

/**
 * Describes what a decimal amount stands for: `25.00 is 2500`, or by currency where they differ.
 * @param currencies letters of the currencies that may be meant
 * @returns null when the text is no decimal amount
 */
export function meaningOf(text: string, currencies: readonly string[]): string | null {
  const [, whole, fraction] = DECIMAL.exec(text) ?? []
  if (whole === undefined || fraction === undefined) return null
  const meanings = currencies.map(currency => ({ currency, minor: minorOf(whole, fraction, decimalsOf(currency)) }))
  const [first] = meanings
  if (first !== undefined && first.minor !== null && meanings.every(({ minor }) => minor === first.minor))
    return `${text} is ${first.minor}`
  return meanings
    .map(({ currency, minor }) =>
      minor === null
        ? `${currency} has ${decimalsOf(currency) || 'no'} decimals`
        : `${text} in ${currency} is ${minor}`,
    )
    .join(', ')
}

/** Minor units of an amount. Null when it has more decimals than the currency. A currency without decimals accepts `.00`. */
function minorOf(whole: string, fraction: string, decimals: number): number | null {
  if (fraction.length <= decimals) return Number(`${whole}${fraction.padEnd(decimals, '0')}`)
  return decimals === 0 && /^00?$/.test(fraction) ? Number(whole) : null
}

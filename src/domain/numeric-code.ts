// src/domain/numeric-code.ts — brings numeric ISO codes to three digits.

/**
 * The three digits of an ISO 4217 or ISO 3166-1 number; null when it has none or more than three. Software that stores these
 * codes as numbers drops their leading zeros: `36` is `036`, Australia.
 */
export function numericCode(digits: string): string | null {
  return /^\d{1,3}$/.test(digits) ? digits.padStart(3, '0') : null
}

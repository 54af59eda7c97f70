// web/frame/card-number.ts — the card number: digits in memory, grouped as on the card on screen.
import validator from 'card-validator'
import { CardNumber, type CardScheme, readCardNumber } from '../../src/domain/card-number.ts'
import { lookAtCard } from '../../src/platform/card-rules.ts'

/** Longest card number (ISO/IEC 7812). */
const MOST_DIGITS = 19

export interface CardKind {
  readonly scheme: CardScheme | null
  /** Length of the security code; 3 while the scheme is unknown. */
  readonly codeDigits: number
  readonly gaps: readonly number[]
  readonly mostDigits: number
}

/** Scheme and lengths by the first digits. */
export function kindOf(digits: string): CardKind {
  const { scheme, securityCodeLength: codeDigits } = lookAtCard(digits)
  const { card } = validator.number(digits)
  if (card === null || digits === '') return { scheme: null, codeDigits: 3, gaps: [4, 8, 12], mostDigits: MOST_DIGITS }
  return { scheme, codeDigits, gaps: card.gaps, mostDigits: Math.min(MOST_DIGITS, Math.max(...card.lengths)) }
}

/** Whether length, check digit and scheme are accepted. */
export function isCardNumber(digits: string): boolean {
  return readCardNumber(digits, lookAtCard) instanceof CardNumber
}

/** Digits in the groups of their scheme. */
export function grouped(digits: string): string {
  const { gaps, mostDigits } = kindOf(digits)
  return [...digits.slice(0, mostDigits)].map((digit, place) => (gaps.includes(place) ? ` ${digit}` : digit)).join('')
}

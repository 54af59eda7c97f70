// web/frame/card-number.ts — the card number: digits in memory, grouped as on the card on screen.
import validator from 'card-validator'

/** Accepted schemes, by the library's name. */
const SCHEMES: Readonly<Record<string, Scheme>> = {
  visa: 'VISA',
  mastercard: 'MASTERCARD',
  maestro: 'MAESTRO',
  'american-express': 'AMEX',
  'diners-club': 'DCI',
  discover: 'DISCOVER',
}

export type Scheme = 'VISA' | 'MASTERCARD' | 'MAESTRO' | 'AMEX' | 'DCI' | 'DISCOVER'

/** Longest card number (ISO/IEC 7812). */
const MOST_DIGITS = 19

export interface CardKind {
  readonly scheme: Scheme | null
  /** Length of the security code; 3 while the scheme is unknown. */
  readonly codeDigits: number
  readonly gaps: readonly number[]
  readonly mostDigits: number
}

/** Scheme and lengths by the first digits. */
export function kindOf(digits: string): CardKind {
  const { card } = validator.number(digits)
  if (card === null || digits === '') return { scheme: null, codeDigits: 3, gaps: [4, 8, 12], mostDigits: MOST_DIGITS }
  return {
    scheme: SCHEMES[card.type] ?? null,
    codeDigits: card.code.size,
    gaps: card.gaps,
    mostDigits: Math.min(MOST_DIGITS, Math.max(...card.lengths)),
  }
}

/** Whether length, check digit and scheme are accepted. */
export function isCardNumber(digits: string): boolean {
  const { isValid, card } = validator.number(digits)
  return isValid && card !== null && SCHEMES[card.type] !== undefined
}

/** Digits in the groups of their scheme. */
export function grouped(digits: string): string {
  const { gaps, mostDigits } = kindOf(digits)
  return [...digits.slice(0, mostDigits)].map((digit, place) => (gaps.includes(place) ? ` ${digit}` : digit)).join('')
}

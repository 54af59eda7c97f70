// web/frame/card-number.ts — the card number as it is typed: digits only inside, grouped as on the card outside.
import validator from 'card-validator'

/** Schemes that the gateway takes, by the name the library has for them. E-commerce 3.10. */
const SCHEMES: Readonly<Record<string, Scheme>> = {
  visa: 'VISA',
  mastercard: 'MASTERCARD',
  maestro: 'MAESTRO',
  'american-express': 'AMEX',
  'diners-club': 'DCI',
  discover: 'DISCOVER',
}

export type Scheme = 'VISA' | 'MASTERCARD' | 'MAESTRO' | 'AMEX' | 'DCI' | 'DISCOVER'

/** What a card number may have at most. ISO/IEC 7812. */
const MOST_DIGITS = 19

export interface CardKind {
  readonly scheme: Scheme | null
  /** Digits of its security code; 3 as long as the scheme is not known. */
  readonly codeDigits: number
  readonly gaps: readonly number[]
  readonly mostDigits: number
}

/** What the first digits tell. */
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

/** Whether it can be a card that is taken here: length, check digit and scheme. */
export function isCardNumber(digits: string): boolean {
  const { isValid, card } = validator.number(digits)
  return isValid && card !== null && SCHEMES[card.type] !== undefined
}

/** Digits in the groups of their scheme. */
export function grouped(digits: string): string {
  const { gaps, mostDigits } = kindOf(digits)
  return [...digits.slice(0, mostDigits)].map((digit, place) => (gaps.includes(place) ? ` ${digit}` : digit)).join('')
}

// src/domain/card-number.ts — card number and security code in types that redact themselves: a log, a body or a message
// gets the mask.
import { hasCheckDigit } from './card-ranges.ts'

/** The method by which Node's inspector prints an object, also in `console` and assertion messages. */
const INSPECT = Symbol.for('nodejs.util.inspect.custom')

export const CARD_SCHEMES = ['VISA', 'MASTERCARD', 'MAESTRO', 'AMEX', 'DCI', 'DISCOVER'] as const
export type CardScheme = (typeof CARD_SCHEMES)[number]

/** Scheme of a number by its first digits, and whether the number is valid in it. */
export interface CardLook {
  /** Null when no accepted scheme has these digits. */
  readonly scheme: CardScheme | null
  /** Its length is one of the scheme's and its check digit is valid. */
  readonly whole: boolean
  /** Digits of the security code. */
  readonly securityCodeLength: number
}

/** Rules of the schemes. They change over time, so an adapter provides them. */
export type CardRules = (digits: string) => CardLook

/** Thirteen to nineteen digits (ISO/IEC 7812); twelve for old Maestro cards. */
const DIGITS = /^\d{12,19}$/
const SECURITY_CODE = /^\d{3,4}$/
/** Longest validity of a card, in years. */
const LONGEST_YEARS = 20
/** A card is valid to the end of its month in the last time zone, twelve hours behind UTC. */
const LAST_ZONE_MS = 12 * 3_600_000

/** A full card number. Only `reveal` returns the digits; the vault and the acquirer call it. */
export class CardNumber {
  readonly #digits: string
  readonly scheme: CardScheme

  constructor(digits: string, scheme: CardScheme) {
    if (!DIGITS.test(digits)) throw new Error('a card number has 12 to 19 digits')
    this.#digits = digits
    this.scheme = scheme
  }

  /** First six digits, one asterisk for each hidden digit, last four. */
  get masked(): string {
    return `${this.#digits.slice(0, 6)}${'*'.repeat(this.#digits.length - 10)}${this.#digits.slice(-4)}`
  }

  get lastFour(): string {
    return this.#digits.slice(-4)
  }

  reveal(): string {
    return this.#digits
  }

  toString(): string {
    return this.masked
  }

  toJSON(): string {
    return this.masked
  }

  [INSPECT](): string {
    return `CardNumber ${this.masked}`
  }
}

/** The security code of a card. It is compared or sent once and then forgotten; it is never stored. */
export class SecurityCode {
  readonly #digits: string

  constructor(digits: string) {
    if (!SECURITY_CODE.test(digits)) throw new Error('a security code has three or four digits')
    this.#digits = digits
  }

  reveal(): string {
    return this.#digits
  }

  toString(): string {
    return '***'
  }

  toJSON(): string {
    return '***'
  }

  [INSPECT](): string {
    return 'SecurityCode ***'
  }
}

/** The last month in which a card is valid. */
export interface Expiry {
  /** 1 to 12 */
  readonly month: number
  /** Four digits. */
  readonly year: number
}

/** A validated card. */
export interface Card {
  readonly number: CardNumber
  readonly expiry: Expiry
  /** Name on the card; empty when not given. */
  readonly holder: string
}

export type CardNumberProblem = 'missing' | 'malformed' | 'scheme_unknown' | 'check_digit'

/** Parses a card number; spaces and dashes between the digits are allowed. */
export function readCardNumber(text: string, rules: CardRules): CardNumber | { readonly problem: CardNumberProblem } {
  const digits = text.replace(/[\s-]/g, '')
  if (digits === '') return { problem: 'missing' }
  if (!DIGITS.test(digits)) return { problem: 'malformed' }
  const { scheme, whole } = rules(digits)
  if (scheme === null) return { problem: hasCheckDigit(digits) ? 'scheme_unknown' : 'check_digit' }
  return whole ? new CardNumber(digits, scheme) : { problem: 'check_digit' }
}

/** Parses a security code of the scheme's length; null when it is none. */
export function readSecurityCode(text: string, number: CardNumber, rules: CardRules): SecurityCode | null {
  const digits = text.trim()
  const { securityCodeLength } = rules(number.reveal())
  return SECURITY_CODE.test(digits) && digits.length === securityCodeLength ? new SecurityCode(digits) : null
}

/**
 * Parses `MM / YY`, `MM/YY`, `MM/YYYY`, `MM-YY`, `MMYY`, `MMYYYY`. Null when it is no month, or too far in the future.
 * @param at now, epoch milliseconds
 */
export function readExpiry(text: string, at: number): Expiry | 'expired' | null {
  const [, monthText = '', yearText = ''] = /^\s*(\d{1,2})\s*[/-]\s*(\d{4}|\d{2})\s*$/.exec(text) ?? pairIn(text)
  const month = Number(monthText)
  const year = yearText.length === 2 ? 2000 + Number(yearText) : Number(yearText)
  if (yearText === '' || month < 1 || month > 12) return null
  const expiry = { month, year }
  if (isExpired(expiry, at)) return 'expired'
  return isPlausible(expiry, at) ? expiry : null
}

/** Whether a card can be valid for so long: a later date has a mistyped digit. @param at now, epoch milliseconds */
export function isPlausible({ month, year }: Expiry, at: number): boolean {
  return isExpired({ month, year: year - LONGEST_YEARS }, at)
}

function pairIn(text: string): readonly string[] {
  return /^\s*(\d{2})(\d{2}|\d{4})\s*$/.exec(text) ?? []
}

/** Whether the month is over in every time zone. @param at now, epoch milliseconds */
export function isExpired({ month, year }: Expiry, at: number): boolean {
  return at >= Date.UTC(year, month, 1) + LAST_ZONE_MS
}

/** `MM/YY`, as in answers. */
export function expiryText({ month, year }: Expiry): string {
  return `${String(month).padStart(2, '0')}/${String(year % 100).padStart(2, '0')}`
}

// src/domain/card-number.ts — a full card number and its security code, in types that will not print: whatever writes
// one to a log, a body or a message writes the mask.
import { isCardNumber } from './card.ts'

/** What Node's inspector asks an object for, `console` and assertion messages included. */
const INSPECT = Symbol.for('nodejs.util.inspect.custom')

export const CARD_SCHEMES = ['VISA', 'MASTERCARD', 'MAESTRO', 'AMEX', 'DCI', 'DISCOVER'] as const
/** Online reference 3.10. */
export type CardScheme = (typeof CARD_SCHEMES)[number]

/** What the first digits of a number say, and whether the number can be one of that scheme. */
export interface CardLook {
  /** Null: of none that are taken here. */
  readonly scheme: CardScheme | null
  /** Its length is one of the scheme's and its check digit is right. */
  readonly whole: boolean
  /** Digits of the security code. */
  readonly securityCodeLength: number
}

/** Rules of the schemes. They change with the world, so they come from outside. */
export type CardRules = (digits: string) => CardLook

/** Thirteen to nineteen digits, as ISO/IEC 7812 has them, twelve for old Maestro cards. */
const DIGITS = /^\d{12,19}$/
const SECURITY_CODE = /^\d{3,4}$/
/** No card is issued for longer. */
const LONGEST_YEARS = 20
/** A card is good to the end of its month wherever its holder is: the last time zone is twelve hours behind UTC. */
const LAST_ZONE_MS = 12 * 3_600_000

/** A full card number. Only `reveal` gives the digits: to the vault and to the acquirer. */
export class CardNumber {
  readonly #digits: string
  readonly scheme: CardScheme

  constructor(digits: string, scheme: CardScheme) {
    if (!DIGITS.test(digits)) throw new Error('a card number has 12 to 19 digits')
    this.#digits = digits
    this.scheme = scheme
  }

  /** First six, one asterisk for each hidden digit, last four. Online reference 3.6. */
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

/** The code on the back (or front) of a card. It is compared or sent once and then forgotten; nothing keeps it. */
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

/** The last month in which a card is good. */
export interface Expiry {
  /** 1 to 12 */
  readonly month: number
  /** Four digits. */
  readonly year: number
}

/** A card as somebody gave it, checked. */
export interface Card {
  readonly number: CardNumber
  readonly expiry: Expiry
  /** As written on it; empty when not given. */
  readonly holder: string
}

export type CardNumberProblem = 'missing' | 'malformed' | 'scheme_unknown' | 'check_digit'

/** Reads a card number as people write it, blanks and dashes between the digits. */
export function readCardNumber(text: string, rules: CardRules): CardNumber | { readonly problem: CardNumberProblem } {
  const digits = text.replace(/[\s-]/g, '')
  if (digits === '') return { problem: 'missing' }
  if (!DIGITS.test(digits)) return { problem: 'malformed' }
  const { scheme, whole } = rules(digits)
  if (scheme === null) return { problem: isCardNumber(digits) ? 'scheme_unknown' : 'check_digit' }
  return whole ? new CardNumber(digits, scheme) : { problem: 'check_digit' }
}

/** Groups of digits with nothing between them but what people write between the groups of a card number. */
const GROUPS = /\d(?:[\s.\-/]*\d)*/g
const SHORTEST_CARD = 12
const LONGEST_CARD = 19
/** A number behind a plus is taken for a telephone's up to this length: one in ten has the check digit of a card. */
const LONGEST_TELEPHONE = 13

/**
 * Whether a text holds a whole card number: what people type into the wrong field, with the expiry date, the security
 * code or anything else beside it. A card is looked for from the beginning of each group of digits to the end of each, so
 * that long numbers of other kinds pass unless they begin, end and count like a card of a scheme that is taken.
 */
export function holdsCardNumber(text: string, rules: CardRules): boolean {
  for (const { 0: run, index } of text.matchAll(GROUPS)) {
    const shortest = text[index - 1] === '+' ? LONGEST_TELEPHONE + 1 : SHORTEST_CARD
    if (windowsOf(run.match(/\d+/g) ?? [], shortest).some(digits => isWholeCard(digits, rules))) return true
  }
  return false
}

/** Looks like digits of a card where they are none: a UUID of digits, or nearly. */
const UUID = /[\da-f]{8}-(?:[\da-f]{4}-){3}[\da-f]{12}/gi
/** Most texts have not, and need not be taken apart. */
const ENOUGH_DIGITS = /(?:\d[ -]?){12}/
/** Groups of digits that are no part of a word with letters. */
const RUNS = /(?<![\p{L}\d_])\d+(?:[ -]\d+)*(?![\p{L}\d_])/gu
/** Lengths of the groups of a card, joined: in one piece, in fours, or as American Express has it. */
const AS_ON_A_CARD = /^(?:\d+|4,4,4(?:,[1-4])?(?:,[1-3])?|4,6,[45])$/

/**
 * Whether a name that a shop's program has made may be a card number. Narrower than `holdsCardNumber`: whoever numbers
 * orders must be able to avoid it, and can, with a letter before the digits. ADR 32.
 */
export function mayBeCardNumber(text: string, rules: CardRules): boolean {
  if (text.length < SHORTEST_CARD || !ENOUGH_DIGITS.test(text)) return false
  const runs = text.replace(UUID, ' ').match(RUNS) ?? []
  return runs.some(run => cardlikeIn(run.split(/[ -]/)).some(digits => isWholeCard(digits, rules)))
}

/** Neighbouring groups that are written like a card, put together. */
function cardlikeIn(groups: readonly string[]): readonly string[] {
  return groups.flatMap((_, from) =>
    [1, 2, 3, 4, 5]
      .map(count => groups.slice(from, from + count))
      .filter(chosen => AS_ON_A_CARD.test(chosen.map(({ length }) => length).join()))
      .map(chosen => chosen.join(''))
      .filter(({ length }) => length >= SHORTEST_CARD && length <= LONGEST_CARD),
  )
}

/** A text that people have written, with the digits hidden that hold a card number, and what stands beside it. */
export function cardNumbersHidden(text: string, rules: CardRules): string {
  if (text.length < SHORTEST_CARD || !holdsCardNumber(text, rules)) return text
  return text.replace(GROUPS, (run: string, place: number) => {
    const behindPlus = text[place - 1] === '+' ? `+${run}` : run
    return holdsCardNumber(behindPlus, rules) ? run.replace(/\d/g, '*') : run
  })
}

/** Neighbouring groups put together, where they are as long as a card number. */
function windowsOf(groups: readonly string[], shortest: number): readonly string[] {
  return groups.flatMap((_, from) => {
    const windows: string[] = []
    let digits = ''
    for (let to = from; to < groups.length && digits.length <= LONGEST_CARD; to += 1) {
      digits += groups[to]
      if (digits.length >= shortest && digits.length <= LONGEST_CARD) windows.push(digits)
    }
    return windows
  })
}

function isWholeCard(digits: string, rules: CardRules): boolean {
  const { scheme, whole } = rules(digits)
  return scheme !== null && whole
}

/** Reads a security code, which must have the scheme's length. Null when it is none. */
export function readSecurityCode(text: string, number: CardNumber, rules: CardRules): SecurityCode | null {
  const digits = text.trim()
  const { securityCodeLength } = rules(number.reveal())
  return SECURITY_CODE.test(digits) && digits.length === securityCodeLength ? new SecurityCode(digits) : null
}

/**
 * Reads `MM / YY`, `MM/YY`, `MM/YYYY`, `MM-YY`, `MMYY`. Null when it is no month of a card's life.
 * @param at now, epoch milliseconds
 */
export function readExpiry(text: string, at: number): Expiry | 'expired' | null {
  const [, monthText = '', yearText = ''] = /^\s*(\d{1,2})\s*[/-]\s*(\d{4}|\d{2})\s*$/.exec(text) ?? pairIn(text)
  const month = Number(monthText)
  const year = yearText.length === 2 ? 2000 + Number(yearText) : Number(yearText)
  if (yearText === '' || month < 1 || month > 12) return null
  const expiry = { month, year }
  if (isExpired(expiry, at)) return 'expired'
  return isExpired({ month, year: year - LONGEST_YEARS }, at) ? expiry : null
}

function pairIn(text: string): readonly string[] {
  return /^\s*(\d{2})(\d{2}|\d{4})\s*$/.exec(text) ?? []
}

/** Whether the last day of the month is over everywhere. */
export function isExpired({ month, year }: Expiry, at: number): boolean {
  return at >= Date.UTC(year, month, 1) + LAST_ZONE_MS
}

/** `MM/YY`, as answers show it. */
export function expiryText({ month, year }: Expiry): string {
  return `${String(month).padStart(2, '0')}/${String(year % 100).padStart(2, '0')}`
}

// src/domain/card-numbers.ts — decides whether a text holds a card number, for every field of every interface. ADR 52.
import { isCardNumber, LONGEST_CARD, SHORTEST_CARD } from './card-ranges.ts'
import { type PlainText, plainDigits } from './plain-digits.ts'

/** What stands between the groups of a card number, by kind. Of one number all are of one kind. */
const SEPARATORS = [
  '\\s',
  '\\p{Pd}\\u2043\\u2212\\u02d7',
  '.\\u00b7\\u2022\\u2024\\u2219\\u22c5\\u30fb',
  ',\\u060c\\u3001',
  '/\\\\\\u2044\\u2215',
  '_\\u203f',
] as const
const ANY_SEPARATOR = `[${SEPARATORS.join('')}]`
const KINDS = SEPARATORS.map(kind => new RegExp(`^[${kind}]*$`, 'u'))

/** A UUID is none, however many of its digits are decimal. */
const UUID = /(?<![\p{L}\d])[\da-f]{8}-(?:[\da-f]{4}-){3}[\da-f]{12}(?![\p{L}\d])/giu
/** Stands for what is none: neither a digit, nor a letter, nor a separator. */
const NOTHING = '|'

/** Lengths of the groups of a card: 4-4-4-4 and its like, 4-6-5, 4-6-4, 4-4-5 and 6-13. */
const AS_ON_A_CARD = /^(?:4,4,4(?:,[1-5])?|4,4,4,4,[1-3]|4,6,[45]|6,13)$/
/** Most groups of a card. */
const MOST_GROUPS = 5

/** A number behind a plus is a telephone's up to this length: one in ten has the check digit of a card. */
const LONGEST_TELEPHONE = 13

// --- text that people read

/** Digits with anything between them that may stand between the groups of a card number. */
const RUNS = new RegExp(`\\d(?:${ANY_SEPARATOR}*\\d)*`, 'gu')
const GROUPS = /\d+/g
/** What a program made of chance: a fraction of zero, a long hexadecimal number. Nobody writes a card so. */
const CHANCE = /(?<![\d.,])0[.,]\d+|(?<![\p{L}\d])(?=\d*(?:[a-f]+\d+){4})[\da-f]{24,}(?![\p{L}\d])/giu
/** Whether a text for people holds a card number. The search is wide: digits beside letters, groups of any length. */
export function holdsCardNumber(text: string): boolean {
  return mayHold(text) && cardRuns(plainDigits(text), SHORTEST_CARD).length > 0
}

/** The text with asterisks for the digits of each card number, and for those beside it: expiry date, security code. */
export function maskCardNumbers(text: string, shortest = SHORTEST_CARD): string {
  return replaceCardNumbers(text, run => plainDigits(run).text.replace(/\d/g, '*'), shortest)
}

/**
 * Digits of the shortest card number in what terminals, acquirers and the gateway write. Their numbers of twelve digits are
 * retrieval references (ISO 8583, field 37), which begin with the last digit of the year.
 */
export const LONGER_THAN_A_REFERENCE = 13

/** The text with each card number, and the digits beside it, replaced. */
export function replaceCardNumbers(text: string, by: (run: string) => string, shortest = SHORTEST_CARD): string {
  if (!mayHold(text)) return text
  const plain = plainDigits(text)
  let replaced = ''
  let end = 0
  for (const { from, to } of cardRuns(plain, shortest)) {
    const start = plain.places?.[from]?.[0] ?? from
    replaced += text.slice(end, start)
    end = plain.places?.[to - 1]?.[1] ?? to
    replaced += by(text.slice(start, end))
  }
  return replaced + text.slice(end)
}

/** Plain data in which no text, name or number is a card's. What has too few digits for one comes back as it is. */
export function withoutCardNumbers<Value>(value: Value): Value {
  return anyMayBeCard(value) ? masked(value) : value
}

function masked<Value>(value: Value): Value {
  if (typeof value === 'string') return maskCardNumbers(value) as Value
  if (typeof value === 'number') return (isCardNumber(String(value)) ? null : value) as Value
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map(each => masked(each as unknown)) as Value
  return Object.fromEntries(
    Object.entries(value).map(([name, each]) => [maskCardNumbers(name), masked(each as unknown)]),
  ) as Value
}

/** Without taking anything apart: most requests end here. */
function anyMayBeCard(value: unknown): boolean {
  if (typeof value === 'string') return mayHold(value)
  if (typeof value === 'number') return value >= 10 ** (SHORTEST_CARD - 1)
  if (typeof value !== 'object' || value === null) return false
  for (const name in value) if (mayHold(name) || anyMayBeCard((value as Record<string, unknown>)[name])) return true
  return false
}

interface Run {
  readonly from: number
  readonly to: number
}

/** Runs of digits with a card number in them. */
function cardRuns({ text }: PlainText, shortestCard: number): readonly Run[] {
  const rest = without(without(text, UUID), CHANCE)
  return [...rest.matchAll(RUNS)].flatMap(({ 0: run, index }) => {
    const shortest = isTelephone(rest, index, shortestCard) ? LONGEST_TELEPHONE + 1 : shortestCard
    return runHoldsCard(run, shortest) ? [{ from: index, to: index + run.length }] : []
  })
}

/**
 * A card is looked for from the beginning of each group of digits to the end of each. Groups of other lengths than a card
 * has are put together only where the same kind of separator is between all of them.
 */
function runHoldsCard(run: string, shortest: number): boolean {
  const groups = run.match(GROUPS) ?? []
  if (run.length < shortest) return false
  const between = run.split(GROUPS).slice(1, -1).map(kindOf)
  return groups.some((_, from) => {
    let digits = ''
    let uniform = true
    for (let to = from; to < groups.length && digits.length <= LONGEST_CARD; to += 1) {
      digits += groups[to]
      if (to > from) uniform &&= between[to - 1] !== null && between[to - 1] === between[from]
      if (digits.length < shortest || digits.length > LONGEST_CARD) continue
      if ((uniform || isAsOnACard(groups.slice(from, to + 1))) && isCardNumber(digits)) return true
    }
    return false
  })
}

function kindOf(separator: string): number | null {
  const kind = KINDS.findIndex(each => each.test(separator))
  return kind < 0 ? null : kind
}

// --- ids that a program reads back

/** Digits that are no part of a longer word of letters and digits. */
const IN_ONE_PIECE = new RegExp(`(?<![\\p{L}\\d])\\d{${SHORTEST_CARD},${LONGEST_CARD}}(?![\\p{L}\\d])`, 'gu')
/** The same in groups, one or two separators of one kind between them. */
const IN_GROUPS = SEPARATORS.map(kind => new RegExp(`(?<![\\p{L}\\d])\\d+(?:[${kind}]{1,2}\\d+)+(?![\\p{L}\\d])`, 'gu'))
/** Digits behind the point of a decimal number. A second point makes it something else. */
const FRACTION = /(?<=(?<![\d.,])\d{1,12}\.)\d{12,}(?!\.?\d)|(?<=(?<![\d.,])0,)\d{12,}(?!,?\d)/g

/**
 * Whether an id, which must stay as it is, may be a card number. The search is narrow: who numbers orders must be able to
 * avoid it, and can, with a letter before the digits.
 */
export function idHoldsCardNumber(id: string): boolean {
  if (!mayHold(id)) return false
  const text = without(without(plainDigits(id).text, UUID), FRACTION)
  const inOnePiece = [...text.matchAll(IN_ONE_PIECE)].filter(run => !isTelephone(text, run.index, run[0].length))
  return (
    inOnePiece.some(([digits]) => isCardNumber(digits)) ||
    IN_GROUPS.some(groups => (text.match(groups) ?? []).some(groupsHoldCard))
  )
}

/** How often a card number in an address may be encoded. */
const MOST_ENCODINGS = 5

/** Whether an address holds what may be a card number, as it is written or as servers decode it. */
export function urlHoldsCardNumber(url: string): boolean {
  let decoded = url
  for (let times = 0; times <= MOST_ENCODINGS; times += 1) {
    if (idHoldsCardNumber(decoded)) return true
    const once = decodedUrl(decoded)
    if (once === decoded) return false
    decoded = once
  }
  return false
}

function groupsHoldCard(run: string): boolean {
  const groups = run.match(GROUPS) ?? []
  return groups.some(({ length }, from) => {
    if (length !== 4 && length !== 6) return false
    for (let count = 2; count <= MOST_GROUPS && from + count <= groups.length; count += 1) {
      const chosen = groups.slice(from, from + count)
      if (isAsOnACard(chosen) && isCardNumber(chosen.join(''))) return true
    }
    return false
  })
}

function isAsOnACard(groups: readonly string[]): boolean {
  return groups.length === 1 || AS_ON_A_CARD.test(groups.map(({ length }) => length).join())
}

/** One step of decoding. */
function decodedUrl(url: string): string {
  return url.replaceAll('+', ' ').replace(/(?:%[\da-f]{2})+/gi, encoded => {
    try {
      return decodeURIComponent(encoded)
    } catch {
      // Of another encoding than UTF-8: digits are the same in all of them.
      return encoded.replace(/%(..)/g, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)))
    }
  })
}

// --- both

/**
 * The cheap check before all others: most texts have too few digits without a letter between them. A character outside of
 * ASCII may stand for two.
 */
function mayHold(text: string): boolean {
  if (text.length * 2 < SHORTEST_CARD) return false
  let digits = 0
  for (let index = 0; index < text.length; index += 1) {
    const code = text.charCodeAt(index)
    if (code >= 0x30 && code <= 0x39) digits += 1
    else if (code > 0x7f) digits += 2
    // Capitals and small letters.
    else if ((code | 0x20) >= 0x61 && (code | 0x20) <= 0x7a) digits = 0
    if (digits >= SHORTEST_CARD) return true
  }
  return false
}

function isTelephone(text: string, from: number, length: number): boolean {
  return text[from - 1] === '+' && length <= LONGEST_TELEPHONE
}

/** As long as before, so that places stay. */
function without(text: string, pattern: RegExp): string {
  return text.replace(pattern, found => NOTHING.repeat(found.length))
}

// src/platform/scrub.ts — the last gate before a log line: what may never be in one is struck out here, however it got
// into the fields. Callers must not rely on it.

import { isCardNumber } from '../domain/card.ts'
import { memoise } from '../engine/memoise.ts'

/** A field is struck out when this is the last word of its name: `apiKey`, `access_token`, `x-api-key`. */
const SECRET_WORDS = new Set([
  'authorization',
  'authorisation',
  'cookie',
  'credentials',
  'cvc',
  'cvv',
  'jwt',
  'key',
  'pan',
  'password',
  'pin',
  'secret',
  'token',
])
/** And when these end its name, words joined. */
const SECRET_ENDINGS = ['accountnumber', 'cardnumber', 'securitycode', 'track2']
/** Fields that hold addresses. Their query string goes. */
const ADDRESS_WORDS = new Set(['url', 'uri', 'path', 'location', 'href'])

const STRUCK_OUT = '[redacted]'
/** Deeper than any record that is logged; stops circles. */
const DEEPEST = 8
/** An Authorization header in running text. */
const CREDENTIALS = /\b(Basic|Bearer)\s+[\w.~+/=-]{6,}/gi
/** 13 to 19 digits, also in groups, that are not part of a longer word such as a UUID. */
const CARD_NUMBER = /(?<![\w-])\d(?:[ -]?\d){12,18}(?![\w-])/g

/** Thirteen digits; an Authorization header is no shorter. */
const SHORTEST = 12
/** Finds too much rather than too little: what it finds is then looked at closely. */
const MAY_HOLD_A_SECRET = /basic|bearer|\d(?:[ -]?\d){12}/i

/** What a field is by its name. */
type Nature = 'secret' | 'address' | 'plain'
/** Names of fields remembered. The program itself writes a few dozen. */
const CACHED_NATURES = 512

/** A copy of `fields` that may be written to a log. Errors become plain data. */
export function scrub(fields: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return scrubRecord(fields, 0)
}

/** `text` with every card number and Authorization header in it struck out. */
export function scrubText(text: string): string {
  // Most text is an id or a word, and is not worth being taken apart.
  if (text.length < SHORTEST || !MAY_HOLD_A_SECRET.test(text)) return text
  return text
    .replace(CREDENTIALS, `$1 ${STRUCK_OUT}`)
    .replace(CARD_NUMBER, digits => (isCardNumber(digits.replace(/\D/g, '')) ? STRUCK_OUT : digits))
}

function scrubRecord(fields: Readonly<Record<string, unknown>>, depth: number): Record<string, unknown> {
  return Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, scrubField(name, value, depth)]))
}

function scrubField(name: string, field: unknown, depth: number): unknown {
  if (field === null || field === undefined || typeof field === 'boolean') return field
  const nature = natureOf(name)
  if (nature === 'secret') return STRUCK_OUT
  const value = plainOf(field)
  return typeof value === 'string' && nature === 'address' ? scrubText(withoutQuery(value)) : scrubPlain(value, depth)
}

const natureOf = memoise(CACHED_NATURES, (name): Nature => {
  const words = wordsOf(name)
  const last = words.at(-1) ?? ''
  const joined = words.join('')
  if (SECRET_WORDS.has(last.replace(/s$/, '')) || SECRET_ENDINGS.some(ending => joined.endsWith(ending)))
    return 'secret'
  return ADDRESS_WORDS.has(last) ? 'address' : 'plain'
})

function scrubPlain(value: unknown, depth: number): unknown {
  if (typeof value === 'string') return scrubText(value)
  // Epoch milliseconds have 13 digits, so a number counts as a card's only from 14.
  if (typeof value === 'number') return value >= 1e13 && isCardNumber(String(value)) ? STRUCK_OUT : value
  if (typeof value !== 'object' || value === null) return value
  if (depth >= DEEPEST) return '[too deep]'
  if (Array.isArray(value)) return value.map(each => scrubPlain(plainOf(each), depth + 1))
  return scrubRecord({ ...value }, depth + 1)
}

/** What JSON would make of it, but errors keep what they say and bytes say nothing: they may be a key. */
function plainOf(value: unknown): unknown {
  if (typeof value === 'bigint') return String(value)
  if (ArrayBuffer.isView(value)) return `[${value.byteLength} bytes]`
  if (value instanceof Error)
    return { ...value, type: value.name, message: value.message, stack: value.stack, cause: value.cause }
  if (typeof value === 'object' && value !== null && 'toJSON' in value && typeof value.toJSON === 'function')
    return value.toJSON()
  return value
}

/** `x-api-key`, `apiKey` and `API_KEY` are two or three words each. */
function wordsOf(name: string): readonly string[] {
  return name
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter(word => word !== '')
}

function withoutQuery(address: string): string {
  return address.replace(/[?#].*$/s, '')
}

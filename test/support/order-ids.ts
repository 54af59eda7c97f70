// test/support/order-ids.ts — ids as programs make them for orders, by chance from a seed.
import { SeededRandom } from './seeded-random.ts'

type Chance = () => number
/** A number below 1 by the chance given, as an id. */
type Make = (chance: Chance, index: number) => string

const CROCKFORD = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'
/** From 2020 to 2035. */
const FROM_MS = Date.UTC(2020, 0, 1)
const SPAN_MS = Date.UTC(2035, 0, 1) - FROM_MS

export const ORDER_IDS: Readonly<Record<string, Make>> = {
  UUID: uuid,
  'UUID without dashes': chance => uuid(chance).replaceAll('-', ''),
  'UUID in capitals': chance => uuid(chance).toUpperCase(),
  ULID: chance => `01${textOf(chance, CROCKFORD, 24)}`,
  seconds: chance => String(Math.floor(momentMs(chance) / 1_000)),
  milliseconds: chance => String(momentMs(chance)),
  microseconds: chance => `${momentMs(chance)}${digits(chance, 3)}`,
  nanoseconds: chance => `${momentMs(chance)}${digits(chance, 6)}`,
  'microtime(true)': chance => `${Math.floor(momentMs(chance) / 1_000)}.${digits(chance, 6)}`,
  'ymd-His-rrrr': chance => `${dayAndTime(chance, '-').slice(2)}-${digits(chance, 4)}`,
  'Ymd-His~n': (chance, index) => `${dayAndTime(chance, '-')}~${(index % 9) + 1}`,
  'prefixed counter': (_, index) => `ORD-${index + 1}`,
  'prefixed counter, padded': (_, index) => `INV-${String(index + 1).padStart(12, '0')}`,
  'counter of a year': (chance, index) => `2026/${String(index).padStart(6, '0')}-${digits(chance, 2)}`,
  'letter and sixteen digits': chance => `A${digits(chance, 16)}`,
  'decimal of chance': chance => String(chance()),
  'decimal of chance behind a letter': chance => `x${chance()}`,
  'hexadecimal hash': chance => textOf(chance, '0123456789abcdef', 64),
}

/** A generator of numbers below 1 with 53 bits, as `Math.random` gives them; the same for the same seed. */
export function chanceFrom(seed: number): Chance {
  const random = new SeededRandom(seed)
  return () => (random.integer(2 ** 27) * 2 ** 26 + random.integer(2 ** 26)) / 2 ** 53
}

function uuid(chance: Chance): string {
  const hex = textOf(chance, '0123456789abcdef', 30)
  const variant = '89ab'[Math.floor(chance() * 4)]
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(12, 15)}-${variant}${hex.slice(15, 18)}-${hex.slice(18)}`
}

function textOf(chance: Chance, alphabet: string, length: number): string {
  return Array.from({ length }, () => alphabet[Math.floor(chance() * alphabet.length)]).join('')
}

function digits(chance: Chance, length: number): string {
  return String(Math.floor(chance() * 10 ** Math.min(length, 15))).padStart(length, '0')
}

function momentMs(chance: Chance): number {
  return FROM_MS + Math.floor(chance() * SPAN_MS)
}

function dayAndTime(chance: Chance, between: string): string {
  const time = new Date(momentMs(chance)).toISOString()
  return `${time.slice(0, 10).replaceAll('-', '')}${between}${time.slice(11, 19).replaceAll(':', '')}`
}

// web/frame/expiry-date.ts — the expiry date: parsed from typed, pasted or autofilled text, shown as `MM / YY`.
import type { Expiry } from '../../src/domain/card-number.ts'
import { digitsOf } from './digits.ts'

/** Parses `12/30`, `12/2030`, `2030-12`, `1230`, `122030` and the like; null when it is not a month and year. */
export function expiryOf(text: string): Expiry | null {
  const parts = text
    .split(/[^\p{Nd}]+/u)
    .map(digitsOf)
    .filter(Boolean)
  const [month = '', year = ''] = parts.length >= 2 ? ordered(parts) : split(parts[0] ?? '')
  if (!/^\d{1,2}$/.test(month) || !/^(\d{2}|2\d{3})$/.test(year)) return null
  const expiry = { month: Number(month), year: year.length === 2 ? 2000 + Number(year) : Number(year) }
  return expiry.month < 1 || expiry.month > 12 ? null : expiry
}

/** The displayed and submitted form, with a blank on both sides of the slash. */
export function written({ month, year }: Expiry): string {
  return `${two(month)} / ${two(year % 100)}`
}

/** Formats the text while it is typed. `grows`: a character was added at the end, so a complete month gets its slash. */
export function typed(text: string, grows: boolean): string {
  const whole = expiryOf(text)
  if (whole !== null && whole.year < 2100 && digitsOf(text).length > 4) return written(whole)
  const early = /^\s*(\p{Nd})\s*[/.-]/u.exec(text.normalize('NFKC'))
  let digits = early === null ? digitsOf(text) : `0${digitsOf(text)}`
  // No month starts with 2 to 9.
  if (/^[2-9]/.test(digits) && grows) digits = `0${digits}`
  // `12/2030` is on its way.
  digits = digits.slice(0, digits.slice(2, 4) === '20' ? 6 : 4)
  if (digits.length > 2) return `${digits.slice(0, 2)} / ${digits.slice(2)}`
  return digits.length === 2 && grows ? `${digits} / ` : digits
}

function ordered(parts: readonly string[]): readonly string[] {
  const [first = '', second = ''] = parts
  return first.length === 4 ? [second, first] : [first, second]
}

function split(digits: string): readonly string[] {
  if (digits.length === 3) return [digits.slice(0, 1), digits.slice(1)]
  // The year first, as some password managers write it.
  if (digits.length === 6 && Number(digits.slice(0, 2)) > 12) return [digits.slice(4), digits.slice(0, 4)]
  return [digits.slice(0, 2), digits.slice(2)]
}

function two(number: number): string {
  return String(number).padStart(2, '0')
}

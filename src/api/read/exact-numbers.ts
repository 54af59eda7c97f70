// src/api/read/exact-numbers.ts — numbers are read digit by digit: an amount is never rounded, not even by the parser.

/** Powers of ten beyond which a number is no amount and not worth spelling out. */
const LARGEST_EXPONENT = 30

/** Stands before the digits of a JSON number that was turned into text, so that it is not taken for text. */
const MARK = '\u0000'

const DECIMAL = /^\0?\s*([+-]?)(\d+)(?:\.(\d*))?(?:e([+-]?\d{1,3}))?\s*$/i

/**
 * The integer that a decimal text stands for: `2599`, `2599.00` and `2.599e3` are the same. Null when it is not an
 * integer (`1998.9999999999998` is not 1999), not a number, or not safe to count with.
 */
export function exactInteger(text: string): number | null {
  const [match, sign, whole = '', fraction = '', exponent = '0'] = DECIMAL.exec(text) ?? []
  const shift = Number(exponent)
  if (match === undefined || Math.abs(shift) > LARGEST_EXPONENT) return null
  const point = Math.max(whole.length + shift, 0)
  const digits = (whole + fraction).padEnd(point, '0')
  if (/[1-9]/.test(digits.slice(point))) return null
  const value = Number(`${sign}${digits.slice(0, point) || '0'}`)
  // Minus zero is zero.
  return Number.isSafeInteger(value) ? value + 0 : null
}

/** Numbers, and strings, so that what is inside them is passed over. */
const STRING_OR_NUMBER = /"(?:[^"\\]|\\.)*"|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g
const MAY_BE_ROUNDED = /[.eE]|\d{16}/
/** A number never follows a quotation mark; the version in each message of JSON-RPC, `"2.0"`, does. */
const MAY_BE_ROUNDED_HERE = /(?:^|[^"\d])\d+[.eE]|\d{16}/

/**
 * Turns every number that a parser may round into text with all its digits; `exactInteger` reads it.
 * @param json valid JSON
 */
export function keepDigits(json: string): string {
  // Nearly always there is no such number, and then nothing is taken apart.
  if (!MAY_BE_ROUNDED_HERE.test(json)) return json
  return json.replace(STRING_OR_NUMBER, token =>
    token.startsWith('"') || !MAY_BE_ROUNDED.test(token) ? token : JSON.stringify(MARK + token),
  )
}

// src/api/read/exact-numbers.ts — reads numbers digit by digit, so that no amount is rounded, not even by JSON.parse.

/** Largest exponent that is expanded. Numbers beyond it are not amounts. */
const LARGEST_EXPONENT = 30

/** Prefix of a JSON number that was converted to text, to distinguish it from a text. */
const MARK = '\u0000'

const DECIMAL = /^\0?\s*([+-]?)(\d+)(?:\.(\d*))?(?:e([+-]?\d{1,3}))?\s*$/i

/**
 * Reads an integer from a decimal text: `2599`, `2599.00` and `2.599e3` are the same. Null when it is not a number, not an
 * integer (`1998.9999999999998` is not 1999), or not a safe integer.
 */
export function exactInteger(text: string): number | null {
  const [match, sign, whole = '', fraction = '', exponent = '0'] = DECIMAL.exec(text) ?? []
  const shift = Number(exponent)
  if (match === undefined || Math.abs(shift) > LARGEST_EXPONENT) return null
  const point = Math.max(whole.length + shift, 0)
  const digits = (whole + fraction).padEnd(point, '0')
  if (/[1-9]/.test(digits.slice(point))) return null
  const value = Number(`${sign}${digits.slice(0, point) || '0'}`)
  // `+ 0` turns minus zero into zero.
  return Number.isSafeInteger(value) ? value + 0 : null
}

/** Matches numbers and whole strings, so that digits inside strings are skipped. */
const STRING_OR_NUMBER = /"(?:[^"\\]|\\.)*"|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g
const MAY_BE_ROUNDED = /[.eE]|\d{16}/
/** Cheap pre-check. A number never follows a quotation mark, but the version of each JSON-RPC message does: `"2.0"`. */
const MAY_BE_ROUNDED_HERE = /(?:^|[^"\d])\d+[.eE]|\d{16}/

/**
 * Converts every number that JSON.parse may round into marked text with all its digits, for `exactInteger`.
 * @param json valid JSON
 */
export function keepDigits(json: string): string {
  // Almost no request has such a number.
  if (!MAY_BE_ROUNDED_HERE.test(json)) return json
  return json.replace(STRING_OR_NUMBER, token =>
    token.startsWith('"') || !MAY_BE_ROUNDED.test(token) ? token : JSON.stringify(MARK + token),
  )
}

// src/api/read/exact-numbers.ts — reads numbers digit by digit, so that no amount is rounded, not even by JSON.parse.

/** Matches numbers and whole strings, so that digits inside strings are skipped. */
const STRING_OR_NUMBER = /"(?:[^"\\]|\\.)*"|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g
const MAY_BE_ROUNDED = /[.eE]|\d{16}/
/** Cheap pre-check. A number never follows a quotation mark, but the version of each JSON-RPC message does: `"2.0"`. */
const MAY_BE_ROUNDED_HERE = /(?:^|[^"\d])\d+[.eE]|\d{16}/

/** A number as JSON writes it. */
const NUMBER = /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/

/** Digits of the largest safe integer. */
const MOST_DIGITS = 16

/** JSON.parse reads it as infinity, which no schema accepts. */
const INFINITE = '1e999'

/** Tills in the field send amounts as text. Text with a point is refused: `460.00` may be pounds or pence. */
const DIGITS = /^[ \t]*\d+[ \t]*$/

/**
 * Parses JSON without rounding. `2599.00` and `2.599e3` are 2599. A number that JSON.parse would round to an integer
 * (`1998.99999999999999999999` is not 1999) becomes infinity, and so does an integer that is not safe.
 * @throws SyntaxError
 */
export function parseExactly(json: string): unknown {
  const value: unknown = JSON.parse(json)
  // Almost no request has such a number.
  if (!MAY_BE_ROUNDED_HERE.test(json)) return value
  const exact = json.replace(STRING_OR_NUMBER, token =>
    token.startsWith('"') || !MAY_BE_ROUNDED.test(token) ? token : exactly(token),
  )
  return JSON.parse(exact)
}

/** Reads an amount: a JSON number, or text of digits with blanks around. Null when it is not a safe integer. See docs/versions.md. */
export function integerIn(sent: unknown): number | null {
  const value = typeof sent === 'string' && DIGITS.test(sent) ? Number(sent) : sent
  return Number.isSafeInteger(value) ? Number(value) : null
}

function exactly(number: string): string {
  return integerOf(number) ?? (Number.isInteger(Number(number)) ? INFINITE : number)
}

/** Returns the digits of a JSON number that is a safe integer, else null. */
function integerOf(number: string): string | null {
  const [match, sign, whole = '', fraction = '', exponent = '0'] = NUMBER.exec(number) ?? []
  if (match === undefined) return null
  const digits = `${whole}${fraction}`.replace(/^0+/, '')
  const significant = digits.replace(/0+$/, '')
  // Zero is zero, whatever its sign and exponent.
  if (significant === '') return '0'
  const zeros = digits.length - significant.length - fraction.length + Number(exponent)
  if (zeros < 0 || significant.length + zeros > MOST_DIGITS) return null
  const integer = `${sign}${significant}${'0'.repeat(zeros)}`
  return Number.isSafeInteger(Number(integer)) ? integer : null
}

// src/domain/card-ranges.ts — beginnings, lengths and check digit of card numbers of all schemes. ADR 52.

interface Range {
  /** First and last beginning, equally long. */
  readonly from: string
  readonly to: string
  /** Digits of a whole number. */
  readonly lengths: ReadonlySet<number>
}

export const SHORTEST_CARD = 12
export const LONGEST_CARD = 19

const ANY = [12, 13, 14, 15, 16, 17, 18, 19]

/**
 * Every scheme, also those whose cards are not taken here: their numbers are card data too. A test compares these rows with
 * the tables of `credit-card-type`. Ranges inside another row (Discover and UnionPay begin with 6) have no row of their own.
 */
const RANGES: readonly Range[] = [
  range('4', '4', [16, 18, 19]),
  // Maestro in the range of Visa.
  range('493698', '493698', ANY),
  range('51', '55', [16]),
  range('2221', '2720', [16]),
  range('34', '34', [15]),
  range('37', '37', [15]),
  range('300', '305', [14, 16, 19]),
  range('36', '36', [14, 16, 19]),
  range('38', '39', [14, 16, 19]),
  range('3528', '3589', [16, 17, 18, 19]),
  // JCB's old ranges had 15 digits. The package gives them 16 and more, which is what microseconds of the year 2027 look like.
  range('1800', '1800', [15]),
  range('2131', '2131', [15]),
  range('2200', '2204', [16, 17, 18, 19]),
  // Maestro, with Discover, UnionPay, Elo, Hiper, Hipercard, Troy and Verve in it.
  range('50', '50', ANY),
  range('56', '59', ANY),
  range('6', '6', ANY),
  range('8100', '8171', [14, 15, 16, 17, 18, 19]),
  range('9792', '9792', [16]),
]

/** Whether digits, and nothing else, are a card number: the beginning and a length of a scheme, and the check digit. */
export function isCardNumber(digits: string): boolean {
  return RANGES.some(range => begins(digits, range) && range.lengths.has(digits.length)) && hasCheckDigit(digits)
}

/** Whether the last digit is the right check digit for those before it (Luhn). */
export function hasCheckDigit(digits: string): boolean {
  let sum = 0
  for (let place = 0; place < digits.length; place += 1) {
    const digit = Number(digits[digits.length - 1 - place])
    // Every second digit from the right counts twice.
    const worth = place % 2 === 0 ? digit : digit * 2
    sum += worth > 9 ? worth - 9 : worth
  }
  return sum % 10 === 0
}

function begins(digits: string, { from, to }: Range): boolean {
  const beginning = digits.slice(0, from.length)
  return beginning >= from && beginning <= to
}

function range(from: string, to: string, lengths: readonly number[]): Range {
  return { from, to, lengths: new Set(lengths) }
}

// test/support/card-scanner.ts — finds possible card numbers in any text.

/** Runs of 13 to 19 digits, with optional single blanks or dashes, that pass the Luhn check. */
export function numbersThatLookLikeCards(text: string): string[] {
  const found: string[] = []
  for (const match of text.matchAll(/(?<![0-9a-fA-F-])(?:\d[ -]?){12,18}\d(?![0-9a-fA-F-])/g)) {
    const digits = match[0].replace(/[ -]/g, '')
    if (/^[2-6]/.test(digits) && passesLuhn(digits)) found.push(match[0])
  }
  return found
}

function passesLuhn(digits: string): boolean {
  let sum = 0
  for (let index = 0; index < digits.length; index += 1) {
    const digit = Number(digits[digits.length - 1 - index])
    const doubled = index % 2 === 1 ? digit * 2 : digit
    sum += doubled > 9 ? doubled - 9 : doubled
  }
  return sum % 10 === 0
}

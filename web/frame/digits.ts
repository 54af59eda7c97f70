// web/frame/digits.ts — the digits in a text, whatever script and separators they came in: people paste from anywhere.

/** Only the digits, as 0 to 9. */
export function digitsOf(text: string): string {
  return [...text.normalize('NFKC')].map(digitOf).join('')
}

/** Scripts lay their ten digits side by side from a zero, so the zero is found by going back to where digits begin. */
function digitOf(character: string): string {
  if (/[0-9]/.test(character)) return character
  if (!/\p{Nd}/u.test(character)) return ''
  const code = character.codePointAt(0) ?? 0
  let zero = code
  while (code - zero < 9 && /\p{Nd}/u.test(String.fromCodePoint(zero - 1))) zero -= 1
  return String(code - zero)
}

// web/frame/digits.ts — extracts digits from text of any script and with any separators, for pasted input.

/** The digits of the text, as 0 to 9. */
export function digitsOf(text: string): string {
  return [...text.normalize('NFKC')].map(digitOf).join('')
}

/** Each script has its ten digits in a row from zero. The distance to the start of the row is the value. */
function digitOf(character: string): string {
  if (/[0-9]/.test(character)) return character
  if (!/\p{Nd}/u.test(character)) return ''
  const code = character.codePointAt(0) ?? 0
  let zero = code
  while (code - zero < 9 && /\p{Nd}/u.test(String.fromCodePoint(zero - 1))) zero -= 1
  return String(code - zero)
}

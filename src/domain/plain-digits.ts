// src/domain/plain-digits.ts — a text with every digit as 0 to 9, and where its characters came from.

/** Digits of all scripts and characters that contain some (circled, in brackets, full-width). */
const NOT_ASCII = /[^\p{ASCII}]/u
const DIGIT = /\p{Nd}/u
/** Shows nothing, so that a reader sees the digits beside it as neighbours: joiners, marks, controls, variation selectors. */
const INVISIBLE = /[\p{Cf}\p{M}\p{Default_Ignorable_Code_Point}]|[^\P{Cc}\t\n\v\f\r\u0085]/u
const HAS_INVISIBLE_ASCII = /[^\t\n\v\f\r\x20-\x7e]/

export interface PlainText {
  readonly text: string
  /** For each character of `text`, where it begins and where it ends in the text as it was sent. Null: at the same place. */
  readonly places: readonly (readonly [from: number, to: number])[] | null
}

/** Writes all digits as 0 to 9 and blanks as blanks (NFKC), and leaves out what cannot be seen. Other letters stay. */
export function plainDigits(sent: string): PlainText {
  if (!HAS_INVISIBLE_ASCII.test(sent)) return { text: sent, places: null }
  const characters: string[] = []
  const places: [number, number][] = []
  let from = 0
  for (const character of sent) {
    const to = from + character.length
    for (const plain of plainOf(character)) {
      characters.push(plain)
      places.push([from, to])
    }
    from = to
  }
  return { text: characters.join(''), places }
}

/** UTF-16 units, each of which has a place of its own. */
function plainOf(character: string): readonly string[] {
  if (INVISIBLE.test(character)) return []
  if (!NOT_ASCII.test(character)) return [character]
  const composed = character.normalize('NFKC')
  // Letters are only asked whether they are letters: `№` would become two of them.
  const normal = DIGIT.test(composed) || !/\p{L}/u.test(composed) ? composed : character
  return [...normal].flatMap(each => (DIGIT.test(each) ? asciiDigit(each) : each.split('')))
}

/** Scripts have their ten digits side by side from zero on; in one place two scripts follow each other. */
function asciiDigit(digit: string): string {
  const code = digit.codePointAt(0) ?? 0
  let zero = code
  while (DIGIT.test(String.fromCodePoint(zero - 1))) zero -= 1
  return String((code - zero) % 10)
}

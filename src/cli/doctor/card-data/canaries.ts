// src/cli/doctor/card-data/canaries.ts — unissued card numbers, one for each input, so that a found one identifies its input.
import { hasCheckDigit, isCardNumber } from '../../../domain/card-ranges.ts'

/** Prefix in Visa's range. No test card of the sandbox has it. */
const BEGINNING = '492999'
const LENGTH = 16

/** Separators between groups of four digits. The first writes a number in one piece. */
const BETWEEN = ['', ' ', '-', '.', '/', '_', '\u00a0'] as const

/** Matches a canary in any text, with separators between its digits. */
const ANY_CANARY = /4\D{0,3}9\D{0,3}2\D{0,3}9\D{0,3}9\D{0,3}9(?:\D{0,3}\d){10}/g

export interface Canaries {
  /** Returns a new card number, written with the next separator. `input`: where it is sent. */
  next(input: string): string
  /** The same without separators. */
  plain(input: string): string
  /** Returns the inputs whose canaries are in a text. */
  foundIn(text: string): readonly string[]
  readonly sent: number
}

export function createCanaries(): Canaries {
  const inputs = new Map<string, string>()

  function make(input: string): string {
    const counted = BEGINNING + String(inputs.size).padStart(LENGTH - BEGINNING.length - 1, '0')
    const number = Array.from({ length: 10 }, (_, digit) => `${counted}${digit}`).find(hasCheckDigit) ?? ''
    if (!isCardNumber(number)) throw new Error('a canary must be a card number')
    inputs.set(number, input)
    return number
  }

  return {
    next(input) {
      const between = BETWEEN[inputs.size % BETWEEN.length] ?? ''
      return (make(input).match(/\d{4}/g) ?? []).join(between)
    },
    plain: make,
    foundIn: text => [
      ...new Set(
        [text, decoded(text)].flatMap(each =>
          [...each.matchAll(ANY_CANARY)].flatMap(([found]) => inputs.get(found.replace(/\D/g, '')) ?? []),
        ),
      ),
    ],
    get sent() {
      return inputs.size
    },
  }
}

/** Decodes the escapes of URLs and JSON, whose own digits would separate those of a number. */
function decoded(text: string): string {
  return text.replaceAll(/%([\da-f]{2})|\\u([\da-f]{4})/gi, (_, byte: string | undefined, unit: string | undefined) =>
    String.fromCharCode(Number.parseInt(byte ?? unit ?? '', 16)),
  )
}

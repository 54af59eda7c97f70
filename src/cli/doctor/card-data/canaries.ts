// src/cli/doctor/card-data/canaries.ts — card numbers that no bank has issued, one for each input, so that each that is found
// says where it came in.
import { hasCheckDigit, isCardNumber } from '../../../domain/card-ranges.ts'

/** Begins like Visa. No test card of the sandbox begins so. */
const BEGINNING = '492999'
const LENGTH = 16

/** How people and programs write a number: in one piece, or in fours with these between them. */
const BETWEEN = ['', ' ', '-', '.', '/', '_', '\u00a0'] as const

/** A canary in any text, with what may stand between its digits. */
const ANY_CANARY = /4\D{0,3}9\D{0,3}2\D{0,3}9\D{0,3}9\D{0,3}9(?:\D{0,3}\d){10}/g

export interface Canaries {
  /** A card number of its own, in the next way of writing. `input`: where it is sent. */
  next(input: string): string
  /** The same in one piece. */
  plain(input: string): string
  /** The inputs whose canaries are in a text. */
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

/** Without the encoding of addresses and of JSON, whose own digits would stand between those of a number. */
function decoded(text: string): string {
  return text.replaceAll(/%([\da-f]{2})|\\u([\da-f]{4})/gi, (_, byte: string | undefined, unit: string | undefined) =>
    String.fromCharCode(Number.parseInt(byte ?? unit ?? '', 16)),
  )
}

// src/domain/online/payer-input.ts — what a payer may type beside the card: the rules of the form and of the gateway.
import { holdsCardNumber } from '../card-numbers.ts'

/** Most characters of the name on a card, as it is stored. */
export const LONGEST_NAME = 255
/** Most characters of each line of an address. */
export const LONGEST_ADDRESS_LINE = 100
/** Most characters of an e-mail address and of a telephone number. */
export const LONGEST_CONTACT = 512

/** Control characters other than line breaks and tabs, and lone surrogates. */
const UNREADABLE = /[^\P{Cc}\n\r\t]|\p{Cs}/u

/** Control characters and lone surrogates. */
const UNPRINTABLE = /\p{Cc}|\p{Cs}/u

/** Whether a text has at most `longest` characters, all of which can be read. */
export function isReadable(text: string, longest: number): boolean {
  return text.length <= longest && !UNREADABLE.test(text)
}

/**
 * The name on a card as it is stored: one form for each character (NFKC), no format characters, each white space a space.
 * Empty without a name.
 */
export function plainName(text: string): string {
  return text
    .replace(/\p{Cf}/gu, '')
    .normalize('NFKC')
    .replace(/\s/g, ' ')
    .trim()
}

/** Whether a plain name is accepted: anything that can be printed, in any script, but no card number. */
export function isName(name: string): boolean {
  return name !== '' && [...name].length <= LONGEST_NAME && !UNPRINTABLE.test(name) && !holdsCardNumber(name)
}

/** Whether a payer's text is accepted. It is stored and shown in clear, so it holds no card number. */
export function isPayerText(text: string, longest: number): boolean {
  return isReadable(text, longest) && !holdsCardNumber(text)
}

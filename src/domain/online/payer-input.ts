// src/domain/online/payer-input.ts — what a payer may type beside the card: the rules of the form and of the gateway.
import { type CardRules, holdsCardNumber } from '../card-number.ts'

/** Most characters of the name on a card. */
export const LONGEST_NAME = 255
/** Most characters of each line of an address. */
export const LONGEST_ADDRESS_LINE = 100
/** Most characters of an e-mail address and of a telephone number. */
export const LONGEST_CONTACT = 512

/** Control characters other than line breaks and tabs, and lone surrogates. */
const UNREADABLE = /[^\P{Cc}\n\r\t]|\p{Cs}/u

/** Whether a text has at most `longest` characters, all of which can be read. */
export function isReadable(text: string, longest: number): boolean {
  return text.length <= longest && !UNREADABLE.test(text)
}

/** Whether a payer's text is accepted. It is stored and shown in clear, so it holds no card number. */
export function isPayerText(text: string, longest: number, rules: CardRules): boolean {
  return isReadable(text, longest) && !holdsCardNumber(text, rules)
}

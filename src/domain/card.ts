// src/domain/card.ts — what the gateway may know of a card. A full number never enters a counter transaction: the
// terminal hands over a token that only the acquirer can open, and the masked number for the receipt.

export type PaymentMethod = 'UNKNOWN' | 'KEYED' | 'SWIPED' | 'ICC_CHIP' | 'CONTACTLESS'
export type CardholderVerificationMethod = 'UNKNOWN' | 'NONE' | 'PIN' | 'SIGNATURE' | 'DEVICE'

/** Card facts as the terminal reports them. Strings never learnt are empty. Source: terminal reference, fields of 5.4. */
export interface CardDetails {
  readonly paymentMethod: PaymentMethod
  readonly cardholderVerificationMethod: CardholderVerificationMethod
  /** Twelve `*` and the last four digits. */
  readonly primaryAccountNumber: string
  readonly primaryAccountNumberSequence: string
  readonly applicationId: string
  readonly applicationLabel: string
  readonly cardSchemeName: string
  /** `MM/YY` */
  readonly dateOfExpiry: string
  readonly dateOfStart: string
}

/** The card of a transaction that never saw one. */
export const NO_CARD: CardDetails = {
  paymentMethod: 'UNKNOWN',
  cardholderVerificationMethod: 'UNKNOWN',
  primaryAccountNumber: '',
  primaryAccountNumberSequence: '',
  applicationId: '',
  applicationLabel: '',
  cardSchemeName: '',
  dateOfExpiry: '',
  dateOfStart: '',
}

/** Hides all but the last four digits. */
export function maskOf(cardNumber: string): string {
  return `************${cardNumber.slice(-4)}`
}

/** Digits in groups, as many as a card number has that is not also the length of a common bar code (13 and 14). */
const IN_TEXT = /\d(?:[ -]?\d){14,18}/g

/** A text that others have written, with the card numbers in it hidden. */
export function cardsMaskedIn(text: string): string {
  return text.replace(IN_TEXT, digits => (isCardNumber(digits) ? maskOf(digits) : digits))
}

/** Whether a text is what a full card number looks like: 13 to 19 digits, blanks and dashes aside, that pass Luhn. */
export function isCardNumber(text: string): boolean {
  const digits = text.replace(/[ -]/g, '')
  if (!/^\d{13,19}$/.test(digits)) return false
  // Luhn: every second digit from the right counts twice.
  const sum = [...digits].reverse().reduce((total, digit, place) => {
    const worth = Number(digit) * (place % 2 === 0 ? 1 : 2)
    return total + (worth > 9 ? worth - 9 : worth)
  }, 0)
  return sum % 10 === 0
}

// src/domain/card.ts — card details of a counter transaction. They never have the full number: the terminal sends a token
// that only the acquirer can open, and the masked number for the receipt.

export type PaymentMethod = 'UNKNOWN' | 'KEYED' | 'SWIPED' | 'ICC_CHIP' | 'CONTACTLESS'
export type CardholderVerificationMethod = 'UNKNOWN' | 'NONE' | 'PIN' | 'SIGNATURE' | 'DEVICE'

/** Card details as the terminal reports them. Unknown strings are empty. */
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

/** The card details of a transaction without a card. */
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

/** Grouped digits of a card number's length, except 13 and 14, which common bar codes have too. */
const IN_TEXT = /\d(?:[ -]?\d){14,18}/g

/** Masks card numbers in free text. */
export function cardsMaskedIn(text: string): string {
  return text.replace(IN_TEXT, digits => (isCardNumber(digits) ? maskOf(digits) : digits))
}

/** Whether a text looks like a card number: 13 to 19 digits that pass the Luhn check; spaces and dashes are ignored. */
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

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

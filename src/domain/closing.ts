// src/domain/closing.ts — the word of a person on a payment that its acquirer or terminal does not resolve. ADR 31, 85.

export interface Closing {
  readonly outcome: 'taken' | 'not_taken'
  readonly operator: string
  /** How the outcome is known. */
  readonly reason: string
  /** Authorisation code of one that was taken; empty when not known. */
  readonly authCode: string
}

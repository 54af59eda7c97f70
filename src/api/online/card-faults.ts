// src/api/online/card-faults.ts — says what is wrong with card details, without repeating any of them.
import type { CardNumberProblem } from '../../domain/card-number.ts'
import { type FieldFault, faultSaying } from '../read/field-fault.ts'

/** What the fields must be. */
export const NUMBER = 'the number on the card'
export const EXPIRY = 'the month and year on the card, such as 12/30'

const WRONG_NUMBER: Readonly<Record<CardNumberProblem, string>> = {
  missing: 'is empty',
  malformed: 'has other characters than digits, or too few or too many of them',
  scheme_unknown: 'is of no scheme that is taken here',
  check_digit: 'has a wrong length or check digit',
}

export function cardNumberFault(problem: CardNumberProblem): FieldFault {
  return faultSaying('cardNumber', WRONG_NUMBER[problem], NUMBER)
}

/** @param read an expiry date that is no date, or in the past */
export function expiryFault(read: 'expired' | null): FieldFault {
  const wrong = read === 'expired' ? 'is in the past' : 'is not a month, or too far in the future'
  return faultSaying('expiryDate', wrong, EXPIRY)
}

/** @param field as the caller spells it */
export function securityCodeFault(field: string, sent: string | null): FieldFault {
  const wrong = sent === null ? 'is missing' : 'does not have the digits of this scheme'
  return faultSaying(field, wrong, 'three digits, or four on American Express')
}

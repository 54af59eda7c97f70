// src/platform/card-rules.ts — looks up scheme, length and check digit of card numbers with card-validator.
import cardValidator from 'card-validator'
import type { CardLook, CardScheme } from '../domain/card-number.ts'

/** Accepted schemes by their names in the package. */
const SCHEMES: Readonly<Record<string, CardScheme>> = {
  visa: 'VISA',
  mastercard: 'MASTERCARD',
  maestro: 'MAESTRO',
  'american-express': 'AMEX',
  'diners-club': 'DCI',
  discover: 'DISCOVER',
}

const NOTHING: CardLook = { scheme: null, whole: false, securityCodeLength: 3 }

/** Looks up a card number of digits without blanks. */
export function lookAtCard(digits: string): CardLook {
  const { card, isValid } = cardValidator.number(digits)
  if (card === null) return NOTHING
  return { scheme: SCHEMES[card.type] ?? null, whole: isValid, securityCodeLength: card.code.size }
}

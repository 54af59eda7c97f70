// src/platform/card-rules.ts — the schemes' ranges, lengths and check digits, from a package that keeps up with them.
import cardValidator from 'card-validator'
import type { CardLook, CardScheme } from '../domain/card-number.ts'

/** The package's names for the schemes that are taken. */
const SCHEMES: Readonly<Record<string, CardScheme>> = {
  visa: 'VISA',
  mastercard: 'MASTERCARD',
  maestro: 'MAESTRO',
  'american-express': 'AMEX',
  'diners-club': 'DCI',
  discover: 'DISCOVER',
}

const NOTHING: CardLook = { scheme: null, whole: false, securityCodeLength: 3 }

/** Looks a number up. Digits only, no blanks. */
export function lookAtCard(digits: string): CardLook {
  const { card, isValid } = cardValidator.number(digits)
  if (card === null) return NOTHING
  return { scheme: SCHEMES[card.type] ?? null, whole: isValid, securityCodeLength: card.code.size }
}

// src/three-d-secure/emv/eci.ts — electronic commerce indicators of the schemes, and who is liable with them. ADR 84.
import type { CardScheme } from '../../domain/card-number.ts'

interface Indicators {
  /** The payer was authenticated. */
  readonly full: string
  /** Authentication was attempted. */
  readonly attempt: string
  readonly none: string
}

const FIVE_SIX_SEVEN: Indicators = { full: '05', attempt: '06', none: '07' }
const TWO_ONE_ZERO: Indicators = { full: '02', attempt: '01', none: '00' }

const INDICATORS: Readonly<Record<CardScheme, Indicators>> = {
  VISA: FIVE_SIX_SEVEN,
  AMEX: FIVE_SIX_SEVEN,
  DCI: FIVE_SIX_SEVEN,
  DISCOVER: FIVE_SIX_SEVEN,
  MASTERCARD: TWO_ONE_ZERO,
  MAESTRO: TWO_ONE_ZERO,
}

export interface Liability {
  /** Two characters, for the authorisation. */
  readonly eci: string
  /** Who bears a chargeback for fraud in the usual case; schemes have exceptions. */
  readonly liable: 'issuer' | 'merchant'
  /** The message has an indicator that does not go with its status. It is passed on, and the merchant stays liable. */
  readonly contradicts: boolean
}

/**
 * The indicator of an authentication and what follows from it.
 * @param given indicator of the RReq, else of the ARes; absent in some messages, and then derived
 */
export function liabilityOf(scheme: CardScheme, status: string, given?: string): Liability {
  const { full, attempt, none } = INDICATORS[scheme]
  const expected = { Y: full, A: attempt }[status] ?? none
  const eci = given ?? expected
  const proves = expected !== none
  return { eci, liable: proves && eci === expected ? 'issuer' : 'merchant', contradicts: proves && eci !== expected }
}

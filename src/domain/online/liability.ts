// src/domain/online/liability.ts — electronic commerce indicators of the schemes, and who is liable with them. ADR 94.
import type { CardScheme } from '../card-number.ts'

/** Who bears a chargeback for fraud in the usual case; schemes have exceptions, such as prepaid cards. */
export type Liability = 'issuer' | 'merchant'

/** Indicators of a scheme by the status of the authentication. Others have no indicator of their own: `none`. */
interface Indicators {
  /** The payer was authenticated. The liability shifts to the issuer. */
  readonly Y: string
  /** Authentication was attempted. The liability shifts to the issuer. */
  readonly A: string
  readonly none: string
  /** Of an authentication without the payer, where it differs from `Y`. The liability shifts with either. */
  readonly later?: string
}

const FIVE_SIX_SEVEN: Indicators = { Y: '05', A: '06', none: '07' }
const TWO_ONE_ZERO: Indicators = { Y: '02', A: '01', none: '00', later: '07' }

const INDICATORS: Readonly<Record<CardScheme, Indicators>> = {
  VISA: FIVE_SIX_SEVEN,
  AMEX: FIVE_SIX_SEVEN,
  DCI: FIVE_SIX_SEVEN,
  DISCOVER: FIVE_SIX_SEVEN,
  MASTERCARD: TWO_ONE_ZERO,
  MAESTRO: TWO_ONE_ZERO,
}

/**
 * The indicator of an authentication and who is liable. The liability shifts when the status is Y or A and the indicator is that of
 * this status: an indicator that contradicts it (Y with 07, say) is passed on, and the merchant stays liable.
 * @param status transaction status of EMV 3-D Secure
 * @param isLater the payer was absent (3RI). ADR 98
 * @param given two characters of the RReq, else of the ARes; absent in some messages, and then derived
 */
export function liabilityOf(
  scheme: CardScheme,
  status: string,
  given?: string,
  isLater = false,
): { readonly eci: string; readonly liability: Liability } {
  const { Y, A, none, later = Y } = INDICATORS[scheme]
  const shifts = { Y: isLater ? [later, Y] : [Y], A: [A] }[status] ?? []
  const eci = given ?? shifts[0] ?? none
  return { eci, liability: shifts.includes(eci) ? 'issuer' : 'merchant' }
}

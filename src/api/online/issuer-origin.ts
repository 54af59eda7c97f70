// src/api/online/issuer-origin.ts — the origin of the issuer's page of a payment, for content security policies.
import type { OnlinePayment } from '../../domain/online/payment.ts'

/**
 * The origin that the directory server has named for the challenge of this payment; null without one, and for the simulated
 * issuers, whose pages are on this host. Only https: it goes into a header as it is.
 */
export function issuerOriginOf(payment: OnlinePayment | null): string | null {
  const { acsUrl = '' } = payment?.challenge ?? {}
  if (!URL.canParse(acsUrl)) return null
  const { protocol, origin } = new URL(acsUrl)
  return protocol === 'https:' ? origin : null
}

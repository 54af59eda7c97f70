// src/api/online/issuer-origin.ts — origins of issuers' pages, for content security policies.
import type { OnlinePayment } from '../../domain/online/payment.ts'

/** The origin that the directory server has named for the challenge of this payment; null as for `httpsOrigin`. */
export function issuerOriginOf(payment: OnlinePayment | null): string | null {
  return httpsOrigin(payment?.challenge?.acsUrl ?? '')
}

/**
 * The origin of an issuer's page; null for another text, and for the paths of simulated issuers, whose pages are on this host.
 * Only https: it goes into a header as it is.
 */
export function httpsOrigin(address: string): string | null {
  if (!URL.canParse(address)) return null
  const { protocol, origin } = new URL(address)
  return protocol === 'https:' ? origin : null
}

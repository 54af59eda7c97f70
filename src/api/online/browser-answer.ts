// src/api/online/browser-answer.ts — what the payer's browser is told of a payment. Online reference 9.3.
import { type OnlinePayment, statusOf } from '../../domain/online/payment.ts'
import { messageOf } from './payment-view.ts'

/** Where the browser comes back to after the issuer's page. */
export const RETURN_PATH = '/three-d-secure/return'

/** @param base of addresses, without a slash at the end */
export function browserBody(record: OnlinePayment, base: string) {
  const statusCode = statusOf(record) ?? 30
  const plain = { statusCode, message: messageOf(record, statusCode), authCode: record.authCode }
  return record.progress === 'authorizing' ? { ...plain, ...challengeOf(record, base) } : plain
}

/** Where the payer goes, and with what. Kits read `jwt` or `paReq`; both hold the same. */
function challengeOf({ challenge }: OnlinePayment, base: string) {
  if (challenge === null) return {}
  const { version, md, acsUrl, payload } = challenge
  const address = acsUrl.startsWith('/') ? base + acsUrl : acsUrl
  const common = { md, paReq: payload, jwt: payload, stepUpUrl: address, threeDSecureVersion: version }
  return version === '1.0' ? { ...common, acsUrl: address, termUrl: base + RETURN_PATH } : common
}

/** The browser need not wait any longer: the payment has ended, or it is somebody else's turn. */
export function waitsForBrowser({ progress }: OnlinePayment): boolean {
  return progress !== 'processing' && progress !== 'none'
}

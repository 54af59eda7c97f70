// src/api/online/browser-answer.ts — the answer about a payment to the payer's browser.
import { type OnlinePayment, reasonOf, statusOf } from '../../domain/online/payment.ts'
import { messageOf } from './payment-view.ts'

/** Path that the issuer's page returns the browser to. */
export const RETURN_PATH = '/three-d-secure/return'

/** Path of the page that shows the issuer's page for device data in a frame; with a token behind it, where the issuer says it is done. */
export const DEVICE_DATA_PATH = '/three-d-secure/device-data'

/** Path of the page that sends the browser on to the issuer's page. */
export const CHALLENGE_PATH = '/three-d-secure/challenge'

/** @param base base of addresses, without a slash at the end */
export function browserBody(record: OnlinePayment, base: string) {
  const statusCode = statusOf(record) ?? 30
  const reason = reasonOf(record)
  const plain = {
    ...{ statusCode, message: messageOf(record, statusCode), authCode: record.authCode },
    ...(reason === null ? {} : { reason }),
  }
  return record.progress === 'authorizing' ? { ...plain, ...challengeOf(record, base) } : plain
}

/** The challenge of the payer. SDKs read `jwt` or `paReq`; both hold the same payload. */
function challengeOf({ challenge }: OnlinePayment, base: string) {
  if (challenge === null) return {}
  const { version, md, acsUrl, payload } = challenge
  // The form posts `JWT` and `MD`; issuers of schemes want other names, so a page of ours is between.
  const address = base + (acsUrl.startsWith('/') ? acsUrl : CHALLENGE_PATH)
  const common = { md, paReq: payload, jwt: payload, stepUpUrl: address, threeDSecureVersion: version }
  return version === '1.0' ? { ...common, acsUrl: address, termUrl: base + RETURN_PATH } : common
}

/** Whether the gateway has finished its step: the payment has ended, or it waits for the payer, the shop or the issuer. */
export function waitsForBrowser({ progress }: OnlinePayment): boolean {
  return progress !== 'processing' && progress !== 'none'
}

// web/frame/payment.ts — one payment in the form: device data, payment request, challenge, outcome.
import type { ChallengeOrder, Outcome, Overlay, OverlayEnd, Rejection } from '../protocol.ts'
import { collectDeviceData } from './device-data.ts'
import { isRefusal, onThisHost, PATHS, type PaymentAnswer, paymentAnswer, post, UNKNOWN_OUTCOME } from './gateway.ts'
import type { Texts } from './texts.ts'
import { thisBrowser } from './this-browser.ts'

/** The payer has to authenticate first. Never an outcome for the page. */
const AUTHORISING = 3

export interface PaymentOrder {
  readonly token: string
  readonly path: string
  readonly body: Readonly<Record<string, unknown>>
  readonly locale: string
  readonly texts: Texts
  /** Opens the issuer's page in an overlay on the merchant's page, and waits for its end. */
  readonly openOverlay: (overlay: Overlay) => Promise<OverlayEnd>
}

/** `tooLate`: the shopper cancelled, and the payment had gone through. */
export type Paid = { readonly outcome: Outcome; readonly tooLate?: boolean } | { readonly rejected: Rejection }

/** What the gateway is told of a challenge that ended without an outcome. */
const ACTION_CODES = { finished: 'ERROR', closed: 'CANCEL', 'timed-out': 'TIMEOUT', blocked: 'ERROR' } as const

/** Pays. Always settles; an unknown outcome is reported as unknown, never guessed. */
export async function pay(order: PaymentOrder): Promise<Paid> {
  const body = { ...order.body, browser: thisBrowser() }
  await collectDeviceData(order.token, body)
  const answer = paymentAnswer(await post(order.path, body))
  return answer?.statusCode === AUTHORISING ? authenticate(order, answer) : paidOf(answer)
}

/** Continues with an answer that the wallet's sheet received. */
export async function goOn(order: Pick<PaymentOrder, 'token' | 'locale' | 'texts' | 'openOverlay'>, data: unknown) {
  const answer = paymentAnswer(asRecord(data))
  return answer?.statusCode === AUTHORISING ? authenticate(order, answer) : paidOf(answer)
}

async function authenticate(
  order: Pick<PaymentOrder, 'token' | 'locale' | 'texts' | 'openOverlay'>,
  answer: PaymentAnswer,
): Promise<Paid> {
  const ended = await order.openOverlay({
    page: 'three-ds',
    title: order.texts.bankTitle,
    order: challengeOf(order.locale, answer),
  })
  const finished = ended.how === 'finished' ? paymentAnswer(asRecord(ended.data)) : null
  if (finished !== null && finished.statusCode !== AUTHORISING) return paidOf(finished)
  // The challenge ended without an outcome, or the shopper cancelled: the gateway ends the payment, unless it is too late.
  const actionCode = ACTION_CODES[ended.how]
  const failed = { isValidated: false, errorNumber: 0, errorDescription: ended.how, actionCode }
  const body = { paRes: '', transactionId: answer.md, cardinalValidateResponse: failed }
  const paid = paidOf(paymentAnswer(await post(PATHS.threeDsComplete(order.token), body)))
  return 'outcome' in paid && paid.outcome.statusCode === 0 ? { ...paid, tooLate: true } : paid
}

/** Challenge for a payment answer. 3-D Secure 1 has an `acsUrl`; otherwise version 2. */
function challengeOf(locale: string, answer: PaymentAnswer): ChallengeOrder {
  const { stepUpUrl, jwt, paReq, md, acsUrl, termUrl } = answer
  if (acsUrl !== '')
    return { locale, action: onThisHost(acsUrl), fields: { PaReq: paReq, MD: md, TermUrl: onThisHost(termUrl) } }
  return { locale, action: onThisHost(stepUpUrl), fields: { JWT: jwt || paReq, MD: md } }
}

function paidOf(answer: PaymentAnswer | null): Paid {
  if (answer === null || answer.statusCode === AUTHORISING) return { rejected: UNKNOWN_OUTCOME }
  const { statusCode, authCode, message, reason } = answer
  if (isRefusal(answer)) return { rejected: { statusCode, message } }
  return { outcome: { statusCode, authCode, message, reason } }
}

function asRecord(data: unknown): Readonly<Record<string, unknown>> | null {
  return typeof data === 'object' && data !== null ? (data as Readonly<Record<string, unknown>>) : null
}

// src/api/operations/online/online-payments.ts — payments from a web shop's server: read, resume, pay by cross-reference.

import { Type } from 'typebox'
import { CARD_SCHEMES, type SecurityCode } from '../../../domain/card-number.ts'
import { isLinked } from '../../../domain/online/access-token.ts'
import type { OnlinePayment } from '../../../domain/online/payment.ts'
import type { Submission } from '../../../domain/online/payment-events.ts'
import { readToken } from '../../../services/online/tokens.ts'
import { securityCodeFault } from '../../online/card-faults.ts'
import { codeFor } from '../../online/card-request.ts'
import { readFields } from '../../online/fields.ts'
import { outcomeBody, paymentBody } from '../../online/payment-view.ts'
import { OUTCOME, PAYMENT } from '../../online/schemas.ts'
import { crossReferenceSubmission } from '../../online/submission.ts'
import { type AccountRequestContext, type Answer, shopOperation } from '../../operation.ts'
import { refusedFor } from '../../read/field-fault.ts'
import { accountPayment } from './access-tokens.ts'

/** Longest wait for the acquirer, in milliseconds. Callers time out after thirty seconds. */
const OUTCOME_WAIT_MS = 25_000
/** The same for a resume, which then answers with the state. */
const RESUME_WAIT_MS = 9_000
const LONGEST_REFERENCE = 64

export const getPayment = shopOperation({
  name: 'getPayment',
  summary: 'Read the payment made with an access token',
  description: 'The authoritative outcome; pages and webhooks are hints. 404 until the token is used.',
  tag: 'Online payments',
  area: 'shop',
  method: 'GET',
  path: '/v1/payments/{token}',
  responses: { 200: { description: 'The payment as it is.', schema: PAYMENT } },
  refusals: ['access_token_unknown', 'payment_unknown'],
  async run(context, { params }) {
    if (readToken(params.token) === null) return { refused: { code: 'access_token_unknown' } }
    const payment = await accountPayment(context, params.token)
    const body = payment === null ? null : paymentBody(payment)
    return body === null ? { refused: { code: 'payment_unknown' } } : { status: 200, body }
  },
})

export const resumePayment = shopOperation({
  name: 'resumePayment',
  summary: 'Resume a paused payment',
  description:
    'Once, within fifteen minutes after status 99. When the acquirer does not answer within nine seconds, the answer is the state, ' +
    '40: read the payment, or wait for the webhook.',
  tag: 'Online payments',
  area: 'shop',
  method: 'POST',
  path: '/v1/payments/{token}/resume',
  responses: { 200: { description: 'The outcome.', schema: OUTCOME } },
  refusals: ['access_token_unknown', 'payment_not_paused'],
  async run(context, { params }) {
    const payment = await accountPayment(context, params.token)
    if (payment === null) return { refused: { code: 'access_token_unknown' } }
    const executed = await context.api.online.resume({ account: context.account.id, id: payment.id })
    if ('refused' in executed) return executed
    return { status: 200, body: outcomeBody(await ended(context, payment, RESUME_WAIT_MS)) }
  },
})

export const payByCrossReference = shopOperation({
  name: 'payByCrossReference',
  summary: 'Pay, collect, refund or void with an earlier payment',
  description:
    'Uses the access token up. COLLECTION, REFUND and VOID apply to the earlier payment; SALE and PREAUTH use its card again, ' +
    'without the payer.',
  tag: 'Online payments',
  area: 'shop',
  method: 'POST',
  path: '/v1/cross-reference-payments/{token}',
  body: {
    schema: Type.Object({
      crossReference: Type.String(),
      cv2: Type.Optional(Type.String({ writeOnly: true, description: 'For shops that may handle security codes.' })),
    }),
    examples: { refund: { crossReference: '6100000000000000000001' } },
  },
  responses: { 200: { description: 'The outcome.', schema: OUTCOME } },
  refusals: [
    'online_field_invalid',
    'cross_reference_unknown',
    'access_token_unknown',
    'access_token_spent',
    'transaction_type_invalid',
    'outcome_unknown',
  ],
  async run(context, { params, json }) {
    const payment = await accountPayment(context, params.token)
    if (payment === null) return { refused: { code: 'access_token_unknown' } }
    const sent = await json()
    if ('refused' in sent) return sent
    const read = readFields(sent.value, fields => ({
      crossReference: fields.required('crossReference', LONGEST_REFERENCE),
      cv2: fields.optional('cv2', LONGEST_REFERENCE),
    }))
    if ('invalid' in read) return refusedFor(read, 'online_field_invalid')
    const intercepted = context.api.interceptor.payment(context.request)
    if ('refused' in intercepted) return intercepted
    if (payment.token === 'issued') intercepted.begins(payment)
    return pay(context, payment, read.value)
  },
})

async function pay(
  context: AccountRequestContext,
  payment: OnlinePayment,
  { crossReference, cv2 }: { readonly crossReference: string; readonly cv2: string | null },
): Promise<Answer> {
  const { api, account } = context
  const { order, token } = payment
  if (token !== 'issued') return { refused: { code: 'access_token_spent' } }
  // An account verification needs the payer present.
  if (order.transactionType === 'ACCOUNT_VERIFICATION') return { refused: { code: 'transaction_type_invalid' } }
  if (order.crossReference !== null && order.crossReference !== crossReference)
    return { refused: { code: 'cross_reference_unknown' } }
  const original = await api.online.referred(account.id, crossReference)
  if (original === null || !isSubmitted(original)) return { refused: { code: 'cross_reference_unknown' } }
  let code: SecurityCode | null = null
  // Collections, refunds and voids do not use a security code.
  if (cv2 !== null && !isLinked(order.transactionType)) {
    code = codeFor(original.submission.card.scheme, cv2)
    if (code === null) return refusedFor(securityCodeFault('cv2', cv2), 'online_field_invalid')
  }
  const prior = await api.online.priorAuthentication(payment, original)
  const submission = crossReferenceSubmission(payment, original, code !== null, prior)
  const executed = await api.online.submit(payment, submission, code)
  return 'refused' in executed ? executed : outcomeOf(context, payment)
}

export function isSubmitted(payment: OnlinePayment): payment is OnlinePayment & { readonly submission: Submission } {
  return payment.submission !== null
}

async function outcomeOf(context: AccountRequestContext, payment: OnlinePayment): Promise<Answer> {
  const record = await endOf(context, payment)
  return record.progress === 'final'
    ? { status: 200, body: outcomeBody(record) }
    : { refused: { code: 'outcome_unknown' } }
}

/** The payment once it has ended, or as it is when a caller has waited long enough. */
export function endOf(context: AccountRequestContext, payment: OnlinePayment): Promise<OnlinePayment> {
  return ended(context, payment, OUTCOME_WAIT_MS)
}

/** The payment once it has ended; after `limitMs`, in milliseconds, as it is. */
function ended(
  { api, account }: AccountRequestContext,
  { id }: OnlinePayment,
  limitMs: number,
): Promise<OnlinePayment> {
  // Booked as well: whoever is told of a void reads it in the payment that was voided.
  return api.online.until(
    { account: account.id, id },
    ({ progress, reservation }) => progress === 'final' && reservation !== 'reserved',
    limitMs,
  )
}

export const listPaymentMethods = shopOperation({
  name: 'listPaymentMethods',
  summary: 'List the accepted cards and wallets',
  tag: 'Online payments',
  area: 'shop',
  method: 'GET',
  path: '/v1/payment-methods',
  responses: {
    200: {
      description: 'Wallets are listed when they are configured.',
      schema: Type.Object({ cardSchemes: Type.Array(Type.String()), wallets: Type.Array(Type.String()) }),
      example: { cardSchemes: CARD_SCHEMES, wallets: [] },
    },
  },
  run: ({ api, account }) => ({
    status: 200,
    body: { cardSchemes: CARD_SCHEMES, wallets: api.wallets?.offered(account.id) ?? [] },
  }),
})

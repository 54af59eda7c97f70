// src/api/operations/management/payment-operations.ts — management API: refunds, collections and voids of online payments. ADR 81.
import { Type } from 'typebox'
import { holdsCardNumber } from '../../../domain/card-numbers.ts'
import type { LinkedType } from '../../../domain/online/access-token.ts'
import { type OnlinePayment, statusOf } from '../../../domain/online/payment.ts'
import { MAY_BE_CARD } from '../../../domain/refusals.ts'
import type { IssueOrder } from '../../../services/online/payments.ts'
import { MANAGED_PAYMENT, managedPayment } from '../../management-payment-views.ts'
import { crossReferenceSubmission } from '../../online/submission.ts'
import { type AccountRequestContext, accountOperation } from '../../operation.ts'
import type { Refused } from '../../read/json-body.ts'
import { oneOf, plainText } from '../../schemas.ts'
import { endOf, isSubmitted } from '../online/online-payments.ts'
import { keyOfPayment } from './managed-payments.ts'

/** As in requests for access tokens. */
const LONGEST_ID = 64

const ORDER = Type.Object(
  {
    transactionType: oneOf(['REFUND', 'COLLECTION', 'VOID'] satisfies LinkedType[]),
    amountMinor: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: 9_999_999_999_999,
        description: 'In minor units, for a REFUND or a COLLECTION. A VOID undoes the payment as a whole and has none.',
      }),
    ),
    merchantTransactionId: plainText(LONGEST_ID, {
      description:
        'Chosen by the caller. A repeated request with it starts nothing more, and is answered with the same payment.',
    }),
  },
  { additionalProperties: false },
)

const AN_AMOUNT = 'is missing: a REFUND and a COLLECTION need one'
const NO_AMOUNT = 'is not for a VOID, which undoes the payment as a whole'

interface Wanted {
  readonly type: LinkedType
  readonly amountMinor: number
  readonly merchantTransactionId: string
}

const A_REFUND = {
  id: '019dfd62d9188725e3f7185d710ee704008a953eba259e341be1b61f2a28ad1f',
  transactionType: 'REFUND',
  amountMinor: 500,
  currency: 'GBP',
  orderId: 'A-1001',
  merchantTransactionId: 'refund-A-1001-1',
  statusCode: 0,
  message: 'AuthCode: 1GB93G',
  reason: null,
  verdict: { final: true, moneyTaken: 'yes', safeToRetry: false, nextStep: 'record_refund' },
  token: 'used',
  progress: 'final',
  authentication: 'none',
  money: 'approved',
  card: { number: '520000******0056', scheme: 'MASTERCARD' },
  submittedBy: 'cross_reference',
  crossReference: '3912028185560937503043',
  authCode: '1GB93G',
  declineReason: null,
  operations: [],
  partner: { softwareHouseId: null, installerId: null },
  closure: null,
  lateAnswer: null,
  createdAt: '2026-05-06T13:03:27.000Z',
  submittedAt: '2026-05-06T13:03:27.000Z',
  finishedAt: '2026-05-06T13:03:27.000Z',
  version: 8,
}

export const addPaymentOperation = accountOperation({
  name: 'addPaymentOperation',
  summary: 'Refund, collect or void an online payment',
  description:
    'Does what the shop’s server does with POST /v1/cross-reference-payments, by the same rules, for somebody who has no JWT. The answer is a payment of ' +
    'its own, whose webhook goes to the address of the first payment’s token; it is answered after 25 seconds at the latest, as it is then.',
  tag: 'Payments',
  area: 'management',
  method: 'POST',
  path: '/api/payments/{token}/operations',
  right: 'operate',
  body: {
    schema: ORDER,
    examples: {
      'a part of it': { transactionType: 'REFUND', amountMinor: 500, merchantTransactionId: 'refund-A-1001-1' },
      'of a pre-authorisation': {
        transactionType: 'COLLECTION',
        amountMinor: 5000,
        merchantTransactionId: 'take-A-1002',
      },
      'as if it had not been': { transactionType: 'VOID', merchantTransactionId: 'void-A-1003' },
    },
  },
  responses: { 200: { description: 'The refund, collection or void.', schema: MANAGED_PAYMENT, example: A_REFUND } },
  headers: ['Tollgate-Scenario'],
  refusals: ['payment_unknown', 'payment_not_successful', 'merchant_transaction_taken'],
  async run(context, { params, body }) {
    const { api, request } = context
    const read = await body()
    if ('refused' in read) return read
    const { transactionType: type, amountMinor, merchantTransactionId } = read.value
    if (holdsCardNumber(merchantTransactionId))
      return { refused: { code: 'field_invalid', field: 'merchantTransactionId', detail: MAY_BE_CARD } }
    if ((type === 'VOID') === (amountMinor !== undefined))
      return {
        refused: { code: 'field_invalid', field: 'amountMinor', detail: type === 'VOID' ? NO_AMOUNT : AN_AMOUNT },
      }
    const original = (await api.online.findById(keyOfPayment(context, params.token)))?.record ?? null
    if (original === null) return { refused: { code: 'payment_unknown' } }
    if (!isSubmitted(original) || statusOf(original) !== 0) return { refused: { code: 'payment_not_successful' } }
    const intercepted = api.interceptor.payment(request)
    if ('refused' in intercepted) return intercepted
    const wanted = { type, amountMinor: amountMinor ?? original.order.amountMinor, merchantTransactionId }
    const payment = await issuedOnce(context, original, wanted)
    if ('refused' in payment) return payment
    if (payment.token === 'issued') {
      intercepted.begins(payment)
      const submission = crossReferenceSubmission(payment, original, false, null)
      const executed = await api.online.submit(payment, submission, null)
      // The same request may have submitted it at the same time.
      if ('refused' in executed && executed.refused.code !== 'access_token_spent') return executed
    }
    return { status: 200, body: managedPayment(await endOf(context, payment)) }
  },
})

/** The payment for this operation: a new one, or the one that a request with the same id has made before. */
async function issuedOnce(
  { api, account }: AccountRequestContext,
  original: OnlinePayment,
  wanted: Wanted,
): Promise<OnlinePayment | Refused> {
  const issued = await api.online.issue(account.id, orderOf(original, wanted))
  if (!('refused' in issued)) return issued.record
  if (issued.refused.code !== 'merchant_transaction_taken') return issued
  const before = await api.online.ordered(account.id, wanted.merchantTransactionId)
  return before !== null && isSame(before, original, wanted) ? before : issued
}

function isSame({ order }: OnlinePayment, { crossReference }: OnlinePayment, { type, amountMinor }: Wanted): boolean {
  return order.crossReference === crossReference && order.transactionType === type && order.amountMinor === amountMinor
}

/** The order of the first payment, for an operation on it. */
function orderOf(
  { order: { webHook, ...order }, crossReference }: OnlinePayment,
  { type, amountMinor, merchantTransactionId }: Wanted,
): IssueOrder {
  return {
    ...order,
    ...{ transactionType: type, amountMinor, merchantTransactionId, crossReference },
    ...{ newTransaction: false, waitPreExecute: false },
    ...{ paymentMethodId: null, previousTransactionId: null, cofSetup: null },
    webHookUrl: webHook?.url ?? null,
  }
}

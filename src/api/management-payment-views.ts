// src/api/management-payment-views.ts — online payments as the management API shows them.
import { type Static, Type } from 'typebox'
import { currencyOf } from '../domain/currency.ts'
import { ONLINE_TYPES } from '../domain/online/access-token.ts'
import { type OnlinePayment, reasonOf, statusOf } from '../domain/online/payment.ts'
import { PAYMENT_STEPS, type PaymentStep, paymentVerdictOf } from '../domain/online/payment-verdict.ts'
import { utcTimeOf } from './local-time.ts'
import { messageOf } from './online/payment-view.ts'
import { REASON } from './online/schemas.ts'
import { nullable, oneOf, TIME } from './schemas.ts'

const PAYMENT_VERDICT = Type.Object(
  {
    final: Type.Boolean({ description: 'Nothing about outcome or money can change any more.' }),
    moneyTaken: oneOf(['yes', 'no', 'unknown']),
    safeToRetry: Type.Boolean({ description: 'Asking for the same again cannot lead to a second charge.' }),
    nextStep: oneOf(Object.keys(PAYMENT_STEPS) as PaymentStep[], {
      description: Object.entries(PAYMENT_STEPS)
        .map(([step, meaning]) => `\`${step}\`: ${meaning}`)
        .join(' '),
    }),
  },
  { $id: 'PaymentVerdict' },
)

const CLOSURE = Type.Object(
  { outcome: oneOf(['taken', 'not_taken']), operator: Type.String(), reason: Type.String(), at: TIME },
  { description: 'What an operator has said of the payment, because its acquirer did not.' },
)

const LATE_ANSWER = Type.Object(
  {
    answer: oneOf(['approved', 'declined', 'reversed']),
    agrees: Type.Boolean({ description: 'False: the acquirer says otherwise than the operator.' }),
    at: TIME,
  },
  { description: 'What the acquirer has said after that.' },
)

export const OWN_PAYMENT = Type.Object(
  {
    id: Type.String({ description: 'A hash of the access token, which itself is not kept.' }),
    transactionType: oneOf(ONLINE_TYPES),
    amountMinor: Type.Integer({ description: 'Of a VOID: what it undoes, whatever amount it was asked with.' }),
    currency: Type.String({ description: 'ISO 4217, three letters.' }),
    orderId: Type.String(),
    merchantTransactionId: nullable(Type.String()),
    statusCode: nullable(Type.Integer({ description: 'As the shop reads it; null: not paid yet.' })),
    message: Type.String(),
    reason: nullable(REASON),
    verdict: PAYMENT_VERDICT,
    token: Type.String(),
    progress: Type.String(),
    authentication: Type.String(),
    money: Type.String({
      description: 'What the acquirer has said of this payment. What was voided or refunded since: `operations`.',
    }),
    card: nullable(
      Type.Object({ number: Type.String({ description: 'First six and last four digits.' }), scheme: Type.String() }),
    ),
    submittedBy: nullable(Type.String()),
    crossReference: Type.String(),
    authCode: Type.String(),
    declineReason: nullable(Type.String()),
    operations: Type.Array(
      Type.Object({
        payment: Type.String(),
        transactionType: Type.String(),
        amountMinor: Type.Integer(),
        state: Type.String(),
      }),
      { description: 'What works on this payment: collections, refunds, voids.' },
    ),
    partner: Type.Object(
      { softwareHouseId: nullable(Type.String()), installerId: nullable(Type.String()) },
      { description: 'As the shop’s server has said when it made the token.' },
    ),
    closure: nullable(CLOSURE),
    lateAnswer: nullable(LATE_ANSWER),
    createdAt: TIME,
    submittedAt: nullable(TIME),
    finishedAt: nullable(TIME),
    version: Type.Integer(),
  },
  { $id: 'PaymentRecord' },
)

export function ownPaymentView(record: OnlinePayment): Static<typeof OWN_PAYMENT> {
  const { order, submission } = record
  const { transactionType, amountMinor, orderId, merchantTransactionId } = order
  const { id, token, progress, authentication, money, crossReference, authCode, declineReason, version } = record
  const statusCode = statusOf(record)
  return {
    ...{ id, transactionType, amountMinor: record.undoesMinor ?? amountMinor },
    currency: currencyOf(order.currencyCode)?.code ?? order.currencyCode,
    ...{
      orderId,
      merchantTransactionId,
      statusCode,
      message: statusCode === null ? '' : messageOf(record, statusCode),
    },
    reason: reasonOf(record),
    verdict: paymentVerdictOf(record),
    ...{ token, progress, authentication, money },
    card: submission === null ? null : { number: submission.card.masked, scheme: submission.card.scheme },
    submittedBy: submission?.by ?? null,
    ...{ crossReference, authCode, declineReason },
    operations: record.entries.map(({ by, type, amountMinor: sum, state }) => ({
      ...{ payment: by, transactionType: type, amountMinor: sum, state },
    })),
    partner: order.partner ?? { softwareHouseId: null, installerId: null },
    ...sayingsOf(record),
    createdAt: utcTimeOf(record.createdAt),
    submittedAt: record.submittedAt === null ? null : utcTimeOf(record.submittedAt),
    finishedAt: record.finishedAt === null ? null : utcTimeOf(record.finishedAt),
    version,
  }
}

function sayingsOf({ closure, lateAnswer }: OnlinePayment) {
  return {
    closure: closure === undefined ? null : { ...closure, at: utcTimeOf(closure.at) },
    lateAnswer: lateAnswer === undefined ? null : { ...lateAnswer, at: utcTimeOf(lateAnswer.at) },
  }
}

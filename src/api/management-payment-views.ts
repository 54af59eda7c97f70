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
    final: Type.Boolean({ description: 'The outcome and the money can no longer change.' }),
    moneyTaken: oneOf(['yes', 'no', 'unknown']),
    safeToRetry: Type.Boolean({ description: 'A retry cannot lead to a second charge.' }),
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
  { description: 'Outcome entered by an operator, because the acquirer did not answer.' },
)

const LATE_ANSWER = Type.Object(
  {
    answer: oneOf(['approved', 'declined', 'reversed']),
    agrees: Type.Boolean({ description: 'False: the acquirer contradicts the operator.' }),
    at: TIME,
  },
  { description: 'Later answer of the acquirer.' },
)

export const MANAGED_PAYMENT = Type.Object(
  {
    id: Type.String({ description: 'Hash of the access token, which itself is not stored.' }),
    transactionType: oneOf(ONLINE_TYPES),
    amountMinor: Type.Integer({ description: 'For a VOID: the voided amount, whatever amount the token has.' }),
    currency: Type.String({ description: 'ISO 4217, three letters.' }),
    orderId: Type.String(),
    merchantTransactionId: nullable(Type.String()),
    statusCode: nullable(Type.Integer({ description: 'Status for the shop; null: not paid yet.' })),
    message: Type.String(),
    reason: nullable(REASON),
    verdict: PAYMENT_VERDICT,
    token: Type.String(),
    progress: Type.String(),
    authentication: Type.String(),
    money: Type.String({
      description: 'Answer of the acquirer to this payment. Later voids and refunds: `operations`.',
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
      { description: 'Operations on this payment: collections, refunds, voids.' },
    ),
    partner: Type.Object(
      { softwareHouseId: nullable(Type.String()), installerId: nullable(Type.String()) },
      { description: 'As sent by the shop’s server with the token request.' },
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

export function managedPayment(record: OnlinePayment): Static<typeof MANAGED_PAYMENT> {
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

// src/api/online/payment-view.ts — the payment as a shop's server reads it.

import { expiryText } from '../../domain/card-number.ts'
import { NO_ADDRESS } from '../../domain/online/access-token.ts'
import { type OnlinePayment, STATUS_NAMES, type StatusCode, statusOf } from '../../domain/online/payment.ts'

/** Body of the answer to requests that pay or resume. */
export function outcomeBody(record: OnlinePayment) {
  const statusCode = statusOf(record) ?? 30
  return { statusCode, authCode: record.authCode, message: messageOf(record, statusCode) }
}

/** Returns the message of a payment: `AuthCode: 123456` on success, otherwise a short reason. */
export function messageOf(record: OnlinePayment, statusCode: StatusCode): string {
  return record.message === '' ? STATUS_NAMES[statusCode] : record.message
}

/** Body of a payment. Null when the access token was not used. */
export function paymentBody(record: OnlinePayment) {
  const statusCode = statusOf(record)
  if (statusCode === null) return null
  const { submission, order } = record
  const card = submission?.card
  const used = submission !== null
  const metaData = submission === null ? null : submission.metaData
  return {
    transactionDateTime: dateTimeText(record.finishedAt ?? record.submittedAt ?? record.createdAt),
    statusCode,
    message: messageOf(record, statusCode),
    crossReference: record.crossReference,
    authCode: record.authCode,
    cardNumber: card?.masked ?? '',
    cardName: card?.holder ?? '',
    expiryDate: card === undefined ? '' : expiryText(card.expiry),
    cardType: card?.scheme ?? '',
    billingAddress: submission?.billingAddress ?? NO_ADDRESS,
    shippingDetails: submission?.shippingDetails ?? { name: '', address: NO_ADDRESS },
    userEmailAddress: submission?.emailAddress ?? '',
    userPhoneNumber: submission?.phoneNumber ?? '',
    ...(used && metaData !== null && Object.keys(metaData).length > 0 ? { metaData } : {}),
    ...(record.paymentMethodId === null && order.paymentMethodId === null
      ? {}
      : { paymentMethodId: record.paymentMethodId ?? order.paymentMethodId }),
  }
}

/** Formats epoch milliseconds as `2026-03-04 10:15:30.123000 +0000 UTC`, which the field has despite being named ISO 8601. */
function dateTimeText(at: number): string {
  return new Date(at).toISOString().replace('T', ' ').replace('Z', '000 +0000 UTC')
}

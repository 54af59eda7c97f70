// src/api/socket/payment.ts — a counter transaction as a JSON-RPC result: the REST body without id, address and notifications.
import type { TerminalTransaction } from '../../domain/counter/transaction.ts'
import type { JsonObject } from '../read/json-body.ts'
import { transactionBody } from '../transaction-body.ts'

/** Result of a finished transaction. @param timeZone time zone of the site */
export function paymentOf(record: TerminalTransaction, timeZone: string): JsonObject {
  const { requestId, location, notifications, cardHolderVerificationMethod, ...told } = bodyOf(record, timeZone)
  return { tid: record.tid, ...told }
}

/** Result of a duplicate: with the customer receipt only, and without `userMessage`. */
export function repeatedPaymentOf(record: TerminalTransaction, timeZone: string): JsonObject {
  const { userMessage, ...told } = paymentOf(record, timeZone)
  return { ...told, receiptLines: { CUSTOMER: record.receipts.CUSTOMER } }
}

/** Params of a signature request. `timeout` is in seconds. */
export function signatureQuestionOf(record: TerminalTransaction): JsonObject {
  const { card, authCode, limits, receipts, request, tid } = record
  return {
    timeout: Math.floor(limits.signatureMs / 1_000),
    tid,
    transactionType: request.transactionType,
    authCode,
    applicationId: card.applicationId,
    applicationLabel: card.applicationLabel,
    paymentMethod: card.paymentMethod,
    cardholderVerificationMethod: card.cardholderVerificationMethod,
    primaryAccountNumber: card.primaryAccountNumber,
    receiptLines: { MERCHANT: receipts.MERCHANT },
  }
}

function bodyOf(record: TerminalTransaction, timeZone: string) {
  return transactionBody(record, '', timeZone)
}

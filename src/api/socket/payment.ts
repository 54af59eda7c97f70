// src/api/socket/payment.ts — a counter transaction as it is told over JSON-RPC: the facts are those of the other
// interface, without what only a reader of addresses needs. Terminal socket reference 4.4 and 5.8.
import type { TerminalTransaction } from '../../domain/counter/transaction.ts'
import type { JsonObject } from '../read/json-body.ts'
import { transactionBody } from '../transaction-body.ts'

/** The result of a transaction that has ended. `timeZone` is that of the site. */
export function paymentOf(record: TerminalTransaction, timeZone: string): JsonObject {
  const { requestId, location, notifications, cardHolderVerificationMethod, ...told } = bodyOf(record, timeZone)
  return { tid: record.tid, ...told }
}

/** The result of a duplicate: the customer's receipt only, and nothing that was to be said at the end of the payment. */
export function repeatedPaymentOf(record: TerminalTransaction, timeZone: string): JsonObject {
  const { userMessage, ...told } = paymentOf(record, timeZone)
  return { ...told, receiptLines: { CUSTOMER: record.receipts.CUSTOMER } }
}

/** What the cashier must know to check a signature. */
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

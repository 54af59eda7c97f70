// src/api/socket/transaction-result.ts — a counter transaction as a JSON-RPC result: the REST body without id, address and notifications.
import type { TerminalTransaction } from '../../domain/counter/transaction.ts'
import type { JsonObject } from '../read/json-body.ts'
import { transactionBody } from '../transaction-body.ts'
import type { Caller } from './method.ts'

/** Result of a finished transaction. */
export function paymentOf(record: TerminalTransaction, caller: Pick<Caller, 'account' | 'wantsIds'>): JsonObject {
  const body = transactionBody(record, '', caller.account.timeZone)
  const { requestId, location, notifications, cardHolderVerificationMethod, ...members } = body
  return { tid: record.tid, ...members, ...idsOf(record, caller) }
}

/** Result of a duplicate: with the customer receipt only, and without `userMessage`. */
export function repeatedPaymentOf(...transaction: Parameters<typeof paymentOf>): JsonObject {
  const [record] = transaction
  const { userMessage, ...members } = paymentOf(...transaction)
  return { ...members, receiptLines: { CUSTOMER: record.receipts.CUSTOMER } }
}

/** Params of a signature request. `timeout` is in seconds. */
export function signatureRequestOf(record: TerminalTransaction): JsonObject {
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

/** Ids of a transaction, for tills that connected with the flag `transaction-ids`. Not in the published schemas. */
export function idsOf(
  { requestId, rpcId }: TerminalTransaction,
  { wantsIds }: Pick<Caller, 'wantsIds'>,
): Readonly<Record<string, unknown>> {
  return wantsIds ? { requestId, rpcId } : {}
}

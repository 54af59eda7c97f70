// src/api/transaction-body.ts — the body of a counter transaction for tills, in the newest version.
// It has more members with each stage.
import { type Static, Type } from 'typebox'
import type { Notification } from '../domain/counter/notifications.ts'
import { type TerminalTransaction, totalMinorOf } from '../domain/counter/transaction.ts'
import { userMessageOf } from '../domain/counter/user-messages.ts'
import { TERMINAL_CURRENCIES } from '../domain/money.ts'
import { localTimeOf } from './local-time.ts'
import { oneOf, RECEIPT_LINES } from './schemas.ts'
import { RESULT_TYPES } from './transaction-types.ts'

const TEXT = Type.Optional(Type.String())
const AMOUNT = Type.Optional(Type.Integer({ description: 'Minor units. After the end.' }))
const VERIFICATION = Type.Optional(oneOf(['UNKNOWN', 'NONE', 'PIN', 'SIGNATURE', 'DEVICE']))

export const TRANSACTION = Type.Object(
  {
    requestId: Type.String(),
    location: Type.String({ format: 'uri', description: 'This transaction.' }),
    notifications: Type.Array(Type.Unsafe<Notification>({ type: 'string' }), {
      description: 'Notifications, newest first. TRANSACTION_FINISHED is the last.',
    }),
    transactionType: Type.Optional(
      oneOf(RESULT_TYPES, {
        description: 'From the signature stage on.',
      }),
    ),
    transactionResult: Type.Optional(
      oneOf(['SUCCESSFUL', 'DECLINED', 'VOID', 'UNSUCCESSFUL', 'CANCELLED', 'TIMED_OUT'], {
        description: 'Absent until the end.',
      }),
    ),
    currency: Type.Optional(oneOf(TERMINAL_CURRENCIES)),
    amountBase: AMOUNT,
    amountCashback: AMOUNT,
    amountGratuity: AMOUNT,
    amountTotal: Type.Optional(
      Type.Integer({ description: 'Sum of the three, minor units; 0 if no card was read. After the end.' }),
    ),
    authCode: TEXT,
    applicationId: TEXT,
    applicationLabel: TEXT,
    cardSchemeName: TEXT,
    cardholderVerificationMethod: VERIFICATION,
    cardHolderVerificationMethod: VERIFICATION,
    paymentMethod: Type.Optional(oneOf(['UNKNOWN', 'KEYED', 'SWIPED', 'ICC_CHIP', 'CONTACTLESS'])),
    primaryAccountNumber: Type.Optional(Type.String({ description: 'Twelve stars and the last four digits.' })),
    primaryAccountNumberSequence: TEXT,
    dateOfStart: Type.Optional(Type.String({ description: 'MM/YY' })),
    dateOfExpiry: Type.Optional(Type.String({ description: 'MM/YY' })),
    transactionId: TEXT,
    transactionNumber: TEXT,
    transactionTime: Type.Optional(Type.String({ description: 'Local time of the site, YYYY-MM-DDThh:mm:ss.' })),
    receiptLines: Type.Optional(
      Type.Object({
        MERCHANT: Type.Optional(RECEIPT_LINES),
        CUSTOMER: Type.Optional(RECEIPT_LINES),
      }),
    ),
    userMessage: Type.Optional(Type.String({ description: 'Show it to the cashier at the end, when present.' })),
  },
  { $id: 'Transaction' },
)
export type TransactionBody = Static<typeof TRANSACTION>

/**
 * Builds the body of a transaction. That of a finished transaction depends on nothing that can still change.
 * @param location address of the transaction
 * @param timeZone time zone of the site
 */
export function transactionBody(record: TerminalTransaction, location: string, timeZone: string): TransactionBody {
  const inProgress = {
    requestId: record.requestId,
    location,
    // Clients read element 0 as the current state, and stop when it is TRANSACTION_FINISHED.
    notifications: record.notifications.toReversed(),
  }
  if (record.progress === 'finished') return { ...inProgress, ...finishedFields(record, timeZone) }
  if (record.signature === null) return inProgress
  // Card data is sent from the signature stage on. See docs/versions.md.
  return { ...inProgress, ...signatureFields(record), receiptLines: { MERCHANT: record.receipts.MERCHANT } }
}

function signatureFields(record: TerminalTransaction): Partial<TransactionBody> {
  const { card, authCode } = record
  return {
    ...typeOf(record),
    authCode,
    applicationId: card.applicationId,
    applicationLabel: card.applicationLabel,
    // Both spellings are in use.
    cardholderVerificationMethod: card.cardholderVerificationMethod,
    cardHolderVerificationMethod: card.cardholderVerificationMethod,
    paymentMethod: card.paymentMethod,
    primaryAccountNumber: card.primaryAccountNumber,
  }
}

function finishedFields(record: TerminalTransaction, timeZone: string): Partial<TransactionBody> {
  const { card, amounts, receipts, messages, tid, repeated, result, request } = record
  const userMessage = userMessageOf(messages, tid)
  return {
    ...signatureFields(record),
    ...(result === null ? {} : { transactionResult: result }),
    currency: request.currency,
    amountBase: amounts.baseMinor,
    amountCashback: amounts.cashbackMinor,
    amountGratuity: amounts.gratuityMinor,
    amountTotal: totalMinorOf(record),
    cardSchemeName: card.cardSchemeName,
    primaryAccountNumberSequence: card.primaryAccountNumberSequence,
    dateOfStart: card.dateOfStart,
    dateOfExpiry: card.dateOfExpiry,
    transactionId: record.transactionId,
    transactionNumber: record.transactionNumber,
    transactionTime: localTimeOf(repeated?.endedAt ?? record.finishedAt ?? record.startedAt, timeZone),
    receiptLines: { ...receipts },
    ...(userMessage === '' ? {} : { userMessage }),
  }
}

/** A DUPLICATE has the type of the repeated transaction, or none without one. Answers never have the type DUPLICATE. */
function typeOf({ request, repeated }: TerminalTransaction): Pick<TransactionBody, 'transactionType'> {
  if (request.transactionType !== 'DUPLICATE') return { transactionType: request.transactionType }
  return repeated === null ? {} : { transactionType: repeated.transactionType }
}

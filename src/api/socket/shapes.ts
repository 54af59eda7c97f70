// src/api/socket/shapes.ts — schemas shared by WebSocket messages, in the newest version, without additional properties.
import { type TSchema, Type } from 'typebox'
import { TERMINAL_CURRENCIES } from '../../domain/money.ts'
import { LINE_FORMATS, LINE_TYPES } from '../../domain/receipt.ts'
import { oneOf } from '../schemas.ts'
import { RESULT_TYPES } from '../transaction-types.ts'

/** Schema of an object without additional properties. */
export function exactly<P extends Record<string, TSchema>>(properties: P) {
  return Type.Object(properties, { additionalProperties: false })
}

export const TID = Type.String({ default: 'N/A', description: 'Terminal id.' })
const CURRENCY = oneOf(TERMINAL_CURRENCIES)

/** Params of most methods. */
export const TID_ONLY = exactly({ tid: TID })

export const TERMINAL = exactly({
  tid: TID,
  currency: CURRENCY,
  status: oneOf(['AVAILABLE', 'BUSY'], { description: 'Also BUSY while a signature awaits a decision.' }),
})

export const LINES = Type.Array(
  exactly({
    value: Type.String({ description: 'Text, laid out for 24 columns; empty for separators and feeds.' }),
    type: Type.Optional(oneOf(LINE_TYPES)),
    format: Type.Optional(Type.Array(oneOf(LINE_FORMATS))),
  }),
  { description: 'In print order.' },
)

export const LOCAL_TIME = Type.String({
  pattern: '^\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d$',
  description: 'Local time of the site, YYYY-MM-DDThh:mm:ss.',
})

const AMOUNT = Type.Integer({ minimum: 0, description: 'Minor units.' })
const MONTH = Type.String({ pattern: '^(\\d\\d/\\d\\d)?$', description: 'MM/YY, or empty.' })

/** Members that are known from the signature stage on. */
const CARD = {
  transactionType: oneOf([...RESULT_TYPES, 'SALE_REVERSAL', 'REFUND_REVERSAL', 'LOGON']),
  authCode: Type.String({ description: 'Empty if not authorised.' }),
  paymentMethod: oneOf(['UNKNOWN', 'KEYED', 'SWIPED', 'ICC_CHIP', 'CONTACTLESS']),
  cardholderVerificationMethod: oneOf(['UNKNOWN', 'NONE', 'PIN', 'SIGNATURE', 'DEVICE']),
  applicationId: Type.String({ default: '' }),
  applicationLabel: Type.String(),
  primaryAccountNumber: Type.String({ description: 'Twelve stars and the last four digits.' }),
}

export const SIGNATURE_QUESTION = exactly({
  timeout: Type.Integer({ minimum: 0, description: 'Seconds to answer.' }),
  tid: TID,
  ...CARD,
  receiptLines: exactly({ MERCHANT: LINES }),
})

const PAYMENT_MEMBERS = {
  tid: TID,
  transactionResult: oneOf(['SUCCESSFUL', 'DECLINED', 'VOID', 'UNSUCCESSFUL', 'CANCELLED', 'TIMED_OUT']),
  currency: CURRENCY,
  amountBase: Type.Integer({ minimum: 0, maximum: 99_999_999, default: 0, description: 'Minor units.' }),
  amountCashback: AMOUNT,
  amountGratuity: AMOUNT,
  amountTotal: AMOUNT,
  ...CARD,
  cardSchemeName: Type.String(),
  primaryAccountNumberSequence: Type.String(),
  dateOfExpiry: MONTH,
  dateOfStart: MONTH,
  transactionId: Type.String(),
  transactionNumber: Type.String(),
  transactionTime: LOCAL_TIME,
}

/** Result of a transaction. */
export const PAYMENT = exactly({
  ...PAYMENT_MEMBERS,
  receiptLines: exactly({ MERCHANT: LINES, CUSTOMER: LINES }),
  userMessage: Type.Optional(Type.String({ minLength: 1, description: 'Show it to the cashier at the end.' })),
})

/** Result of a duplicate. */
export const REPEATED_PAYMENT = exactly({ ...PAYMENT_MEMBERS, receiptLines: exactly({ CUSTOMER: LINES }) })

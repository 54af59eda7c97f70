// src/api/socket/table-pushes.ts — the messages to POS table providers, in the newest version.
import { Type } from 'typebox'
import { TERMINAL_CURRENCIES } from '../../domain/money.ts'
import { oneOf } from '../schemas.ts'
import type { PushSchemas, TablePushes } from '../versions/socket-schemas.ts'
import { exactly, TID } from './shapes.ts'

const TIMEOUT = Type.Integer({ minimum: 0, default: 10, description: 'Seconds to answer.' })
const WAITER = Type.Optional(
  Type.String({ description: 'As entered on the terminal; absent when the terminal does not ask for it.' }),
)
const TABLE = Type.String({ description: 'Name of the table, from the till.' })
const CURRENCY = oneOf(TERMINAL_CURRENCIES)
const AMOUNT = Type.Integer({ minimum: 0, description: 'Minor units.' })

const OF_A_TABLE = exactly({ tid: TID, waiterId: WAITER, tableId: TABLE, timeout: TIMEOUT })

/** The published schema. Answers are read leniently, see table-answers.ts. */
const BILL = exactly({
  receiptLines: Type.Array(
    exactly({
      value: Type.String({ description: 'Text, laid out for 24 columns; empty for separators and feeds.' }),
      type: Type.Optional(
        oneOf([
          'TEXT',
          'IMAGE_LOGO',
          'CARRIAGE_RETURN',
          'LINE_SEPARATOR_SINGLE',
          'LINE_SEPARATOR_DOUBLE',
          'TICKET_FEED',
          'BARCODE_CODE25',
          'BARCODE_CODE39',
          'BARCODE_CODE128',
        ]),
      ),
      format: Type.Optional(Type.Array(oneOf(['BOLD', 'DOUBLE_HEIGHT', 'DOUBLE_WIDTH']))),
    }),
    { description: 'In print order.' },
  ),
})

const LOCK = exactly({
  confirmed: Type.Boolean({ description: 'False: the table is not available.' }),
  amount: Type.Optional(
    Type.Integer({ minimum: 0, maximum: 99_999_999, description: 'Open amount, minor units. Required to confirm.' }),
  ),
  currency: Type.Optional(CURRENCY),
})

const PAYMENT = exactly({
  paymentId: Type.String({ description: 'Unique. A till records each payment once and ignores repetitions.' }),
  amountPaid: Type.Integer({ minimum: 0, description: 'With cashback, without gratuity. Minor units.' }),
  amountGratuity: AMOUNT,
  amountCashback: AMOUNT,
  currency: CURRENCY,
  paymentMethod: oneOf(['UNKNOWN', 'KEYED', 'SWIPED', 'ICC_CHIP', 'CONTACTLESS'], {
    description: 'UNKNOWN: not paid by card.',
  }),
  cardSchemeName: Type.String(),
  authCode: Type.String(),
  time: Type.String({ pattern: '^\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\dZ$', description: 'UTC.' }),
})

const PAYMENTS = exactly({
  tid: TID,
  tableId: TABLE,
  waiterId: WAITER,
  currency: CURRENCY,
  amountPaid: Type.Integer({ minimum: 0, description: 'Sum of the payments.' }),
  amountGratuity: AMOUNT,
  amountCashback: AMOUNT,
  payments: Type.Array(PAYMENT, { minItems: 1 }),
})

const BY = { tid: '22160001', waiterId: '12' }
const EXAMPLE_REQUEST = { ...BY, tableId: '7', timeout: 10 }

const EXAMPLE_BILL = {
  receiptLines: [
    { type: 'TEXT', format: ['BOLD'], value: 'Table 7' },
    { type: 'LINE_SEPARATOR_SINGLE', value: '' },
    { type: 'TEXT', value: 'TOTAL              43.80' },
  ],
}

const EXAMPLE_PAYMENTS = {
  ...BY,
  tableId: '7',
  currency: 'GBP',
  amountPaid: 4380,
  amountGratuity: 400,
  amountCashback: 0,
  payments: [
    {
      paymentId: '2f1c0a0e-5b0f-4a3e-9a9b-7c1f0e4b8d11',
      amountPaid: 4380,
      amountGratuity: 400,
      amountCashback: 0,
      currency: 'GBP',
      paymentMethod: 'CONTACTLESS',
      cardSchemeName: 'VISA',
      authCode: 'Q4R8T1',
      time: '2026-03-02T21:14:09Z',
    },
  ],
}

const same = (params: PushSchemas['example']['params']) => params

/** Messages by their name in the services. */
export const TABLE_PUSHES: TablePushes = {
  tables: {
    name: 'tableListRequest',
    summary: 'Ask for the open tables',
    description:
      'Reply with the tables of this waiter that have an open amount. Without an answer in time the terminal shows none. ' +
      'Tables in another currency than the terminal’s are not shown.',
    params: exactly({ tid: TID, waiterId: WAITER, timeout: TIMEOUT }),
    result: exactly({ tables: Type.Array(Type.String()), currency: Type.Optional(CURRENCY) }),
    example: { params: { ...BY, timeout: 10 }, result: { tables: ['4', '7', 'Bar 2'], currency: 'GBP' } },
    downgrade: same,
  },
  lock: {
    name: 'tableLockRequest',
    summary: 'Ask to lock a table',
    description:
      'Without an answer in time the lock counts as refused; the gateway sends `tableUnlock` after a late confirmation. The ' +
      'terminal that holds a table may ask for it again.',
    params: OF_A_TABLE,
    result: LOCK,
    example: { params: EXAMPLE_REQUEST, result: { confirmed: true, amount: 4380, currency: 'GBP' } },
    downgrade: same,
  },
  bill: {
    name: 'posReceiptRequest',
    summary: 'Ask for the bill to print before payment',
    description: 'Without an answer in time nothing is printed, and the terminal continues.',
    params: OF_A_TABLE,
    result: BILL,
    example: { params: EXAMPLE_REQUEST, result: EXAMPLE_BILL },
    downgrade: same,
  },
  payments: {
    name: 'transactionResponse',
    summary: 'Report payments',
    description:
      'Successful payments only; not sent when there are none. Without a connected till it is stored for a day and sent, in ' +
      'order, to the next one.',
    params: PAYMENTS,
    result: null,
    example: { params: EXAMPLE_PAYMENTS },
    downgrade: same,
  },
  finalBill: {
    name: 'finalPOSReceiptRequest',
    summary: 'Ask for the bill to print after payment',
    description: 'Only sent to a till that connected with the flag `final-pos-receipt-request`.',
    params: OF_A_TABLE,
    result: BILL,
    example: { params: EXAMPLE_REQUEST, result: EXAMPLE_BILL },
    downgrade: same,
  },
  unlock: {
    name: 'tableUnlock',
    summary: 'Unlock a table',
    description: 'Sent after each granted lock, paid or not. Unlocking an unlocked table has no effect.',
    params: exactly({ tid: TID, tableId: TABLE }),
    result: null,
    example: { params: { tid: '22160001', tableId: '7' } },
    downgrade: same,
  },
}

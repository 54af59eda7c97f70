// src/api/socket/table-pushes.ts — the messages to POS table providers, in the newest version.
import { Type } from 'typebox'
import { TERMINAL_CURRENCIES } from '../../domain/money.ts'
import { oneOf } from '../schemas.ts'
import type { PushSchemas, TablePushes } from '../versions/socket-schemas.ts'
import { exactly, TID } from './shapes.ts'

const TIMEOUT = Type.Integer({ minimum: 0, default: 10, description: 'Seconds within which to answer.' })
const WAITER = Type.Optional(Type.String({ description: 'As typed on the terminal; absent where none is asked for.' }))
const TABLE = Type.String({ description: 'The table, by the name that the till gave it.' })
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
  confirmed: Type.Boolean({ description: 'false: the table is not to be had.' }),
  amount: Type.Optional(
    Type.Integer({ minimum: 0, maximum: 99_999_999, description: 'What is still to be paid; needed to confirm.' }),
  ),
  currency: Type.Optional(CURRENCY),
})

const PAYMENT = exactly({
  paymentId: Type.String({ description: 'Unique. A till records each once and passes over repetitions.' }),
  amountPaid: Type.Integer({ minimum: 0, description: 'With cashback, without gratuity. Minor units.' }),
  amountGratuity: AMOUNT,
  amountCashback: AMOUNT,
  currency: CURRENCY,
  paymentMethod: oneOf(['UNKNOWN', 'KEYED', 'SWIPED', 'ICC_CHIP', 'CONTACTLESS'], {
    description: 'UNKNOWN: paid by other means than a card.',
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
const ASKED = { ...BY, tableId: '7', timeout: 10 }

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
    summary: 'Which tables are open?',
    description:
      'The tables with something to pay that this waiter may see. Without an answer in time the terminal shows none; ' +
      'those in another currency than the terminal’s are not shown.',
    params: exactly({ tid: TID, waiterId: WAITER, timeout: TIMEOUT }),
    result: exactly({ tables: Type.Array(Type.String()), currency: Type.Optional(CURRENCY) }),
    example: { params: { ...BY, timeout: 10 }, result: { tables: ['4', '7', 'Bar 2'], currency: 'GBP' } },
    downgrade: same,
  },
  lock: {
    name: 'tableLockRequest',
    summary: 'May the terminal have this table?',
    description:
      'Without an answer in time the lock counts as refused; a confirmation that comes later is answered by ' +
      '`tableUnlock`. The terminal that holds a table may ask for it again.',
    params: OF_A_TABLE,
    result: LOCK,
    example: { params: ASKED, result: { confirmed: true, amount: 4380, currency: 'GBP' } },
    downgrade: same,
  },
  bill: {
    name: 'posReceiptRequest',
    summary: 'The bill, to be printed before payment',
    description: 'Without an answer in time nothing is printed, and the terminal goes on.',
    params: OF_A_TABLE,
    result: BILL,
    example: { params: ASKED, result: EXAMPLE_BILL },
    downgrade: same,
  },
  payments: {
    name: 'transactionResponse',
    summary: 'What was paid',
    description:
      'Only what has succeeded; when nothing has, it is not sent. What comes up while no till is connected is kept for a ' +
      'day and sent, in order, to the next one.',
    params: PAYMENTS,
    result: null,
    example: { params: EXAMPLE_PAYMENTS },
    downgrade: same,
  },
  finalBill: {
    name: 'finalPOSReceiptRequest',
    summary: 'The bill, to be printed after payment',
    description: 'Only sent to a till whose address has the flag `final-pos-receipt-request`.',
    params: OF_A_TABLE,
    result: BILL,
    example: { params: ASKED, result: EXAMPLE_BILL },
    downgrade: same,
  },
  unlock: {
    name: 'tableUnlock',
    summary: 'The terminal is done with the table',
    description: 'Sent whenever a lock was granted, paid or not. Unlocking a table that is not locked is harmless.',
    params: exactly({ tid: TID, tableId: TABLE }),
    result: null,
    example: { params: { tid: '22160001', tableId: '7' } },
    downgrade: same,
  },
}

// src/api/table-body.ts — request and answer bodies of tables, in the newest version. Limits: docs/pay-at-table.md.
import { type Static, Type } from 'typebox'
import { idHoldsCardNumber, maskCardNumbers } from '../domain/card-numbers.ts'
import { add, TERMINAL_CURRENCIES } from '../domain/money.ts'
import { LINE_FORMATS } from '../domain/receipt.ts'
import { BILL_LINE_TYPES, type BillLine, type PatTable, sumsOf, type TablePayment } from '../domain/tables/table.ts'
import { utcTimeOf } from './local-time.ts'
import { EXAMPLE, oneOf } from './schemas.ts'

/** Characters of a name: one line of a terminal. */
const LONGEST_NAME = 50

/** Excludes `.` and `..`, which no client could use as a path segment, and blank names. */
const NAME_PATTERN = '^(?!\\.{1,2}$)(?=.*\\S)'

/** Largest amount, in minor units, as with a sale: eight digits, as a terminal displays. */
const LARGEST_AMOUNT = 99_999_999

/** Waiters of one table: more than work in one shift. Their ids are typed at the terminal. */
const MOST_WAITERS = 100
const LONGEST_WAITER = 32

/** Lines of a bill: two metres of paper. */
const MOST_LINES = 500
/** Characters of a line: a bar code or a logo is longer than the 24 columns of text. */
const LONGEST_LINE = 256

const AMOUNT = Type.Integer({ minimum: 0, maximum: LARGEST_AMOUNT, description: 'The bill, minor units.' })

const BILL_LINE = Type.Object(
  {
    value: Type.String({ maxLength: LONGEST_LINE }),
    type: Type.Optional(oneOf(BILL_LINE_TYPES, { description: 'Default: TEXT.' })),
    format: Type.Optional(Type.Array(oneOf(LINE_FORMATS), { maxItems: 3 })),
  },
  { $id: 'BillLine' },
)
const BILL = Type.Array(BILL_LINE, { maxItems: MOST_LINES, description: 'The bill, line by line.' })

const WAITER_IDS = Type.Array(Type.String({ minLength: 1, maxLength: LONGEST_WAITER }), {
  maxItems: MOST_WAITERS,
  description: 'Waiters who see the table at a terminal; empty: all.',
})

const TABLE_NAME = Type.String({
  minLength: 1,
  maxLength: LONGEST_NAME,
  pattern: NAME_PATTERN,
  description: 'Unique among the open tables; can be reused after the table is deleted.',
})

export const TABLE_CREATION = Type.Object({
  tableName: TABLE_NAME,
  amount: AMOUNT,
  currency: oneOf(TERMINAL_CURRENCIES),
  receiptLines: Type.Optional(BILL),
  receipt: Type.Optional(Type.Array(BILL_LINE, { maxItems: MOST_LINES, description: 'Older name of `receiptLines`.' })),
  waiterIds: Type.Optional(WAITER_IDS),
})

const LAST_KNOWN = {
  lastKnownAmount: Type.Integer({
    description: '`amount` as the till last saw it, minor units. The request is refused when it differs.',
  }),
  lastKnownPaidAmount: Type.Integer({ description: '`amountPaid` as the till last saw it, minor units.' }),
}

export const TABLE_DELETION = Type.Object(LAST_KNOWN)
export const TABLE_AMOUNT = Type.Object({ ...LAST_KNOWN, newAmount: AMOUNT })
export const TABLE_WAITER_IDS = Type.Object({ ...LAST_KNOWN, newWaiterIds: WAITER_IDS })
export const TABLE_RECEIPT = Type.Object({
  ...LAST_KNOWN,
  newReceipt: BILL,
})
export const TABLE_LOCK = Type.Object({
  ...LAST_KNOWN,
  locked: Type.Boolean(),
  lockedBy: Type.Optional(
    Type.String({ maxLength: LONGEST_NAME, description: 'Name of the till or its user. Default: `EPoS`.' }),
  ),
  override: Type.Optional(
    Type.Boolean({ description: 'Take the lock from its holder, such as a till or terminal that has failed.' }),
  ),
})

const SUM = (description: string) => Type.Integer({ description: `${description} Minor units.` })

const PAYMENT = Type.Object(
  {
    paymentId: Type.String({ description: 'Unique. Identifies new payments.' }),
    amountPaid: SUM('Paid for the bill, with cashback and without gratuity.'),
    amountCashback: SUM('Paid out.'),
    amountGratuity: SUM('Gratuity.'),
    authCode: Type.String(),
    currency: oneOf(TERMINAL_CURRENCIES),
    cardSchemeName: Type.String({ description: 'Empty when not paid by card.' }),
    paymentMethod: oneOf(['UNKNOWN', 'KEYED', 'SWIPED', 'ICC_CHIP', 'CONTACTLESS']),
    time: Type.String({ format: 'date-time' }),
  },
  { $id: 'TablePayment' },
)

const LISTED = {
  tableName: Type.String(),
  amount: SUM('The bill.'),
  amountPaid: SUM('Sum over the payments.'),
  amountCashback: SUM('Sum over the payments.'),
  amountGratuity: SUM('Sum over the payments.'),
  payments: Type.Array(PAYMENT),
  locked: Type.Boolean(),
  lockedBy: Type.String({ description: 'Name of the till, or id of the terminal; empty when not locked.' }),
  waiterIds: Type.Array(Type.String()),
}
const LINES = {
  receiptLines: Type.Optional(Type.Array(BILL_LINE, { description: 'Only with `receipt=true`.' })),
  receipt: Type.Optional(Type.Array(BILL_LINE, { description: 'Older name of `receiptLines`.' })),
}

export const TABLE_BODY = Type.Object({ ...LISTED, ...LINES }, { $id: 'Table' })
export type TableBody = Static<typeof TABLE_BODY>

/** Builds the body of a table. The published body has no currency. */
export function tableBody(table: PatTable, { withBill }: { readonly withBill: boolean }): TableBody {
  const { paid, cashback, gratuity } = sumsOf(table)
  return {
    tableName: table.name,
    amount: table.amountMinor,
    amountPaid: add(paid, cashback).minor,
    amountCashback: cashback.minor,
    amountGratuity: gratuity.minor,
    payments: table.payments.map(payment => paymentBody(payment, table.currency)),
    locked: table.lock !== null,
    lockedBy: table.lock?.by ?? '',
    waiterIds: [...table.waiterIds],
    ...(withBill ? { receiptLines: linesOf(table.bill), receipt: linesOf(table.bill) } : {}),
  }
}

function paymentBody(payment: TablePayment, currency: PatTable['currency']): Static<typeof PAYMENT> {
  return {
    paymentId: payment.paymentId,
    amountPaid: payment.amountMinor + payment.cashbackMinor,
    amountCashback: payment.cashbackMinor,
    amountGratuity: payment.gratuityMinor,
    authCode: payment.authCode,
    currency,
    cardSchemeName: payment.cardSchemeName,
    paymentMethod: payment.paymentMethod,
    time: utcTimeOf(payment.takenAt),
  }
}

function linesOf(bill: readonly BillLine[]): Static<typeof BILL_LINE>[] {
  return bill.map(({ format, ...line }) => (format === undefined ? line : { ...line, format: [...format] }))
}

/** Converts the lines of a request to a bill. A line without a type is text. */
export function billOf(lines: readonly Static<typeof BILL_LINE>[]): readonly BillLine[] {
  return lines.map(({ value: sent, type = 'TEXT', format }) => {
    const line = format === undefined ? { value: sent, type } : { value: sent, type, format }
    return withoutCard(line)
  })
}

/** A line without card numbers. What a scanner reads stays as it is. */
export function withoutCard(line: BillLine): BillLine {
  return isBarCode(line.type) ? line : { ...line, value: maskCardNumbers(line.value) }
}

/** Read by a scanner: it must stay as it is, or be refused. */
function isBarCode(type: BillLine['type'] | undefined): boolean {
  return type?.startsWith('BARCODE') === true
}

/**
 * The field in which a body has an id that may be a card number: a name, a waiter, a bar code. Null: none.
 * @param table as it is stored: what it has already is not refused
 */
export function cardFieldOf(body: Readonly<Record<string, unknown>>, table: PatTable | null): string | null {
  const stored = new Set([table?.lock?.by, ...(table?.waiterIds ?? [])])
  const isNewCard = (value: unknown): boolean =>
    typeof value === 'string' && idHoldsCardNumber(value) && !stored.has(value)
  for (const [field, value] of Object.entries(body)) {
    const ids: readonly unknown[] = Array.isArray(value) ? value.map(idOfItem) : [value]
    if (ids.some(isNewCard)) return field
  }
  return null
}

/** A waiter, or what a bar code of a bill says. */
function idOfItem(item: string | Static<typeof BILL_LINE>): string | null {
  if (typeof item === 'string') return item
  return isBarCode(item.type) ? item.value : null
}

const BILL_EXAMPLE = [{ value: '2 x Set menu       54.00', type: 'TEXT' }]

export const TABLE_EXAMPLES = {
  creation: {
    tableName: 'Window 2',
    amount: 5400,
    currency: 'GBP',
    waiterIds: ['7'],
    receiptLines: [{ value: '2 x Set menu       54.00' }],
  },
  lastKnown: { lastKnownAmount: 5400, lastKnownPaidAmount: 0 },
  listed: {
    tableName: 'Window 2',
    amount: 5400,
    amountPaid: 2700,
    amountCashback: 0,
    amountGratuity: 300,
    payments: [
      {
        paymentId: EXAMPLE.paymentId,
        amountPaid: 2700,
        amountCashback: 0,
        amountGratuity: 300,
        authCode: 'AB12C3',
        currency: 'GBP',
        cardSchemeName: 'VISA',
        paymentMethod: 'CONTACTLESS',
        time: '2026-05-06T20:41:10.000Z',
      },
    ],
    locked: true,
    lockedBy: '22160002',
    waiterIds: ['7'],
  },
  bill: BILL_EXAMPLE,
} as const

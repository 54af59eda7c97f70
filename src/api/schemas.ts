// src/api/schemas.ts — schemas shared by several operations.
// One with an `$id` becomes a component of that name in the OpenAPI document.
import { type Static, type TSchema, type TUnsafe, Type } from 'typebox'
import { SPLIT_MODES, TERMINAL_MODES } from '../domain/accounts/terminal.ts'
import { TRANSACTION_TYPES } from '../domain/counter/transaction-events.ts'
import { TERMINAL_CURRENCIES } from '../domain/money.ts'
import { LINE_FORMATS, LINE_TYPES, type ReceiptLine } from '../domain/receipt.ts'

/** Schema of an enumerated text. */
export function oneOf<const Words extends readonly string[]>(
  words: Words,
  options: { readonly description?: string; readonly $id?: string } = {},
): TUnsafe<Words[number]> {
  return Type.Unsafe<Words[number]>({ type: 'string', enum: [...words], ...options })
}

/** Schema of a value or null. */
export function nullable<S extends TSchema>(schema: S) {
  return Type.Union([schema, Type.Null()])
}

/** No control characters, no lone surrogates: databases do not take all of them. */
const PLAIN = '^[^\\p{Cc}\\p{Cs}]*$'

/** Schema of a text of one line that people write, not empty. @param maxLength in characters */
export function plainText(maxLength: number, options: { readonly description?: string } = {}) {
  return Type.String({ minLength: 1, maxLength, pattern: PLAIN, ...options })
}

/** Ids and addresses in examples. */
export const EXAMPLE = {
  base: 'https://pay.example',
  tid: '22160001',
  requestId: '6f0c1a52-3a0e-4b57-9a0d-5f6f2f2f9a10',
  tableId: '0a4f6f0e-1c6d-4b43-8a5e-6f1f3c2d9b77',
  paymentId: '0d7f4b2e-6a35-4a0c-b0f9-3b7a6f0c9e52',
  location: 'https://pay.example/pac/terminals/22160001/transactions/6f0c1a52-3a0e-4b57-9a0d-5f6f2f2f9a10',
} as const

export const CURRENCY = oneOf(TERMINAL_CURRENCIES, { description: 'Currency of the terminal.' })
export const TRANSACTION_TYPE = oneOf(TRANSACTION_TYPES)
export const TIME = Type.String({ format: 'date-time', description: 'RFC 3339, UTC.' })

/** Error body of the connect area. */
export const CONNECT_ERROR = Type.Object(
  {
    userMessage: Type.String({ description: 'To be shown to the cashier.' }),
    messages: Type.Array(Type.String(), { description: 'The same sentence as a list.' }),
    location: Type.Optional(
      Type.String({ format: 'uri', description: '423 only: the transaction that waits for a signature check.' }),
    ),
  },
  { $id: 'ConnectError' },
)

/** Error body of the areas `management`, `sandbox` and `system`: RFC 9457. */
export const PROBLEM = Type.Object(
  {
    type: Type.String(),
    title: Type.String(),
    status: Type.Integer(),
    detail: Type.String(),
    code: Type.String({ description: 'Stable code for programs.' }),
    field: Type.Optional(Type.String({ description: 'The field or header at fault.' })),
    requestId: Type.String({ description: 'As in X-Request-Id and in the log.' }),
    retry: Type.Boolean({ description: 'Whether the same request may succeed later, unchanged.' }),
  },
  { $id: 'Problem' },
)

export const RECEIPT_LINES = Type.Unsafe<readonly ReceiptLine[]>({
  type: 'array',
  items: Type.Object(
    {
      value: Type.String({ description: 'Text of the line, laid out for 24 columns.' }),
      type: oneOf(LINE_TYPES),
      format: Type.Optional(Type.Array(oneOf(LINE_FORMATS))),
    },
    { $id: 'ReceiptLine' },
  ),
})

export const CONNECT_TERMINAL = Type.Object(
  {
    tid: Type.String(),
    status: oneOf(['AVAILABLE', 'BUSY']),
    currency: CURRENCY,
    location: Type.String({ format: 'uri' }),
  },
  { $id: 'Terminal' },
)
export type ConnectTerminal = Static<typeof CONNECT_TERMINAL>

const MODE = oneOf(TERMINAL_MODES, {
  description: 'Used by tills at the counter, by waiters at tables, or by both. Default: both.',
})
const SPLIT = oneOf(SPLIT_MODES, {
  description: 'Whether bills are split: never, always, or as the waiter chooses (ask). Default: ask.',
})
const WAITER_IDS = Type.Boolean({ description: 'Whether waiters enter their id. Default: true.' })

export const TERMINAL_SETTINGS = Type.Object(
  {
    currency: CURRENCY,
    gratuity: Type.Boolean({ description: 'Asks for a tip before the card is presented.' }),
    cashbackAllowed: Type.Boolean(),
    printing: Type.Boolean({ description: 'Prints on the terminal; when off, the till prints the receipt lines.' }),
    contactlessCustomerCopy: Type.Boolean(),
    paceMs: nullable(Type.Integer({ description: 'Milliseconds per step; null: the setting of the gateway.' })),
    mode: Type.Optional(MODE),
    split: Type.Optional(SPLIT),
    waiterIds: Type.Optional(WAITER_IDS),
  },
  { $id: 'TerminalSettings' },
)

export const TERMINAL_SETTINGS_CHANGES = Type.Object(
  {
    currency: Type.Optional(CURRENCY),
    gratuity: Type.Optional(Type.Boolean()),
    cashbackAllowed: Type.Optional(Type.Boolean()),
    printing: Type.Optional(Type.Boolean()),
    contactlessCustomerCopy: Type.Optional(Type.Boolean()),
    paceMs: Type.Optional(Type.Integer({ minimum: 0, maximum: 60_000, description: 'Milliseconds per step.' })),
    mode: Type.Optional(MODE),
    split: Type.Optional(SPLIT),
    waiterIds: Type.Optional(WAITER_IDS),
  },
  { $id: 'TerminalSettingsChanges' },
)

/** Most items of a page: some hundred kilobytes. */
export const LIMIT = Type.Optional(Type.Integer({ minimum: 1, maximum: 200, description: 'Maximum number of items.' }))

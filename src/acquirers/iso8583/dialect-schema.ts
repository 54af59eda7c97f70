// src/acquirers/iso8583/dialect-schema.ts — the form of a dialect document: how one acquirer's messages look. ADR 82.
import { type Static, type TOptional, type TSchema, Type } from 'typebox'
import { DECLINE_REASONS, type DeclineReason } from '../../domain/counter/transaction-events.ts'
import { CODE_PAGES } from './code-pages.ts'
import { BITMAP_PACKINGS, FIELD_TYPES, ODD_FILLERS, PACKINGS, SHOWN } from './field-format.ts'
import { LENGTH_HEADERS } from './framing.ts'

/** What the gateway sends. Each has its own fields. */
export const MESSAGE_NAMES = [
  ...(['charge', 'hold', 'capture', 'refund', 'verify', 'reverse'] as const),
  ...(['signOn', 'signOff', 'echo', 'reconcile', 'upload', 'reconcileUploaded'] as const),
] as const
export type MessageName = (typeof MESSAGE_NAMES)[number]

export const LENGTH_NAMES = ['ll', 'lll', 'llll', 'llllll'] as const
export type LengthName = (typeof LENGTH_NAMES)[number]

const FIRST_FIELD = 2
const LAST_FIELD = 128
/** Bytes of the longest message of any host that is publicly described. */
const LONGEST_MESSAGE = 65_535
/** An hour: longer waits are a mistake in the unit. */
const LONGEST_MS = 3_600_000
const MOST_DAYS = 366

const hex = (description: string) => Type.String({ pattern: '^(?:[\\dA-Fa-f]{2})+$', maxLength: 8192, description })
const fieldNumber = () => Type.Integer({ minimum: FIRST_FIELD, maximum: LAST_FIELD })
const fieldNumbers = (minItems = 0) => Type.Array(fieldNumber(), { minItems, maxItems: LAST_FIELD })
const ms = (minimum = 0) => Type.Integer({ minimum, maximum: LONGEST_MS })
const codes = () =>
  Type.Array(Type.String({ pattern: '^[0-9A-Z]{2,3}$', description: 'a code of 2 or 3 digits and capitals' }), {
    maxItems: 200,
  })
const text = (maxLength: number) => Type.String({ minLength: 1, maxLength })
const fixedNumber = () =>
  strict({
    as: words(['ascii', 'ebcdic', 'bcd', 'binary']),
    bytes: Type.Integer({ minimum: 1, maximum: 6 }),
  })

const LENGTH_PREFIX = strict({
  as: words(['ascii', 'ebcdic', 'bcd', 'binary']),
  bytes: Type.Integer({ minimum: 1, maximum: 6 }),
  counts: words(['digits', 'bytes']),
})

const PLAIN_FIELD = {
  name: Type.Optional(text(60)),
  type: Type.Optional(words(FIELD_TYPES)),
  length: Type.Optional(Type.Integer({ minimum: 1, maximum: 9999 })),
  max: Type.Optional(Type.Integer({ minimum: 1, maximum: 9999 })),
  prefix: Type.Optional(Type.Union([words(LENGTH_NAMES), LENGTH_PREFIX])),
  as: Type.Optional(words(PACKINGS)),
  odd: Type.Optional(words(ODD_FILLERS)),
  separator: Type.Optional(words(['=', 'D'])),
  show: Type.Optional(words(SHOWN)),
}

const NESTED_FIELD = strict(PLAIN_FIELD)

const FIELD = strict({
  ...PLAIN_FIELD,
  secret: Type.Optional(Type.Array(text(20), { maxItems: 100 })),
  parts: Type.Optional(
    Type.Array(
      Type.String({
        pattern: '^[a-z][A-Za-z]*:(?:LL)?\\d{1,3}$',
        description: 'a name, a colon and a length, such as amount:12 or acquirer:LL11',
      }),
      { minItems: 1, maxItems: 50 },
    ),
  ),
  repeated: Type.Optional(Type.Boolean()),
  tlv: Type.Optional(
    Type.Union([
      words(['ber']),
      strict({ tag: fixedNumber(), length: fixedNumber(), values: words(['hex', 'ascii', 'ebcdic']) }),
    ]),
  ),
  nested: Type.Optional(
    strict({
      bitmap: words(BITMAP_PACKINGS),
      fields: strict(byField(Type.Optional(NESTED_FIELD), 2, 64)),
    }),
  ),
})

const MESSAGE = strict({
  mti: Type.String({ pattern: '^\\d{4}$', description: 'four digits' }),
  repeat: Type.Optional(Type.String({ pattern: '^\\d{4}$', description: 'four digits' })),
  like: Type.Optional(words(MESSAGE_NAMES)),
  fields: Type.Optional(text(1000)),
  set: Type.Optional(strict(byField(Type.Optional(Type.String({ maxLength: 999 }))))),
  stan: Type.Optional(words(['new', 'same'])),
})

const place = () =>
  Type.String({
    pattern: '^\\d{1,3}(?:\\.\\w{1,20})?$',
    description: 'a field, with its sub-field after a dot: 63.04',
  })
const PLACE = Type.Optional(place())
const TOTAL = Type.Array(Type.Union([fieldNumber(), place()]), { minItems: 2, maxItems: 2 })

export const DIALECT_DOCUMENT = strict({
  name: Type.String({
    pattern: '^[a-z0-9][a-z0-9-]{0,39}$',
    description: 'small letters, digits and hyphens, 40 at most',
  }),
  title: text(120),
  standard: words(['1987', '1993']),
  version: Type.Integer({ minimum: 1, maximum: 999_999 }),
  framing: strict({
    length: words(LENGTH_HEADERS),
    maxBytes: Type.Integer({ minimum: 12, maximum: LONGEST_MESSAGE }),
    header: Type.Optional(
      strict({ bytes: hex('pairs of hexadecimal digits'), answer: words(['swap', 'echo', 'own']) }),
    ),
    trailer: Type.Optional(hex('pairs of hexadecimal digits')),
  }),
  mti: words(['ascii', 'bcd', 'ebcdic']),
  bitmap: words(BITMAP_PACKINGS),
  alwaysSecondary: Type.Optional(Type.Boolean()),
  codePage: Type.Optional(words(CODE_PAGES)),
  defaults: strict({
    n: strict({
      as: words(['ascii', 'ebcdic', 'bcd']),
      odd: Type.Optional(words(ODD_FILLERS)),
      oddVariable: Type.Optional(words(ODD_FILLERS)),
    }),
    text: strict({ as: words(['ascii', 'ebcdic']) }),
    z: strict({
      as: words(['ascii', 'ebcdic', 'bcd']),
      odd: Type.Optional(words(ODD_FILLERS)),
      separator: Type.Optional(words(['=', 'D'])),
    }),
    b: strict({ as: words(['raw', 'hex', 'hex-ebcdic']) }),
    ll: LENGTH_PREFIX,
    lll: LENGTH_PREFIX,
    llll: Type.Optional(LENGTH_PREFIX),
    llllll: Type.Optional(LENGTH_PREFIX),
  }),
  fields: strict(byField(Type.Optional(Type.Union([FIELD, Type.Null()])))),
  identity: strict({
    stanPer: fieldNumbers(1),
    rrn: words(['ours', 'host']),
    match: fieldNumbers(1),
    echo: fieldNumbers(),
  }),
  settings: fieldNumbers(),
  messages: strict({
    charge: MESSAGE,
    reverse: MESSAGE,
    ...{ hold: Type.Optional(MESSAGE), capture: Type.Optional(MESSAGE), refund: Type.Optional(MESSAGE) },
    ...{ verify: Type.Optional(MESSAGE), signOn: Type.Optional(MESSAGE), signOff: Type.Optional(MESSAGE) },
    ...{ echo: Type.Optional(MESSAGE), reconcile: Type.Optional(MESSAGE), upload: Type.Optional(MESSAGE) },
    reconcileUploaded: Type.Optional(MESSAGE),
  }),
  entryMode: strict({
    field: fieldNumber(),
    chip: text(20),
    contactless: text(20),
    stripe: text(20),
    keyed: text(20),
    online: text(20),
  }),
  condition: Type.Optional(
    strict({
      field: fieldNumber(),
      present: text(20),
      online: text(20),
      mailOrTelephone: text(20),
      recurring: text(20),
    }),
  ),
  cashback: Type.Optional(
    strict({
      processing: Type.String({ pattern: '^\\d{2}$', description: 'two digits' }),
      kind: Type.String({ pattern: '^\\d{2}$', description: 'two digits' }),
    }),
  ),
  proof: Type.Optional(
    strict({
      ...{ eci: PLACE, cavv: PLACE, dsTransactionId: PLACE, protocol: PLACE },
      ...{ messageVersion: PLACE, serverTransactionId: PLACE, acsTransactionId: PLACE },
      ...{ exemption: PLACE, networkReference: PLACE, securityCode: PLACE, keySerial: PLACE },
    }),
  ),
  codes: strict({
    ...{ approved: Type.Optional(codes()), approvedForVerify: Type.Optional(codes()) },
    ...{ partial: Type.Optional(codes()), wait: Type.Optional(codes()), ambiguous: Type.Optional(codes()) },
    declined: Type.Optional(strict(declinedCodes())),
    reversal: Type.Optional(
      strict({ done: codes(), alreadyDone: codes(), notFound: codes(), retry: codes(), refused: codes() }),
    ),
  }),
  timers: strict({
    ...{ connectMs: ms(1), answerMs: ms(1), reversalMs: ms(1), echoMs: ms(1), settleMs: ms() },
    repeatsMs: Type.Array(ms(), { minItems: 1, maxItems: 50 }),
    window: Type.Integer({ minimum: 1, maximum: 1000 }),
  }),
  mac: Type.Optional(
    strict({
      field: words(['auto', '64', '128']),
      algorithm: words(['retail', 'cbc', 'cmac-aes', 'x9.9']),
      bytes: Type.Unsafe<4 | 8>({ type: 'integer', enum: [4, 8] }),
      from: words(['mti', 'header']),
      padding: words(['zeros', '80']),
      key: text(60),
    }),
  ),
  pin: Type.Optional(strict({ format: words(['iso0', 'iso3', 'iso4']), key: text(60) })),
  reconciliation: Type.Optional(
    strict({
      ...{ sales: TOTAL, salesUndone: Type.Optional(TOTAL), refunds: TOTAL, refundsUndone: Type.Optional(TOTAL) },
      net: Type.Optional(fieldNumber()),
    }),
  ),
  keepDays: Type.Integer({ minimum: 1, maximum: MOST_DAYS }),
  examples: Type.Array(
    strict({
      of: words(MESSAGE_NAMES),
      hex: hex('pairs of hexadecimal digits, from the message type on'),
      fields: Type.Optional(strict(byField(Type.Optional(Type.String({ maxLength: 999 }))))),
    }),
    { maxItems: 100 },
  ),
})

export type DialectDocument = Static<typeof DIALECT_DOCUMENT>
export type FieldDocument = Static<typeof FIELD>
export type MessageDocument = Static<typeof MESSAGE>

function strict<Properties extends Readonly<Record<string, TSchema>>>(properties: Properties) {
  return Type.Object(properties, { additionalProperties: false })
}

function words<const Words extends readonly string[]>(list: Words) {
  return Type.Unsafe<Words[number]>({ type: 'string', enum: [...list] })
}

function declinedCodes(): Readonly<Record<DeclineReason, TOptional<ReturnType<typeof codes>>>> {
  const members = DECLINE_REASONS.map(reason => [reason, Type.Optional(codes())] as const)
  return Object.fromEntries(members) as Readonly<Record<DeclineReason, TOptional<ReturnType<typeof codes>>>>
}

/** A member for each number of a field. */
export function byField<Schema extends TSchema>(
  schema: Schema,
  from = FIRST_FIELD,
  to = LAST_FIELD,
): Readonly<Record<`${number}`, Schema>> {
  return Object.fromEntries(Array.from({ length: to - from + 1 }, (_, index) => [String(from + index), schema]))
}

// src/simulator/operations/schemas.ts — schemas of the simulator's screens, keys and cards.
import { Type } from 'typebox'
import { nullable, oneOf, TERMINAL_SETTINGS } from '../../api/schemas.ts'
import { REPORT_TYPES } from '../../domain/reports/report.ts'
import { MOST_SHARES } from '../../domain/tables/split.ts'

const HOW = ['tap', 'insert', 'swipe', 'keyed'] as const

const MINOR = { minimum: 0, maximum: 99_999_999 } as const

const WAITER = Type.Object(
  {
    waiterId: Type.String(),
    tables: Type.Array(Type.String(), { description: 'Tables to choose from.' }),
    table: nullable(Type.String({ description: 'The table in use.' })),
    openMinor: Type.Integer({ description: 'Open amount, minor units.' }),
    shares: Type.Array(Type.Integer(), { description: 'Open shares, minor units; empty when the bill is not split.' }),
    items: Type.Array(Type.Object({ text: Type.String(), amountMinor: Type.Integer() }), {
      description: 'Lines of the bill that carry an amount.',
    }),
    printed: Type.Array(Type.Object({ value: Type.String(), type: Type.String() }, { additionalProperties: true }), {
      description: 'Last print-out.',
    }),
    message: Type.String(),
  },
  { $id: 'WaiterAtTerminal', description: 'The waiter at the terminal.' },
)

export const SCREEN = Type.Object(
  {
    tid: Type.String(),
    connected: Type.Boolean(),
    lines: Type.Array(Type.String(), { description: 'The display, top line first.' }),
    keys: Type.Array(Type.String(), { description: 'Keys that have an effect now.' }),
    cardInSlot: Type.Boolean(),
    paper: Type.Boolean(),
    requestId: nullable(Type.String({ description: 'The transaction on the terminal.' })),
    waiter: nullable(WAITER),
    scriptStopped: Type.Optional(
      Type.String({ description: 'Why the last waiter script stopped early; absent when it did not.' }),
    ),
    settings: TERMINAL_SETTINGS,
  },
  { $id: 'Screen' },
)

export const TEST_CARD = Type.Object(
  {
    card: Type.String({ description: 'Name, for `present_card`.' }),
    name: Type.String(),
    scheme: Type.String(),
    maskedNumber: Type.String(),
    how: Type.Array(oneOf(HOW)),
    pin: Type.String({ description: 'Correct PIN; empty when the card has none.' }),
    answer: Type.String({ description: 'Answer of the issuer.' }),
  },
  { $id: 'TestCard' },
)

const plainKey = <const Name extends string>(key: Name) => Type.Object({ key: Type.Literal(key) })

export const SCREEN_KEY = Type.Union(
  [
    Type.Object({
      key: Type.Literal('present_card'),
      card: Type.String({ maxLength: 64, description: 'Name of a test card.' }),
      how: oneOf(HOW),
    }),
    Type.Object({ key: Type.Literal('pin'), digits: Type.String({ pattern: '^\\d{4,12}$' }) }),
    Type.Object({ key: Type.Literal('gratuity'), amountMinor: Type.Integer({ minimum: 0, maximum: 99_999_999 }) }),
    plainKey('remove_card'),
    plainKey('cancel'),
    plainKey('unplug'),
    plainKey('plug_in'),
    plainKey('take_paper_out'),
    plainKey('put_paper_in'),
    Type.Object({
      key: Type.Literal('waiter'),
      waiterId: Type.String({ maxLength: 32, description: 'Empty when the terminal does not ask for it.' }),
    }),
    Type.Object({ key: Type.Literal('choose_table'), table: Type.String({ minLength: 1, maxLength: 255 }) }),
    plainKey('print_bill'),
    Type.Object({ key: Type.Literal('split_equally'), shares: Type.Integer({ minimum: 2, maximum: MOST_SHARES }) }),
    Type.Object({
      key: Type.Literal('split_amounts'),
      amountsMinor: Type.Array(Type.Integer(MINOR), {
        minItems: 1,
        maxItems: MOST_SHARES,
        description: 'The rest is the last share.',
      }),
    }),
    Type.Object({
      key: Type.Literal('split_items'),
      guests: Type.Integer({ minimum: 2, maximum: MOST_SHARES }),
      items: Type.Array(Type.Array(Type.Integer({ minimum: 0, maximum: MOST_SHARES - 1 }), { maxItems: MOST_SHARES }), {
        maxItems: 1_000,
        description: 'For each item of the bill, the guests (from 0) who share it.',
      }),
    }),
    Type.Object({ key: Type.Literal('pay'), amountMinor: Type.Optional(Type.Integer(MINOR)) }),
    Type.Object({ key: Type.Literal('pay_other'), amountMinor: Type.Optional(Type.Integer(MINOR)) }),
    Type.Object({ key: Type.Literal('signature'), accepted: Type.Boolean() }),
    plainKey('leave'),
    Type.Object({ key: Type.Literal('run_report'), reportType: oneOf(REPORT_TYPES) }),
  ],
  { $id: 'ScreenKey' },
)

// src/api/sandbox-schemas.ts — the simulator's screens, keys and cards.
import { Type } from 'typebox'
import { nullable, oneOf, TERMINAL_SETTINGS } from './schemas.ts'

const HOW = ['tap', 'insert', 'swipe', 'keyed'] as const

export const SCREEN = Type.Object(
  {
    tid: Type.String(),
    connected: Type.Boolean(),
    lines: Type.Array(Type.String(), { description: 'The display, top line first.' }),
    keys: Type.Array(Type.String(), { description: 'The keys that do something now.' }),
    cardInSlot: Type.Boolean(),
    paper: Type.Boolean(),
    requestId: nullable(Type.String({ description: 'The transaction on the terminal.' })),
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
    pin: Type.String({ description: 'The right PIN; empty when the card has none.' }),
    answer: Type.String({ description: 'What its issuer says.' }),
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
  ],
  { $id: 'ScreenKey' },
)

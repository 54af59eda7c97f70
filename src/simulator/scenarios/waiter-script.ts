// src/simulator/scenarios/waiter-script.ts — JSON format of a waiter script: the keys that a waiter presses at a simulated
// terminal. The simulator plays it, and the API description includes it.
import { type Static, type TSchema, Type } from 'typebox'

/** More steps than a waiter takes at one table. */
const MOST_STEPS = 100
/** Upper bound of guests between whom a bill can be split. */
const MOST_GUESTS = 99
const MOST_MINOR = 99_999_999
/** Longer than any waiter waits. */
const LONGEST_MS = 3_600_000

function closed<P extends Record<string, TSchema>>(properties: P, options: Readonly<Record<string, unknown>> = {}) {
  return Type.Object(properties, { additionalProperties: false, ...options })
}

const doing = <const Name extends string>(name: Name, description: string) => Type.Literal(name, { description })
const SHARE = Type.Optional(
  Type.Integer({
    minimum: 1,
    maximum: MOST_MINOR,
    description: 'Minor units. Default: the next share, or all that is open.',
  }),
)
const GRATUITY = Type.Optional(
  Type.Integer({
    minimum: 0,
    maximum: MOST_MINOR,
    description: 'Minor units. Default: a tenth if the terminal asks for it, else none.',
  }),
)
const SCENARIO = Type.Optional(
  Type.String({ maxLength: 500, description: 'Scenario of the payment. Default: that of the terminal.' }),
)

export const WAITER_STEP = Type.Union(
  [
    closed({ do: doing('print_bill', 'Print the bill.') }),
    closed({
      do: doing('split_equally', 'Split the open amount into equal shares.'),
      shares: Type.Integer({ minimum: 2, maximum: MOST_GUESTS }),
    }),
    closed({
      do: doing('split_amounts', 'Split into these amounts; the rest is the last share.'),
      amountsMinor: Type.Array(Type.Integer({ minimum: 1, maximum: MOST_MINOR }), {
        minItems: 1,
        maxItems: MOST_GUESTS,
      }),
    }),
    closed({
      do: doing('split_items', 'Split by the items of each guest. Lines of the bill must have amounts.'),
      guests: Type.Integer({ minimum: 2, maximum: MOST_GUESTS }),
      items: Type.Array(Type.Array(Type.Integer({ minimum: 0, maximum: MOST_GUESTS - 1 }), { maxItems: MOST_GUESTS }), {
        maxItems: 1_000,
        description: 'For each item of the bill, the guests (from 0) who share it.',
      }),
    }),
    closed({
      do: doing('pay', 'Take a card payment for a share.'),
      amountMinor: SHARE,
      gratuityMinor: GRATUITY,
      scenario: SCENARIO,
    }),
    closed({
      do: doing('pay_rest', 'Take card payments for the shares until nothing is open or one fails.'),
      scenario: SCENARIO,
    }),
    closed({
      do: doing('pay_other', 'Record a share that was paid by other means.'),
      amountMinor: SHARE,
    }),
    closed({ do: doing('wait', 'Wait.'), ms: Type.Integer({ minimum: 0, maximum: LONGEST_MS }) }),
    closed({ do: doing('unplug', 'Disconnect the terminal, with the table locked.') }),
    closed({ do: doing('leave', 'Release the table.') }),
  ],
  { $id: 'WaiterStep' },
)
export type WaiterStep = Static<typeof WAITER_STEP>

export const WAITER_SCRIPT = closed(
  {
    name: Type.String({
      pattern: '^[a-z0-9][a-z0-9_-]{0,63}$',
      description: 'Lower-case letters, digits, _ and -; at most 64.',
    }),
    title: Type.Optional(Type.String({ maxLength: 200, description: 'Purpose, in a sentence.' })),
    waiterId: Type.Optional(Type.String({ maxLength: 32, description: 'As entered on the terminal. Default: 1.' })),
    table: Type.Optional(Type.String({ maxLength: 255, description: 'Default: the first in the list.' })),
    steps: Type.Array(WAITER_STEP, { maxItems: MOST_STEPS }),
  },
  { $id: 'WaiterScript' },
)
export type WaiterScript = Static<typeof WAITER_SCRIPT>

/** Request that starts a waiter. */
export const WAITER_ORDER = closed(
  {
    script: Type.Union([Type.String({ maxLength: 64, description: 'Name of a built-in script.' }), WAITER_SCRIPT]),
    table: Type.Optional(Type.String({ maxLength: 255, description: 'Default: that of the script.' })),
    waiterId: Type.Optional(Type.String({ maxLength: 32, description: 'Default: that of the script.' })),
  },
  { $id: 'WaiterOrder' },
)

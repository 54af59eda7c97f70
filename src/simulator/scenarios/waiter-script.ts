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
  Type.Integer({ minimum: 1, maximum: MOST_MINOR, description: 'Minor units; absent: the next share, or all of it.' }),
)
const GRATUITY = Type.Optional(
  Type.Integer({
    minimum: 0,
    maximum: MOST_MINOR,
    description: 'Minor units; absent: a tenth where the terminal asks for it, else none.',
  }),
)
const SCENARIO = Type.Optional(
  Type.String({ maxLength: 500, description: 'How the payment goes; absent: as the terminal has it.' }),
)

export const WAITER_STEP = Type.Union(
  [
    closed({ do: doing('print_bill', 'Print the bill.') }),
    closed({
      do: doing('split_equally', 'Split what is open into so many shares.'),
      shares: Type.Integer({ minimum: 2, maximum: MOST_GUESTS }),
    }),
    closed({
      do: doing('split_amounts', 'Split off these amounts; the rest is the last share.'),
      amountsMinor: Type.Array(Type.Integer({ minimum: 1, maximum: MOST_MINOR }), {
        minItems: 1,
        maxItems: MOST_GUESTS,
      }),
    }),
    closed({
      do: doing('split_items', 'Split by what each guest has had; lines of the bill must carry amounts.'),
      guests: Type.Integer({ minimum: 2, maximum: MOST_GUESTS }),
      items: Type.Array(Type.Array(Type.Integer({ minimum: 0, maximum: MOST_GUESTS - 1 }), { maxItems: MOST_GUESTS }), {
        maxItems: 1_000,
        description: 'For each item of the bill, the guests (from 0) who share it.',
      }),
    }),
    closed({
      do: doing('pay', 'Take a share by card.'),
      amountMinor: SHARE,
      gratuityMinor: GRATUITY,
      scenario: SCENARIO,
    }),
    closed({ do: doing('pay_rest', 'Take share after share until nothing is open or one fails.'), scenario: SCENARIO }),
    closed({
      do: doing('pay_other', 'Record a share that was paid by other means.'),
      amountMinor: SHARE,
    }),
    closed({ do: doing('wait', 'Stand there.'), ms: Type.Integer({ minimum: 0, maximum: LONGEST_MS }) }),
    closed({ do: doing('unplug', 'The terminal dies, with the table locked.') }),
    closed({ do: doing('leave', 'Give the table back.') }),
  ],
  { $id: 'WaiterStep' },
)
export type WaiterStep = Static<typeof WAITER_STEP>

export const WAITER_SCRIPT = closed(
  {
    name: Type.String({ pattern: '^[a-z0-9][a-z0-9_-]{0,63}$', description: 'Small letters, digits, _ and -.' }),
    title: Type.Optional(Type.String({ maxLength: 200, description: 'What it is for, in a sentence.' })),
    waiterId: Type.Optional(Type.String({ maxLength: 32, description: 'As typed on the terminal; absent: 1.' })),
    table: Type.Optional(Type.String({ maxLength: 255, description: 'Absent: the first in the list.' })),
    steps: Type.Array(WAITER_STEP, { maxItems: MOST_STEPS }),
  },
  { $id: 'WaiterScript' },
)
export type WaiterScript = Static<typeof WAITER_SCRIPT>

/** Request that starts a waiter. */
export const WAITER_ORDER = closed(
  {
    script: Type.Union([Type.String({ maxLength: 64, description: 'Name of one of the library.' }), WAITER_SCRIPT]),
    table: Type.Optional(Type.String({ maxLength: 255, description: 'Absent: as the script says.' })),
    waiterId: Type.Optional(Type.String({ maxLength: 32, description: 'Absent: as the script says.' })),
  },
  { $id: 'WaiterOrder' },
)

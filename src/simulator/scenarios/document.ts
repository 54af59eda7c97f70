// src/simulator/scenarios/document.ts — JSON format of a scenario: which card is presented at a simulated terminal, and what
// differs from the ordinary. The simulator plays it, and the API description includes it.
import { type Static, type TOptional, type TSchema, Type } from 'typebox'
import { REPORTED_NOTIFICATIONS } from '../../domain/counter/notifications.ts'

/** Moments at which a terminal decides what comes next. A scenario can replace the plan of each. */
export const MOMENTS = {
  started: 'the request has arrived',
  started_without_card: 'the same, with the card not present',
  duplicate_started: 'the same, for a DUPLICATE',
  card_presented: 'a card lies before the terminal',
  card_presented_for_refund: 'the same, for a REFUND',
  card_expired: 'its date has passed',
  card_not_taken: 'its scheme is not taken here',
  card_pulled_out: 'it was taken out too early',
  pin_blocked: 'the PIN was wrong three times',
  approved: 'the acquirer has approved',
  approved_to_be_signed: 'it has approved, and the owner signs',
  declined: 'it has declined',
  signature_accepted: 'the till accepts the signature',
  signature_refused: 'the till refuses it',
  signature_timed_out: 'the till did not decide in time',
  cancelled: 'the till, or somebody at the terminal, cancels',
  given_up: 'nobody came in time',
  failed: 'no answer has come from the acquirer',
  too_late: 'the gateway has given the payment up',
  undone: 'no decision has come from the till',
} as const

const READINGS = ['ICC_CHIP', 'CONTACTLESS', 'SWIPED', 'KEYED'] as const
const CHECKS = ['PIN', 'SIGNATURE', 'DEVICE', 'NONE'] as const
export const CONDITIONS = ['pin', 'card_in_slot', 'printing'] as const
const WAITS = ['gratuity', 'card', 'pin', 'removal', 'nothing'] as const
/** Without TIMED_OUT, a result of the gateway that no terminal reports. */
const RESULTS = ['SUCCESSFUL', 'DECLINED', 'VOID', 'UNSUCCESSFUL', 'CANCELLED'] as const
export const DECLINE_REASONS = [
  'do_not_honour',
  'insufficient_funds',
  'expired_card',
  'lost_or_stolen',
  'incorrect_pin',
  'refer_to_issuer',
  'card_not_supported',
] as const

/** Longer than any time limit of a transaction. */
export const LONGEST_MS = 3_600_000
/** Enough for a burst of notifications, and few enough to store at each step of a terminal. */
const MOST_STEPS = 500
/** A burst that a till must handle, and the most that a record should hold. */
const MOST_NOTIFICATIONS = 1_000
/** More than all faults together. */
const MOST_FAULTS = 50
/** Eight digits, as for an amount. */
const MOST_GRATUITY_MINOR = 99_999_999
/** More than all sentences of an export. */
const MOST_UNCAPTURED = 20
/** Upper bound of scenarios in one queue. */
const MOST_NEXT = 200
const MOST_TIMES = 10_000

function words<const Words extends readonly string[]>(allowed: Words, description?: string) {
  const schema = { type: 'string', enum: [...allowed], ...(description === undefined ? {} : { description }) }
  return Type.Unsafe<Words[number]>(schema)
}

const MS = Type.Integer({ minimum: 0, maximum: LONGEST_MS, description: 'Milliseconds.' })

/** Closed object: a misspelt property must not pass for a missing one. */
function closed<P extends Record<string, TSchema>>(properties: P, options: Readonly<Record<string, unknown>> = {}) {
  return Type.Object(properties, { additionalProperties: false, ...options })
}

const doing = <const Name extends string>(name: Name, description: string) => Type.Literal(name, { description })

const STEP = Type.Union(
  [
    closed({
      do: doing('show', 'Tell the till what stands on the display.'),
      notification: words(REPORTED_NOTIFICATIONS),
      only: Type.Optional(words(CONDITIONS, 'Left out unless this holds.')),
    }),
    closed({ do: doing('pause', 'Let time pass.'), ms: MS }),
    closed({ do: doing('wait', 'Wait for somebody; a script acts a step later.'), for: words(WAITS) }),
    closed({
      do: doing('outlast_limit', 'Wait until the limit of the transaction has been over for so long.'),
      ms: MS,
    }),
    closed({
      do: doing('storm', 'So many notifications at once: RETRYING and CONNECTING by turns.'),
      times: Type.Integer({ minimum: 1, maximum: MOST_NOTIFICATIONS }),
    }),
    closed({ do: doing('lose_link', 'The line is down for so long; what there is to say is said after it.'), ms: MS }),
    closed({ do: doing('restart', 'Forget everything, and be back after so long.'), ms: MS }),
    closed({ do: doing('read_card', 'Read the card: PLEASE_WAIT.') }),
    closed({ do: doing('authorise', 'CONNECTION_MADE; ask the acquirer and wait for its answer.') }),
    closed({ do: doing('ask_signature', 'Print the slip and wait for the till: SIGNATURE_VERIFICATION.') }),
    closed({ do: doing('end', 'End: TRANSACTION_FINISHED.'), result: words(RESULTS) }),
    closed({ do: doing('end_unheard', 'End without telling anybody.'), result: words(RESULTS) }),
    closed({ do: doing('repeat_last', 'End as the transaction before this one.') }),
  ],
  { $id: 'ScenarioStep' },
)
export type StepDocument = Static<typeof STEP>

const PLAN = Type.Array(STEP, { minItems: 1, maxItems: MOST_STEPS })

const PLANS = closed(
  Object.fromEntries(
    Object.entries(MOMENTS).map(([moment, when]) => [
      moment,
      Type.Optional({ ...PLAN, description: `What comes when ${when}.` }),
    ]),
    // `Object.fromEntries` loses the property names.
  ) as unknown as Record<keyof typeof MOMENTS, TOptional<typeof PLAN>>,
  { description: 'What comes otherwise than usual, by moment.' },
)

const SCENARIO_NAME = Type.String({
  pattern: '^[a-z0-9][a-z0-9_-]{0,63}$',
  description: 'Small letters, digits, _ and -; 64 at most.',
})

const ACQUIRER = closed(
  {
    answer: Type.Optional(words(['approved', 'declined', 'nothing'], 'Absent: as the amount and the card say.')),
    reason: Type.Optional(words(DECLINE_REASONS, 'Of a decline; do_not_honour when absent.')),
    slowMs: Type.Optional(
      Type.Integer({ minimum: 0, maximum: LONGEST_MS, description: 'How long it takes to answer.' }),
    ),
    lateMs: Type.Optional(
      Type.Integer({ minimum: 0, maximum: LONGEST_MS, description: 'Until then nobody can say what it will answer.' }),
    ),
    unheard: Type.Optional(Type.Boolean({ description: 'It decides, and none of its answers arrives.' })),
    reversalMs: Type.Optional(
      Type.Integer({ minimum: 0, maximum: LONGEST_MS, description: 'How long it does not answer a reversal.' }),
    ),
  },
  { $id: 'ScenarioAcquirer', description: 'How the acquirer behaves in this one payment.' },
)

export const SCENARIO_DOCUMENT = closed(
  {
    name: SCENARIO_NAME,
    title: Type.Optional(Type.String({ maxLength: 200, description: 'What it is for, in a sentence.' })),
    like: Type.Optional(Type.String({ description: 'A scenario of the library. What is not said here is as there.' })),
    person: Type.Optional(words(['script', 'keys'], 'Who acts: a script, or a person who presses the keys.')),
    card: Type.Optional(Type.String({ description: 'Name of a test card.' })),
    reading: Type.Optional(words(READINGS, 'How the card is read.')),
    check: Type.Optional(words(CHECKS, 'How its owner is checked.')),
    paceMs: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: 60_000,
        description: 'How long a step takes, whatever the terminal is set to.',
      }),
    ),
    startsWithoutPaper: Type.Optional(Type.Boolean({ description: 'The paper roll is empty at the start.' })),
    leavesCard: Type.Optional(Type.Boolean({ description: 'The card is not taken out when the prompt asks for it.' })),
    gratuityMinor: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: MOST_GRATUITY_MINOR,
        description:
          'What the script gives on top where the terminal asks for it, in minor units; a tenth when absent.',
      }),
    ),
    acquirer: Type.Optional(ACQUIRER),
    faults: Type.Optional(
      Type.Array(Type.String(), {
        maxItems: MOST_FAULTS,
        description: 'What goes wrong besides: names of faults, or `name:number`.',
      }),
    ),
    plans: Type.Optional(PLANS),
    uncaptured: Type.Optional(
      Type.Array(Type.String({ maxLength: 200 }), {
        maxItems: MOST_UNCAPTURED,
        description: 'Of an export: what the scenario does not repeat, in sentences. Has no effect.',
      }),
    ),
  },
  { $id: 'Scenario' },
)
export type ScenarioDocument = Static<typeof SCENARIO_DOCUMENT>

const SCENARIO_CALLED = Type.String({ maxLength: 256, description: 'Name of a scenario.' })

/** Scenarios of the next transactions on a terminal. */
export const SCENARIO_QUEUE = closed(
  {
    next: Type.Array(
      Type.Union([
        SCENARIO_CALLED,
        closed({
          scenario: SCENARIO_CALLED,
          times: Type.Optional(Type.Integer({ minimum: 1, maximum: MOST_TIMES, description: '1 when absent.' })),
        }),
      ]),
      { maxItems: MOST_NEXT, description: 'In this order. Empty: nothing is planned.' },
    ),
    afterwards: Type.Optional(
      Type.Union([SCENARIO_CALLED, Type.Null()], {
        description: "For all transactions after those; null or absent: the terminal's id decides.",
      }),
    ),
  },
  { $id: 'ScenarioQueue' },
)

// src/simulator/scenarios/document.ts — JSON format of a scenario: which card is presented at a simulated terminal, and what
// differs from the ordinary. The simulator plays it, and the API description includes it.
import { type Static, type TOptional, type TSchema, Type } from 'typebox'
import { REPORTED_NOTIFICATIONS } from '../../domain/counter/notifications.ts'

/** Moments at which a terminal decides what comes next. A scenario can replace the plan of each. */
export const MOMENTS = {
  started: 'the request has arrived',
  started_without_card: 'the request has arrived, for a card that is not present',
  duplicate_started: 'the request has arrived, for a DUPLICATE',
  card_presented: 'a card is presented',
  card_presented_for_refund: 'a card is presented, for a REFUND',
  card_expired: 'the card has expired',
  card_not_taken: 'the card scheme is not accepted',
  card_pulled_out: 'the card was removed too early',
  pin_blocked: 'the PIN was wrong three times',
  approved: 'the acquirer has approved',
  approved_to_be_signed: 'the acquirer has approved, and the cardholder signs',
  declined: 'the acquirer has declined',
  signature_accepted: 'the till accepts the signature',
  signature_refused: 'the till rejects the signature',
  signature_timed_out: 'the till did not decide in time',
  cancelled: 'the till or the terminal cancels',
  given_up: 'no card or PIN came in time',
  failed: 'the acquirer did not answer',
  too_late: 'the gateway has abandoned the payment',
  undone: 'no decision on the signature has come',
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
      do: doing('show', 'Notify the till of the display.'),
      notification: words(REPORTED_NOTIFICATIONS),
      only: Type.Optional(words(CONDITIONS, 'Skipped unless this holds.')),
    }),
    closed({ do: doing('pause', 'Pause.'), ms: MS }),
    closed({ do: doing('wait', 'Wait for a person; a script acts one step time later.'), for: words(WAITS) }),
    closed({
      do: doing('outlast_limit', 'Wait until this long after the time-out of the transaction.'),
      ms: MS,
    }),
    closed({
      do: doing('storm', 'Send this many notifications at once: RETRYING and CONNECTING in turn.'),
      times: Type.Integer({ minimum: 1, maximum: MOST_NOTIFICATIONS }),
    }),
    closed({ do: doing('lose_link', 'Lose the connection for this time; reports arrive after it.'), ms: MS }),
    closed({ do: doing('restart', 'Restart: lose the transaction, and reconnect after this time.'), ms: MS }),
    closed({ do: doing('read_card', 'Read the card: PLEASE_WAIT.') }),
    closed({ do: doing('authorise', 'Ask the acquirer and wait for its answer: CONNECTION_MADE.') }),
    closed({ do: doing('ask_signature', 'Print the slip and wait for the till’s decision: SIGNATURE_VERIFICATION.') }),
    closed({ do: doing('end', 'End: TRANSACTION_FINISHED.'), result: words(RESULTS) }),
    closed({ do: doing('end_unheard', 'End without a report.'), result: words(RESULTS) }),
    closed({ do: doing('repeat_last', 'End with the result of the previous transaction.') }),
  ],
  { $id: 'ScenarioStep' },
)
export type StepDocument = Static<typeof STEP>

const PLAN = Type.Array(STEP, { minItems: 1, maxItems: MOST_STEPS })

const PLANS = closed(
  Object.fromEntries(
    Object.entries(MOMENTS).map(([moment, when]) => [
      moment,
      Type.Optional({ ...PLAN, description: `Steps when ${when}.` }),
    ]),
    // `Object.fromEntries` loses the property names.
  ) as unknown as Record<keyof typeof MOMENTS, TOptional<typeof PLAN>>,
  { description: 'Steps that replace the usual ones, by moment.' },
)

const SCENARIO_NAME = Type.String({
  pattern: '^[a-z0-9][a-z0-9_-]{0,63}$',
  description: 'Lower-case letters, digits, _ and -; at most 64.',
})

const ACQUIRER = closed(
  {
    answer: Type.Optional(words(['approved', 'declined', 'nothing'], 'Default: decided by amount and card.')),
    reason: Type.Optional(words(DECLINE_REASONS, 'Of a decline. Default: do_not_honour.')),
    slowMs: Type.Optional(
      Type.Integer({ minimum: 0, maximum: LONGEST_MS, description: 'Milliseconds until it answers.' }),
    ),
    lateMs: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: LONGEST_MS,
        description: 'Milliseconds for which its decision stays unknown.',
      }),
    ),
    unheard: Type.Optional(Type.Boolean({ description: 'It decides, but none of its answers arrive.' })),
    reversalMs: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: LONGEST_MS,
        description: 'Milliseconds for which it does not answer a reversal.',
      }),
    ),
  },
  { $id: 'ScenarioAcquirer', description: 'Behaviour of the acquirer in this payment.' },
)

export const SCENARIO_DOCUMENT = closed(
  {
    name: SCENARIO_NAME,
    title: Type.Optional(Type.String({ maxLength: 200, description: 'Purpose, in a sentence.' })),
    like: Type.Optional(
      Type.String({ description: 'A built-in scenario, which gives the properties that are absent here.' }),
    ),
    person: Type.Optional(words(['script', 'keys'], 'Operated by a script, or by a person with keys.')),
    card: Type.Optional(Type.String({ description: 'Name of a test card.' })),
    reading: Type.Optional(words(READINGS, 'Card entry mode.')),
    check: Type.Optional(words(CHECKS, 'Cardholder verification.')),
    paceMs: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: 60_000,
        description: 'Milliseconds per step, whatever the setting of the terminal.',
      }),
    ),
    startsWithoutPaper: Type.Optional(Type.Boolean({ description: 'The printer has no paper at the start.' })),
    leavesCard: Type.Optional(
      Type.Boolean({ description: 'The card stays in the reader despite the prompt to remove it.' }),
    ),
    gratuityMinor: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: MOST_GRATUITY_MINOR,
        description: 'Gratuity that the script gives if the terminal asks for one, in minor units. Default: a tenth.',
      }),
    ),
    acquirer: Type.Optional(ACQUIRER),
    faults: Type.Optional(
      Type.Array(Type.String(), {
        maxItems: MOST_FAULTS,
        description: 'Names of faults, or `name:number`.',
      }),
    ),
    plans: Type.Optional(PLANS),
    uncaptured: Type.Optional(
      Type.Array(Type.String({ maxLength: 200 }), {
        maxItems: MOST_UNCAPTURED,
        description: 'In exports: what the scenario does not repeat, in sentences. Has no effect.',
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
          times: Type.Optional(Type.Integer({ minimum: 1, maximum: MOST_TIMES, description: 'Default: 1.' })),
        }),
      ]),
      { maxItems: MOST_NEXT, description: 'In this order. Empty: none.' },
    ),
    afterwards: Type.Optional(
      Type.Union([SCENARIO_CALLED, Type.Null()], {
        description: 'For all transactions after those. Default: decided by the terminal id.',
      }),
    ),
  },
  { $id: 'ScenarioQueue' },
)

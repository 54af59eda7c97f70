// src/peers/acquirer-host/scenario-queue.ts — the scenarios of the next messages, of card numbers and of amounts.
import { type Static, Type } from 'typebox'
import { Compile } from 'typebox/schema'
import { type Behaviour, behaviourIn, ORDINARY_BEHAVIOUR } from './behaviour.ts'

/** What a message is, for the scenarios that concern it. */
export type Concern = 'payment' | 'reversal' | 'reconciliation' | 'network'

/** Upper bounds, as in the sandbox. */
const MOST_NEXT = 200
const MOST_TIMES = 10_000

const CALLED = Type.String({ maxLength: 256 })
const CLOSED = { additionalProperties: false } as const

/** As the sandbox's list for online payments, and more: of which messages, by card, by amount. */
const SCENARIOS = Type.Object(
  {
    next: Type.Array(
      Type.Object(
        {
          scenario: CALLED,
          times: Type.Optional(Type.Integer({ minimum: 1, maximum: MOST_TIMES })),
          of: Type.Optional(Type.Unsafe<Concern>({ enum: ['payment', 'reversal', 'reconciliation', 'network'] })),
        },
        CLOSED,
      ),
      { maxItems: MOST_NEXT },
    ),
    afterwards: Type.Optional(Type.Union([CALLED, Type.Null()])),
    cards: Type.Optional(
      Type.Array(Type.Object({ ending: Type.String({ pattern: '^\\d{4}$' }), scenario: CALLED }, CLOSED), {
        maxItems: MOST_NEXT,
      }),
    ),
    amounts: Type.Optional(
      Type.Array(
        Type.Object({ minor: Type.Integer({ minimum: 0, maximum: 999_999_999_999 }), scenario: CALLED }, CLOSED),
        { maxItems: MOST_NEXT },
      ),
    ),
  },
  CLOSED,
)
export type Scenarios = Static<typeof SCENARIOS>

const VALID = Compile(SCENARIOS)

/** A message that looks for its scenario. */
export interface Seeking {
  readonly concern: Concern
  /** Last four digits; null when the message has no card number. */
  readonly ending: string | null
  readonly amountMinor: number | null
}

export interface ScenarioQueue {
  /** What is still to be played. */
  current(): Scenarios
  /** Replaces the scenarios. Returns a sentence, and changes nothing, when the document is not in order. */
  set(document: unknown): string | null
  /** Takes the scenario of a message: that of its card, of its amount, the next one, or the one for all others. */
  take(seeking: Seeking): Behaviour
}

/** Creates an empty queue: everything is decided by amount, or approved. */
export function createScenarioQueue(): ScenarioQueue {
  let scenarios: Scenarios = { next: [] }
  return {
    current: () => scenarios,
    set(document) {
      if (!VALID.Check(document)) {
        const [, [fault] = []] = VALID.Errors(document)
        return `The scenarios are not in order: ${fault === undefined ? 'see the guide' : `${fault.instancePath || 'the document'} ${fault.message}`}.`
      }
      const sent = document as Scenarios
      const names = [...sent.next, ...(sent.cards ?? []), ...(sent.amounts ?? [])].map(({ scenario }) => scenario)
      for (const name of [...names, ...(sent.afterwards ? [sent.afterwards] : [])]) {
        const read = behaviourIn(name)
        if ('problem' in read) return read.problem
      }
      scenarios = sent
      return null
    },
    take({ concern, ending, amountMinor }) {
      const own =
        concern === 'payment'
          ? (scenarios.cards?.find(each => each.ending === ending) ??
            scenarios.amounts?.find(each => each.minor === amountMinor))
          : undefined
      if (own !== undefined) return played(own.scenario)
      const index = scenarios.next.findIndex(({ of = 'payment' }) => of === concern)
      const next = scenarios.next[index]
      if (next === undefined) return concern === 'payment' ? played(scenarios.afterwards ?? null) : ORDINARY_BEHAVIOUR
      const { times = 1 } = next
      const left = times > 1 ? [{ ...next, times: times - 1 }] : []
      scenarios = { ...scenarios, next: scenarios.next.toSpliced(index, 1, ...left) }
      return played(next.scenario)
    },
  }
}

function played(text: string | null): Behaviour {
  const read = text === null ? ORDINARY_BEHAVIOUR : behaviourIn(text)
  // The name was checked when it was set.
  return 'problem' in read ? ORDINARY_BEHAVIOUR : read
}

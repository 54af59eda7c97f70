// src/peers/scenario-queue.ts — the scenarios of the next messages, of card numbers and of amounts.
import { Type } from 'typebox'
import { Compile } from 'typebox/schema'

/** Upper bounds, as in the sandbox. */
const MOST_NEXT = 200
const MOST_TIMES = 10_000

const CALLED = Type.String({ maxLength: 256 })
const CLOSED = { additionalProperties: false } as const

const LIST = { maxItems: MOST_NEXT } as const
const CARDS = Type.Array(Type.Object({ ending: Type.String({ pattern: '^\\d{4}$' }), scenario: CALLED }, CLOSED), LIST)
const AMOUNT = Type.Object({ minor: Type.Integer({ minimum: 0, maximum: 999_999_999_999 }), scenario: CALLED }, CLOSED)

/** As the sandbox's list for online payments, and more: of which messages, by amount and, where the peer sees cards, by card. */
export interface Scenarios<Concern extends string> {
  readonly next: readonly { readonly scenario: string; readonly times?: number; readonly of?: Concern }[]
  readonly afterwards?: string | null
  readonly cards?: readonly { readonly ending: string; readonly scenario: string }[]
  readonly amounts?: readonly { readonly minor: number; readonly scenario: string }[]
}

function schemaOf(concerns: readonly string[], seesCards: boolean) {
  const times = Type.Optional(Type.Integer({ minimum: 1, maximum: MOST_TIMES }))
  const of = Type.Optional(Type.Enum([...concerns]))
  return Type.Object(
    {
      next: Type.Array(Type.Object({ scenario: CALLED, times, of }, CLOSED), LIST),
      afterwards: Type.Optional(Type.Union([CALLED, Type.Null()])),
      ...(seesCards ? { cards: Type.Optional(CARDS) } : {}),
      amounts: Type.Optional(Type.Array(AMOUNT, LIST)),
    },
    CLOSED,
  )
}

/** A message that looks for its scenario. */
export interface Seeking<Concern extends string> {
  readonly concern: Concern
  /** Last four digits; null when the message has no card number. */
  readonly ending: string | null
  readonly amountMinor: number | null
}

export interface ScenarioQueue<Concern extends string, Behaviour> {
  /** What is still to be played. */
  current(): Scenarios<Concern>
  /** Replaces the scenarios. Returns a sentence, and changes nothing, when the document is not in order. */
  set(document: unknown): string | null
  /** Takes the scenario of a message: that of its card, of its amount, the next one, or the one for all others. */
  take(seeking: Seeking<Concern>): Behaviour
}

export interface QueueParts<Concern extends string, Behaviour extends object> {
  /** What a message may be. Entries without `of` wait for the first one, and cards and amounts select for it. */
  readonly concerns: readonly [Concern, ...Concern[]]
  readonly seesCards: boolean
  readonly ordinary: Behaviour
  /** Parses the text of a scenario for a kind of message; a sentence when it is none of them. */
  readonly behaviourIn: (text: string, concern: Concern) => Behaviour | { readonly problem: string }
}

/** Creates an empty queue: everything is ordinary. */
export function createScenarioQueue<Concern extends string, Behaviour extends object>(
  parts: QueueParts<Concern, Behaviour>,
): ScenarioQueue<Concern, Behaviour> {
  const { concerns, ordinary, behaviourIn } = parts
  const [usual] = concerns
  const valid = Compile(schemaOf(concerns, parts.seesCards))
  let scenarios: Scenarios<Concern> = { next: [] }

  function played(text: string | null, concern: Concern): Behaviour {
    const read = text === null ? ordinary : behaviourIn(text, concern)
    // The name was checked when it was set.
    return 'problem' in read ? ordinary : read
  }

  function problemIn(sent: Scenarios<Concern>): string | null {
    const { next, cards = [], amounts = [], afterwards } = sent
    const named: Scenarios<Concern>['next'] = [...next, ...cards, ...amounts]
    for (const { scenario, of = usual } of afterwards ? [...named, { scenario: afterwards }] : named) {
      const read = behaviourIn(scenario, of)
      if ('problem' in read) return read.problem
    }
    return null
  }

  return {
    current: () => scenarios,
    set(document) {
      if (!valid.Check(document)) {
        const [, [fault] = []] = valid.Errors(document)
        return `The scenarios are not in order: ${fault === undefined ? 'see the guide' : `${fault.instancePath || 'the document'} ${fault.message}`}.`
      }
      const sent = document as unknown as Scenarios<Concern>
      const problem = problemIn(sent)
      if (problem === null) scenarios = sent
      return problem
    },
    take({ concern, ending, amountMinor }) {
      const own =
        concern === usual
          ? (scenarios.cards?.find(each => each.ending === ending) ??
            scenarios.amounts?.find(each => each.minor === amountMinor))
          : undefined
      if (own !== undefined) return played(own.scenario, concern)
      const index = scenarios.next.findIndex(({ of = usual }) => of === concern)
      const next = scenarios.next[index]
      if (next === undefined) return concern === usual ? played(scenarios.afterwards ?? null, concern) : ordinary
      const { times = 1 } = next
      const left = times > 1 ? [{ ...next, times: times - 1 }] : []
      scenarios = { ...scenarios, next: scenarios.next.toSpliced(index, 1, ...left) }
      return played(next.scenario, concern)
    },
  }
}

// src/peers/nexo-terminal/behaviour.ts — what the terminal does with a request: the sandbox's scenario, and faults.
import { TITLES } from '../../simulator/scenarios/titles.ts'
import { type FaultKind, faultNumber, namedPart } from '../fault-parts.ts'
import type { ScenarioQueue } from '../scenario-queue.ts'
import { APPROVED, OUTCOMES, type Outcome } from './outcomes.ts'

/** What a request is, for the scenarios that concern it. `question`: the question for the state of a payment. `list`: of connected terminals, at the cloud. */
export type Concern = 'payment' | 'question' | 'abort' | 'reconciliation' | 'list'
export const CONCERNS = ['payment', 'question', 'abort', 'reconciliation', 'list'] as const satisfies readonly Concern[]

const PAYMENT: readonly Concern[] = ['payment']
const MONEY: readonly Concern[] = ['payment', 'reconciliation']
const MOST: readonly Concern[] = ['payment', 'question', 'reconciliation']

export const FAULTS = {
  connection_dropped: fault('The connection is closed before the request has any effect.', MOST),
  answer_lost: fault('The request takes effect, but the connection is closed without an answer.', MONEY),
  half_answer: fault('The first half of the answer is sent, then the connection is closed.'),
  slow_answer: fault('The payment is made at once and answered after this time, in ms.', PAYMENT, 3_000),
  answer_twice: fault('A second answer follows the first on the same connection.'),
  wrong_mac: fault('The answer is encrypted and signed with another key.'),
  answer_in_clear: fault('The answer comes in clear text although there is a key.'),
  wrong_service_id: fault('The answer is one to another request.'),
  server_error: fault('The payment is made, and the answer is HTTP 500.'),
  busy: fault('The terminal says that it does something else.', ['payment', 'question']),
  partly_approved: fault('Half of the amount is approved.'),
  cashback_refused: fault('The payment is approved without its cashback.'),
  tip: fault('The customer adds this tip, in minor units, if the till has the terminal ask for one.', PAYMENT, 100),
  period_not_named: fault('The answer does not name the period of the totals in which the payment counts.'),
  card_number_sent: fault('A test card number is in each place of the answer where one has been seen in the field.'),
  in_progress: fault('The terminal says that the payment still runs.', ['question']),
  not_found: fault('The terminal says that it does not know the payment.', ['question']),
  ignored: fault('An abort is accepted, and the payment goes on.', ['abort']),
  unreachable: fault('Cloud: it cannot hand the request over, and says so at once.'),
  gave_up: fault('Cloud: it hands the request over, and gives up waiting for the answer.'),
  gateway_timeout: fault('Cloud: it hands the request over, and answers with HTTP 504.'),
  swallowed: fault('Cloud: it says that it gave up waiting, and has never handed the request over.'),
  unauthorised: fault('Cloud: it refuses the API key.'),
  refused_by_api: fault('Cloud: it refuses the request with HTTP 422.', ['payment', 'list']),
  not_listed: fault('Cloud: the terminal is not on the list of connected ones, although it is.', ['list']),
} as const satisfies Record<string, FaultKind<Concern>>
export type Fault = keyof typeof FAULTS

export interface Behaviour {
  /** `wait`: nobody presents a card. */
  readonly outcome: Outcome | 'wait'
  /** Number of each fault; 0 for one without a number. */
  readonly faults: ReadonlyMap<Fault, number>
}

export const ORDINARY_BEHAVIOUR: Behaviour = { outcome: APPROVED, faults: new Map() }

/** Where the terminal looks up what to do. */
export type Behaviours = Pick<ScenarioQueue<Concern, Behaviour>, 'take'>

/**
 * Parses `declined+slow_answer:5000` and the like. Later parts win.
 * @returns a sentence when a part is unknown, or is not for such requests
 */
export function behaviourIn(text: string, concern: Concern): Behaviour | { readonly problem: string } {
  const faults = new Map<Fault, number>()
  let outcome: Behaviour['outcome'] = APPROVED
  for (const part of text.split('+').map(each => each.trim())) {
    const { name, digits } = namedPart(part)
    if (isOutcome(name) && digits === undefined && concern === 'payment') {
      outcome = OUTCOMES[name]
      continue
    }
    if (!isFault(name))
      return {
        problem: `${JSON.stringify(part.slice(0, 64))} is no scenario of a ${concern} at a terminal. GET /scenarios lists them.`,
      }
    const value = faultNumber<Concern>(part, FAULTS[name], concern)
    if (typeof value === 'object') return value
    faults.set(name, value)
  }
  return { outcome, faults }
}

/** Names of all parts of scenarios, with their titles and the requests that they are for. */
export function listedParts(): readonly {
  readonly name: string
  readonly title: string
  readonly of: readonly string[]
}[] {
  const outcomes = Object.keys(OUTCOMES) as readonly (keyof typeof OUTCOMES)[]
  return [
    ...outcomes.map(name => ({ name, title: TITLES[name].title, of: PAYMENT })),
    ...Object.entries(FAULTS).map(([name, { title, of }]) => ({ name, title, of })),
  ]
}

function isFault(name: string): name is Fault {
  return Object.hasOwn(FAULTS, name)
}

function isOutcome(name: string): name is keyof typeof OUTCOMES {
  return Object.hasOwn(OUTCOMES, name)
}

function fault(title: string, of: readonly Concern[] = PAYMENT, usual: number | null = null): FaultKind<Concern> {
  return { title, of, usual }
}

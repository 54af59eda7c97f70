// src/simulator/scenarios/online-scenarios.ts — the ways in which an online payment can be made to go: what the acquirer says or
// leaves unsaid, what the issuer says of its payer, and what is wrong with its page.
import { type Static, Type } from 'typebox'
import type { DeclineReason } from '../../domain/counter/transaction-events.ts'
import type { TransactionStatus } from '../../domain/online/three-d-secure.ts'
import { type Fault, faultIn } from '../faults/catalogue.ts'
import type { ChallengeFault } from '../three-d-secure/issuer-pages.ts'

/** What one online payment meets. Null and 0: as amount and card have it. */
export interface OnlineScenario {
  readonly answer: 'approved' | 'nothing' | DeclineReason | null
  readonly slowMs: number
  readonly lateMs: number
  readonly unheard: boolean
  /** What the directory server says at once. */
  readonly status: TransactionStatus | null
  /** What is wrong with the issuer's page. */
  readonly pageFault: ChallengeFault | null
}

export const ORDINARY_SCENARIO: OnlineScenario = {
  ...{ answer: null, slowMs: 0, lateMs: 0, unheard: false, status: null, pageFault: null },
}

interface Part {
  readonly title: string
  readonly does: Partial<OnlineScenario>
}

const CATALOGUE = {
  approved: { title: 'Approved, whatever the card and the amount say.', does: { answer: 'approved' } },
  declined: { title: 'Declined by the issuer.', does: { answer: 'do_not_honour' } },
  insufficient_funds: { title: 'Declined: not enough money.', does: { answer: 'insufficient_funds' } },
  expired_card: { title: 'Declined: the card has expired.', does: { answer: 'expired_card' } },
  lost_or_stolen: { title: 'Declined: the card is lost or stolen.', does: { answer: 'lost_or_stolen' } },
  security_code_differs: { title: 'Declined: the security code is wrong.', does: { answer: 'security_code_differs' } },
  card_not_supported: { title: 'Declined: the card is not taken.', does: { answer: 'card_not_supported' } },
  referred: { title: 'Referred: status 4.', does: { answer: 'refer_to_issuer' } },
  authentication_required: {
    title: 'Declined until the payer has been seen by the issuer.',
    does: { answer: 'authentication_required' },
  },
  frictionless: { title: 'The issuer knows its payer without a page.', does: { status: 'Y' } },
  attempted: { title: 'The issuer takes no part; the attempt counts.', does: { status: 'A' } },
  not_authenticated: { title: 'The issuer does not know the payer.', does: { status: 'N' } },
  authentication_rejected: { title: 'The issuer refuses.', does: { status: 'R' } },
  authentication_unavailable: { title: 'Nobody can say who the payer is.', does: { status: 'U' } },
  challenged: { title: 'The issuer wants to see its payer.', does: { status: 'C' } },
  page_never_answers: {
    title: "The issuer's page never ends.",
    does: { status: 'C', pageFault: 'never_answers' },
  },
  page_answers_twice: {
    title: "The issuer's page sends the payer back twice.",
    does: { status: 'C', pageFault: 'answers_twice' },
  },
  page_late: {
    title: 'The issuer tells the directory server ten seconds after the payer.',
    does: { status: 'C', pageFault: 'late' },
  },
  page_wrong_code: { title: 'No code is right.', does: { status: 'C', pageFault: 'wrong_code' } },
  page_refuses_framing: {
    title: "The issuer's page does not show in a frame.",
    does: { status: 'C', pageFault: 'refuses_framing' },
  },
} as const satisfies Record<string, Part>

/** Names with what they stand for. Faults of the acquirer that scenarios of terminals know come to them. */
export const ONLINE_SCENARIOS = Object.entries(CATALOGUE).map(([name, { title }]) => ({ name, title }))

/** Scenarios named in one sequence, and how often each. */
const MOST_NEXT = 200
const MOST_TIMES = 10_000

const CALLED = Type.String({
  maxLength: 256,
  description: 'Names of GET /sandbox/scenarios (`online`) and faults of an acquirer, joined by +.',
})

/** What the next online payments of an account meet. */
export const ONLINE_QUEUE = Type.Object(
  {
    next: Type.Array(
      Type.Object(
        { scenario: CALLED, times: Type.Optional(Type.Integer({ minimum: 1, maximum: MOST_TIMES })) },
        { additionalProperties: false },
      ),
      { maxItems: MOST_NEXT, description: 'In this order. Empty: nothing is planned.' },
    ),
    afterwards: Type.Optional(
      Type.Union([CALLED, Type.Null()], { description: 'For all payments after those; null or absent: nothing.' }),
    ),
  },
  { $id: 'OnlineScenarioQueue', additionalProperties: false },
)
export type OnlineQueue = Static<typeof ONLINE_QUEUE>

/** Reads `declined+slow_acquirer:5000` and the like; null when a part of it is not known. Later parts win. */
export function onlineScenarioIn(text: string): OnlineScenario | null {
  let scenario = ORDINARY_SCENARIO
  for (const name of text.split('+').map(part => part.trim())) {
    const does = Object.hasOwn(CATALOGUE, name) ? CATALOGUE[name as keyof typeof CATALOGUE].does : faultOf(name)
    if (does === null) return null
    scenario = { ...scenario, ...does }
  }
  return scenario
}

function faultOf(text: string): Partial<OnlineScenario> | null {
  const fault = faultIn(text)
  return fault === null ? null : byFault(fault)
}

function byFault({ name, number }: Fault): Partial<OnlineScenario> | null {
  switch (name) {
    case 'slow_acquirer':
      return { slowMs: number }
    case 'acquirer_silent':
      return { answer: 'nothing' }
    case 'approval_unknown':
      return { unheard: true }
    case 'approval_late':
      return { lateMs: number }
    default:
      // Terminals and tills are not here.
      return null
  }
}

/** What is said to whoever names one that does not exist. */
export function unknownOnlineScenario(name: string): string {
  return `There is no online scenario ${JSON.stringify(name.slice(0, 64))}; GET /sandbox/scenarios lists those there are.`
}

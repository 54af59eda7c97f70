// src/simulator/scenarios/online-scenarios.ts — scenarios of online payments: the acquirer's answer, the issuer's
// authentication, and faults of its page.
import { type Static, Type } from 'typebox'
import type { DeclineReason } from '../../domain/counter/transaction-events.ts'
import type { TransactionStatus } from '../../domain/online/three-d-secure.ts'
import { type Fault, faultIn } from '../faults/catalogue.ts'
import type { ChallengeFault } from '../three-d-secure/issuer-pages.ts'

/** Scenario of one online payment. Null and 0 leave it to amount and card. */
export interface OnlineScenario {
  readonly answer: 'approved' | 'nothing' | DeclineReason | null
  readonly slowMs: number
  readonly lateMs: number
  readonly unheard: boolean
  readonly reversalMs: number
  /** Status that the directory server answers at once. */
  readonly status: TransactionStatus | null
  /** Fault of the issuer's page. */
  readonly pageFault: ChallengeFault | null
}

export const ORDINARY_SCENARIO: OnlineScenario = {
  ...{ answer: null, slowMs: 0, lateMs: 0, unheard: false, reversalMs: 0, status: null, pageFault: null },
}

interface Part {
  readonly title: string
  readonly does: Partial<OnlineScenario>
}

const CATALOGUE = {
  approved: { title: 'Approved, whatever the card and the amount.', does: { answer: 'approved' } },
  declined: { title: 'Declined by the issuer.', does: { answer: 'do_not_honour' } },
  insufficient_funds: { title: 'Declined: insufficient funds.', does: { answer: 'insufficient_funds' } },
  expired_card: { title: 'Declined: the card has expired.', does: { answer: 'expired_card' } },
  lost_or_stolen: { title: 'Declined: the card is lost or stolen.', does: { answer: 'lost_or_stolen' } },
  security_code_differs: { title: 'Declined: the security code is wrong.', does: { answer: 'security_code_differs' } },
  card_not_supported: { title: 'Declined: the card is not accepted.', does: { answer: 'card_not_supported' } },
  referred: { title: 'Referred: status 4.', does: { answer: 'refer_to_issuer' } },
  authentication_required: {
    title: 'Declined until the payer has passed a challenge.',
    does: { answer: 'authentication_required' },
  },
  frictionless: { title: 'Authenticated without a challenge: status Y.', does: { status: 'Y' } },
  attempted: { title: 'Authentication attempted, without the issuer: status A.', does: { status: 'A' } },
  not_authenticated: { title: 'Not authenticated: status N.', does: { status: 'N' } },
  authentication_rejected: { title: 'Authentication rejected: status R.', does: { status: 'R' } },
  authentication_unavailable: { title: 'Authentication unavailable: status U.', does: { status: 'U' } },
  challenged: { title: 'The issuer requires a challenge: status C.', does: { status: 'C' } },
  page_never_answers: {
    title: 'The challenge page never ends.',
    does: { status: 'C', pageFault: 'never_answers' },
  },
  page_answers_twice: {
    title: 'The challenge page returns the payer twice.',
    does: { status: 'C', pageFault: 'answers_twice' },
  },
  page_late: {
    title: 'The directory server gets the result ten seconds after the payer returns.',
    does: { status: 'C', pageFault: 'late' },
  },
  page_wrong_code: { title: 'The challenge page accepts no code.', does: { status: 'C', pageFault: 'wrong_code' } },
  page_refuses_framing: {
    title: 'The challenge page refuses to be framed.',
    does: { status: 'C', pageFault: 'refuses_framing' },
  },
} as const satisfies Record<string, Part>

/** Names and titles. Acquirer faults of terminal scenarios can be added to any of them. */
export const ONLINE_SCENARIOS = Object.entries(CATALOGUE).map(([name, { title }]) => ({ name, title }))

/** Upper bounds of scenarios in one queue, and of repetitions of each. */
const MOST_NEXT = 200
const MOST_TIMES = 10_000

const CALLED = Type.String({
  maxLength: 256,
  description: 'Names from `online` of GET /sandbox/scenarios, and acquirer faults, joined by +.',
})

/** Scenarios of an account's next online payments. */
export const ONLINE_QUEUE = Type.Object(
  {
    next: Type.Array(
      Type.Object(
        { scenario: CALLED, times: Type.Optional(Type.Integer({ minimum: 1, maximum: MOST_TIMES })) },
        { additionalProperties: false },
      ),
      { maxItems: MOST_NEXT, description: 'In this order. Empty: none.' },
    ),
    afterwards: Type.Optional(
      Type.Union([CALLED, Type.Null()], { description: 'For all payments after those. Default: none.' }),
    ),
  },
  { $id: 'OnlineScenarioQueue', additionalProperties: false },
)
export type OnlineQueue = Static<typeof ONLINE_QUEUE>

/** Parses `declined+slow_acquirer:5000` and the like; null when a part is unknown. Later parts win. */
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
    case 'reversal_unanswered':
      return { reversalMs: number }
    default:
      // Faults of terminals and till requests do not apply to online payments.
      return null
  }
}

/** Error text for an unknown name. */
export function unknownOnlineScenario(name: string): string {
  return `There is no online scenario ${JSON.stringify(name.slice(0, 64))}. See online in GET /sandbox/scenarios.`
}

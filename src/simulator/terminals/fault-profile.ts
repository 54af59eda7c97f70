// src/simulator/terminals/fault-profile.ts — applies faults to a scenario: other plans, another acquirer answer, and faults
// of the terminal itself. Pure.
import type { Fault } from '../faults/catalogue.ts'
import type { Scenario } from '../scenarios/scenario.ts'
import { type Moment, PAPER_OUT, PLANS, type Plan, READ_CARD, type Step, wait } from './flow.ts'

/** Faults of the terminal that no plan can express. */
export interface FaultProfile {
  /** How long the connection is down when the acquirer's answer arrives, milliseconds; 0 for not at all. */
  readonly linkLostAtAnswerMs: number
  readonly reportsTwice: boolean
  readonly endsTwice: boolean
  /** Delay after a cancel until the terminal reports a payment, milliseconds; null for never. */
  readonly paidAfterCancelMs: number | null
  readonly chargesMoreMinor: number
  readonly reportsMoreMinor: number
  readonly refusesCashback: boolean
  readonly slowerMs: number
}

const NO_FAULTS: FaultProfile = {
  linkLostAtAnswerMs: 0,
  reportsTwice: false,
  endsTwice: false,
  paidAfterCancelMs: null,
  chargesMoreMinor: 0,
  reportsMoreMinor: 0,
  refusesCashback: false,
  slowerMs: 0,
}

export interface FaultyScenario {
  readonly scenario: Scenario
  readonly faults: FaultProfile
}

/** The scenario with its faults applied. */
export function withFaults(scenario: Scenario): FaultyScenario {
  return scenario.faults.reduce<FaultyScenario>(suffer, { scenario, faults: NO_FAULTS })
}

function suffer({ scenario, faults }: FaultyScenario, { name, number }: Fault): FaultyScenario {
  const plans = (changes: Scenario['plans']): FaultyScenario => ({
    scenario: { ...scenario, plans: { ...scenario.plans, ...changes } },
    faults,
  })
  const does = (changes: Partial<FaultProfile>): FaultyScenario => ({ scenario, faults: { ...faults, ...changes } })
  const acquirer = (changes: Partial<Scenario['acquirer']>): FaultyScenario => ({
    scenario: { ...scenario, acquirer: { ...scenario.acquirer, ...changes } },
    faults,
  })
  switch (name) {
    case 'link_lost_before_authorisation':
      return plans(beforeAuthorisation(scenario, [{ do: 'lose_link', ms: number }]))
    case 'link_lost_during_authorisation':
      return does({ linkLostAtAnswerMs: number })
    case 'link_lost_after_authorisation':
      return plans(first(scenario, ANSWERED, { do: 'lose_link', ms: number }))
    case 'terminal_restarted':
      return plans(beforeAuthorisation(scenario, [{ do: 'restart', ms: number }]))
    case 'terminal_restarted_after_approval':
      return plans(first(scenario, ANSWERED, { do: 'restart', ms: number }))
    case 'slow_terminal':
      return does({ slowerMs: number })
    case 'answer_twice':
      return does({ endsTwice: true })
    case 'duplicate_reports':
      return does({ reportsTwice: true })
    case 'answer_after_cancel':
      return does({ paidAfterCancelMs: number })
    case 'cancel_ignored':
      return plans({ cancelled: [wait('card')] })
    case 'answer_after_limit':
      return plans(first(scenario, ANSWERED, { do: 'outlast_limit', ms: number }))
    case 'paper_out':
      return { scenario: { ...scenario, startsWithoutPaper: true }, faults }
    case 'paper_runs_out':
      return plans(first(scenario, PRINTING, PAPER_OUT))
    case 'cashback_refused':
      return does({ refusesCashback: true })
    case 'wrong_amount':
      return does({ chargesMoreMinor: number })
    case 'wrong_amount_at_end':
      return does({ reportsMoreMinor: number })
    case 'notification_storm':
      return plans(beforeAuthorisation(scenario, [{ do: 'storm', times: number }]))
    case 'slow_acquirer':
      return acquirer({ slowMs: number })
    case 'acquirer_silent':
      return acquirer({ answer: 'nothing' })
    case 'approval_unknown':
      return acquirer({ unheard: true })
    case 'approval_late':
      return acquirer({ lateMs: number })
    case 'reversal_unanswered':
      return acquirer({ reversalMs: number })
    case 'http_429':
    case 'http_500':
    case 'http_503':
    case 'connection_dropped':
    case 'answer_lost':
    case 'slow_answer':
      // These hit the till's request, not the terminal.
      return { scenario, faults }
  }
}

const ANSWERED = ['approved', 'approved_to_be_signed', 'declined'] as const
const PRINTING = ['approved', 'signature_accepted', 'signature_timed_out'] as const

/** Inserts a step at the start of each of these plans. */
function first(scenario: Scenario, moments: readonly Moment[], step: Step): Scenario['plans'] {
  return Object.fromEntries(moments.map(moment => [moment, [step, ...planOf(scenario, moment)]]))
}

/** Inserts steps before the authorisation; in a plan without one, before the end. */
function beforeAuthorisation(scenario: Scenario, steps: Plan): Scenario['plans'] {
  const moments: readonly Moment[] = ['card_presented', 'card_presented_for_refund', 'card_expired', 'card_not_taken']
  return Object.fromEntries(
    moments.map(moment => {
      const plan = planOf(scenario, moment)
      const asks = plan.findIndex(({ do: what }) => what === 'authorise')
      const read = plan.indexOf(READ_CARD)
      const place = asks >= 0 ? asks : Math.max(plan.length - 1, read + 1)
      return [moment, [...plan.slice(0, place), ...steps, ...plan.slice(place)]]
    }),
  )
}

function planOf(scenario: Scenario, moment: Moment): Plan {
  return scenario.plans[moment] ?? PLANS[moment]
}

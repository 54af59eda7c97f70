// src/simulator/terminals/fault-profile.ts — what faults make of a scenario: other plans, another conduct of the acquirer, and
// what a terminal does wrong on the way. Pure.
import type { Fault } from '../faults/catalogue.ts'
import type { Scenario } from '../scenarios/scenario.ts'
import { type Moment, PAPER_OUT, PLANS, type Plan, READ_CARD, type Step, wait } from './flow.ts'

/** What a terminal does wrong that no plan can say. */
export interface FaultProfile {
  /** How long the line is down at the moment at which the acquirer's answer comes, milliseconds; 0: it is up. */
  readonly linkLostAtAnswerMs: number
  readonly reportsTwice: boolean
  readonly endsTwice: boolean
  /** How long after a cancel it says that it was paid, milliseconds; null: never. */
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

/** The scenario as its faults have it. */
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
    case 'http_500':
    case 'http_503':
    case 'connection_dropped':
    case 'answer_lost':
    case 'slow_answer':
      // They hit the till's request; the terminal knows nothing of them.
      return { scenario, faults }
  }
}

const ANSWERED = ['approved', 'approved_to_be_signed', 'declined'] as const
const PRINTING = ['approved', 'signature_accepted', 'signature_timed_out'] as const

/** Puts a step before the first one of each of these plans. */
function first(scenario: Scenario, moments: readonly Moment[], step: Step): Scenario['plans'] {
  return Object.fromEntries(moments.map(moment => [moment, [step, ...planOf(scenario, moment)]]))
}

/** Puts steps before the one that asks the acquirer; where none does, before the end. */
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

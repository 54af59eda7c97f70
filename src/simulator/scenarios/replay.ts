// src/simulator/scenarios/replay.ts — turns a transaction's events into a scenario that repeats what terminal and acquirer
// did, in the same order and at the same pace. Pure.

import type { TransactionEvent } from '../../domain/counter/transaction-events.ts'
import type { EventEnvelope } from '../../domain/machine.ts'
import { NO_OVERRIDE, type OutcomeOverride, readToken } from '../cards/card-token.ts'
import { type TestCardToken, testCardOf } from '../cards/test-cards.ts'
import type { Moment, Said, Step } from '../terminals/flow.ts'
import type { ScenarioDocument } from './document.ts'
import { writeScenario } from './document-reader.ts'
import { ORDINARY, type Scenario } from './scenario.ts'

type PlayedEvent = Pick<EventEnvelope<TransactionEvent>, 'event' | 'at'>

/** Upper bound of steps in a plan, below that of a document. Later steps are dropped. */
const MOST_STEPS = 480
/** How long a restarted terminal is unreachable. */
const RESTART_MS = 10_000

/** No further report. */
const SILENCE: readonly Step[] = [
  { do: 'wait', for: 'nothing' },
  { do: 'restart', ms: RESTART_MS },
]

interface Tape {
  readonly plans: Readonly<Partial<Record<Moment, readonly Step[]>>>
  /** The plan being written. */
  readonly moment: Moment
  /** Time of its last step, epoch milliseconds. */
  readonly at: number
  readonly ended: boolean
}

/** Writes the scenario of a transaction. Actions of the till are left to the till that plays against it. */
export function replayOf(requestId: string, heard: readonly PlayedEvent[]): ScenarioDocument {
  const [first] = heard
  const tape = heard.slice(1).reduce(taken, {
    plans: {},
    moment: firstMoment(first),
    at: first?.at ?? 0,
    ended: false,
  })
  const scenario: Scenario = {
    ...ORDINARY,
    ...cardIn(heard),
    paceMs: 0,
    startsWithoutPaper: first?.event.type === 'started' && first.event.paperOut,
    acquirer: overrideIn(heard),
    plans: whateverTheCard(tape.ended ? tape : step(tape, tape.at, ...SILENCE)),
  }
  const name = `recorded_${requestId.slice(-8).toLowerCase()}`
  return writeScenario(name, `What happened in ${requestId}.`, scenario)
}

function firstMoment(first: PlayedEvent | undefined): Moment {
  if (first?.event.type !== 'started') return 'started'
  const { transactionType, cardholderNotPresent } = first.event.request
  if (transactionType === 'DUPLICATE') return 'duplicate_started'
  return cardholderNotPresent ? 'started_without_card' : 'started'
}

function taken(tape: Tape, { event, at }: PlayedEvent): Tape {
  if (tape.ended) return tape
  switch (event.type) {
    case 'prompted':
    case 'paper_ran_out':
    case 'pin_requested':
    case 'signature_applied':
    case 'signature_not_applied':
    case 'outcome_shown':
    case 'card_removal_prompted':
      return step(tape, at, say(event))
    case 'linking':
      return step(tape, at, say(event))
    case 'card_read': {
      // The customer took this long to present a card; until then the transaction could be cancelled.
      const waited = step(tape, at, { do: 'wait', for: 'card' })
      return step(turned(waited, 'card_presented'), at, { do: 'read_card' })
    }
    case 'authorisation_requested':
      // The step implies that the connection is up.
      return step(withoutLink(tape), at, { do: 'authorise' })
    case 'authorisation_approved':
      return turned({ ...tape, at }, 'approved')
    case 'authorisation_declined':
      return turned({ ...tape, at }, 'declined')
    case 'signature_requested':
      return step(turned(tape, 'approved_to_be_signed'), at, { do: 'ask_signature' })
    case 'signature_decided':
      return turned({ ...tape, at }, event.accepted ? 'signature_accepted' : 'signature_refused')
    case 'signature_timed_out':
      return turned({ ...tape, at }, 'signature_timed_out')
    case 'cancel_accepted':
      return turned({ ...tape, at }, 'cancelled')
    case 'ended': {
      const { result } = event.ending
      // A terminal that reports TIMED_OUT means a failure.
      const said = result === 'TIMED_OUT' ? 'UNSUCCESSFUL' : result
      return { ...step(tape, at, { do: 'end', result: said }), ended: true }
    }
    case 'timed_out':
      return { ...step(tape, tape.at, ...SILENCE), ended: true }
    case 'started':
    case 'cancel_requested':
    case 'cancel_refused':
    case 'cancel_done':
    case 'authorisation_unanswered':
    case 'authorisation_confirmed':
    case 'reversal_requested':
    case 'reversed':
      return tape
  }
}

function say(report: Said): Step {
  switch (report.type) {
    case 'prompted':
      return { do: 'say', report: { type: 'prompted', prompt: report.prompt } }
    case 'linking':
      return { do: 'say', report: { type: 'linking', stage: report.stage } }
    case 'outcome_shown':
      return { do: 'say', report: { type: 'outcome_shown', outcome: report.outcome } }
    case 'paper_ran_out':
    case 'pin_requested':
    case 'signature_applied':
    case 'signature_not_applied':
    case 'card_removal_prompted':
      return { do: 'say', report: { type: report.type } }
  }
}

/** Appends steps to the plan, after a pause as long as in the original. */
function step(tape: Tape, at: number, ...steps: readonly Step[]): Tape {
  const pause: readonly Step[] = at > tape.at ? [{ do: 'pause', ms: at - tape.at }] : []
  const plan = planOf(tape)
  if (plan.length > MOST_STEPS) return { ...tape, at }
  return { ...tape, at, plans: { ...tape.plans, [tape.moment]: [...plan, ...pause, ...steps] } }
}

function turned(tape: Tape, moment: Moment): Tape {
  return { ...tape, moment }
}

function planOf({ plans, moment }: Tape): readonly Step[] {
  return plans[moment] ?? []
}

function withoutLink(tape: Tape): Tape {
  const plan = planOf(tape)
  const last = plan.at(-1)
  const isLink = last?.do === 'say' && last.report.type === 'linking' && last.report.stage === 'CONNECTION_MADE'
  return isLink ? { ...tape, plans: { ...tape.plans, [tape.moment]: plan.slice(0, -1) } } : tape
}

/** Uses the plan for any card, in payments and refunds. */
function whateverTheCard({ plans }: Tape): Scenario['plans'] {
  const { card_presented: plan } = plans
  if (plan === undefined) return plans
  return { ...plans, card_presented_for_refund: plan, card_expired: plan, card_not_taken: plan }
}

/** The presented card, as far as the events show it. */
function cardIn(heard: readonly PlayedEvent[]): Pick<Scenario, 'card' | 'reading' | 'check'> {
  const asked = heard.map(({ event }) => event).findLast(event => event.type === 'authorisation_requested')
  const read = asked ?? heard.map(({ event }) => event).findLast(event => event.type === 'card_read')
  const { card, reading, check } = ORDINARY
  if (read === undefined) return { card, reading, check }
  const { paymentMethod, cardholderVerificationMethod } = read.card
  const token = read.type === 'authorisation_requested' ? readToken(read.cardToken).card : card
  return {
    card: testCardOf(token) === null ? card : (token as TestCardToken),
    reading: paymentMethod === 'UNKNOWN' ? reading : paymentMethod,
    check: cardholderVerificationMethod === 'UNKNOWN' ? check : cardholderVerificationMethod,
  }
}

/** The acquirer's answer: at once, late, or none. */
function overrideIn(heard: readonly PlayedEvent[]): OutcomeOverride {
  const asked = heard.find(({ event }) => event.type === 'authorisation_requested')
  const answered = heard.find(
    ({ event }) => event.type === 'authorisation_approved' || event.type === 'authorisation_declined',
  )
  if (asked === undefined) return NO_OVERRIDE
  if (answered === undefined) return { ...NO_OVERRIDE, answer: 'nothing' }
  const unknown = heard.some(({ event }) => event.type === 'authorisation_unanswered')
  const tookMs = answered.at - asked.at
  const took = unknown ? { lateMs: tookMs } : { slowMs: tookMs }
  const { event } = answered
  if (event.type !== 'authorisation_declined') return { ...NO_OVERRIDE, answer: 'approved', ...took }
  // Whether a completion finds its holds depends on the holds at the time of the replay.
  const ofHolds = event.reason === 'no_pre_authorisation' || event.reason === 'pre_authorisation_differs'
  return { ...NO_OVERRIDE, answer: ofHolds ? null : event.reason, ...took }
}

// src/simulator/scenarios/replay.ts — turns a transaction's events into a scenario that repeats what terminal and acquirer
// did, in the same order and at the same pace. Pure.

import type { TransactionEvent, TransactionRequest } from '../../domain/counter/transaction-events.ts'
import { NO_OVERRIDE, type OutcomeOverride, readToken } from '../cards/card-token.ts'
import { type TestCardToken, testCardOf } from '../cards/test-cards.ts'
import type { Moment, ScriptedReport, Step } from '../terminals/flow.ts'
import { LONGEST_MS, type ScenarioDocument } from './document.ts'
import { writeScenario } from './document-reader.ts'
import { amountsIn, type PlayedEvent } from './replayed-amounts.ts'
import { ORDINARY, type Scenario } from './scenario.ts'

/** Upper bound of notifications in a plan. Later ones are dropped: a document holds a plan four times and must fit a body. */
const MOST_STEPS = 280
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
  /** A notification did not fit. */
  readonly cut: boolean
}

/**
 * Writes the scenario of a transaction. Actions of the till are left to the till that plays against it. What cannot be
 * repeated is named in `uncaptured`.
 */
export function replayOf(requestId: string, recording: readonly PlayedEvent[]): ScenarioDocument {
  const [first] = recording
  const start = { plans: {}, moment: firstMoment(first), at: first?.at ?? 0, ended: false, cut: false }
  const limit = recording.findIndex(({ event }) => event.type === 'timed_out')
  const played = recording.slice(1, limit === -1 ? undefined : limit).reduce(taken, start)
  const tape = limit === -1 || played.ended ? played : outlasted(played, recording, limit)
  const request = first?.event.type === 'started' ? first.event.request : null
  const amounts = amountsIn(request, recording)
  const card = cardIn(recording)
  const plans = withoutSignature(card.check, whateverTheCard(tape.ended ? tape : step(tape, tape.at, ...SILENCE)))
  const scenario: Scenario = {
    ...ORDINARY,
    ...card,
    paceMs: 0,
    startsWithoutPaper: first?.event.type === 'started' && first.event.paperOut,
    acquirer: overrideIn(recording),
    faults: amounts.faults,
    ...(amounts.gratuityMinor === null ? {} : { gratuityMinor: amounts.gratuityMinor }),
    plans: amounts.gratuityMinor === null ? plans : askingGratuity(plans),
  }
  const name = `recorded_${requestId.slice(-8).toLowerCase()}`
  const uncaptured = [...amounts.uncaptured, ...uncapturedIn(request, recording, tape)]
  return {
    ...writeScenario(name, `What happened in ${requestId}.`, scenario),
    ...(uncaptured.length === 0 ? {} : { uncaptured }),
  }
}

/** What a terminal does that the transaction outlasts: what the gateway learned afterwards tells it. */
function outlasted(tape: Tape, recording: readonly PlayedEvent[], limit: number): Tape {
  const [first] = recording
  const timedOut = recording[limit]
  const reported = recording.slice(limit).find(({ event }) => FOUND[event.type] !== undefined)
  const limitMs = first?.event.type === 'started' ? first.event.limits.transactionMs : 0
  const over = timedOut?.at ?? tape.at
  // Before its limit a transaction times out when its terminal is back and does not know it.
  if (over < (first?.at ?? 0) + limitMs) {
    // Half of the time for the last reports to arrive: a restart forgets those that have not.
    const restartedAt = tape.at + Math.floor((over - tape.at) / 2)
    return { ...step(tape, restartedAt, { do: 'restart', ms: Math.min(over - restartedAt, LONGEST_MS) }), ended: true }
  }
  const late = recording.slice(limit).find(({ event }) => event.type === 'asked_too_late')
  if (reported === undefined && late !== undefined) return { ...step(tape, late.at, { do: 'authorise' }), ended: true }
  if (reported === undefined) return { ...step(tape, tape.at, ...SILENCE), ended: true }
  const result = FOUND[reported.event.type] ?? 'UNSUCCESSFUL'
  // Known at once: the terminal had ended before the limit, and had not said so.
  if (reported.at === over) return { ...step(tape, tape.at, { do: 'end_unheard', result }), ended: true }
  return { ...step(tape, reported.at, { do: 'end', result }), ended: true }
}

/** The end of the terminal, by what the gateway learned after the limit. */
const FOUND: Readonly<Partial<Record<TransactionEvent['type'], 'SUCCESSFUL' | 'UNSUCCESSFUL'>>> = {
  authorisation_confirmed: 'SUCCESSFUL',
  reversal_requested: 'UNSUCCESSFUL',
  found_successful: 'SUCCESSFUL',
  found_unsuccessful: 'UNSUCCESSFUL',
  closed_as_taken: 'SUCCESSFUL',
  closed_as_not_taken: 'UNSUCCESSFUL',
}

/** What the events do not tell, or a scenario cannot repeat. */
function uncapturedIn(
  request: TransactionRequest | null,
  recording: readonly PlayedEvent[],
  { cut }: Tape,
): readonly string[] {
  const events = recording.map(({ event }) => event)
  const ofHolds = events.some(
    event =>
      event.type === 'authorisation_declined' &&
      (event.reason === 'no_pre_authorisation' || event.reason === 'pre_authorisation_differs'),
  )
  const unknownCard = events.some(
    event => event.type === 'authorisation_requested' && testCardOf(readToken(event.cardToken).card) === null,
  )
  const longest = Math.max(0, overrideIn(recording).slowMs, overrideIn(recording).lateMs)
  return [
    ...(cut ? [`Of many notifications in a row only the first ${MOST_STEPS} are repeated.`] : []),
    ...(isCancelDelayed(recording) ? ['The terminal was out of reach when the till cancelled.'] : []),
    ...(ofHolds ? ['Whether the acquirer finds the pre-authorisation depends on those that are open then.'] : []),
    ...(unknownCard ? ['The card is no test card; another one is presented.'] : []),
    ...(isRetried(recording)
      ? ['When the acquirer is asked again: a try may come up to a minute earlier or later.']
      : []),
    ...(longest === LONGEST_MS ? ['The acquirer answers after an hour at the latest.'] : []),
    ...(request?.transactionType === 'DUPLICATE' ? ['A DUPLICATE repeats what came before it on its terminal.'] : []),
    ...(request?.table === undefined ? [] : ['The table, its waiter and the share that was paid.']),
    ...(recording.length > 0 && recording.every(({ event }) => !isOver(event))
      ? ['What came after the export: the transaction had not ended.']
      : []),
  ]
}

/** Whether the acquirer took its time to say nothing: the tries that follow depend on what else happens meanwhile. */
function isRetried(recording: readonly PlayedEvent[]): boolean {
  return overrideIn(recording).slowMs > 0 && recording.some(({ event }) => event.type === 'authorisation_unanswered')
}

/** Whether a cancel did not reach the terminal at once: it answers without delay. */
function isCancelDelayed(recording: readonly PlayedEvent[]): boolean {
  return recording.some(({ event, at }, index) => {
    if (event.type !== 'cancel_requested') return false
    const answer = recording.slice(index).find(later => CANCEL_ANSWERS.has(later.event.type))
    return answer === undefined || answer.at > at
  })
}

const CANCEL_ANSWERS: ReadonlySet<string> = new Set(['cancel_accepted', 'cancel_refused'])

function isOver({ type }: TransactionEvent): boolean {
  return type === 'ended' || type === 'timed_out'
}

/** Lets the terminal ask for a gratuity, where it does. */
function askingGratuity(plans: Scenario['plans']): Scenario['plans'] {
  return { ...plans, started: [{ do: 'wait', for: 'gratuity' }, ...(plans.started ?? [])] }
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
      return step(tape, at, notificationOf(event))
    case 'linking':
      return step(tape, at, notificationOf(event))
    case 'card_read': {
      // The customer took this long to present a card; until then the transaction could be cancelled.
      const waited = step(tape, at, { do: 'wait', for: 'card' })
      return step(turned(waited, 'card_presented'), at, { do: 'read_card' })
    }
    case 'authorisation_requested':
      // The step implies that the connection is up.
      return step(withoutLink(tape), at, { do: 'authorise' })
    case 'asked_too_late':
      return turned(step(withoutLink(tape), at, { do: 'authorise' }), 'too_late')
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
      // Without a cancel the terminal would have gone on waiting. A plan needs an end.
      return turned({ ...(tape.moment === 'cancelled' ? tape : step(tape, tape.at, ...SILENCE)), at }, 'cancelled')
    case 'ended': {
      const { result } = event.ending
      if (tape.moment === 'duplicate_started') return { ...step(tape, at, { do: 'repeat_last' }), ended: true }
      // A terminal that reports TIMED_OUT means a failure.
      const shown = result === 'TIMED_OUT' ? 'UNSUCCESSFUL' : result
      return { ...step(tape, at, { do: 'end', result: shown }), ended: true }
    }
    case 'timed_out':
    case 'started':
    case 'cancel_requested':
    case 'cancel_refused':
    case 'cancel_done':
    case 'authorisation_unanswered':
    case 'authorisation_confirmed':
    case 'reversal_requested':
    case 'reversed':
    case 'found_successful':
    case 'found_unsuccessful':
    case 'closed_as_taken':
    case 'closed_as_not_taken':
    case 'found_after_closing':
      return tape
  }
}

function notificationOf(report: ScriptedReport): Step {
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
  const plan = planOf(tape)
  // A dropped notification leaves its time to the next step.
  if (plan.length > MOST_STEPS && steps.every(({ do: what }) => what === 'say')) return { ...tape, cut: true }
  return { ...tape, at, plans: { ...tape.plans, [tape.moment]: [...plan, ...pauses(at - tape.at), ...steps] } }
}

/** Pauses of a total length. A document has an upper bound for each. */
function pauses(ms: number): readonly Step[] {
  if (ms <= 0) return []
  return [{ do: 'pause', ms: Math.min(ms, LONGEST_MS) }, ...pauses(ms - LONGEST_MS)]
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

/** Uses the plan of the approval for a card that needs a signature and was never asked for it: the terminal did not get so far. */
function withoutSignature(check: Scenario['check'], plans: Scenario['plans']): Scenario['plans'] {
  const { approved, approved_to_be_signed: signed } = plans
  return check !== 'SIGNATURE' || approved === undefined || signed !== undefined
    ? plans
    : { ...plans, approved_to_be_signed: approved }
}

/** The presented card, as far as the events show it. */
function cardIn(recording: readonly PlayedEvent[]): Pick<Scenario, 'card' | 'reading' | 'check'> {
  const requested = recording.map(({ event }) => event).findLast(event => event.type === 'authorisation_requested')
  const read = requested ?? recording.map(({ event }) => event).findLast(event => event.type === 'card_read')
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

/** The acquirer's answer: at once, slow, late, or none; and how long it did not answer a reversal. */
function overrideIn(recording: readonly PlayedEvent[]): OutcomeOverride {
  return { ...answerIn(recording), reversalMs: reversalMsIn(recording) }
}

function reversalMsIn(recording: readonly PlayedEvent[]): number {
  const requested = recording.find(({ event }) => event.type === 'reversal_requested')
  // A reversal waits until the order has been answered, which then takes the time.
  const isAnswered = recording.some(
    ({ event }) => event.type.startsWith('authorisation_') && event.type !== 'authorisation_requested',
  )
  if (requested === undefined || !isAnswered) return 0
  const reversed = recording.find(({ event }) => event.type === 'reversed')
  return reversed === undefined ? LONGEST_MS : Math.min(reversed.at - requested.at, LONGEST_MS)
}

function answerIn(recording: readonly PlayedEvent[]): OutcomeOverride {
  const requested = recording.find(({ event }) => event.type === 'authorisation_requested')
  const unknown = recording.find(({ event }) => event.type === 'authorisation_unanswered')
  const answered = recording.find(
    ({ event }) => event.type === 'authorisation_approved' || event.type === 'authorisation_declined',
  )
  if (requested === undefined) return NO_OVERRIDE
  // The first answer took so long, and so does each later one. It said nothing when the decision came later. A payment that was
  // reversed before any answer was reversed once the answer had come.
  const first = unknown ?? answered ?? recording.find(({ event }) => event.type === 'reversed')
  const slowMs = first === undefined ? 0 : Math.min(first.at - requested.at, LONGEST_MS)
  if (answered === undefined) return { ...NO_OVERRIDE, answer: 'nothing', slowMs }
  const lateMs = unknown === undefined ? 0 : Math.min(answered.at - unknown.at, LONGEST_MS)
  const took = { slowMs, lateMs }
  const { event } = answered
  if (event.type !== 'authorisation_declined') return { ...NO_OVERRIDE, answer: 'approved', ...took }
  // Whether a completion finds its holds depends on the holds at the time of the replay.
  const ofHolds = event.reason === 'no_pre_authorisation' || event.reason === 'pre_authorisation_differs'
  return { ...NO_OVERRIDE, answer: ofHolds ? null : event.reason, ...took }
}

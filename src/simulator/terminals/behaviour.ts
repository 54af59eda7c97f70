// src/simulator/terminals/behaviour.ts — behaviour of a simulated terminal as one pure function from state, input and time
// to the next state. Its deliveries are in `outbox`, the time of its next step in `dueAt`.
import type { AuthorisationAnswer, TransactionRequest } from '../../domain/counter/transaction-events.ts'
import type { Scenario } from '../scenarios/scenario.ts'
import type { WaiterScript } from '../scenarios/waiter-script.ts'
import { type DeviceState, freshDevice, freshRunning, type QueuedScenario, type Setup, withPast } from './device.ts'
import { MESSAGE_BY_DECLINE } from './ending.ts'
import type { Moment } from './flow.ts'
import { keysOf, pressed } from './keys.ts'
import { type ReportInput, reportForgotten, reportStep, startReport } from './reporting.ts'
import type { ScreenKey } from './screens.ts'
import { isAttended, sessionDueAt, startSession, unasked } from './session.ts'
import { settingsIn } from './session-keys.ts'
import { answered, type ReplyInput } from './session-replies.ts'
import { lookedAfter, numbered, sessionStep } from './session-steps.ts'
import {
  type Busy,
  changed,
  closedAsItStands,
  deliver,
  follow,
  isBusy,
  planFor,
  takeStep,
  waitIsOver,
} from './steps.ts'

/** Upper bound of reservations per terminal. Few starts are under way at once; those that never arrive are dropped. */
const MOST_RESERVED = 20

/** A call of the gateway about the running transaction. Calls with the same effect id are one call. */
interface Call {
  readonly effectId: string
  readonly requestId: string
}

export type Input =
  | (Call & {
      readonly type: 'start'
      readonly request: TransactionRequest
      readonly setup: Setup
      readonly scenario: Scenario
    })
  | (Call & { readonly type: 'cancel' })
  | (Call & { readonly type: 'authorisation_answered'; readonly answer: AuthorisationAnswer })
  | (Call & { readonly type: 'signature_answered'; readonly accepted: boolean; readonly timedOut: boolean })
  | ReportInput
  /** `setup`: present with the keys of a waiter. */
  | { readonly type: 'key'; readonly key: ScreenKey; readonly setup?: Setup }
  /** A waiter who follows a script. */
  | { readonly type: 'waiter'; readonly waiterId: string; readonly setup: Setup; readonly script: WaiterScript }
  | ReplyInput
  /** The id for the share or report that is being requested. */
  | { readonly type: 'numbered'; readonly id: string }
  | { readonly type: 'time_passed' }
  | { readonly type: 'delivered'; readonly requestId: string; readonly sequence: number }
  /** The gateway learned that the terminal does not know this transaction: the terminal must not start it any more. */
  | { readonly type: 'denied'; readonly requestId: string }
  | {
      readonly type: 'scenarios_set'
      readonly scenarios: readonly QueuedScenario[]
      readonly afterwards: string | null
    }
  | { readonly type: 'scenario_reserved'; readonly requestId: string; readonly scenario: string }
  | { readonly type: 'scenario_released'; readonly requestId: string }
  /** The request that was to play the next scenario failed before it started a transaction. */
  | { readonly type: 'scenario_skipped' }
  /** Resets the terminal to new. */
  | { readonly type: 'reset' }

/** Returns the state after an input at `at` (epoch milliseconds); the same object when nothing changes. */
export function react(state: DeviceState, input: Input, at: number): DeviceState {
  return lookedAfter(reacted(state, input, at))
}

function reacted(state: DeviceState, input: Input, at: number): DeviceState {
  switch (input.type) {
    case 'start':
      return start(state, input, at)
    case 'cancel':
      return forCall(state, input, busy => cancel(busy, at))
    case 'authorisation_answered':
      return linkFails(state, input, at) ?? forCall(state, input, busy => authorised(busy, input.answer, at))
    case 'signature_answered':
      return forCall(state, input, busy => signatureAnswered(busy, input, at))
    case 'key':
      return pressed(state, input.key, input.setup ?? null, at)
    case 'waiter':
      return keysOf(state, settingsIn(input.setup)).includes('waiter') ? startSession(state, input, at) : state
    case 'waiter_answered':
      return answered(state, input, at)
    case 'numbered':
      return numbered(state, input.id)
    case 'time_passed':
      return timePassed(state, at)
    case 'run_report':
      return knows(state, input.requestId) ? state : startReport(freed(state, at), input, at)
    case 'delivered': {
      const others = (delivery: { readonly requestId: string; readonly sequence: number }) =>
        delivery.requestId !== input.requestId || delivery.sequence !== input.sequence
      return { ...state, outbox: state.outbox.filter(others), reportOutbox: state.reportOutbox.filter(others) }
    }
    case 'denied':
      return knows(state, input.requestId) ? state : withPast(state, { requestId: input.requestId, state: 'forgotten' })
    case 'scenarios_set':
      return { ...state, scenarios: input.scenarios, afterwards: input.afterwards }
    case 'scenario_reserved': {
      const { requestId, scenario } = input
      return { ...state, reserved: [...state.reserved, { requestId, scenario }].slice(-MOST_RESERVED) }
    }
    case 'reset':
      return freshDevice(state.account, state.tid)
    case 'scenario_skipped':
      return { ...state, scenarios: dequeued(state.scenarios) }
    case 'scenario_released':
      return { ...state, reserved: state.reserved.filter(({ requestId }) => requestId !== input.requestId) }
  }
}

/**
 * Name of the scenario of a transaction on this terminal; null when the terminal's id decides.
 * @param requestId null for the next transaction
 */
export function scenarioFor({ reserved, scenarios, afterwards }: DeviceState, requestId: string | null): string | null {
  const mine = reserved.findLast(other => requestId === null || other.requestId === requestId)
  return mine?.scenario ?? scenarios[0]?.scenario ?? afterwards
}

/** The queue after its first scenario is played once. */
function dequeued([first, ...others]: readonly QueuedScenario[]): readonly QueuedScenario[] {
  if (first === undefined) return []
  return first.times > 1 ? [{ ...first, times: first.times - 1 }, ...others] : others
}

/** Whether the terminal knows a transaction, as far back as it remembers. */
function knows(state: DeviceState, requestId: string): boolean {
  if (state.running?.requestId === requestId || state.report?.requestId === requestId) return true
  return state.past.some(past => past.requestId === requestId)
}

function start(state: DeviceState, input: Extract<Input, { type: 'start' }>, at: number): DeviceState {
  const { requestId, request, setup, scenario, effectId } = input
  if (knows(state, requestId)) return state
  const free = freed(state, at)
  const duplicate = request.transactionType === 'DUPLICATE'
  const running = freshRunning(requestId, request, setup, scenario, effectId, at)
  const reserved = free.reserved.filter(other => other.requestId !== requestId)
  // A reserved scenario does not advance the queue. Neither does a duplicate, which runs the same on every terminal.
  const dequeues = !duplicate && reserved.length === free.reserved.length
  const moment = duplicate ? 'duplicate_started' : request.cardholderNotPresent ? 'started_without_card' : 'started'
  return {
    ...(isAttended(free) ? unasked(free) : free),
    scenarios: dequeues ? dequeued(free.scenarios) : free.scenarios,
    reserved,
    running: { ...running, plan: planFor(running, moment), dueAt: at + running.setup.paceMs },
  }
}

/** Ends what is still on the terminal: a gateway that starts something has given it up. */
function freed(state: DeviceState, at: number): DeviceState {
  return reportForgotten(isBusy(state) ? closedAsItStands(state, at) : state)
}

/** Performs each call once, and only on its own transaction. One without effect may be repeated, and have it then. */
function forCall(state: DeviceState, call: Call, perform: (state: Busy) => Busy): DeviceState {
  if (!isBusy(state) || state.running.requestId !== call.requestId) return state
  if (state.running.performed.includes(call.effectId)) return state
  const next = perform(state)
  return next === state ? state : changed(next, { performed: [...next.running.performed, call.effectId] })
}

/** Breaks the connection when the acquirer's answer arrives, if a fault says so. The call fails and is repeated. */
function linkFails(state: DeviceState, { requestId }: Call, at: number): DeviceState | null {
  if (!isBusy(state) || state.running.requestId !== requestId) return null
  const { faults, waitsFor } = state.running
  if (faults.linkLostAtAnswerMs === 0 || waitsFor !== 'authorisation') return null
  const spent = changed(state, { faults: { ...faults, linkLostAtAnswerMs: 0 } })
  return { ...spent, linkDownUntil: at + faults.linkLostAtAnswerMs }
}

/** A cancel is accepted until a card is presented (docs/scenarios.md, rows 10 and 12). */
function cancel(state: Busy, at: number): Busy {
  if (state.running.presented !== null) return deliver(state, [{ type: 'cancel_refused', atEnd: false }])
  const stopping = deliver(changed(state, { showing: 'CANCELLING' }), [{ type: 'cancel_accepted' }])
  return follow(stopping, 'cancelled', at + state.running.setup.paceMs)
}

function authorised(state: Busy, answer: AuthorisationAnswer, at: number): Busy {
  const { waitsFor, presented, messages, setup } = state.running
  if (waitsFor !== 'authorisation') return state
  const next = at + setup.paceMs
  switch (answer.answer) {
    case 'approved': {
      const moment = presented?.check === 'SIGNATURE' ? 'approved_to_be_signed' : 'approved'
      return follow(changed(state, { authCode: answer.authCode }), moment, next)
    }
    case 'declined': {
      const message = MESSAGE_BY_DECLINE[answer.reason]
      const reported = changed(state, {
        messages: message === undefined ? messages : [...messages, message],
        ...(answer.reason === 'incorrect_pin' ? { pinRefused: true } : {}),
      })
      return follow(reported, 'declined', next)
    }
    case 'too_late':
      return follow(changed(state, { messages: [...messages, 'too_late'] }), 'too_late', next)
  }
}

function signatureAnswered(
  state: Busy,
  { accepted, timedOut }: { readonly accepted: boolean; readonly timedOut: boolean },
  at: number,
): Busy {
  if (state.running.waitsFor !== 'signature') return state
  const decided: Moment = accepted ? 'signature_accepted' : 'signature_refused'
  return follow(state, timedOut ? 'signature_timed_out' : decided, at + state.running.setup.paceMs)
}

/** Time of the terminal's next step, epoch milliseconds; null when there is none. */
export function dueAtOf(state: DeviceState): number | null {
  const { running, report, linkDownUntil, late } = state
  const times = [running?.dueAt ?? report?.dueAt ?? sessionDueAt(state), linkDownUntil, late[0]?.dueAt ?? null]
  const due = times.filter(time => time !== null)
  return due.length === 0 ? null : Math.min(...due)
}

function timePassed(state: DeviceState, at: number): DeviceState {
  const { report, linkDownUntil } = state
  if (linkDownUntil !== null && at >= linkDownUntil) return { ...state, linkDownUntil: null }
  const [first, ...late] = state.late
  if (first !== undefined && at >= first.dueAt) return { ...state, late, outbox: [...state.outbox, first.delivery] }
  if (report !== null) return report.dueAt === null || at < report.dueAt ? state : reportStep(state, report, at)
  if (!isBusy(state)) return attendedStep(state, at)
  if (at < state.running.dueAt) return state
  const { waitsFor } = state.running
  if (waitsFor === null) return takeStep(state, at)
  const next = waitIsOver(state, waitsFor, at)
  // The script's action and the terminal's reaction happen at the same time.
  return isBusy(next) && next.running.waitsFor === null && next.running.dueAt <= at ? takeStep(next, at) : next
}

function attendedStep(state: DeviceState, at: number): DeviceState {
  const dueAt = sessionDueAt(state)
  return dueAt === null || at < dueAt || !isAttended(state) ? state : sessionStep(state, at)
}

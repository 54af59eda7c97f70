// src/simulator/terminals/steps.ts — executes a plan: one step at a time, with at most one delivery each. Pure.

import type { Ending, TerminalReport, TransactionResult } from '../../domain/counter/transaction-events.ts'
import { notificationsOf } from '../../domain/counter/transaction-notifications.ts'
import { NO_AMOUNTS } from '../../domain/money.ts'
import { tokenOf } from '../cards/card-token.ts'
import { amountsFor } from './amounts-due.ts'
import { cardDetailsOf, checkFor, troubleWith } from './card-reader.ts'
import { type DeviceState, forgotten, type Presented, type Running, withPast } from './device.ts'
import { endingOf, endingOfRepeated, printed } from './ending.ts'
import {
  type Condition,
  type Moment,
  PLANS,
  type Plan,
  type ScriptedReport,
  type Step,
  WAITS,
  type Wait,
} from './flow.ts'
import { withCounted } from './reporting.ts'

/** A terminal with a running transaction. */
export type Busy = DeviceState & { readonly running: Running }

/** Transaction numbers have four digits and wrap around. */
const MOST_NUMBERED = 9999

/** First transaction id; the number of cards read is added to it. */
const FIRST_TRANSACTION_ID = 4_100_000

export function isBusy(state: DeviceState): state is Busy {
  return state.running !== null
}

/** The terminal with its transaction changed. */
export function changed(state: Busy, changes: Partial<Running>): Busy {
  return { ...state, running: { ...state.running, ...changes } }
}

/** Puts a delivery into the outbox, where it stays until the gateway confirms it. */
export function deliver(state: Busy, reports: readonly TerminalReport[]): Busy {
  const { requestId } = state.running
  const sequence = state.running.sequence + 1
  const twice = state.running.faults.reportsTwice ? ({ twice: true } as const) : {}
  const outbox = [...state.outbox, { account: state.account, requestId, sequence, reports, ...twice }]
  return { ...changed(state, { sequence }), outbox }
}

/** Continues with the plan for this moment; its first step is due at `dueAt`. */
export function follow(state: Busy, moment: Moment, dueAt: number): Busy {
  return changed(state, { plan: planFor(state.running, moment), waitsFor: null, dueAt })
}

/** The plan for this moment: the scenario's, else the ordinary one. */
export function planFor(running: Pick<Running, 'scenario'>, moment: Moment): Plan {
  return running.scenario.plans[moment] ?? PLANS[moment]
}

/** Ends a wait; the plan continues at `dueAt`. */
export function goOnAt(state: Busy, dueAt: number): Busy {
  return changed(state, { waitsFor: null, dueAt })
}

/** Presents a card. From here on the till cannot cancel. */
export function present(state: Busy, offered: Presented, at: number): Busy {
  const { request, messages } = state.running
  const trouble = troubleWith(offered.token, at)
  const check = trouble === null ? checkFor(request, offered.reading, offered.check) : 'NONE'
  const amounts = amountsFor(state.running, offered.token)
  const isRefused = request.cashbackMinor > 0 && amounts.cashbackMinor === 0
  const presented = changed(state, {
    presented: { ...offered, check },
    cardInSlot: offered.reading === 'ICC_CHIP',
    amounts,
    messages: isRefused ? [...messages, 'cashback_refused'] : messages,
  })
  const refund = request.transactionType === 'REFUND' && !request.cardholderNotPresent
  return follow(presented, trouble ?? (refund ? 'card_presented_for_refund' : 'card_presented'), at)
}

/** Takes the next step of the plan. @throws Error when the plan has none: every plan ends or waits. */
export function takeStep(state: Busy, at: number): DeviceState {
  const [step, ...plan] = applicable(state.running)
  if (step === undefined) throw new Error(`a plan without an end on ${state.tid}`)
  const now = changed(state, { plan })
  switch (step.do) {
    case 'wait':
      return enterWait(now, step.for, at)
    case 'pause':
      return changed(now, { dueAt: at + step.ms })
    case 'outlast_limit': {
      const { startedAt, setup } = now.running
      return changed(now, { dueAt: Math.max(at, startedAt + setup.limitMs + step.ms) })
    }
    case 'storm':
      return afterReport(storm(now, step.times), at)
    case 'lose_link':
      return afterReport({ ...now, linkDownUntil: at + step.ms }, at)
    case 'restart':
      return { ...forgotten(now), session: null, linkDownUntil: at + step.ms }
    case 'say':
      return afterReport(deliver(noted(now, step.report), [step.report]), at)
    case 'read_card':
      return afterReport(readCard(now), at)
    case 'authorise':
      return enterWait(askAuthorisation(now), 'authorisation', at)
    case 'ask_signature':
      return enterWait(askSignature(now, at), 'signature', at)
    case 'end':
      return finished(now, step.result, at, true)
    case 'end_unheard':
      return finished(now, step.result, at, false)
    case 'repeat_last':
      return repeated(now, at)
  }
}

/** Handles the end of a wait: the script acts, or the wait has timed out. */
export function waitIsOver(state: Busy, wait: Wait, at: number): DeviceState {
  const { leadsTo } = WAITS[wait]
  if (scriptActs(state.running, wait)) return scriptAct(state, wait, at)
  return leadsTo === null ? goOnAt(state, at) : follow(state, leadsTo, at)
}

/** Ends the transaction without a report; it counts as taken if the customer has seen APPROVED. */
export function closedAsItStands(state: Busy, at: number): DeviceState {
  return finished(state, state.running.approvedShown ? 'SUCCESSFUL' : 'UNSUCCESSFUL', at, false)
}

/** The plan from its next step that is not skipped. */
function applicable(running: Running): Plan {
  const next = running.plan.findIndex(step => !leftOut(step, running))
  return next === -1 ? [] : running.plan.slice(next)
}

function leftOut(step: Step, running: Running): boolean {
  if (step.do === 'say') return step.only !== undefined && !holds(step.only, running)
  if (step.do !== 'wait') return false
  switch (step.for) {
    case 'gratuity':
      // At a table the gratuity is agreed before the transaction.
      if (running.request.table !== undefined) return true
      return !(running.setup.settings.gratuity && running.request.transactionType === 'SALE')
    case 'pin':
      return !holds('pin', running)
    case 'removal':
      return !holds('card_in_slot', running)
    case 'card':
    case 'authorisation':
    case 'signature':
    case 'nothing':
      return false
  }
}

function holds(condition: Condition, running: Running): boolean {
  switch (condition) {
    case 'pin':
      return running.presented?.check === 'PIN'
    case 'card_in_slot':
      return running.cardInSlot
    case 'printing':
      return running.setup.settings.printing
  }
}

/** A prompt and its wait begin together; any other step comes one step time later. */
function afterReport(state: Busy, at: number): Busy {
  const [next, ...plan] = applicable(state.running)
  return next?.do === 'wait'
    ? enterWait(changed(state, { plan }), next.for, at)
    : changed(state, { dueAt: at + state.running.setup.paceMs })
}

function enterWait(state: Busy, wait: Wait, at: number): Busy {
  const forMs = scriptActs(state.running, wait) ? state.running.setup.paceMs : WAITS[wait].limitMs
  return changed(state, { waitsFor: wait, dueAt: at + forMs })
}

function scriptActs({ scenario }: Running, wait: Wait): boolean {
  if (scenario.person !== 'script') return false
  return wait === 'gratuity' || wait === 'card' || wait === 'pin' || (wait === 'removal' && !scenario.leavesCard)
}

function scriptAct(state: Busy, wait: Wait, at: number): Busy {
  const { scenario, request, amounts } = state.running
  switch (wait) {
    case 'gratuity': {
      // Unless the scenario says otherwise, the script gives a tenth, rounded down.
      const gratuityMinor = scenario.gratuityMinor ?? Math.floor(amounts.baseMinor / 10)
      return goOnAt(changed(state, { amounts: { ...amounts, gratuityMinor } }), at)
    }
    case 'card': {
      const reading = request.cardholderNotPresent ? 'KEYED' : scenario.reading
      return present(state, { token: scenario.card, reading, check: scenario.check }, at)
    }
    case 'removal':
      return goOnAt(changed(state, { cardInSlot: false }), at)
    case 'pin':
    case 'authorisation':
    case 'signature':
    case 'nothing':
      return goOnAt(state, at)
  }
}

/** Updates the terminal's own state from a report. */
function noted(state: Busy, report: ScriptedReport): Busy {
  const { running } = state
  const noted = changed(state, {
    showing: notificationsOf(report, [])[0] ?? running.showing,
    pinAsked: running.pinAsked || report.type === 'pin_requested',
    approvedShown: running.approvedShown || (report.type === 'outcome_shown' && report.outcome === 'APPROVED'),
  })
  return report.type === 'paper_ran_out' ? { ...noted, paperOut: true } : noted
}

/** Reads the card, which gives the transaction its numbers. */
function readCard(state: Busy): Busy {
  const counted = state.counted + 1
  const numbered = changed(state, {
    cardRead: true,
    showing: 'PLEASE_WAIT',
    transactionId: String(FIRST_TRANSACTION_ID + counted),
    transactionNumber: String(((counted - 1) % MOST_NUMBERED) + 1).padStart(4, '0'),
  })
  return deliver({ ...numbered, counted }, [{ type: 'card_read', card: cardDetailsOf(numbered.running) }])
}

function askAuthorisation(state: Busy): Busy {
  const { running } = state
  const amounts = running.request.transactionType === 'ACCOUNT_VERIFICATION' ? NO_AMOUNTS : running.amounts
  const asking = changed(state, { amounts, showing: 'CONNECTION_MADE' })
  return deliver(asking, [
    { type: 'linking', stage: 'CONNECTION_MADE' },
    {
      type: 'authorisation_requested',
      cardToken: tokenOf(running.presented?.token ?? '', running.scenario.acquirer),
      amounts,
      card: cardDetailsOf(running),
    },
  ])
}

function askSignature(state: Busy, at: number): Busy {
  const { running, tid } = state
  const report: TerminalReport = {
    type: 'signature_requested',
    authCode: running.authCode,
    card: cardDetailsOf(running),
    receipts: printed(running, tid, null, at),
  }
  return deliver(changed(state, { showing: 'SIGNATURE_VERIFICATION' }), [report])
}

/** Sends notifications of a connection that comes and goes. */
function storm(state: Busy, times: number): Busy {
  const stages = ['RETRYING', 'CONNECTING'] as const
  return Array.from({ length: times }, (_, index) => stages[index % 2] ?? 'RETRYING').reduce(
    (now, stage) => deliver(now, [{ type: 'linking', stage }]),
    state,
  )
}

function finished(state: Busy, result: TransactionResult, at: number, isReported: boolean): DeviceState {
  const { running, tid } = state
  const ending = endingOf(misreported(running), tid, result, at)
  const reported = isReported ? withEndReported(state, ending, at) : state
  const { transactionType } = running.request
  const last =
    transactionType === 'DUPLICATE'
      ? state.last
      : { requestId: running.requestId, transactionType, endedAt: at, ending }
  return over(withCounted({ ...reported, last }, running, result), running, result)
}

/** The amounts as reported, which a fault may make differ from those charged. */
function misreported(running: Running): Running {
  const { amounts, faults } = running
  if (faults.reportsMoreMinor === 0) return running
  return { ...running, amounts: { ...amounts, baseMinor: amounts.baseMinor + faults.reportsMoreMinor } }
}

/** Reports the end: once, or twice or late as a fault says. */
function withEndReported(state: Busy, ending: Ending, at: number): Busy {
  const { endsTwice, paidAfterCancelMs } = state.running.faults
  const reported = deliver(state, [{ type: 'ended', ending }])
  const again = endsTwice ? deliver(reported, [{ type: 'ended', ending }]) : reported
  if (ending.result !== 'CANCELLED' || paidAfterCancelMs === null) return again
  const { requestId, sequence } = again.running
  const reports = [{ type: 'ended', ending: { ...ending, result: 'SUCCESSFUL' } }] as const
  const delivery = { account: state.account, requestId, sequence: sequence + 1, reports }
  const late = [...again.late, { dueAt: at + paidAfterCancelMs, delivery }]
  return { ...again, late: late.toSorted((one, other) => one.dueAt - other.dueAt) }
}

function repeated(state: Busy, at: number): DeviceState {
  const ending = endingOfRepeated(state.running, state.tid, state.last, at)
  return over(deliver(state, [{ type: 'ended', ending }]), state.running, ending.result)
}

function over(state: DeviceState, { requestId }: Running, result: TransactionResult): DeviceState {
  const past = { requestId, state: result === 'SUCCESSFUL' ? 'successful' : 'unsuccessful' } as const
  return withPast({ ...state, running: null }, past)
}

// src/simulator/terminals/session-steps.ts — how a waiter's session goes on by itself: with its script, with the end of a
// payment, with time. Pure.

import type { WaiterStep } from '../scenarios/waiter-script.ts'
import type { DeviceState } from './device.ts'
import type { ScreenKey, WaiterKey } from './screens.ts'
import { type Attended, altered, asking, isAttended, leaving, waiting } from './session.ts'
import { awaitsWaiter, gratuityAgreed, signed, waiterKeysOf, waiterPressed } from './session-keys.ts'

/** A question without a number of its own gets one, that nobody can guess. */
export function numbered(state: DeviceState, id: string): DeviceState {
  if (!isAttended(state) || state.session.ask === null) return state
  const { ask, paying } = state.session
  const { question } = ask
  if (question.ask === 'report') return altered(state, { ask: { ...ask, question: { ...question, reportId: id } } })
  if (question.ask !== 'pay' && question.ask !== 'pay_other') return state
  return altered(state, {
    ask: { ...ask, question: { ...question, paymentId: id } },
    paying: paying === null ? null : { ...paying, paymentId: id },
  })
}

/** Whether the open question still wants a number of its own. */
export function wantsNumber({ session }: DeviceState): boolean {
  const question = session?.ask?.question
  if (question === undefined) return false
  if (question.ask === 'report') return question.reportId === ''
  return (question.ask === 'pay' || question.ask === 'pay_other') && question.paymentId === ''
}

/** When the transaction of a share is over on the terminal, it asks what came of it. */
export function lookedAfter(state: DeviceState): DeviceState {
  // A script finds every signature right.
  if (isAttended(state) && state.session.script !== null && state.session.ask === null && state.running !== null)
    return awaitsWaiter(state.running) ? signed(state, true) : state
  if (!isAttended(state) || state.running !== null || state.session.ask !== null) return state
  const { paying, table } = state.session
  if (paying === null || paying.requestId === null || table === null) return state
  if (!state.past.some(({ requestId }) => requestId === paying.requestId)) return state
  return asking(state, { ask: 'look', tableId: table.tableId, paymentId: paying.paymentId })
}

/** The time of the session has come. */
export function sessionStep(state: Attended, at: number): DeviceState {
  const { ask, script, paying, table } = state.session
  if (ask !== null) return altered(state, { ask: { ...ask, retryAt: null } })
  if (paying?.requestId != null && table !== null) {
    // The transaction has not come here, or was lost on the way: the table knows.
    return asking(state, { ask: 'look', tableId: table.tableId, paymentId: paying.paymentId })
  }
  return script === null ? leaving(state) : scriptStep(state, at)
}

/** The script presses the next key. What does nothing is passed over; at its end it leaves. */
function scriptStep(state: Attended, at: number): DeviceState {
  const { script, table, names } = state.session
  if (script === null) return state
  if (table === null) {
    const name = script.table ?? names[0]
    const chosen = name === undefined ? state : press(state, { key: 'choose_table', table: name }, at)
    return chosen === state ? leaving(state) : chosen
  }
  const [step, ...steps] = script.steps
  if (step === undefined) return leaving(state)
  const stays = step.do === 'pay_rest' && table.openMinor > 0
  const now = altered(state, { script: { ...script, steps: stays ? script.steps : steps } })
  const next = played(now, step, at)
  return next === now ? passedOver(now, steps, at) : next
}

function passedOver(state: Attended, steps: readonly WaiterStep[], at: number): DeviceState {
  const { script } = state.session
  return script === null ? state : waiting(state, at, { script: { ...script, steps } })
}

function played(state: Attended, step: WaiterStep, at: number): DeviceState {
  switch (step.do) {
    case 'print_bill':
    case 'leave':
      return press(state, { key: step.do }, at)
    case 'split_equally':
      return press(state, { key: 'split_equally', shares: step.shares }, at)
    case 'split_amounts':
      return press(state, { key: 'split_amounts', amountsMinor: step.amountsMinor }, at)
    case 'split_items':
      return press(state, { key: 'split_items', guests: step.guests, items: step.items }, at)
    case 'pay':
      return payByScript(state, step, at)
    case 'pay_rest':
      return payByScript(state, { do: 'pay', ...(step.scenario === undefined ? {} : { scenario: step.scenario }) }, at)
    case 'pay_other': {
      const { amountMinor } = step
      return press(state, { key: 'pay_other', ...(amountMinor === undefined ? {} : { amountMinor }) }, at)
    }
    case 'wait':
      return altered(state, { dueAt: at + step.ms })
    case 'unplug':
      // Forgotten with everything else; the plug is pulled by whoever takes this state.
      return { ...state, session: null, connected: false, linkDownUntil: null }
  }
}

function payByScript(
  state: Attended,
  { amountMinor, gratuityMinor, scenario }: Extract<WaiterStep, { do: 'pay' }>,
  at: number,
): DeviceState {
  const scenarios = scenario === undefined ? state.scenarios : [{ scenario, times: 1 }, ...state.scenarios]
  const asks = state.session.setup.settings.gratuity
  const pressed = press(state, { key: 'pay', ...(amountMinor === undefined ? {} : { amountMinor }) }, at)
  if (pressed === state || !isAttended(pressed)) return pressed
  // The script gives a tenth where it is asked, rounded down.
  const tenth = asks ? Math.floor((pressed.session.paying?.amountMinor ?? 0) / 10) : 0
  const { ask } = pressed.session
  if (ask === null) return { ...gratuityAgreed(pressed, gratuityMinor ?? tenth), scenarios }
  const { question } = ask
  const given = question.ask === 'pay' ? { ...question, gratuityMinor: gratuityMinor ?? tenth } : question
  return { ...altered(pressed, { ask: { ...ask, question: given } }), scenarios }
}

function press(state: Attended, key: WaiterKey, at: number): DeviceState {
  const keys: readonly ScreenKey['key'][] = waiterKeysOf(state, null)
  return keys.includes(key.key) ? waiterPressed(state, key, null, at) : state
}

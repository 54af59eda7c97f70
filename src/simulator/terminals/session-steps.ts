// src/simulator/terminals/session-steps.ts — advances a waiter's session: by script, at the end of a payment, by time. Pure.

import type { WaiterStep } from '../scenarios/waiter-script.ts'
import type { DeviceState } from './device.ts'
import type { ScreenKey, WaiterKey } from './screens.ts'
import { type Attended, altered, isAttended, leaving, stopping, waiting, withRequest } from './session.ts'
import { awaitsWaiter, gratuityAgreed, signed, waiterKeysOf, waiterPressed } from './session-keys.ts'

/** Adds an unguessable id to a request that needs one. */
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

/** Whether the pending request needs an id. */
export function wantsNumber({ session }: DeviceState): boolean {
  const question = session?.ask?.question
  if (question === undefined) return false
  if (question.ask === 'report') return question.reportId === ''
  return (question.ask === 'pay' || question.ask === 'pay_other') && question.paymentId === ''
}

/** Asks for the result of a share when its transaction has ended on the terminal. */
export function lookedAfter(state: DeviceState): DeviceState {
  // A script accepts every signature.
  if (isAttended(state) && state.session.script !== null && state.session.ask === null && state.running !== null)
    return awaitsWaiter(state.running) ? signed(state, true) : state
  if (!isAttended(state) || state.running !== null || state.session.ask !== null) return state
  const { paying, table } = state.session
  if (paying === null || paying.requestId === null || table === null) return state
  if (!state.past.some(({ requestId }) => requestId === paying.requestId)) return state
  return withRequest(state, { ask: 'look', tableId: table.tableId, paymentId: paying.paymentId })
}

/** Takes the step of the session that is due. */
export function sessionStep(state: Attended, at: number): DeviceState {
  const { ask, script, paying, table } = state.session
  if (ask !== null) return altered(state, { ask: { ...ask, retryAt: null } })
  if (paying?.requestId != null && table !== null) {
    // The transaction has not arrived here, or was lost: the gateway knows the result.
    return withRequest(state, { ask: 'look', tableId: table.tableId, paymentId: paying.paymentId })
  }
  return script === null ? leaving(state) : scriptStep(state, at)
}

/** Presses the script's next key. A key without effect stops the script. At its end the waiter leaves. */
function scriptStep(state: Attended, at: number): DeviceState {
  const { script, table, names } = state.session
  if (script === null) return state
  if (table === null) {
    const name = script.table ?? names[0]
    const chosen = name === undefined ? state : press(state, { key: 'choose_table', table: name }, at)
    return chosen === state ? stopping(state, `there is no table ${name ?? 'to choose'}.`) : chosen
  }
  const [step, ...steps] = script.steps
  if (step === undefined) return leaving(state)
  const stays = step.do === 'pay_rest' && table.openMinor > 0
  const now = altered(state, { script: { ...script, steps: stays ? script.steps : steps } })
  // With nothing open there is no rest to pay.
  if (step.do === 'pay_rest' && !stays) return waiting(now, at)
  const next = played(now, step, at)
  return next === now ? stopping(now, `${JSON.stringify(step)} is not possible.`) : next
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
      // Nothing else runs during a step of the script, so only the session is lost.
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
  // The script gives a tenth, rounded down, when the terminal asks.
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

// src/simulator/terminals/keys.ts — keys of a simulated terminal, and their effects. Pure.

import type { TableSettings } from '../../domain/accounts/terminal.ts'
import type { Prompt } from '../../domain/counter/notifications.ts'
import { totalOf } from '../../domain/money.ts'
import { type TestCard, testCardOf } from '../cards/test-cards.ts'
import type { Reading } from '../scenarios/scenario.ts'
import { amountsFor } from './amounts-due.ts'
import { CONTACTLESS_LIMIT_MINOR, checkByHand, INSERTS_BEFORE_SWIPE } from './card-reader.ts'
import { type DeviceState, forgotten, type Setup } from './device.ts'
import type { Wait } from './flow.ts'
import { reportForgotten } from './reporting.ts'
import type { ScreenKey } from './screens.ts'
import { isAttended } from './session.ts'
import { gratuityAgreed, isWaiterKey, settingsIn, waiterKeysOf, waiterPressed } from './session-keys.ts'
import { type Busy, changed, deliver, follow, goOnAt, isBusy, present } from './steps.ts'

type KeyName = ScreenKey['key']
type Way = Extract<ScreenKey, { key: 'present_card' }>['how']

const READING: Readonly<Record<Way, Reading>> = {
  tap: 'CONTACTLESS',
  insert: 'ICC_CHIP',
  swipe: 'SWIPED',
  keyed: 'KEYED',
}

const KEYS_WHILE_WAITING: Readonly<Record<Wait, readonly KeyName[]>> = {
  gratuity: ['gratuity', 'cancel'],
  card: ['present_card', 'cancel'],
  pin: ['pin', 'cancel'],
  removal: [],
  authorisation: [],
  signature: [],
  nothing: [],
}

/** Wrong PINs after which a card blocks itself. */
const MOST_WRONG_PINS = 3

/** Largest gratuity that can be entered, in minor units: eight digits, as for an amount. */
const MOST_GRATUITY_MINOR = 99_999_999

/** Keys that have an effect now. `settings`: of the terminal; null to leave out the waiter's first keys. */
export function keysOf(state: DeviceState, settings: TableSettings | null): readonly KeyName[] {
  const paper: KeyName = state.paperOut ? 'put_paper_in' : 'take_paper_out'
  if (!state.connected) return ['plug_in', paper]
  const { running } = state
  const now = running === null || running.waitsFor === null ? [] : KEYS_WHILE_WAITING[running.waitsFor]
  const waiter = waiterKeysOf(state, settings)
  return [...now, ...waiter, ...(running?.cardInSlot === true ? (['remove_card'] as const) : []), 'unplug', paper]
}

/** Returns the state after a key; the same object when the key has no effect now. */
export function pressed(state: DeviceState, key: ScreenKey, setup: Setup | null, at: number): DeviceState {
  if (!keysOf(state, settingsIn(setup)).includes(key.key)) return state
  if (isWaiterKey(key)) return waiterPressed(state, key, setup, at)
  switch (key.key) {
    case 'unplug':
      return unplugged(state)
    case 'plug_in':
      return { ...state, connected: true }
    case 'put_paper_in':
      return { ...state, paperOut: false }
    case 'take_paper_out':
      return paperTaken(state)
    case 'gratuity':
      if (!isBusy(state) && isAttended(state)) return gratuityAgreed(state, key.amountMinor)
      return isBusy(state) ? pressedInTransaction(state, key, at) : state
    case 'present_card':
    case 'pin':
    case 'remove_card':
    case 'cancel':
      return isBusy(state) ? pressedInTransaction(state, key, at) : state
  }
}

function pressedInTransaction(
  state: Busy,
  key: Extract<ScreenKey, { key: 'present_card' | 'pin' | 'gratuity' | 'remove_card' | 'cancel' }>,
  at: number,
): DeviceState {
  switch (key.key) {
    case 'present_card': {
      const card = testCardOf(key.card)
      return card === null ? state : presentedByHand(state, card, key.how, at)
    }
    case 'pin':
      return pinTyped(state, key.digits, at)
    case 'gratuity':
      return gratuityTyped(state, key.amountMinor, at)
    case 'remove_card':
      return cardRemoved(state, at)
    case 'cancel':
      return follow(state, 'cancelled', at)
  }
}

/** Unplugs the terminal. It remembers of its transaction or report only that it lost it. */
function unplugged(state: DeviceState): DeviceState {
  return { ...forgotten(reportForgotten(state)), session: null, connected: false, linkDownUntil: null }
}

function paperTaken(state: DeviceState): DeviceState {
  const out = { ...state, paperOut: true }
  return isBusy(out) && out.running.setup.settings.printing ? deliver(out, [{ type: 'paper_ran_out' }]) : out
}

function presentedByHand(state: Busy, card: TestCard, how: Way, at: number): DeviceState {
  const { request } = state.running
  // Without the card present only its number can be keyed. Otherwise a prompt shows what is wrong.
  if (request.cardholderNotPresent && how !== 'keyed') return state
  const failedInserts = state.running.failedInserts + (how === 'insert' && card.chip !== 'works' ? 1 : 0)
  const dueMinor = totalOf(amountsFor(state.running, card.token))
  const prompt = promptInstead(card, how, dueMinor, state.running.failedInserts)
  if (prompt !== null) return promptedAgain(changed(state, { failedInserts }), prompt)
  const reading = READING[how]
  return present(state, { token: card.token, reading, check: checkByHand(card, request, reading) }, at)
}

/** Prompt for a card that cannot be read this way, or null. */
function promptInstead(card: TestCard, how: Way, dueMinor: number, failedInserts: number): Prompt | null {
  switch (how) {
    case 'tap':
      if (!card.contactless) return 'INSERT_CARD'
      return dueMinor > CONTACTLESS_LIMIT_MINOR && !card.device ? 'INSERT_CARD' : null
    case 'insert':
      if (card.chip === 'works') return null
      return card.device ? 'RE_PRESENT_CARD' : 'INSERT_CARD'
    case 'swipe': {
      if (!card.stripe) return 'BAD_SWIPE'
      // The magnetic stripe announces a chip. It is accepted only after the chip has failed.
      const mayBeSwiped = card.chip === 'none' || failedInserts >= INSERTS_BEFORE_SWIPE
      return mayBeSwiped ? null : 'INSERT_CARD'
    }
    case 'keyed':
      return null
  }
}

/** Shows what is wrong, and prompts for a card again (docs/scenarios.md, row 29). */
function promptedAgain(state: Busy, prompt: Prompt): DeviceState {
  return deliver(changed(state, { showing: prompt }), [
    { type: 'prompted', prompt },
    { type: 'prompted', prompt: 'PRESENT_CARD' },
  ])
}

function pinTyped(state: Busy, digits: string, at: number): DeviceState {
  const { presented } = state.running
  if (presented !== null && testCardOf(presented.token)?.pin === digits) return goOnAt(state, at)
  const wrongPins = state.running.wrongPins + 1
  const tried = changed(state, { wrongPins })
  return wrongPins < MOST_WRONG_PINS
    ? deliver(tried, [{ type: 'pin_requested' }])
    : follow(changed(tried, { pinRefused: true }), 'pin_blocked', at)
}

function gratuityTyped(state: Busy, amountMinor: number, at: number): DeviceState {
  if (!Number.isSafeInteger(amountMinor) || amountMinor < 0 || amountMinor > MOST_GRATUITY_MINOR) return state
  const amounts = { ...state.running.amounts, gratuityMinor: amountMinor }
  return goOnAt(changed(state, { amounts }), at)
}

/** Removal on request lets the transaction go on. Removal while the card is needed fails it (docs/scenarios.md, row 16). */
function cardRemoved(state: Busy, at: number): DeviceState {
  const { waitsFor, plan } = state.running
  const out = changed(state, { cardInSlot: false })
  if (waitsFor === 'removal') return goOnAt(out, at)
  const needed = waitsFor === 'pin' || waitsFor === 'authorisation' || plan.some(step => step.do === 'authorise')
  return needed ? follow(out, 'card_pulled_out', at) : out
}

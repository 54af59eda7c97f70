// src/simulator/operations/screens.ts — operations of a simulated terminal's screen: look at it and press keys.

import { Type } from 'typebox'
import { accountOperation, openOperation } from '../../api/operation.ts'
import { TERMINAL_SETTINGS, TERMINAL_SETTINGS_CHANGES } from '../../api/schemas.ts'
import { MOST_TERMINALS } from '../../domain/accounts/terminal.ts'
import { idHoldsCardNumber } from '../../domain/card-numbers.ts'
import { decodeRecord } from '../../engine/decoding.ts'
import { TERMINAL } from '../../engine/machines.ts'
import { sandboxOf } from '../interceptor/interceptor.ts'
import { SCREEN, SCREEN_KEY, TEST_CARD } from './schemas.ts'
import { installed, screenBody, unavailable } from './terminals.ts'

export const listTestCards = openOperation({
  name: 'listTestCards',
  summary: 'List the test cards of simulated terminals',
  tag: 'Sandbox',
  area: 'sandbox',
  method: 'GET',
  path: '/sandbox/cards',
  responses: { 200: { description: 'The cards.', schema: Type.Object({ cards: Type.Array(TEST_CARD) }) } },
  run: ({ api }) => ({ status: 200, body: { cards: sandboxOf(api).cards } }),
})

export const listScreens = accountOperation({
  name: 'listScreens',
  summary: 'List the simulated terminals with their screens',
  tag: 'Sandbox',
  area: 'sandbox',
  method: 'GET',
  path: '/sandbox/terminals',
  responses: { 200: { description: 'The terminals.', schema: Type.Object({ terminals: Type.Array(SCREEN) }) } },
  async run({ api, account }) {
    const installed = await api.store.list(account.id, { kind: TERMINAL.kind, live: true, limit: MOST_TERMINALS })
    const terminals = installed.toReversed().map(({ body }) => decodeRecord(TERMINAL, body))
    return { status: 200, body: { terminals: terminals.map(terminal => screenBody(api, terminal)) } }
  },
})

export const getScreen = accountOperation({
  name: 'getScreen',
  summary: 'Read the screen of a simulated terminal',
  description: 'With an API key, or with a link to this terminal.',
  tag: 'Sandbox',
  area: 'sandbox',
  method: 'GET',
  path: '/sandbox/terminals/{tid}',
  byLink: true,
  responses: { 200: { description: 'The terminal.', schema: SCREEN } },
  refusals: ['terminal_unavailable'],
  async run(context, { params: { tid } }) {
    const terminal = await installed(context, tid)
    return terminal === null ? unavailable(tid) : { status: 200, body: screenBody(context.api, terminal) }
  },
})

export const pressKey = accountOperation({
  name: 'pressKey',
  summary: 'Press a key of a simulated terminal',
  description:
    'Also presents a card, enters a PIN or disconnects the terminal. Returns the screen after that. With an API key, or with a link to ' +
    'this terminal.',
  tag: 'Sandbox',
  area: 'sandbox',
  method: 'POST',
  path: '/sandbox/terminals/{tid}/keys',
  right: 'operate',
  byLink: true,
  body: {
    schema: SCREEN_KEY,
    examples: {
      'present a card': { key: 'present_card', card: 'sim-visa-debit', how: 'insert' },
      'enter the PIN': { key: 'pin', digits: '1234' },
      disconnect: { key: 'unplug' },
    },
  },
  responses: { 200: { description: 'The screen.', schema: SCREEN } },
  refusals: ['terminal_unavailable', 'card_number_misplaced', 'screen_refuses'],
  async run(context, { params: { tid }, body }) {
    const terminal = await installed(context, tid)
    if (terminal === null) return unavailable(tid)
    const key = await body()
    if ('refused' in key) return key
    // A device remembers its waiter.
    if (key.value.key === 'waiter' && idHoldsCardNumber(key.value.waiterId))
      return { refused: { code: 'card_number_misplaced', field: 'waiterId' } }
    const pressed = await sandboxOf(context.api).press(terminal, key.value)
    if (pressed === 'refused') return { refused: { code: 'screen_refuses' } }
    return { status: 200, body: screenBody(context.api, terminal) }
  },
})

export const configureTerminal = accountOperation({
  name: 'configureTerminal',
  summary: 'Change settings of a simulated terminal',
  tag: 'Sandbox',
  area: 'sandbox',
  method: 'PATCH',
  path: '/sandbox/terminals/{tid}/settings',
  right: 'operate',
  body: { schema: TERMINAL_SETTINGS_CHANGES, examples: { slower: { paceMs: 1500 }, tips: { gratuity: true } } },
  responses: { 200: { description: 'All settings after the change.', schema: TERMINAL_SETTINGS } },
  refusals: ['terminal_unavailable'],
  async run(context, { params: { tid }, body }) {
    const { api, account } = context
    if ((await installed(context, tid)) === null) return unavailable(tid)
    const changes = await body()
    if ('refused' in changes) return changes
    const executed = await api.engine.execute(
      TERMINAL,
      { account: account.id, id: tid },
      { type: 'configure', changes: changes.value },
    )
    if ('refused' in executed) return executed
    if ('repeated' in executed) throw new Error('settings bear no idempotency key')
    return { status: 200, body: { ...executed.record.settings } }
  },
})

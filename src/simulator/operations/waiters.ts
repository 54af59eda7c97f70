// src/simulator/operations/waiters.ts — operations on scripted waiters at simulated terminals.

import { Type } from 'typebox'
import { accountOperation } from '../../api/operation.ts'
import { sandboxOf } from '../interceptor/interceptor.ts'
import { WAITER_ORDER, WAITER_SCRIPT } from '../scenarios/waiter-script.ts'
import { SCREEN } from './schemas.ts'
import { installed, screenBody, unavailable, unplayable } from './terminals.ts'

export const listWaiterScripts = accountOperation({
  name: 'listWaiterScripts',
  summary: 'List what waiters can do by themselves',
  tag: 'Sandbox',
  area: 'sandbox',
  method: 'GET',
  path: '/sandbox/waiters',
  responses: {
    200: { description: 'The library.', schema: Type.Object({ waiters: Type.Array(WAITER_SCRIPT) }) },
  },
  run: ({ api }) => ({ status: 200, body: { waiters: [...sandboxOf(api).waiters.list()] } }),
})

export const sendWaiter = accountOperation({
  name: 'sendWaiter',
  summary: 'Send a waiter to a simulated terminal',
  description:
    'The waiter takes a table up, has shares paid and gives it back, one step after the other. `script` is a name of ' +
    '`GET /sandbox/waiters`, or a document like those there. Answers at once; the screen shows how far the waiter is.',
  tag: 'Sandbox',
  area: 'sandbox',
  method: 'POST',
  path: '/sandbox/terminals/{tid}/waiter',
  body: {
    schema: WAITER_ORDER,
    examples: {
      'of the library': { script: 'split_in_three', table: 'Window 2' },
      'of one’s own': {
        script: {
          name: 'half_in_cash',
          steps: [{ do: 'split_equally', shares: 2 }, { do: 'pay_other' }, { do: 'pay' }],
        },
        table: 'Window 2',
      },
    },
  },
  responses: { 202: { description: 'The waiter has come.', schema: SCREEN } },
  refusals: ['terminal_unavailable', 'scenario_unplayable', 'screen_refuses'],
  async run(context, { params: { tid }, json }) {
    const terminal = await installed(context, tid)
    if (terminal === null) return unavailable(tid)
    const sent = await json()
    if ('refused' in sent) return sent
    const begun = await sandboxOf(context.api).waiters.send(terminal, sent.value)
    if (begun === 'refused') return { refused: { code: 'screen_refuses' } }
    if (begun !== 'begun') return unplayable(begun)
    return { status: 202, body: screenBody(context.api, terminal) }
  },
})

// src/simulator/operations/waiters.ts — operations on scripted waiters at simulated terminals.

import { Type } from 'typebox'
import { accountOperation } from '../../api/operation.ts'
import { sandboxOf } from '../interceptor/interceptor.ts'
import { WAITER_ORDER, WAITER_SCRIPT } from '../scenarios/waiter-script.ts'
import { SCREEN } from './schemas.ts'
import { installed, screenBody, unavailable, unplayable } from './terminals.ts'

export const listWaiterScripts = accountOperation({
  name: 'listWaiterScripts',
  summary: 'List the waiter scripts',
  tag: 'Sandbox',
  area: 'sandbox',
  method: 'GET',
  path: '/sandbox/waiters',
  responses: {
    200: { description: 'The built-in scripts.', schema: Type.Object({ waiters: Type.Array(WAITER_SCRIPT) }) },
  },
  run: ({ api }) => ({ status: 200, body: { waiters: [...sandboxOf(api).waiters.list()] } }),
})

export const sendWaiter = accountOperation({
  name: 'sendWaiter',
  summary: 'Run a waiter script on a simulated terminal',
  description:
    'The waiter opens a table, takes payments and releases it, step by step. `script` is a name from `GET /sandbox/waiters`, or ' +
    'a document of the same form. Answers at once; the screen shows the progress.',
  tag: 'Sandbox',
  area: 'sandbox',
  method: 'POST',
  path: '/sandbox/terminals/{tid}/waiter',
  right: 'operate',
  body: {
    schema: WAITER_ORDER,
    examples: {
      'a built-in script': { script: 'split_in_three', table: 'Window 2' },
      'your own script': {
        script: {
          name: 'half_in_cash',
          steps: [{ do: 'split_equally', shares: 2 }, { do: 'pay_other' }, { do: 'pay' }],
        },
        table: 'Window 2',
      },
    },
  },
  responses: { 202: { description: 'The script runs.', schema: SCREEN } },
  refusals: ['terminal_unavailable', 'scenario_unplayable', 'screen_refuses'],
  async run(context, { params: { tid }, json }) {
    const terminal = await installed(context, tid)
    if (terminal === null) return unavailable(tid)
    const sent = await json()
    if ('refused' in sent) return sent
    const outcome = await sandboxOf(context.api).waiters.send(terminal, sent.value)
    if (outcome === 'refused') return { refused: { code: 'screen_refuses' } }
    if (outcome !== 'begun') return unplayable(outcome)
    return { status: 202, body: screenBody(context.api, terminal) }
  },
})

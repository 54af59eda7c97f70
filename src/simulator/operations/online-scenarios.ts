// src/simulator/operations/online-scenarios.ts — operations on the scenarios of an account's next online payments.

import { accountOperation } from '../../api/operation.ts'
import { sandboxOf } from '../interceptor/interceptor.ts'
import { ONLINE_QUEUE } from '../scenarios/online-scenarios.ts'
import { unplayable } from './terminals.ts'

export const getOnlineScenarios = accountOperation({
  name: 'getOnlineScenarios',
  summary: 'List the scenarios of the next online payments',
  tag: 'Sandbox',
  area: 'sandbox',
  method: 'GET',
  path: '/sandbox/online/scenarios',
  responses: { 200: { description: 'The scenarios that are still to be played.', schema: ONLINE_QUEUE } },
  run: ({ api, account }) => ({
    status: 200,
    body: { ...sandboxOf(api).onlineScenarios.queueOf(account.id) },
  }),
})

export const setOnlineScenarios = accountOperation({
  name: 'setOnlineScenarios',
  summary: 'Set the scenarios of the next online payments',
  description:
    'One for each payment, in order of their first request to an issuer or the acquirer. Replaces earlier ones. A payment with ' +
    'its own scenario in the header Tollgate-Scenario uses none of these.',
  tag: 'Sandbox',
  area: 'sandbox',
  method: 'PUT',
  path: '/sandbox/online/scenarios',
  right: 'configure',
  body: {
    schema: ONLINE_QUEUE,
    examples: {
      'a slow decline, then a page that never ends': {
        next: [{ scenario: 'declined+slow_acquirer:5000' }, { scenario: 'page_never_answers' }],
      },
      'the next hundred': { next: [{ scenario: 'approval_unknown', times: 100 }] },
      'all of them': { next: [], afterwards: 'insufficient_funds' },
    },
  },
  responses: { 200: { description: 'The new list.', schema: ONLINE_QUEUE } },
  refusals: ['scenario_unplayable'],
  async run({ api, account }, { json }) {
    const sent = await json()
    if ('refused' in sent) return sent
    const queue = sandboxOf(api).onlineScenarios.setQueue(account.id, sent.value)
    return 'refusal' in queue ? unplayable(queue) : { status: 200, body: { ...queue } }
  },
})

// src/simulator/operations/webhooks.ts — operations on webhook faults. The API calls them `drills`.

import { Type } from 'typebox'
import { accountOperation } from '../../api/operation.ts'
import { faultSaying, refusedFor } from '../../api/read/field-fault.ts'
import { oneOf } from '../../api/schemas.ts'
import { WEBHOOK_FAULTS } from '../faults/webhook-faults.ts'
import { sandboxOf } from '../interceptor/interceptor.ts'

const ARMED = Type.Object(
  {
    drills: Type.Array(oneOf(WEBHOOK_FAULTS), {
      description: 'One for each of the next messages, the next one first.',
    }),
  },
  { $id: 'WebhookDrills' },
)

const MEANING =
  '`twice`: sent two times under one id. `late`: held back for a minute. `shuffled`: held back for half a minute while ' +
  'later ones overtake it. `badly_signed`: the first try bears a wrong signature; refuse it, and it comes again with a ' +
  'right one.'

export const armWebhookFault = accountOperation({
  name: 'armWebhookDrill',
  summary: 'Let the next webhooks go wrong',
  description: MEANING,
  tag: 'Sandbox',
  area: 'sandbox',
  method: 'POST',
  path: '/sandbox/webhook-drills',
  body: {
    schema: Type.Object({
      drill: oneOf(WEBHOOK_FAULTS),
      times: Type.Optional(
        Type.Integer({ minimum: 1, maximum: 100, description: 'Messages that meet it; default 1.' }),
      ),
    }),
    examples: { 'the next one comes twice': { drill: 'twice' }, 'three are late': { drill: 'late', times: 3 } },
  },
  responses: { 201: { description: 'What waits now.', schema: ARMED } },
  refusals: ['field_invalid'],
  async run({ api, account }, { body }) {
    const sent = await body()
    if ('refused' in sent) return sent
    const { drill, times = 1 } = sent.value
    const { webhookFaults } = sandboxOf(api)
    if (!webhookFaults.arm(account.id, drill, times))
      return refusedFor(
        faultSaying(
          'times',
          'makes more than can wait at once',
          'smaller, or wait until some of those that are armed have fired',
        ),
      )
    return { status: 201, body: { drills: [...webhookFaults.armed(account.id)] } }
  },
})

export const listWebhookFaults = accountOperation({
  name: 'listWebhookDrills',
  summary: 'List armed webhook faults',
  tag: 'Sandbox',
  area: 'sandbox',
  method: 'GET',
  path: '/sandbox/webhook-drills',
  responses: { 200: { description: 'What waits.', schema: ARMED } },
  run: ({ api, account }) => ({
    status: 200,
    body: { drills: [...sandboxOf(api).webhookFaults.armed(account.id)] },
  }),
})

export const disarmWebhookFaults = accountOperation({
  name: 'disarmWebhookDrills',
  summary: 'Disarm all webhook faults',
  tag: 'Sandbox',
  area: 'sandbox',
  method: 'DELETE',
  path: '/sandbox/webhook-drills',
  responses: { 204: { description: 'None waits.' } },
  run({ api, account }) {
    sandboxOf(api).webhookFaults.disarm(account.id)
    return { status: 204 }
  },
})

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
      description: 'One for each of the next webhooks, next one first.',
    }),
  },
  { $id: 'WebhookDrills' },
)

const MEANING =
  '`twice`: sent twice with the same id. `late`: delayed by a minute. `shuffled`: delayed by half a minute, so that later ' +
  'ones overtake it. `badly_signed`: the first attempt has a wrong signature; refuse it to get a retry with the right one.'

export const armWebhookFault = accountOperation({
  name: 'armWebhookDrill',
  summary: 'Arm a fault for the next webhooks',
  description: MEANING,
  tag: 'Sandbox',
  area: 'sandbox',
  method: 'POST',
  path: '/sandbox/webhook-drills',
  right: 'configure',
  body: {
    schema: Type.Object({
      drill: oneOf(WEBHOOK_FAULTS),
      times: Type.Optional(Type.Integer({ minimum: 1, maximum: 100, description: 'Number of webhooks. Default: 1.' })),
    }),
    examples: { 'the next one comes twice': { drill: 'twice' }, 'three are late': { drill: 'late', times: 3 } },
  },
  responses: { 201: { description: 'All armed faults.', schema: ARMED } },
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
          'exceeds the number of faults that can be armed at once',
          'smaller, or wait until some armed faults have fired',
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
  responses: { 200: { description: 'The armed faults.', schema: ARMED } },
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
  right: 'configure',
  responses: { 204: { description: 'No fault is armed.' } },
  run({ api, account }) {
    sandboxOf(api).webhookFaults.disarm(account.id)
    return { status: 204 }
  },
})

// src/api/operations/management/managed-webhooks.ts — management API: webhook deliveries and signing secrets.
import { type Static, Type } from 'typebox'
import type { WebhookDelivery } from '../../../domain/webhooks/webhook-delivery.ts'
import { overrideNameOf } from '../../../engine/ports/delivery-overrides.ts'
import { WEBHOOK_DELIVERY } from '../../../engine/webhook-machines.ts'
import type { SecretsInForce } from '../../../services/webhooks/webhook-secret-keeper.ts'
import { UNCACHED } from '../../answer.ts'
import { DELIVERY_STATUS, filtersIn, ORDER_ID, PERIOD_QUERY, queryOf } from '../../list-filters.ts'
import { utcTimeOf } from '../../local-time.ts'
import { NEXT, PAGE_QUERY, pageOf } from '../../management-page.ts'
import { accountOperation } from '../../operation.ts'
import { nullable, oneOf, TIME } from '../../schemas.ts'

/** Long enough to replace a secret by hand in many places. */
const DEFAULT_OVERLAP_SECONDS = 86_400
const LONGEST_OVERLAP_SECONDS = 30 * 86_400

const ATTEMPT = Type.Object(
  {
    number: Type.Integer(),
    startedAt: TIME,
    tookMs: Type.Integer(),
    status: nullable(Type.Integer({ description: 'Status that the server answered; null: none.' })),
    reason: Type.String({ description: 'Why there was no answer; empty when there was one.' }),
  },
  { $id: 'WebhookAttempt' },
)

/** The fault that a sandbox injected into a delivery. */
const WEBHOOK_FAULT = Type.Unsafe<string>(oneOf(['twice', 'late', 'shuffled', 'badly_signed']))

const DELIVERY = Type.Object(
  {
    deliveryId: Type.String({ description: 'Value of the webhook-id header, the same in all attempts.' }),
    url: Type.String(),
    subject: Type.String({
      description: 'Deliveries with the same subject are about one payment, and are sent in order.',
    }),
    orderId: Type.String(),
    merchantTransactionId: nullable(Type.String()),
    progress: oneOf(['held', 'queued', 'sending', 'waiting', 'delivered', 'given_up']),
    drill: nullable(WEBHOOK_FAULT),
    createdAt: TIME,
    tries: Type.Integer(),
    nextTryAt: nullable(TIME),
    attempts: Type.Array(ATTEMPT, { description: 'The latest attempts, oldest first.' }),
  },
  { $id: 'WebhookDelivery' },
)

const SECRET = Type.Object(
  {
    secret: Type.String({ description: 'Signs all webhooks, by the Standard Webhooks specification.' }),
    since: TIME,
    previous: Type.Array(Type.Object({ secret: Type.String(), until: TIME }), {
      description: 'Older secrets that also sign webhooks.',
    }),
  },
  { $id: 'WebhookSecret' },
)

const FILTERS = { status: DELIVERY_STATUS, orderId: ORDER_ID }

export const listDeliveries = accountOperation({
  name: 'listDeliveries',
  summary: 'List webhook deliveries, newest first',
  tag: 'Webhooks',
  area: 'management',
  method: 'GET',
  path: '/api/webhooks',
  query: Type.Object({
    subject: Type.Optional(Type.String({ maxLength: 128, description: 'Only those about this payment.' })),
    open: Type.Optional(Type.Boolean({ description: 'Only those still to be delivered (true), or not (false).' })),
    ...queryOf(FILTERS),
    ...PERIOD_QUERY,
    ...PAGE_QUERY,
  }),
  responses: {
    200: {
      description: 'A page.',
      schema: Type.Object({
        deliveries: Type.Array(DELIVERY),
        next: NEXT,
      }),
    },
  },
  refusals: ['field_invalid', 'filter_invalid'],
  async run(context, { query }) {
    const read = filtersIn(FILTERS, query)
    if ('refused' in read) return read
    const page = { ...query, ...read, parent: query.subject, live: query.open }
    const { items: deliveries, next } = await pageOf(context, WEBHOOK_DELIVERY, page, deliveryBody)
    return { status: 200, body: { deliveries, next } }
  },
})

export const getDelivery = accountOperation({
  name: 'getDelivery',
  summary: 'Read a webhook delivery and its attempts',
  tag: 'Webhooks',
  area: 'management',
  method: 'GET',
  path: '/api/webhooks/{deliveryId}',
  responses: { 200: { description: 'The delivery.', schema: DELIVERY } },
  refusals: ['delivery_unknown'],
  async run({ api, account }, { params }) {
    const entry = await api.engine.read(WEBHOOK_DELIVERY, { account: account.id, id: params.deliveryId })
    if (entry === null) return { refused: { code: 'delivery_unknown' } }
    return { status: 200, body: deliveryBody(entry.record) }
  },
})

export const resendDelivery = accountOperation({
  name: 'resendDelivery',
  summary: 'Send a webhook again',
  description: 'At once, with the same id, whether it was delivered or abandoned; then with a new retry schedule.',
  tag: 'Webhooks',
  area: 'management',
  method: 'POST',
  path: '/api/webhooks/{deliveryId}/resend',
  right: 'configure',
  responses: { 202: { description: 'The webhook is being sent.', schema: DELIVERY } },
  refusals: ['delivery_unknown', 'delivery_under_way'],
  async run({ api, account }, { params }) {
    const executed = await api.webhooks.resend(account.id, params.deliveryId)
    if ('refused' in executed) return executed
    if (!('record' in executed)) throw new Error('a resend bears no idempotency key')
    return { status: 202, body: deliveryBody(executed.record) }
  },
})

export const getWebhookSecret = accountOperation({
  name: 'getWebhookSecret',
  summary: 'Read the secret that signs webhooks',
  description: 'Created when first read. Receivers verify signatures with it.',
  tag: 'Webhooks',
  area: 'management',
  method: 'GET',
  path: '/api/webhook-secret',
  right: 'configure',
  responses: { 200: { description: 'The secret.', schema: SECRET } },
  run: async ({ api, account }) => ({ status: 200, ...secretAnswer(await api.webhooks.secrets.of(account.id)) }),
})

export const rotateWebhookSecret = accountOperation({
  name: 'rotateWebhookSecret',
  summary: 'Replace the secret that signs webhooks',
  description: 'Both secrets sign webhooks for a while, so that receivers can be changed without a gap.',
  tag: 'Webhooks',
  area: 'management',
  method: 'POST',
  path: '/api/webhook-secret/rotate',
  right: 'configure',
  body: {
    optional: true,
    schema: Type.Object({
      overlapSeconds: Type.Optional(
        Type.Integer({
          minimum: 0,
          maximum: LONGEST_OVERLAP_SECONDS,
          description: `Seconds for which the old secret still signs. Default: ${DEFAULT_OVERLAP_SECONDS}.`,
        }),
      ),
    }),
    examples: { 'overlap of a day': {}, 'the old one has leaked': { overlapSeconds: 0 } },
  },
  responses: { 200: { description: 'The new secret, and the older ones that are still valid.', schema: SECRET } },
  refusals: ['too_many_secrets'],
  async run({ api, account }, { body }) {
    const sent = await body()
    if ('refused' in sent) return sent
    const seconds = sent.value.overlapSeconds ?? DEFAULT_OVERLAP_SECONDS
    const rotated = await api.webhooks.secrets.rotate(account.id, seconds * 1_000)
    return 'refused' in rotated ? rotated : { status: 200, ...secretAnswer(rotated) }
  },
})

/** The answer with the secrets, which no proxy may cache. */
function secretAnswer({ current, since, previous }: SecretsInForce) {
  const body: Static<typeof SECRET> = {
    secret: current,
    since: utcTimeOf(since),
    previous: previous.map(({ secret, until }) => ({ secret, until: utcTimeOf(until) })),
  }
  return { body, headers: UNCACHED }
}

function deliveryBody(record: WebhookDelivery): Static<typeof DELIVERY> {
  const { deliveryId, url, subject, orderId, merchantTransactionId, progress, tries, nextTryAt } = record
  return {
    ...{ deliveryId, url, subject, orderId, merchantTransactionId, progress },
    drill: overrideNameOf(record),
    tries,
    createdAt: utcTimeOf(record.createdAt),
    nextTryAt: nextTryAt === null ? null : utcTimeOf(nextTryAt),
    attempts: record.attempts.map(attempt => ({ ...attempt, startedAt: utcTimeOf(attempt.startedAt) })),
  }
}

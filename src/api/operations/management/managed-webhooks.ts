// src/api/operations/management/managed-webhooks.ts — management API: webhook deliveries and signing secrets.
import { type Static, Type } from 'typebox'
import type { WebhookDelivery } from '../../../domain/webhooks/webhook-delivery.ts'
import { overrideNameOf } from '../../../engine/ports/delivery-overrides.ts'
import { WEBHOOK_DELIVERY } from '../../../engine/webhook-machines.ts'
import type { SecretsInForce } from '../../../services/webhooks/webhook-secret-keeper.ts'
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
    status: nullable(Type.Integer({ description: 'What the server answered; null: nothing.' })),
    reason: Type.String({ description: 'Why there was no answer; empty when there was one.' }),
  },
  { $id: 'WebhookAttempt' },
)

/** The fault that a sandbox injected into a delivery. */
const WEBHOOK_FAULT = Type.Unsafe<string>(oneOf(['twice', 'late', 'shuffled', 'badly_signed']))

const DELIVERY = Type.Object(
  {
    deliveryId: Type.String({ description: 'The header webhook-id, the same at every try.' }),
    url: Type.String(),
    subject: Type.String({ description: 'Deliveries about one payment share it and go out in order.' }),
    orderId: Type.String(),
    merchantTransactionId: nullable(Type.String()),
    progress: oneOf(['held', 'queued', 'sending', 'waiting', 'delivered', 'given_up']),
    drill: nullable(WEBHOOK_FAULT),
    createdAt: TIME,
    tries: Type.Integer(),
    nextTryAt: nullable(TIME),
    attempts: Type.Array(ATTEMPT, { description: 'The latest ones, oldest first.' }),
  },
  { $id: 'WebhookDelivery' },
)

const SECRET = Type.Object(
  {
    secret: Type.String({ description: 'Signs every message, as the Standard Webhooks specification says.' }),
    since: TIME,
    previous: Type.Array(Type.Object({ secret: Type.String(), until: TIME }), {
      description: 'Older secrets whose signatures the messages bear too.',
    }),
  },
  { $id: 'WebhookSecret' },
)

const FILTERS = { status: DELIVERY_STATUS, orderId: ORDER_ID }

export const listDeliveries = accountOperation({
  name: 'listDeliveries',
  summary: 'List webhook deliveries, newest first',
  tag: 'Webhooks',
  area: 'own',
  method: 'GET',
  path: '/api/webhooks',
  query: Type.Object({
    subject: Type.Optional(Type.String({ maxLength: 128, description: 'Only those about this payment.' })),
    open: Type.Optional(Type.Boolean({ description: 'Only those that are, or are not, still to be delivered.' })),
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
    const asked = { ...query, ...read, parent: query.subject, live: query.open }
    const { items: deliveries, next } = await pageOf(context, WEBHOOK_DELIVERY, asked, deliveryBody)
    return { status: 200, body: { deliveries, next } }
  },
})

export const getDelivery = accountOperation({
  name: 'getDelivery',
  summary: 'Read a webhook delivery and its attempts',
  tag: 'Webhooks',
  area: 'own',
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
  description: 'Under its old id, at once, whether it was taken or given up; then on a schedule of its own.',
  tag: 'Webhooks',
  area: 'own',
  method: 'POST',
  path: '/api/webhooks/{deliveryId}/resend',
  responses: { 202: { description: 'It is being sent.', schema: DELIVERY } },
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
  description: 'Made when it is first asked for. Receivers check signatures with it.',
  tag: 'Webhooks',
  area: 'own',
  method: 'GET',
  path: '/api/webhook-secret',
  responses: { 200: { description: 'The secret.', schema: SECRET } },
  run: async ({ api, account }) => ({ status: 200, ...secretAnswer(await api.webhooks.secrets.of(account.id)) }),
})

export const rotateWebhookSecret = accountOperation({
  name: 'rotateWebhookSecret',
  summary: 'Replace the secret that signs webhooks',
  description:
    'Messages bear the signatures of both secrets for a while, so that receivers can be changed without a gap.',
  tag: 'Webhooks',
  area: 'own',
  method: 'POST',
  path: '/api/webhook-secret/rotate',
  body: {
    optional: true,
    schema: Type.Object({
      overlapSeconds: Type.Optional(
        Type.Integer({
          minimum: 0,
          maximum: LONGEST_OVERLAP_SECONDS,
          description: `How long the old secret goes on signing; default ${DEFAULT_OVERLAP_SECONDS}.`,
        }),
      ),
    }),
    examples: { 'a day of both': {}, 'the old one is known to others': { overlapSeconds: 0 } },
  },
  responses: { 200: { description: 'The new secret, and the older ones still in force.', schema: SECRET } },
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
  return { body, headers: { 'cache-control': 'no-store' } }
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

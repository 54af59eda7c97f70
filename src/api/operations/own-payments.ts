// src/api/operations/own-payments.ts — Tollgate's own view of online payments: where the money is, and how it got there.
import { Type } from 'typebox'
import { ONLINE_PAYMENT } from '../../engine/online/online-machine.ts'
import { idOfToken, readToken } from '../../engine/online/tokens.ts'
import { type AccountVisit, accountOperation } from '../operation.ts'
import { NEXT, PAGE_QUERY, pageOf } from '../own-page.ts'
import { OWN_PAYMENT, ownPaymentView } from '../own-payment-views.ts'
import { TIMELINE_ENTRY, timelineOf } from '../timeline.ts'

export const listOwnPayments = accountOperation({
  name: 'listOwnPayments',
  summary: 'List online payments, newest first',
  description: 'Access tokens that nobody has used are among them.',
  tag: 'Payments',
  area: 'own',
  method: 'GET',
  path: '/api/payments',
  query: Type.Object({
    orderId: Type.Optional(Type.String({ maxLength: 50, description: 'Only the attempts at this order.' })),
    live: Type.Optional(Type.Boolean({ description: 'Only those under way (true) or over (false).' })),
    ...PAGE_QUERY,
  }),
  responses: {
    200: {
      description: 'A page.',
      schema: Type.Object({
        payments: Type.Array(OWN_PAYMENT),
        next: NEXT,
      }),
    },
  },
  refusals: ['field_invalid'],
  async run(visit, { query }) {
    const { before, limit } = query
    const asked = { kind: ONLINE_PAYMENT.kind, parent: query.orderId, live: query.live, before, limit }
    const { items: payments, next } = await pageOf(visit, asked, ownPaymentView)
    return { status: 200, body: { payments, next } }
  },
})

export const getOwnPayment = accountOperation({
  name: 'getOwnPayment',
  summary: 'Read an online payment with its verdict',
  tag: 'Payments',
  area: 'own',
  method: 'GET',
  path: '/api/payments/{token}',
  responses: { 200: { description: 'The payment.', schema: OWN_PAYMENT } },
  refusals: ['payment_unknown'],
  async run(visit, { params }) {
    const found = await visit.api.online.findById(keyOf(visit, params.token))
    return found === null
      ? { refused: { code: 'payment_unknown' } }
      : { status: 200, body: ownPaymentView(found.record) }
  },
})

export const getPaymentTimeline = accountOperation({
  name: 'getPaymentTimeline',
  summary: 'Follow an online payment on one line of time',
  description:
    'Messages of the acquirer and events, in order, without secrets and card numbers. What was said is kept in sandbox mode, ' +
    'until the gateway restarts; events always.',
  tag: 'Payments',
  area: 'own',
  method: 'GET',
  path: '/api/payments/{token}/timeline',
  responses: {
    200: { description: 'Oldest first.', schema: Type.Object({ entries: Type.Array(TIMELINE_ENTRY) }) },
  },
  refusals: ['payment_unknown'],
  async run(visit, { params }) {
    const { api, account } = visit
    const { id } = keyOf(visit, params.token)
    const events = await api.store.eventsOf({ account: account.id, kind: ONLINE_PAYMENT.kind, id })
    if (events.length === 0) return { refused: { code: 'payment_unknown' } }
    const exchanges = api.sandbox?.recorder.of(account.id, id) ?? []
    return { status: 200, body: { entries: timelineOf(events, exchanges, () => []) } }
  },
})

/** A payment is named by its id, or by the access token. */
function keyOf({ account }: AccountVisit, name: string) {
  const read = readToken(name)
  return { account: account.id, id: read === null ? name : idOfToken(read.token) }
}

// src/api/operations/management/managed-payments.ts — management API: online payments, their timelines, and closing.
import { Type } from 'typebox'
import { ONLINE_PAYMENT } from '../../../engine/online-machine.ts'
import { idOfToken, readToken } from '../../../services/online/tokens.ts'
import { AMOUNT, filtersIn, LAST_FOUR, PAYMENT_STATUS, PERIOD_QUERY, queryOf } from '../../list-filters.ts'
import { NEXT, PAGE_QUERY, pageOf } from '../../management-page.ts'
import { MANAGED_PAYMENT, managedPayment } from '../../management-payment-views.ts'
import { type AccountRequestContext, accountOperation } from '../../operation.ts'
import { TIMELINE_ENTRY, timelineOf } from '../../timeline.ts'
import { CLOSING, closingIn } from './closing.ts'

const FILTERS = { status: PAYMENT_STATUS, amount: AMOUNT, lastFour: LAST_FOUR }

export const listOwnPayments = accountOperation({
  name: 'listOwnPayments',
  summary: 'List online payments, newest first',
  description: 'Includes unused access tokens. Lists what matches all filters; each filter uses an index.',
  tag: 'Payments',
  area: 'management',
  method: 'GET',
  path: '/api/payments',
  query: Type.Object({
    orderId: Type.Optional(Type.String({ maxLength: 50, description: 'Only the attempts at this order.' })),
    live: Type.Optional(Type.Boolean({ description: 'Only running (true) or ended (false) ones.' })),
    ...queryOf(FILTERS),
    ...PERIOD_QUERY,
    ...PAGE_QUERY,
  }),
  responses: {
    200: {
      description: 'A page.',
      schema: Type.Object({
        payments: Type.Array(MANAGED_PAYMENT),
        next: NEXT,
      }),
    },
  },
  refusals: ['field_invalid', 'filter_invalid'],
  async run(context, { query }) {
    const read = filtersIn(FILTERS, query)
    if ('refused' in read) return read
    const page = { ...query, ...read, parent: query.orderId }
    const { items: payments, next } = await pageOf(context, ONLINE_PAYMENT, page, managedPayment)
    return { status: 200, body: { payments, next } }
  },
})

export const getOwnPayment = accountOperation({
  name: 'getOwnPayment',
  summary: 'Read an online payment with its verdict',
  tag: 'Payments',
  area: 'management',
  method: 'GET',
  path: '/api/payments/{token}',
  responses: { 200: { description: 'The payment.', schema: MANAGED_PAYMENT } },
  refusals: ['payment_unknown'],
  async run(context, { params }) {
    const found = await context.api.online.findById(keyOfPayment(context, params.token))
    return found === null
      ? { refused: { code: 'payment_unknown' } }
      : { status: 200, body: managedPayment(found.record) }
  },
})

export const getPaymentTimeline = accountOperation({
  name: 'getPaymentTimeline',
  summary: 'Read the timeline of an online payment',
  description:
    'Acquirer messages and events, in order, without secrets and card numbers. Messages are recorded in sandbox mode only and lost ' +
    'at a restart; events are always kept.',
  tag: 'Payments',
  area: 'management',
  method: 'GET',
  path: '/api/payments/{token}/timeline',
  responses: {
    200: { description: 'Oldest first.', schema: Type.Object({ entries: Type.Array(TIMELINE_ENTRY) }) },
  },
  refusals: ['payment_unknown'],
  async run(context, { params }) {
    const { api, account } = context
    const { id } = keyOfPayment(context, params.token)
    const events = await api.store.eventsOf({ account: account.id, kind: ONLINE_PAYMENT.kind, id })
    if (events.length === 0) return { refused: { code: 'payment_unknown' } }
    const exchanges = api.interceptor.exchangesOf(account.id, id)
    return { status: 200, body: { entries: timelineOf(events, exchanges, () => []) } }
  },
})

export const closePayment = accountOperation({
  name: 'closePayment',
  summary: 'Resolve a payment whose acquirer does not respond',
  description:
    'For an operator who has asked the acquirer by other means. The payment ends with 0 or 30, and webhooks follow. What was ' +
    'not taken is also reversed in the background, where possible. The payment keeps operator and reason, and a later answer ' +
    'of the acquirer as `lateAnswer`. Possible after the acquirer did not respond. With ' +
    '`TOLLGATE_CLOSE_PAYMENTS=command-line` only an owner who is signed in and `tollgate payments close` beside the gateway may do it.',
  tag: 'Payments',
  area: 'management',
  method: 'POST',
  path: '/api/payments/{token}/close',
  right: 'own',
  body: {
    schema: CLOSING,
    examples: {
      refund: { outcome: 'taken', operator: 'Ann Example', reason: 'Seen in the acquirer’s portal, case 4711.' },
    },
  },
  responses: { 200: { description: 'The payment as it is now.', schema: MANAGED_PAYMENT } },
  headers: ['Tollgate-Closing-Key'],
  refusals: ['command_line_only', 'payment_unknown', 'payment_not_closable'],
  async run(context, { params, body }) {
    const read = await closingIn(context, body)
    if ('refused' in read) return read
    const { closing } = read
    const { outcome } = closing
    const key = keyOfPayment(context, params.token)
    if ((await context.api.online.findById(key)) === null) return { refused: { code: 'payment_unknown' } }
    const executed = await context.api.online.close(key, closing)
    if ('refused' in executed) return executed
    if ('repeated' in executed) throw new Error('closing bears no idempotency key')
    context.api.log.info({ request: context.requestId, payment: key.id, outcome }, 'payment closed by operator')
    return { status: 200, body: managedPayment(executed.record) }
  },
})

/** Key of a payment, named by its id or by its access token. */
export function keyOfPayment({ account }: AccountRequestContext, name: string) {
  const read = readToken(name)
  return { account: account.id, id: read === null ? name : idOfToken(read.token) }
}

// src/api/operations/management/managed-transactions.ts — management API: transactions, their events and timelines.
import { Type } from 'typebox'
import { TERMINAL_TRANSACTION } from '../../../engine/machines.ts'
import { transactionAddress } from '../../addresses.ts'
import {
  AMOUNT,
  filtersIn,
  invalidFilter,
  LAST_FOUR,
  PERIOD_QUERY,
  queryOf,
  RPC_ID,
  TRANSACTION_RESULT,
} from '../../list-filters.ts'
import { NEXT, PAGE_QUERY, pageOf } from '../../management-page.ts'
import {
  EVENT,
  eventView,
  MANAGED_TRANSACTION,
  MANAGED_TRANSACTION_IN_FULL,
  managedTransaction,
  managedTransactionInFull,
} from '../../management-views.ts'
import { accountOperation } from '../../operation.ts'
import { TIMELINE_ENTRY, timelineOf } from '../../timeline.ts'
import { transactionBody } from '../../transaction-body.ts'
import { CLOSING, closingIn } from './closing.ts'

const FILTERS = { result: TRANSACTION_RESULT, amount: AMOUNT, lastFour: LAST_FOUR, rpcId: RPC_ID }

export const listOwnTransactions = accountOperation({
  name: 'listOwnTransactions',
  summary: 'List transactions, newest first',
  description: 'Lists what matches all filters; each filter uses an index.',
  tag: 'Transactions',
  area: 'management',
  method: 'GET',
  path: '/api/transactions',
  query: Type.Object({
    terminal: Type.Optional(Type.String({ maxLength: 128, description: 'Only those of this terminal.' })),
    status: Type.Optional(Type.String({ description: 'Only `running` or `finished` ones.' })),
    live: Type.Optional(Type.Boolean({ description: 'The same: only running (true) or finished (false) ones.' })),
    ...queryOf(FILTERS),
    ...PERIOD_QUERY,
    ...PAGE_QUERY,
  }),
  responses: {
    200: {
      description: 'A page.',
      schema: Type.Object({
        transactions: Type.Array(MANAGED_TRANSACTION),
        next: NEXT,
      }),
    },
  },
  refusals: ['field_invalid', 'filter_invalid'],
  async run(context, { query }) {
    const read = filtersIn(FILTERS, query)
    if ('refused' in read) return read
    const running = liveIn(query)
    if ('refused' in running) return running
    const page = { ...query, ...running, ...read, parent: query.terminal }
    const { items: transactions, next } = await pageOf(context, TERMINAL_TRANSACTION, page, managedTransaction)
    return { status: 200, body: { transactions, next } }
  },
})

/** `status` and `live` say the same. */
function liveIn({ status, live }: { readonly status?: string; readonly live?: boolean }) {
  if (status === undefined) return { live }
  if (status !== 'running' && status !== 'finished') return invalidFilter('status', 'It is `running` or `finished`.')
  const isRunning = status === 'running'
  return live === undefined || live === isRunning
    ? { live: isRunning }
    : invalidFilter('status', 'It contradicts `live`.')
}

export const getOwnTransaction = accountOperation({
  name: 'getOwnTransaction',
  summary: 'Read a transaction in full, with its verdict',
  tag: 'Transactions',
  area: 'management',
  method: 'GET',
  path: '/api/transactions/{requestId}',
  responses: { 200: { description: 'The transaction.', schema: MANAGED_TRANSACTION_IN_FULL } },
  refusals: ['transaction_unknown'],
  async run({ api, account, base }, { params }) {
    const entry = await api.engine.read(TERMINAL_TRANSACTION, { account: account.id, id: params.requestId })
    if (entry === null) return { refused: { code: 'transaction_unknown' } }
    const { record } = entry
    const location = transactionAddress(base, record.tid, record.requestId)
    return { status: 200, body: managedTransactionInFull(record, transactionBody(record, location, account.timeZone)) }
  },
})

const CLOSED = {
  requestId: '019e1d63-3a1a-7000-8000-000000000017',
  tid: '22160001',
  transactionType: 'SALE',
  amountMinor: 2599,
  totalMinor: 0,
  gratuityMinor: 0,
  cashbackMinor: 0,
  currency: 'GBP',
  scheme: null,
  result: 'TIMED_OUT',
  progress: 'finished',
  cancel: 'none',
  authorisation: 'declined',
  verdict: { final: true, moneyTaken: 'no', safeToRetry: true, nextStep: 'try_again' },
  table: null,
  partner: { softwareHouseId: null, installerId: null },
  startedAt: '2026-05-06T13:00:00.000Z',
  finishedAt: '2026-05-06T13:03:20.000Z',
  version: 3,
} as const

export const closeTransaction = accountOperation({
  name: 'closeTransaction',
  summary: 'Resolve a transaction whose terminal does not answer any more',
  description:
    'For an operator who has looked at the terminal or asked its acquirer. Possible once, when it ended as TIMED_OUT on a terminal that ' +
    'has an acquirer of its own, which alone knows the outcome. The result that the till read stays; the verdict and the table ' +
    'follow the operator. If the terminal reports it after all and says otherwise, the verdict is unknown again. With ' +
    '`TOLLGATE_CLOSE_PAYMENTS=command-line` only an owner who is signed in and `tollgate payments close` beside the gateway may do it.',
  tag: 'Transactions',
  area: 'management',
  method: 'POST',
  path: '/api/transactions/{requestId}/close',
  right: 'own',
  body: {
    schema: CLOSING,
    examples: {
      not_taken: {
        outcome: 'not_taken',
        operator: 'Ann Example',
        reason: 'Not in the journal that the terminal printed.',
      },
    },
  },
  responses: { 200: { description: 'The transaction as it is now.', schema: MANAGED_TRANSACTION, example: CLOSED } },
  headers: ['Tollgate-Closing-Key'],
  refusals: ['command_line_only', 'transaction_unknown', 'transaction_not_closable'],
  async run(context, { params, body }) {
    const read = await closingIn(context, body)
    if ('refused' in read) return read
    const { closing } = read
    const { outcome } = closing
    const { api, account, requestId: request } = context
    const key = { account: account.id, id: params.requestId }
    const executed = await api.transactions.execute(key, { type: 'close', ...closing })
    if ('refused' in executed) return executed
    if ('repeated' in executed) throw new Error('closing bears no idempotency key')
    api.log.info({ request, requestId: key.id, outcome }, 'transaction closed by operator')
    return { status: 200, body: managedTransaction(executed.record) }
  },
})

export const listTransactionEvents = accountOperation({
  name: 'listTransactionEvents',
  summary: 'List the events of a transaction, oldest first',
  tag: 'Transactions',
  area: 'management',
  method: 'GET',
  path: '/api/transactions/{requestId}/events',
  responses: { 200: { description: 'All its events.', schema: Type.Object({ events: Type.Array(EVENT) }) } },
  refusals: ['transaction_unknown'],
  async run({ api, account }, { params }) {
    const key = { account: account.id, kind: TERMINAL_TRANSACTION.kind, id: params.requestId }
    const events = await api.store.eventsOf(key)
    if (events.length === 0) return { refused: { code: 'transaction_unknown' } }
    return { status: 200, body: { events: events.map(eventView) } }
  },
})

export const getTimeline = accountOperation({
  name: 'getTimeline',
  summary: 'Read the timeline of a transaction',
  description:
    'Requests of the till, messages of terminal and acquirer, and events with their notifications, in order, without secrets ' +
    'and card numbers. Messages are recorded in sandbox mode only and lost at a restart; events are always kept.',
  tag: 'Transactions',
  area: 'management',
  method: 'GET',
  path: '/api/transactions/{requestId}/timeline',
  responses: {
    200: { description: 'Oldest first.', schema: Type.Object({ entries: Type.Array(TIMELINE_ENTRY) }) },
  },
  refusals: ['transaction_unknown'],
  async run({ api, account }, { params: { requestId } }) {
    const events = await api.store.eventsOf({ account: account.id, kind: TERMINAL_TRANSACTION.kind, id: requestId })
    if (events.length === 0) return { refused: { code: 'transaction_unknown' } }
    const exchanges = api.interceptor.exchangesOf(account.id, requestId)
    return { status: 200, body: { entries: timelineOf(events, exchanges) } }
  },
})

// src/api/operations/management/managed-tables.ts — management API: open and closed tables, with all attempts to pay them.
import { type Static, Type } from 'typebox'
import { verdictOf } from '../../../domain/counter/transaction-verdict.ts'
import { type BegunPayment, type PatTable, sumsOf, type TableSums } from '../../../domain/tables/table.ts'
import { TABLE, TERMINAL_TRANSACTION } from '../../../engine/machines.ts'
import { filtersIn, PERIOD_QUERY } from '../../list-filters.ts'
import { utcTimeOf } from '../../local-time.ts'
import { NEXT, PAGE_QUERY, pageOf } from '../../management-page.ts'
import { EVENT, eventView, VERDICT } from '../../management-views.ts'
import { type AccountRequestContext, accountOperation } from '../../operation.ts'
import { EXAMPLE, nullable, oneOf, TIME } from '../../schemas.ts'
import { TABLE_BODY, tableBody } from '../../table-body.ts'
import { mergedTimelines, TIMELINE_ENTRY, type TimelineEntry, timelineOf } from '../../timeline.ts'

const MINOR = (description: string) => Type.Integer({ description: `${description} Minor units.` })

const LOCK = Type.Object({
  kind: oneOf(['till', 'terminal']),
  by: Type.String(),
  waiterId: Type.String(),
  since: TIME,
  lapsesAt: nullable(TIME),
})

const MANAGED_TABLE = Type.Object(
  {
    tableId: Type.String(),
    name: Type.String(),
    host: oneOf(['gateway', 'till'], {
      description: 'Who stores it: the gateway (uploaded), or the till (requested when needed).',
    }),
    state: oneOf(['open', 'closed']),
    currency: Type.String(),
    amountMinor: MINOR('The bill.'),
    paidMinor: MINOR('Paid for the bill, final.'),
    cashbackMinor: MINOR('Paid out.'),
    gratuityMinor: MINOR('Gratuity.'),
    reservedMinor: MINOR('Part of the bill in running payments, which may succeed or fail.'),
    openMinor: MINOR(
      'Neither paid nor in running payments. Negative when the till has reduced the bill below what was paid.',
    ),
    lock: nullable(LOCK),
    waiterIds: Type.Array(Type.String()),
    createdAt: TIME,
    closedAt: nullable(TIME),
    version: Type.Integer({ description: 'Number of events so far.' }),
  },
  { $id: 'TableRecord' },
)

const ATTEMPT = Type.Object(
  {
    paymentId: Type.String(),
    requestId: nullable(Type.String({ description: 'The transaction; null when not paid by card.' })),
    tid: Type.String(),
    waiterId: Type.String(),
    amountMinor: MINOR('Paid for the bill.'),
    gratuityMinor: MINOR('Gratuity.'),
    state: oneOf(['under_way', 'taken', 'not_taken', 'not_started']),
    why: nullable(Type.String({ description: 'Why it failed.' })),
    verdict: nullable(VERDICT),
    at: TIME,
  },
  { $id: 'TableAttempt' },
)

const MANAGED_TABLE_IN_FULL = Type.Object(
  {
    ...MANAGED_TABLE.properties,
    unknownMinor: MINOR('In card payments whose outcome the gateway does not know yet.'),
    attempts: Type.Array(ATTEMPT, { description: 'All payments started for it, oldest first.' }),
    connect: TABLE_BODY,
  },
  { $id: 'TableRecordInFull', description: '`connect` is the table as the till reads it.' },
)

export const listOwnTables = accountOperation({
  name: 'listOwnTables',
  summary: 'List tables, newest first',
  tag: 'Transactions',
  area: 'management',
  method: 'GET',
  path: '/api/tables',
  query: Type.Object({
    open: Type.Optional(Type.Boolean({ description: 'Only those that are open (true) or closed (false).' })),
    ...PERIOD_QUERY,
    ...PAGE_QUERY,
  }),
  responses: {
    200: {
      description: 'A page.',
      schema: Type.Object({
        tables: Type.Array(MANAGED_TABLE),
        next: NEXT,
      }),
    },
  },
  refusals: ['field_invalid', 'filter_invalid'],
  async run(context, { query }) {
    const read = filtersIn({}, query)
    if ('refused' in read) return read
    const page = { ...query, ...read, live: query.open }
    const { items: tables, next } = await pageOf(context, TABLE, page, managedTable)
    return { status: 200, body: { tables, next } }
  },
})

export const getOwnTable = accountOperation({
  name: 'getOwnTable',
  summary: 'Read a table in full, with all its payments',
  tag: 'Transactions',
  area: 'management',
  method: 'GET',
  path: '/api/tables/{tableId}',
  responses: { 200: { description: 'The table.', schema: MANAGED_TABLE_IN_FULL } },
  refusals: ['table_unknown'],
  async run(context, { params: { tableId } }) {
    const { api, account } = context
    const entry = await api.tables.read({ account: account.id, tableId })
    if (entry === null) return { refused: { code: 'table_unknown' } }
    const { record } = entry
    const attempts = await attemptsOf(context, record)
    const unknown = attempts.filter(({ state, verdict }) => state !== 'taken' && verdict?.moneyTaken === 'unknown')
    const unknownMinor = unknown.reduce((sum, { amountMinor, gratuityMinor }) => sum + amountMinor + gratuityMinor, 0)
    return {
      status: 200,
      body: { ...managedTable(record), unknownMinor, attempts, connect: tableBody(record, { withBill: true }) },
    }
  },
})

export const listTableEvents = accountOperation({
  name: 'listTableEvents',
  summary: 'List the events of a table, oldest first',
  tag: 'Transactions',
  area: 'management',
  method: 'GET',
  path: '/api/tables/{tableId}/events',
  responses: { 200: { description: 'All its events.', schema: Type.Object({ events: Type.Array(EVENT) }) } },
  refusals: ['table_unknown'],
  async run({ api, account }, { params: { tableId } }) {
    const events = await api.store.eventsOf({ account: account.id, kind: TABLE.kind, id: tableId })
    if (events.length === 0) return { refused: { code: 'table_unknown' } }
    return { status: 200, body: { events: events.map(eventView) } }
  },
})

const TIMELINE_EXAMPLE = {
  ...{ at: '2026-05-06T13:03:27.000Z', from: 'gateway', to: null, what: 'locked', version: 2 },
  ...{ notifications: [], data: { tid: EXAMPLE.tid }, answer: null, answeredAt: null, times: 1 },
}

export const getTableTimeline = accountOperation({
  name: 'getTableTimeline',
  summary: 'Read the timeline of a table',
  description:
    'Requests of waiters at terminals, messages to and from a till that stores its own tables, and events, in order, without ' +
    'secrets and card numbers. `payments=true` includes the timelines of its payments. Messages are recorded in sandbox mode ' +
    'only and lost at a restart; events are always kept.',
  tag: 'Transactions',
  area: 'management',
  method: 'GET',
  path: '/api/tables/{tableId}/timeline',
  query: Type.Object({
    payments: Type.Optional(Type.Boolean({ description: 'Include the timelines of its card payments.' })),
  }),
  responses: {
    200: {
      description: 'Oldest first.',
      schema: Type.Object({ entries: Type.Array(TIMELINE_ENTRY) }),
      example: { entries: [TIMELINE_EXAMPLE] },
    },
  },
  refusals: ['field_invalid', 'table_unknown'],
  async run(context, { params: { tableId }, query }) {
    const { api, account } = context
    const entry = await api.tables.read({ account: account.id, tableId })
    if (entry === null) return { refused: { code: 'table_unknown' } }
    const events = await api.store.eventsOf({ account: account.id, kind: TABLE.kind, id: tableId })
    const ofTable = timelineOf(events, api.interceptor.exchangesOf(account.id, tableId), () => [])
    const ofPayments = query.payments === true ? await timelinesOfPayments(context, entry.record) : []
    return { status: 200, body: { entries: [...mergedTimelines([ofTable, ...ofPayments])] } }
  },
})

/** The timeline of each transaction that was begun for a table. A table has at most some hundred. */
function timelinesOfPayments(
  { api, account }: AccountRequestContext,
  { payments, begun, dropped }: PatTable,
): Promise<readonly (readonly TimelineEntry[])[]> {
  const ids = [...payments, ...begun, ...dropped].flatMap(({ requestId }) => requestId ?? [])
  return Promise.all(
    ids.map(async requestId => {
      const events = await api.store.eventsOf({ account: account.id, kind: TERMINAL_TRANSACTION.kind, id: requestId })
      const timeline = timelineOf(events, api.interceptor.exchangesOf(account.id, requestId))
      return timeline.map(each => ({ ...each, requestId }))
    }),
  )
}

function managedTable(table: PatTable): Static<typeof MANAGED_TABLE> {
  const { tableId, name, host, state, currency, amountMinor, lock, waiterIds, createdAt, closedAt, version } = table
  return {
    ...{ tableId, name, host, state, currency, amountMinor },
    ...minorsOf(sumsOf(table)),
    lock: lock === null ? null : lockView(lock),
    waiterIds: [...waiterIds],
    createdAt: utcTimeOf(createdAt),
    closedAt: closedAt === null ? null : utcTimeOf(closedAt),
    version,
  }
}

function minorsOf({ paid, cashback, gratuity, reserved, open }: TableSums) {
  return {
    paidMinor: paid.minor,
    cashbackMinor: cashback.minor,
    gratuityMinor: gratuity.minor,
    reservedMinor: reserved.minor,
    openMinor: open.minor,
  }
}

function lockView({ kind, by, waiterId, since, renewedAt, leaseMs }: NonNullable<PatTable['lock']>) {
  const lapsesAt = leaseMs === 0 ? null : utcTimeOf(renewedAt + leaseMs)
  return { kind, by, waiterId, since: utcTimeOf(since), lapsesAt }
}

type Attempt = Static<typeof ATTEMPT>

async function attemptsOf(context: AccountRequestContext, { payments, begun, dropped }: PatTable): Promise<Attempt[]> {
  const taken = payments.map(async payment => {
    const { paymentId, requestId, tid, waiterId, amountMinor, gratuityMinor, takenAt } = payment
    const verdict = requestId === null ? null : await verdictIn(context, requestId)
    const at = utcTimeOf(takenAt)
    return {
      paymentId,
      requestId,
      tid,
      waiterId,
      amountMinor,
      gratuityMinor,
      state: 'taken',
      why: null,
      verdict,
      at,
    } as const
  })
  const under = begun.map(each => attemptOf(context, each, 'under_way', null))
  const gone = dropped.map(each =>
    attemptOf(context, each, each.why === 'not_started' ? 'not_started' : 'not_taken', each.why),
  )
  const attempts: Attempt[] = await Promise.all([...taken, ...under, ...gone])
  return attempts.sort((one, other) => (one.at < other.at ? -1 : one.at > other.at ? 1 : 0))
}

async function attemptOf(
  context: AccountRequestContext,
  { paymentId, requestId, tid, waiterId, amountMinor, gratuityMinor, begunAt }: BegunPayment,
  state: Attempt['state'],
  why: string | null,
): Promise<Attempt> {
  const verdict = await verdictIn(context, requestId)
  return {
    paymentId,
    requestId,
    tid,
    waiterId,
    amountMinor,
    gratuityMinor,
    state,
    why,
    verdict,
    at: utcTimeOf(begunAt),
  }
}

/** Verdict of a transaction. Null when it was never started, or is not started yet. */
async function verdictIn({ api, account }: AccountRequestContext, requestId: string) {
  const entry = await api.engine.read(TERMINAL_TRANSACTION, { account: account.id, id: requestId })
  return entry === null ? null : verdictOf(entry.record)
}

// src/api/operations/tables/table-operations.ts — pay at table over REST: lists, uploads and reads tables.

import { type Static, Type } from 'typebox'
import { TERMINAL_CURRENCIES } from '../../../domain/money.ts'
import { MAY_BE_CARD } from '../../../domain/refusals.ts'
import type { PatTable } from '../../../domain/tables/table.ts'
import type { Entry } from '../../../engine/cache.ts'
import { TABLE } from '../../../engine/machines.ts'
import { tableAddress } from '../../addresses.ts'
import { answerPoll } from '../../http/polling.ts'
import { startOnce } from '../../http/start-once.ts'
import { type AccountRequestContext, type Answer, accountOperation, type Input } from '../../operation.ts'
import { EXAMPLE, oneOf } from '../../schemas.ts'
import { billOf, cardFieldOf, TABLE_BODY, TABLE_CREATION, TABLE_EXAMPLES, tableBody } from '../../table-body.ts'

const EXAMPLE_LOCATION = tableAddress(EXAMPLE.base, 'Window 2')

export const listTables = accountOperation({
  name: 'listTables',
  summary: 'List the open tables',
  description: 'Oldest first, without their bills.',
  tag: 'Pay at table',
  area: 'connect',
  method: 'GET',
  path: '/pat/tables',
  query: Type.Object({
    locked: Type.Optional(Type.Boolean({ description: 'Only locked (true) or unlocked (false) ones.' })),
    currency: Type.Optional(oneOf(TERMINAL_CURRENCIES, { description: 'Only those in this currency.' })),
    withBill: Type.Optional(Type.Boolean()),
  }),
  // Only v0 lists tables with their bills. See docs/versions.md.
  inner: ['withBill'],
  responses: {
    200: {
      description: 'The open tables.',
      schema: Type.Object({ tables: Type.Array(TABLE_BODY) }),
      example: { tables: [TABLE_EXAMPLES.listed] },
    },
  },
  async run({ api, account }, { query: { withBill = false, ...filter } }) {
    const tables = await api.tables.list(account.id, filter)
    return { status: 200, body: { tables: tables.map(table => tableBody(table, { withBill })) } }
  },
})

export const createTable = accountOperation(creation('PUT', 'createTable', 'Upload a table'))

export const createTableByPost = accountOperation({
  ...creation('POST', 'createTableByPost', 'Upload a table, as tills of the first version do'),
  description: 'Alias of PUT, which is preferred.',
})

function creation<const M extends 'PUT' | 'POST'>(method: M, name: string, summary: string) {
  return {
    name,
    summary,
    tag: 'Pay at table',
    area: 'connect',
    method,
    path: '/pat/tables',
    headers: ['Idempotency-Key'],
    body: { schema: TABLE_CREATION, examples: { 'a table for two': TABLE_EXAMPLES.creation } },
    responses: {
      201: {
        description: 'The table is open.',
        schema: Type.Object({ location: Type.String({ format: 'uri' }), tableName: Type.String() }),
        headers: ['Location', 'Idempotency-Replayed'],
        example: { location: EXAMPLE_LOCATION, tableName: 'Window 2' },
      },
    },
    refusals: ['header_invalid', 'idempotency_key_reused', 'table_exists', 'too_many_tables'],
    run: (context: AccountRequestContext, { body }: CreationInput) => create(context, body),
  } as const
}

type CreationInput = Input<'/pat/tables', unknown, Static<typeof TABLE_CREATION>>

async function create(context: AccountRequestContext, body: CreationInput['body']): Promise<Answer> {
  const { api, account, base, partner } = context
  const read = await body()
  if ('refused' in read) return read
  const field = cardFieldOf(read.value, null)
  if (field !== null) return { refused: { code: 'field_invalid', field, detail: MAY_BE_CARD } }
  const { tableName, amount, currency, receiptLines, receipt, waiterIds } = read.value
  const order = {
    account: account.id,
    name: tableName,
    currency,
    amountMinor: amount,
    waiterIds: waiterIds ?? [],
    bill: billOf(receiptLines !== undefined && receiptLines.length > 0 ? receiptLines : (receipt ?? [])),
  }
  const outcome = await startOnce(context, ['createTable', order], ({ requestId: tableId, ...key }) =>
    api.tables.create({ ...order, partner, tableId, ...key }),
  )
  if ('refused' in outcome) return outcome
  const location = tableAddress(base, tableName)
  const headers = { location, ...(outcome.answer.replayed ? { 'idempotency-replayed': 'true' } : {}) }
  return { status: 201, headers, body: { location, tableName } }
}

export const getTable = accountOperation({
  name: 'getTable',
  summary: 'Read a table with its payments',
  description:
    'Poll it, or send `If-None-Match` and `Prefer: wait=30` to get the answer at the next change. 404 after it is deleted.',
  tag: 'Pay at table',
  area: 'connect',
  method: 'GET',
  path: '/pat/tables/{tableName}',
  headers: ['If-None-Match', 'Prefer'],
  query: Type.Object({ receipt: Type.Optional(Type.Boolean({ description: 'Include the bill.' })) }),
  responses: {
    200: {
      description: 'The table.',
      schema: TABLE_BODY,
      headers: ['ETag', 'Preference-Applied'],
      example: { ...TABLE_EXAMPLES.listed, receiptLines: TABLE_EXAMPLES.bill, receipt: TABLE_EXAMPLES.bill },
    },
    304: { description: 'Not changed.', headers: ['ETag', 'Preference-Applied'] },
  },
  refusals: ['table_unknown'],
  async run(context, { params: { tableName }, query: { receipt = false } }) {
    const { api, account } = context
    const found = await api.tables.find(account.id, tableName)
    if (found === null) return UNKNOWN
    return answerPoll<PatTable>(context, {
      key: { account: account.id, kind: TABLE.kind, id: found.record.tableId },
      find: async () => (await api.tables.find(account.id, tableName)) ?? UNKNOWN,
      represent: entry => represent(context, entry, receipt),
      isFinished: ({ state }) => state === 'closed',
    })
  },
})

const UNKNOWN = { refused: { code: 'table_unknown' } } as const

function represent({ api, apiVersion, base }: AccountRequestContext, entry: Entry<PatTable>, withBill: boolean) {
  const about = { operation: 'getTable', apiVersion, base, variant: withBill ? 'with bill' : '' }
  return api.representations.of(entry, about, () => tableBody(entry.record, { withBill }))
}

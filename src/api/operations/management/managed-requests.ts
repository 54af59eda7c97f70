// src/api/operations/management/managed-requests.ts — management API: the latest requests of an account.
import { type Static, Type } from 'typebox'
import { utcTimeOf } from '../../local-time.ts'
import { NEXT, PAGE_QUERY } from '../../management-page.ts'
import { accountOperation } from '../../operation.ts'
import type { ListedRequest } from '../../requests/latest-requests.ts'
import { EXAMPLE, nullable, oneOf, TIME } from '../../schemas.ts'

const DEFAULT_LIMIT = 50

const FIELDS = { type: 'object', additionalProperties: true } as const

const REQUEST = Type.Object(
  {
    at: { ...TIME, description: 'Arrival. RFC 3339, UTC.' },
    transport: oneOf(['http', 'websocket']),
    operation: Type.String({ description: '`operationId` in this document, or name of the JSON-RPC method.' }),
    route: Type.String({ description: 'Method and path, or `JSON-RPC` and the method.' }),
    apiVersion: nullable(Type.String({ description: 'API version, where there are several.' })),
    params: Type.Unsafe<object>({
      ...FIELDS,
      description: 'Path and query parameters. For an access token in the path, `payment` has the id of its payment.',
    }),
    body: Type.Unsafe<object | null>({
      anyOf: [FIELDS, { type: 'null' }],
      description:
        'Known fields with valid values, without secrets. Null when the body was not read, is not a JSON object, or has ' +
        'more than 2,000 characters.',
    }),
    status: nullable(
      Type.Integer({
        description: 'HTTP status; for JSON-RPC 200 or the code of the error. Null: no answer was sent, or none yet.',
      }),
    ),
    code: nullable(Type.String({ description: 'Code of the refusal; see docs/errors.md.' })),
    field: nullable(Type.String({ description: 'The field or header at fault.' })),
    durationMs: nullable(Type.Integer({ description: 'Milliseconds to the answer.' })),
    requestId: nullable(Type.String({ description: 'As in X-Request-Id and in the log; null on a WebSocket.' })),
    rpcId: nullable(Type.Integer({ description: 'Id of the JSON-RPC request.' })),
    times: Type.Integer({ description: 'Number of equal reads with this answer.' }),
    lastAt: { ...TIME, description: 'Arrival of the last one.' },
  },
  { $id: 'Request' },
)

const EXAMPLE_PAGE = {
  recording: true,
  requests: [
    {
      ...{ at: '2026-05-06T13:03:27.000Z', transport: 'http', operation: 'startTransaction' },
      ...{ route: 'POST /pac/terminals/{tid}/transactions', apiVersion: 'v2', params: { tid: EXAMPLE.tid } },
      ...{ body: { transactionType: 'SALE', currency: 'GBP' }, status: 422, code: 'field_invalid', field: 'amount' },
      ...{ durationMs: 1, requestId: '0b9d1c1e-5a4e-4f0e-8a55-2d4c3f1f8a10', rpcId: null },
      ...{ times: 1, lastAt: '2026-05-06T13:03:27.000Z' },
    },
  ],
  next: null,
} as const

export const listRequests = accountOperation({
  name: 'listRequests',
  summary: 'List the latest requests of the account, newest first',
  description:
    'Requests of tills, web shops, payers and your own tools, over HTTP and WebSocket, with their outcome. Kept in memory for an ' +
    'hour, 500 at most, and lost at a restart. Never in the list: card data, keys, JWTs, access tokens and unknown fields. Equal ' +
    'reads are counted: `times`. Not listed: requests of this operation, and those without a known account, such as with a wrong ' +
    'key. Refused ones of these are in the log. On several nodes the list has those of all that answer within a second; each node ' +
    'counts equal reads by itself.',
  tag: 'Account',
  area: 'management',
  method: 'GET',
  path: '/api/requests',
  query: Type.Object({
    operation: Type.Optional(Type.String({ maxLength: 64, description: 'Only those of this operation or method.' })),
    status: Type.Optional(Type.Integer({ description: 'Only those with this status.' })),
    refused: Type.Optional(Type.Boolean({ description: 'Only those that were refused (true), or were not (false).' })),
    ...PAGE_QUERY,
  }),
  responses: {
    200: {
      description: 'A page.',
      schema: Type.Object({
        recording: Type.Boolean({ description: 'False: TOLLGATE_RECORD_REQUESTS is off, and the list is empty.' }),
        requests: Type.Array(REQUEST),
        next: NEXT,
      }),
      example: EXAMPLE_PAGE,
    },
  },
  refusals: ['field_invalid'],
  async run({ api, account }, { query }) {
    const filter = { ...query, limit: query.limit ?? DEFAULT_LIMIT }
    const { requests, next } = await api.requests.list(account.id, filter)
    return { status: 200, body: { recording: api.requests.isOn, requests: requests.map(viewOf), next } }
  },
})

function viewOf({ at, lastAt, endedAt, ...request }: ListedRequest): Static<typeof REQUEST> {
  const { transport, operation, route, apiVersion, params, body, status, code, field, requestId, rpcId, times } =
    request
  return {
    ...{ at: utcTimeOf(at), transport, operation, route, apiVersion, params, body, status, code, field },
    durationMs: endedAt === null ? null : Math.max(0, endedAt - at),
    ...{ requestId, rpcId, times, lastAt: utcTimeOf(lastAt) },
  }
}

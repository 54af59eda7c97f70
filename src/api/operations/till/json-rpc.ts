// src/api/operations/till/json-rpc.ts — the JSON-RPC addresses: WebSocket handshakes, and calls over plain HTTP. ADR 10.
import { Type } from 'typebox'
import type { RefusalCode } from '../../../domain/refusals.ts'
import { whileWaiting } from '../../http/waiting-caller.ts'
import {
  type AccountRequestContext,
  type Answer,
  accountOperation,
  openOperation,
  type RequestContext,
} from '../../operation.ts'
import type { Reply } from '../../socket/replies.ts'
import { hasFlag, queryOf } from '../../socket/till-address.ts'
import { identityIn, type TillIdentity } from '../../socket/till-admission.ts'

/** Upper bound of a call, in milliseconds: longer than any transaction or report. */
const LONGEST_CALL_MS = 600_000

const MEDIA_TYPE = 'application/json; charset=utf-8'

const MESSAGE = Type.Object(
  {
    jsonrpc: Type.Literal('2.0'),
    id: Type.Integer({ minimum: 0, maximum: 999_999 }),
    method: Type.String(),
    params: Type.Optional(Type.Object({}, { additionalProperties: true })),
  },
  { $id: 'JsonRpcRequest' },
)

const REPLY = Type.Object(
  {
    jsonrpc: Type.Literal('2.0'),
    id: Type.Optional(Type.Integer({ minimum: 0, maximum: 999_999 })),
    result: Type.Optional(Type.Unknown()),
    error: Type.Optional(Type.Object({ code: Type.Integer(), message: Type.String() }, { additionalProperties: true })),
  },
  { $id: 'JsonRpcReply' },
)

/** Refusals of a handshake, in the order of the checks. */
const HANDSHAKE_REFUSALS: readonly RefusalCode[] = [
  'credentials_missing',
  'credentials_refused',
  'right_missing',
  'key_area',
  'key_terminals',
  'api_version_unknown',
  'field_invalid',
  'origin_refused',
  'upgrade_required',
  'request_malformed',
  'connections_exhausted',
]

/** Answers a GET without an upgrade with the refusal that a handshake would get. Upgrades are handled in socket/upgrades.ts. */
async function explainHandshake({ api, request }: RequestContext): Promise<Answer> {
  const till = await api.rpc.admit(request)
  if ('refused' in till) return till
  return { refused: { code: 'upgrade_required' }, headers: { upgrade: 'websocket', connection: 'upgrade' } }
}

export const connectTill = openOperation({
  name: 'connectTill',
  summary: 'Connect a till by WebSocket',
  description:
    'Query parameters: `token` is the API key; `api-version` is `v1` or `v0`; `software-house-id` and `installer-id` are required ' +
    'with `api-version=v1`. With the flag `transaction-ids`, messages about a transaction contain `requestId` and `rpcId`. The ' +
    'messages are described under /docs/socket.',
  tag: 'Pay at counter',
  area: 'connect',
  method: 'GET',
  path: '/pac',
  responses: { 101: { description: 'Connected.' } },
  refusals: HANDSHAKE_REFUSALS,
  run: explainHandshake,
})

export const connectTableTill = openOperation({
  name: 'connectTableTill',
  summary: 'Connect a till that stores its own tables by WebSocket',
  description:
    'The gateway forwards the requests of waiters at terminals to it. Query parameters are those of /pac, and the flag ' +
    '`final-pos-receipt-request`. Each account has one connection: a new one replaces the earlier. The messages are described ' +
    'under /docs/socket.',
  tag: 'Pay at table',
  area: 'connect',
  method: 'GET',
  path: '/pat',
  responses: { 101: { description: 'Connected.' } },
  refusals: HANDSHAKE_REFUSALS,
  run: explainHandshake,
})

export const callJsonRpc = accountOperation({
  name: 'callJsonRpc',
  summary: 'Send one JSON-RPC message',
  description:
    'For methods that need no connection to the till: `connectedTerminals`, `terminalDetails`, `duplicate`, `cancelTransaction` ' +
    'and the reports. Messages, errors and the query parameters `api-version`, `software-house-id` and `installer-id` are those ' +
    'of the WebSocket; the status is always 200. The answer comes when the terminal has finished.',
  tag: 'Pay at counter',
  area: 'connect',
  method: 'POST',
  path: '/pac',
  // The methods say what they need, and about which terminal they are.
  right: 'read',
  forTerminals: 'whole',
  body: {
    schema: MESSAGE,
    examples: { duplicate: { jsonrpc: '2.0', id: 31, method: 'duplicate', params: { tid: '22160001' } } },
  },
  responses: {
    200: {
      description: 'A result or an error.',
      schema: REPLY,
      mediaType: 'application/json',
      example: { jsonrpc: '2.0', id: 31, error: { code: -32601, message: 'Method not found' } },
    },
  },
  refusals: ['api_version_unknown', 'field_invalid'],
  async run(context, { text }) {
    const identity = identityOf(context)
    if ('refused' in identity) return identity
    const sent = text()
    if ('refused' in sent) return sent
    const reply = await call(context, identity, sent.text)
    if (reply === null) return { refused: { code: 'gateway_busy' } }
    return context.response.destroyed ? { taken: true } : answer(reply)
  },
})

/** Identifies the till by the query, as on a WebSocket. Partner headers are used when the query has no partner ids. */
function identityOf({ api, account, request, partner }: AccountRequestContext) {
  const query = new Map(queryOf(request.url ?? ''))
  for (const [name, id] of [
    ['software-house-id', partner.softwareHouseId],
    ['installer-id', partner.installerId],
  ] as const)
    if (id !== null && !query.has(name)) query.set(name, id)
  return identityIn(query, account, api.settings)
}

/** Answers a message. Null when too many callers are waiting. */
function call(
  context: AccountRequestContext,
  { apiVersion, partner }: TillIdentity,
  text: string | null,
): Promise<Reply | null> {
  const { api, account, key, request, response, requestId } = context
  if (key === null) throw new Error('only callers with an API key send messages')
  const wantsIds = hasFlag(request.url ?? '', 'transaction-ids')
  const cut = () => void response.destroy()
  return whileWaiting(context, LONGEST_CALL_MS, whenGone =>
    api.rpc.answer(
      apiVersion,
      { api, account, key, partner, wantsIds, requestId, openedBy: null, connection: null, whenGone, cut },
      text,
    ),
  )
}

function answer(reply: Reply): Answer {
  return { status: 200, bytes: Buffer.from(JSON.stringify(reply)), mediaType: MEDIA_TYPE }
}

// src/api/socket/upgrades.ts — handles WebSocket upgrade requests.
import { IncomingMessage, type Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { corsHeaders } from '../http/cors.ts'
import { type RequestExchange, record, renderError, renderFor, UNKNOWN_SO_FAR } from '../http/exchange.ts'
import type { Rendered } from '../http/render.ts'
import { hasOneHost } from '../http/request-path.ts'
import type { ServerContext } from '../http/server-context.ts'
import { beginSpan, endSpan } from '../http/traced-request.ts'
import type { Answer } from '../operation.ts'
import { areaOf } from './till-address.ts'

/**
 * A request that upgrades to WebSocket only. Clients that offer other protocols, such as `h2c`, accept an answer in plain
 * HTTP.
 */
export class GatewayRequest extends IncomingMessage {
  /** Whether the request offers any protocol. Not `#private`, because the parent's constructor sets `upgrade`. */
  private offers = false

  get upgrade(): boolean {
    return this.offers && (this.method === 'CONNECT' || /^\s*websocket\s*$/i.test(this.headers.upgrade ?? ''))
  }

  set upgrade(offers: boolean | null) {
    this.offers = offers === true
  }
}

const CONNECT_TILL = { name: 'connectTill', area: 'connect', method: 'GET', path: '/pac' } as const
const CONNECT_TABLE_TILL = { ...CONNECT_TILL, path: '/pat' } as const

/** Answers upgrade requests, which Fastify does not see. */
export function serveUpgrades(server: ServerContext, node: Server): void {
  node.on('upgrade', (request, socket, head) => void connect(server, request, socket as Socket, head))
}

async function connect(server: ServerContext, request: IncomingMessage, socket: Socket, head: Buffer): Promise<void> {
  const { api, tracker, choose, requestIds } = server
  const destroy = (): void => void socket.destroy()
  socket.on('error', destroy)
  const response = new ServerResponse(request)
  const { origin } = request.headers
  const about = areaOf(request.url ?? '') === 'pat' ? CONNECT_TABLE_TILL : CONNECT_TILL
  const exchange: RequestExchange = {
    ...{ about, request, response },
    span: api.tracing === null ? null : beginSpan(api.tracing, about, request.headers),
    ...{ params: {}, startedAt: api.clock.now(), ...UNKNOWN_SO_FAR },
    requestId: requestIds(request.headers['x-request-id']),
    chosen: choose(request.headers.accept, request.url),
    corsHeaders:
      origin === undefined ? null : corsHeaders(api.settings.corsOrigins, origin, { area: 'connect', path: '' }),
  }
  tracker.enter(response)
  try {
    const answer = await answerTo(server, exchange, socket, head)
    if ('taken' in answer) return void socket.off('error', destroy)
    refuse(server, exchange, socket, renderFor(exchange, answer))
  } catch (error) {
    refuse(server, exchange, socket, renderError(server, exchange, error))
  } finally {
    tracker.leave(response)
    if (exchange.span !== null) exchange.span.end()
  }
}

/** Answers in plain HTTP and closes the connection. */
function refuse(
  server: ServerContext,
  exchange: RequestExchange,
  socket: Socket,
  { status, headers, body }: Rendered,
): void {
  const { response } = exchange
  record(server, exchange, status)
  response.shouldKeepAlive = false
  response.writeHead(status, { ...headers })
  response.end(body ?? undefined)
  // The socket is assigned after the end of the response, which is then written whole.
  response.assignSocket(socket)
  response.detachSocket(socket)
  socket.destroySoon()
}

async function answerTo(
  server: ServerContext,
  exchange: RequestExchange,
  socket: Socket,
  head: Buffer,
): Promise<Answer> {
  const { api, tracker } = server
  const { request } = exchange
  const url = request.url ?? ''
  if (!hasOneHost(request.rawHeaders)) return { refused: { code: 'request_malformed' } }
  if (areaOf(url) === null) return { refused: { code: 'path_unknown' } }
  if (url.length > api.limits.urlLength) return { refused: { code: 'url_too_long' } }
  const till = await api.rpc.admit(request)
  if ('refused' in till) {
    exchange.account = till.account ?? null
    return till
  }
  exchange.account = till.account.id
  const met = await api.interceptor.handshake(till, socket)
  if (met !== null) return met
  if (tracker.stopping) return { refused: { code: 'gateway_stopping' } }
  const refused = api.rpc.tills.refusalFor(till.account.id)
  if (refused !== null) return { refused }
  const { span } = exchange
  const opened = span === null ? till : { ...till, openedBy: span.traceparent }
  const flaw = api.rpc.tills.welcome(opened, request, socket, head)
  if (flaw !== null) return refusalOf(request, flaw)
  api.metrics.observe('connectTill', 101, 0)
  api.requests.http(exchange, 101)
  if (exchange.span !== null) endSpan(exchange.span, exchange, 101)
  return { taken: true }
}

/** Refusal of an invalid WebSocket handshake. `detail` is for the log. */
function refusalOf({ method }: IncomingMessage, detail: string): Answer {
  if (method !== 'GET') return { refused: { code: 'method_unknown', detail }, headers: { allow: 'GET' } }
  // The client may have offered an unsupported protocol version. RFC 6455 §4.4.
  return { refused: { code: 'request_malformed', detail }, headers: { 'sec-websocket-version': '13' } }
}

// src/api/http/unrouted.ts — answers requests without a route: OPTIONS, unknown methods, unknown addresses.
import type { FastifyInstance, FastifyReply, FastifyRequest, HTTPMethods } from 'fastify'
import type { Answer, Area } from '../operation.ts'
import { preflightHeaders } from './cors.ts'
import { type RequestExchange, renderFor } from './exchange.ts'
import { MALFORMED_PATH, pathOf } from './request-path.ts'
import { begin, give, type Payload } from './serve.ts'
import type { ServerContext } from './server-context.ts'

type UnroutedAnswer = Exclude<Answer, { readonly taken: true }>

const METHODS: readonly HTTPMethods[] = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE']

export async function answerUnrouted(
  app: FastifyInstance,
  server: ServerContext,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<Payload> {
  const { url = '', method = '' } = request.raw
  const path = url === MALFORMED_PATH ? pathOf(request.originalUrl) : url
  const methods = methodsAt(app, url)
  const area = areaAt(path, request.headers['access-control-request-method'] ?? method)
  const about = { name: method === 'OPTIONS' ? 'preflight' : 'unrouted', area, method: 'GET', path: '' } as const
  request.exchange = begin(server, request, reply, about, path)
  const answer = preflightAnswer(request.exchange, methods) ?? answerTo(url, method, methods)
  return give(reply, renderFor(request.exchange, answer))
}

/**
 * Answers a preflight request. Null when the request is none, or its origin may not call. At an unknown address every method
 * is allowed, so that the page can read the 404: browsers hide the answer to a request whose preflight failed.
 */
function preflightAnswer(
  { request: { method, headers }, corsHeaders }: RequestExchange,
  methods: readonly string[],
): UnroutedAnswer | null {
  const requestedMethod = headers['access-control-request-method']
  if (method !== 'OPTIONS' || corsHeaders === null || (requestedMethod === undefined && methods.length === 0))
    return null
  const allow = methods.length === 0 ? {} : { allow: methods.join(', ') }
  const allowed = methods.length === 0 ? METHODS : methods
  return { status: 204, headers: { ...allow, ...preflightHeaders(allowed, headers['access-control-request-headers']) } }
}

function answerTo(url: string, method: string, methods: readonly string[]): UnroutedAnswer {
  if (url === MALFORMED_PATH) return { refused: { code: 'request_malformed' } }
  if (methods.length === 0) return { refused: { code: 'path_unknown' } }
  const headers = { allow: methods.join(', ') }
  return method === 'OPTIONS' ? { status: 204, headers } : { refused: { code: 'method_unknown' }, headers }
}

/** Methods of an address. Empty when it does not exist. */
function methodsAt(app: FastifyInstance, url: string): readonly string[] {
  const methods = METHODS.filter(method => app.findRoute({ method, url }) !== null)
  return methods.length === 0 ? [] : [...methods, 'OPTIONS']
}

/** Area of an address without a route for this method. */
function areaAt(path: string, method: string): Area {
  if (/^\/+(?:pac|retail|pat)(?:[/?#]|$)/.test(path)) return 'connect'
  if (/^\/+v1(?:[/?#]|$)/.test(path)) return 'shop'
  if (/^\/+(?:cors|mobile)(?:[/?#]|$)/.test(path)) return 'browser'
  // Browsers post to addresses that the management API reads.
  return /^\/+api\/(?:payments|device-data)\//.test(path) && method === 'POST' ? 'browser' : 'management'
}

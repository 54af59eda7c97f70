// src/api/http/unrouted.ts — answers what no route takes: other methods at known addresses, OPTIONS, and unknown addresses.
import type { FastifyInstance, FastifyReply, FastifyRequest, HTTPMethods } from 'fastify'
import type { Answer, Area, Headers } from '../operation.ts'
import { areaOf } from '../socket/till-address.ts'
import { preflightHeaders } from './cors.ts'
import { renderFor } from './exchange.ts'
import { begin, give, type Payload } from './serve.ts'
import type { ServerContext } from './server-context.ts'

const METHODS: readonly HTTPMethods[] = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE']

/** Stands for an address whose percent signs mean nothing. No route takes it. */
export const MALFORMED_PATH = '/\0/\0/\0'

export async function answerUnrouted(
  app: FastifyInstance,
  server: ServerContext,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<Payload> {
  const { url = '', method = '' } = request.raw
  const path = url === MALFORMED_PATH ? pathOf(request.originalUrl) : url
  const methods = methodsAt(app, url)
  const name = method === 'OPTIONS' && methods.length > 0 ? 'preflight' : 'unrouted'
  const area = areaAt(path, request.headers['access-control-request-method'] ?? method)
  request.exchange = begin(server, request, reply, { name, area, method: 'GET' }, path)
  const { corsHeaders } = request.exchange
  const preflight = name === 'preflight' && corsHeaders !== null ? preflightHeaders(methods) : {}
  return give(reply, renderFor(request.exchange, answerTo(url, method, methods, preflight)))
}

function answerTo(
  url: string,
  method: string,
  methods: readonly string[],
  preflight: Headers,
): Exclude<Answer, { readonly taken: true }> {
  if (url === MALFORMED_PATH) return { refused: { code: 'request_malformed' } }
  if (methods.length === 0) return { refused: { code: 'path_unknown' } }
  const headers = { allow: methods.join(', '), ...preflight }
  return method === 'OPTIONS' ? { status: 204, headers } : { refused: { code: 'method_unknown' }, headers }
}

/** The methods that an address takes; none when it does not exist. */
function methodsAt(app: FastifyInstance, url: string): readonly string[] {
  const methods = METHODS.filter(method => app.findRoute({ method, url }) !== null)
  return methods.length === 0 ? [] : [...methods, 'OPTIONS']
}

/** The area of an address that no route takes with this method. */
function areaAt(path: string, method: string): Area {
  if (/^\/+(?:pac|retail|pat)(?:[/?#]|$)/.test(path)) return 'connect'
  if (/^\/+v1(?:[/?#]|$)/.test(path)) return 'shop'
  if (/^\/+(?:cors|mobile)(?:[/?#]|$)/.test(path)) return 'browser'
  // Payers post where shops read.
  return /^\/+api\/(?:payments|device-data)\//.test(path) && method === 'POST' ? 'browser' : 'own'
}

/** An absolute address, as it is sent to proxies, means its path. RFC 9112 §3.2.2. */
export function pathOf(url: string): string {
  const path = url.startsWith('/') ? url : url.replace(/^https?:\/\/[^/?#]*/i, '').replace(/^(?!\/)/, '/')
  // There are tills that write it in capitals. Terminal socket reference 1.1.
  const area = areaOf(path)
  return area === null ? path : path.replace(/^\/+[a-z]+/i, `/${area}`)
}

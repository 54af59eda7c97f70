// src/api/http/unrouted.ts — what no route takes: other methods at known addresses, browsers that ask first, and unknown
// addresses.
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Answer, Area, Operation } from '../operation.ts'
import { addressesOf } from '../versions/select.ts'
import { corsAt } from './cors.ts'
import { respond } from './respond.ts'
import type { ServerContext } from './server-context.ts'

type RawHandler = (request: IncomingMessage, response: ServerResponse) => void

/** Handlers for the router's dead ends. What is said here is said like every other answer. */
export function unroutedHandlers(
  serverContext: ServerContext,
  operations: readonly Operation[],
): { readonly unrouted: RawHandler; readonly badUrl: RawHandler } {
  const addresses = operations.flatMap(({ path, method }) =>
    addressesOf(path).map(address => ({ pattern: patternOf(address), method })),
  )
  const say = (name: string, request: IncomingMessage, response: ServerResponse, answer: Answer): void =>
    void respond(
      serverContext,
      { name, area: areaOf(request), method: 'GET' },
      { request, response, params: {}, query: {} },
      () => answer,
    )

  return {
    unrouted(request, response) {
      const methods = methodsAt(addresses, request)
      const allow = methods.join(', ')
      if (methods.length === 0) say('unrouted', request, response, { refused: { code: 'path_unknown' } })
      else if (request.method !== 'OPTIONS')
        say('unrouted', request, response, { refused: { code: 'method_unknown' }, headers: { allow } })
      else {
        const headers = {
          allow,
          ...corsAt(serverContext.cors, areaOf(request), request.url ?? '').preflight(request.headers.origin, methods),
        }
        say('preflight', request, response, { status: 204, headers })
      }
    },
    badUrl: (request, response) => say('unrouted', request, response, { refused: { code: 'request_malformed' } }),
  }
}

function patternOf(path: string): RegExp {
  return new RegExp(`^${path.replaceAll('.', '\\.').replaceAll(/\{\w+\}/g, '[^/]+')}/?$`)
}

/** The methods that an address takes; none when it does not exist. */
function methodsAt(
  addresses: readonly { readonly pattern: RegExp; readonly method: string }[],
  { url = '' }: IncomingMessage,
): readonly string[] {
  const path = url.replace(/[?#].*$/s, '').replaceAll(/\/{2,}/g, '/')
  const methods = addresses.filter(({ pattern }) => pattern.test(path)).map(({ method }) => method)
  if (methods.length === 0) return []
  return [...new Set(methods.flatMap(method => (method === 'GET' ? ['GET', 'HEAD'] : method))), 'OPTIONS']
}

function areaOf({ url = '', method, headers }: IncomingMessage): Area {
  if (/^\/+(?:pac|retail|pat)(?:[/?#]|$)/.test(url)) return 'connect'
  if (/^\/+v1(?:[/?#]|$)/.test(url)) return 'shop'
  if (/^\/+(?:cors|mobile)(?:[/?#]|$)/.test(url)) return 'browser'
  // Payers post where shops read.
  const asked = headers['access-control-request-method'] ?? method
  return /^\/+api\/(?:payments|device-data)\//.test(url) && asked === 'POST' ? 'browser' : 'own'
}

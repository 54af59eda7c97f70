// src/api/unrouted.ts — what no route takes: other methods at known addresses, browsers that ask first, and unknown
// addresses.
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { RefusalCode } from '../domain/refusals.ts'
import type { Desk } from './desk.ts'
import { type Area, type Headers, type Operation, openOperation } from './operation.ts'
import { serve } from './serve.ts'

type RawHandler = (request: IncomingMessage, response: ServerResponse) => void

/** Handlers for the router's dead ends. They are served like operations, so a no looks like every other answer. */
export function unroutedHandlers(
  desk: Desk,
  operations: readonly Operation[],
): { readonly unrouted: RawHandler; readonly badUrl: RawHandler } {
  const addresses = operations.map(({ path, method }) => ({ pattern: patternOf(path), method }))
  // An address that does not exist comes before a Host header that is not valid.
  const anyHost = { ...desk, baseUrlOf: () => '' }
  const answer = (operation: Operation, request: IncomingMessage, response: ServerResponse): void =>
    void serve(anyHost, operation, { request, response, params: {}, query: {} })

  return {
    unrouted(request, response) {
      const area = areaOf(request)
      const methods = methodsAt(addresses, request)
      if (methods.length === 0) answer(refuser(area, 'path_unknown'), request, response)
      else if (request.method === 'OPTIONS') answer(preflight(desk, area, methods), request, response)
      else answer(refuser(area, 'method_unknown', { allow: methods.join(', ') }), request, response)
    },
    badUrl: (request, response) => answer(refuser(areaOf(request), 'request_malformed'), request, response),
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

function areaOf({ url = '' }: IncomingMessage): Area {
  return /^\/+(?:pac|retail|pat)(?:[/?#]|$)/.test(url) ? 'connect' : 'own'
}

function refuser(area: Area, code: RefusalCode, headers: Headers = {}): Operation {
  return unlisted(area, 'unrouted', () => ({ refused: { code }, headers }))
}

function preflight({ cors }: Desk, area: Area, methods: readonly string[]): Operation {
  return unlisted(area, 'preflight', ({ request }) => ({
    status: 204,
    headers: { allow: methods.join(', '), ...cors.preflight(request.headers.origin, methods) },
  }))
}

function unlisted(area: Area, name: string, run: Parameters<typeof openOperation>[0]['run']): Operation {
  return openOperation({ name, area, summary: '', tag: '', method: 'GET', path: '/', responses: {}, run })
}

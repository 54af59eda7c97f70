// src/api/http/exchange.ts — the state of one HTTP exchange; renders and records its answer.
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Span } from '../../engine/ports/tracing.ts'
import type { Answer, Headers, Operation } from '../operation.ts'
import type { HttpRequest } from '../requests/recording.ts'
import { refusalOfFault } from '../store-faults.ts'
import type { Chosen } from '../versions/select.ts'
import { type Rendered, render, renderFailure, type Shape } from './render.ts'
import type { ServerContext } from './server-context.ts'
import { endSpan } from './traced-request.ts'

/** The operation that an answer belongs to. `path` is empty when there is none at the address. */
export type About = Pick<Operation, 'name' | 'area' | 'method' | 'path'>

export interface RequestExchange extends HttpRequest {
  readonly about: About
  readonly request: IncomingMessage
  readonly response: ServerResponse
  /** Chosen by the request. The admission replaces it when the account has a default version. */
  chosen: Chosen
  /** Added to every answer. Null for callers without an origin, and for origins that may not call. */
  readonly corsHeaders: Headers | null
  account: HttpRequest['account']
  refused: HttpRequest['refused']
  accountOf: HttpRequest['accountOf']
  query: HttpRequest['query']
  body: HttpRequest['body']
  /** Null when the request is not traced. */
  readonly span: Span | null
}

/** State of an exchange at its beginning. */
export const UNKNOWN_SO_FAR = { account: null, refused: null, accountOf: null, query: null, body: null } as const

/** Renders an answer for its area and the caller's version. */
export function renderFor(exchange: RequestExchange, answer: Exclude<Answer, { taken: true }>): Rendered {
  exchange.refused = 'refused' in answer ? answer.refused : null
  return render(answer, shapeOf(exchange))
}

/** Renders the answer to an error: the refusal of a store fault, otherwise 500. Logs it unless the store is only busy. */
export function renderError({ api }: ServerContext, exchange: RequestExchange, error: unknown): Rendered {
  const refused = refusalOfFault(error)
  // A busy store is normal under load, and a refusal like others. A failing one is logged for each failed request.
  if (refused?.code !== 'gateway_busy')
    api.log.error({ request: exchange.requestId, operation: exchange.about.name, error }, 'request failed')
  return refused === null ? renderFailure(shapeOf(exchange)) : renderFor(exchange, { refused })
}

/** Records an answered exchange in the metrics and for /api/requests. Logs it when it has changed something, or was refused. */
export function record({ api }: ServerContext, exchange: RequestExchange, status: number): void {
  const { about, params, requestId, startedAt } = exchange
  api.metrics.observe(about.name, status, (api.clock.now() - startedAt) / 1_000)
  // Reads change nothing, and tills poll, so they are not logged.
  if (about.method !== 'GET' && status < 300)
    api.log.info({ request: requestId, operation: about.name, status, ...params }, 'request completed')
  api.requests.http(exchange, status)
  if (exchange.span !== null) endSpan(exchange.span, exchange, status)
}

function shapeOf({ about: { area, name }, requestId, chosen: { apiVersion }, corsHeaders }: RequestExchange): Shape {
  return { area, operation: name, requestId, apiVersion, corsHeaders }
}

// src/api/http/exchange.ts — what is known of a request before anything is looked up, and what follows from it.
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Answer, Headers, Operation } from '../operation.ts'
import { refusalOfFault } from '../store-faults.ts'
import type { Chosen } from '../versions/select.ts'
import { type Rendered, render, renderFailure, type Shape } from './render.ts'
import type { ServerContext } from './server-context.ts'

/** What an answer is an answer to. */
export type About = Pick<Operation, 'name' | 'area' | 'method'>

export interface RequestExchange {
  readonly about: About
  readonly requestId: string
  readonly request: IncomingMessage
  readonly response: ServerResponse
  readonly params: Readonly<Record<string, string>>
  readonly startedAt: number
  /** By the request; settled anew when the caller is known, whose account may have a default of its own. */
  chosen: Chosen
  /** For every answer; null where the caller is no page, or one that may not call. */
  readonly corsHeaders: Headers | null
}

/** Renders an answer in the form of its area and of the caller's version. */
export function renderFor(exchange: RequestExchange, answer: Exclude<Answer, { taken: true }>): Rendered {
  return render(answer, shapeOf(exchange))
}

/** Renders the answer to a request that a fault or a bug has ended, and logs the error. */
export function renderError({ api }: ServerContext, exchange: RequestExchange, error: unknown): Rendered {
  const refused = refusalOfFault(error)
  // A store that is only busy is no news; one that cannot write is, for each request that it cost.
  if (refused?.code !== 'gateway_busy')
    api.log.error({ request: exchange.requestId, operation: exchange.about.name, error }, 'request failed')
  return refused === null ? renderFailure(shapeOf(exchange)) : renderFor(exchange, { refused })
}

/** Counts an exchange whose answer is known, and logs it where it has changed something. */
export function record(
  { api }: ServerContext,
  { about, params, requestId, startedAt }: RequestExchange,
  status: number,
): void {
  api.metrics.observe(about.name, status, (api.clock.now() - startedAt) / 1_000)
  // Reading changes nothing and is polled: it leaves no line.
  if (about.method !== 'GET' && status < 300)
    api.log.info({ request: requestId, operation: about.name, status, ...params }, 'request done')
}

function shapeOf({ about: { area, name }, requestId, chosen: { apiVersion }, corsHeaders }: RequestExchange): Shape {
  return { area, operation: name, requestId, apiVersion, corsHeaders }
}

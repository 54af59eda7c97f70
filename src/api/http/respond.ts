// src/api/http/respond.ts — one exchange from its beginning to its last byte, its figure and its line in the log.
import { Fault } from '../../engine/fault.ts'
import type { Answer, Operation } from '../operation.ts'
import { SenderGone } from '../read/json-body.ts'
import { corsAt } from './cors.ts'
import type { RequestExchange, Routed } from './exchange.ts'
import { type Shape, send, sendFailure } from './send.ts'
import type { ServerContext } from './server-context.ts'

/** What an answer is an answer to. */
export type About = Pick<Operation, 'name' | 'area' | 'method'>

/** An exchange under way. */
interface Work {
  readonly serverContext: ServerContext
  readonly about: About
  readonly exchange: RequestExchange
  readonly startedAt: number
}

/** Answers a request with what `answerTo` finds. Never rejects. */
export async function respond(
  serverContext: ServerContext,
  about: About,
  routed: Routed,
  answerTo: (exchange: RequestExchange) => Answer | Promise<Answer>,
): Promise<void> {
  const { context, traffic } = serverContext
  const { request, response, params, query, depart } = routed
  const { headers } = request
  const exchange: RequestExchange = {
    request,
    response,
    params,
    query,
    requestId: serverContext.requestIds(headers['x-request-id']),
    chosen: serverContext.choose(headers.accept, request.url),
    corsHeaders: corsAt(serverContext.cors, about.area, request.url ?? '').headersFor(headers.origin),
    depart: depart ?? traffic.depart,
  }
  const work: Work = { serverContext, about, exchange, startedAt: context.clock.now() }
  traffic.enter(response)
  let status: number | null
  try {
    status = say(work, await answerTo(exchange))
  } catch (error) {
    status = sayError(work, error)
  }
  traffic.leave(response)
  leave(work, status)
}

/** Keeps what there is to keep of an exchange. `status`: null when nobody was left to answer. */
function leave({ serverContext: { context }, about, exchange, startedAt }: Work, status: number | null): void {
  if (status === null) return
  context.metrics.observe(about.name, status, (context.clock.now() - startedAt) / 1_000)
  // Reading changes nothing and is polled: it leaves no line.
  if (about.method !== 'GET' && status < 300)
    context.log.info({ request: exchange.requestId, operation: about.name, status, ...exchange.params }, 'request done')
}

/** Writes an answer; returns its status, or null when nobody was left to write to. */
function say(work: Work, answer: Answer): number | null {
  const { response } = work.exchange
  return (
    send(response, answer, shapeOf(work), work.exchange.depart) ?? (response.headersSent ? response.statusCode : null)
  )
}

function sayError(work: Work, error: unknown): number | null {
  const { response, requestId: request } = work.exchange
  if (error instanceof SenderGone) {
    response.destroy()
    return null
  }
  if (error instanceof Fault && error.code === 'store_busy')
    return send(response, { refused: { code: 'gateway_busy' } }, shapeOf(work), work.exchange.depart)
  work.serverContext.context.log.error({ request, operation: work.about.name, error }, 'request failed')
  if (!response.headersSent) return sendFailure(response, shapeOf(work), work.exchange.depart)
  response.destroy()
  return null
}

function shapeOf({ serverContext: { traffic }, about, exchange: { chosen, requestId, corsHeaders } }: Work): Shape {
  return {
    area: about.area,
    operation: about.name,
    apiVersion: chosen.apiVersion,
    requestId,
    corsHeaders,
    last: traffic.stopping,
  }
}

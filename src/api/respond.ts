// src/api/respond.ts — one exchange from its beginning to its last byte, its figure and its line in the log.
import { Fault } from '../engine/fault.ts'
import type { Desk } from './desk.ts'
import type { Exchange, Routed } from './exchange.ts'
import type { Answer, Operation } from './operation.ts'
import { SenderGone } from './read/json-body.ts'
import { requestIdOf } from './request-id.ts'
import { type Shape, send, sendFailure } from './send.ts'

/** What an answer is an answer to. */
export type About = Pick<Operation, 'name' | 'area' | 'method'>

/** Answers a request with what `answerTo` finds. Never rejects. */
export async function respond(
  desk: Desk,
  about: About,
  routed: Routed,
  answerTo: (exchange: Exchange) => Answer | Promise<Answer>,
): Promise<void> {
  const { context, traffic } = desk
  const { headers } = routed.request
  const startedAt = context.clock.now()
  // Field by field: this is done for every poll, and copying with a spread costs as much as the rest of it.
  const exchange: Exchange = {
    request: routed.request,
    response: routed.response,
    params: routed.params,
    query: routed.query,
    requestId: requestIdOf(headers['x-request-id'], context.random),
    chosen: desk.choose(headers.accept, routed.request.url),
    corsHeaders: desk.cors.headersFor(headers.origin),
  }
  traffic.enter(routed.response)
  const status = await answered(desk, about, exchange, answerTo)
  traffic.leave(routed.response)
  if (status === null) return
  context.metrics.observe(about.name, status, (context.clock.now() - startedAt) / 1_000)
  // Reading changes nothing and is polled: it leaves no line.
  if (about.method !== 'GET' && status < 300)
    context.log.info({ request: exchange.requestId, operation: about.name, status, ...exchange.params }, 'request done')
}

/** The status of what was written; null when nobody was left to write to. */
async function answered(
  desk: Desk,
  about: About,
  exchange: Exchange,
  answerTo: (exchange: Exchange) => Answer | Promise<Answer>,
): Promise<number | null> {
  const { response, requestId: request } = exchange
  try {
    const status = send(response, await answerTo(exchange), shapeOf(desk, about, exchange))
    return status ?? (response.headersSent ? response.statusCode : null)
  } catch (error) {
    if (error instanceof SenderGone) {
      response.destroy()
      return null
    }
    if (error instanceof Fault && error.code === 'store_busy')
      return send(response, { refused: { code: 'gateway_busy' } }, shapeOf(desk, about, exchange))
    desk.context.log.error({ request, operation: about.name, error }, 'request failed')
    if (!response.headersSent) return sendFailure(response, shapeOf(desk, about, exchange))
    response.destroy()
    return null
  }
}

function shapeOf({ traffic }: Desk, { area, name }: About, { chosen, requestId, corsHeaders }: Exchange): Shape {
  return { area, operation: name, rung: chosen.rung, requestId, corsHeaders, last: traffic.stopping }
}

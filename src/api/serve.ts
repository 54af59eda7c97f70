// src/api/serve.ts — one request, from the router to its last byte and its line in the log.
import { Fault } from '../engine/fault.ts'
import { admit } from './admission.ts'
import type { Desk } from './desk.ts'
import type { Exchange, Routed } from './exchange.ts'
import { inputOf, queryOf } from './input.ts'
import type { AccountVisit, Answer, Operation } from './operation.ts'
import { SenderGone } from './read/json-body.ts'
import { requestIdOf } from './request-id.ts'
import { type Shape, send, sendFailure } from './send.ts'

/** Serves a request to an operation. Never rejects. */
export async function serve(desk: Desk, operation: Operation, routed: Routed): Promise<void> {
  const { context, traffic } = desk
  const { headers } = routed.request
  const startedAt = context.clock.now()
  const exchange: Exchange = {
    ...routed,
    requestId: requestIdOf(headers['x-request-id'], context.random),
    chosen: desk.choose(headers.accept),
    corsHeaders: desk.cors.headersFor(headers.origin),
  }
  traffic.enter(routed.response)
  const status = await answer(desk, operation, exchange)
  traffic.leave(routed.response)
  if (status === null) return
  context.metrics.observe(operation.name, status, (context.clock.now() - startedAt) / 1_000)
  // Reading changes nothing and is polled: it leaves no line.
  if (operation.method !== 'GET' && status < 300) {
    const { requestId: request, params } = exchange
    context.log.info({ request, operation: operation.name, status, ...params }, 'request done')
  }
}

/** The status of what was written; null when it was not written here. */
async function answer(desk: Desk, operation: Operation, exchange: Exchange): Promise<number | null> {
  const { response } = exchange
  try {
    return send(response, await answerOf(desk, operation, exchange), shapeOf(desk, operation, exchange))
  } catch (error) {
    if (error instanceof SenderGone) {
      response.destroy()
      return null
    }
    if (error instanceof Fault && error.code === 'store_busy')
      return send(response, { refused: { code: 'gateway_busy' } }, shapeOf(desk, operation, exchange))
    const { requestId: request } = exchange
    desk.context.log.error({ request, operation: operation.name, error }, 'request failed')
    if (!response.headersSent) return sendFailure(response, shapeOf(desk, operation, exchange))
    response.destroy()
    return null
  }
}

async function answerOf(desk: Desk, operation: Operation, exchange: Exchange): Promise<Answer> {
  const visit = await admit(desk, operation, exchange)
  if ('refused' in visit) return visit
  const query = queryOf(operation, exchange.query)
  if ('refused' in query) return query
  // Who was admitted to an operation that needs an account has one.
  return operation.run(visit as AccountVisit, inputOf(operation, visit, exchange.params, query.value))
}

function shapeOf({ traffic }: Desk, { area, name }: Operation, { chosen, requestId, corsHeaders }: Exchange): Shape {
  return { area, operation: name, rung: chosen.rung, requestId, corsHeaders, last: traffic.stopping }
}

// src/api/http/serve.ts — serves a request to an operation: first whether it may, then what it asks.

import type { AccountRequestContext, Answer, Operation } from '../operation.ts'
import { isHeld } from '../versions/select.ts'
import { type Admitted, admit } from './admission.ts'
import type { RequestExchange, Routed } from './exchange.ts'
import { inputOf, queryOf } from './input.ts'
import { respond } from './respond.ts'
import type { ServerContext } from './server-context.ts'

/** Serves a request. Never rejects. */
export function serve(serverContext: ServerContext, operation: Operation, routed: Routed): Promise<void> {
  return respond(serverContext, operation, routed, async exchange => {
    const context = await admit(serverContext, operation, exchange)
    return 'refused' in context ? context : run(serverContext, operation, exchange, context)
  })
}

async function run(
  serverContext: ServerContext,
  operation: Operation,
  exchange: RequestExchange,
  context: Admitted,
): Promise<Answer> {
  const query = queryOf(operation, context.apiVersion, exchange.query)
  if ('refused' in query) return query
  // Who was admitted to an operation that needs an account has one.
  const admitted = context as AccountRequestContext
  return serverContext.context.interceptor.request(operation, admitted, exchange.params, async context => {
    const answer = await operation.run(context, inputOf(operation, context, exchange.params, query.value))
    return isHeld(context.apiVersion, operation.name) ? outcomeOf(answer) : answer
  })
}

function outcomeOf(answer: Answer): Answer | Promise<Answer> {
  return 'outcome' in answer && answer.outcome !== undefined ? answer.outcome() : answer
}

// src/api/http/serve.ts — serves a request to an operation: first whether it may, then what it asks.

import type { AccountVisit, Answer, Operation } from '../operation.ts'
import { isHeld } from '../versions/select.ts'
import { type Admitted, admit } from './admission.ts'
import type { Exchange, Routed } from './exchange.ts'
import { inputOf, queryOf } from './input.ts'
import { respond } from './respond.ts'
import type { Desk } from './server-context.ts'

/** Serves a request. Never rejects. */
export function serve(desk: Desk, operation: Operation, routed: Routed): Promise<void> {
  return respond(desk, operation, routed, async exchange => {
    const visit = await admit(desk, operation, exchange)
    return 'refused' in visit ? visit : run(desk, operation, exchange, visit)
  })
}

async function run(desk: Desk, operation: Operation, exchange: Exchange, visit: Admitted): Promise<Answer> {
  const query = queryOf(operation, visit.apiVersion, exchange.query)
  if ('refused' in query) return query
  // Who was admitted to an operation that needs an account has one.
  const admitted = visit as AccountVisit
  return desk.context.interceptor.request(operation, admitted, exchange.params, async visitor => {
    const answer = await operation.run(visitor, inputOf(operation, visitor, exchange.params, query.value))
    return isHeld(visitor.apiVersion, operation.name) ? outcomeOf(answer) : answer
  })
}

function outcomeOf(answer: Answer): Answer | Promise<Answer> {
  return 'outcome' in answer && answer.outcome !== undefined ? answer.outcome() : answer
}

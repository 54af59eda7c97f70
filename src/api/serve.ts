// src/api/serve.ts — serves a request to an operation: first whether it may, then what it asks.
import { admit } from './admission.ts'
import type { Desk } from './desk.ts'
import type { Exchange, Routed } from './exchange.ts'
import { inputOf, queryOf } from './input.ts'
import type { AccountVisit, Answer, Operation } from './operation.ts'
import { respond } from './respond.ts'
import { isHeld } from './versions/ladder.ts'

/** Serves a request. Never rejects. */
export function serve(desk: Desk, operation: Operation, routed: Routed): Promise<void> {
  return respond(desk, operation, routed, exchange => answerTo(desk, operation, exchange))
}

async function answerTo(desk: Desk, operation: Operation, exchange: Exchange): Promise<Answer> {
  const visit = await admit(desk, operation, exchange)
  if ('refused' in visit) return visit
  const query = queryOf(operation, visit.rung, exchange.query)
  if ('refused' in query) return query
  // Who was admitted to an operation that needs an account has one.
  const answer = await operation.run(visit as AccountVisit, inputOf(operation, visit, exchange.params, query.value))
  return 'outcome' in answer && answer.outcome !== undefined && isHeld(visit.rung, operation.name)
    ? answer.outcome()
    : answer
}

// src/api/serve.ts — serves a request to an operation: first whether it may, then what it asks.
import { type Admitted, admit } from './admission.ts'
import type { Desk } from './desk.ts'
import type { Exchange, Routed } from './exchange.ts'
import { inputOf, queryOf } from './input.ts'
import type { AccountVisit, Answer, Operation } from './operation.ts'
import { hearPoll, isOverheard, listenTo } from './overheard.ts'
import { faultsBeyond, faultsMet, underFaults } from './provoked.ts'
import type { Refused } from './read/json-body.ts'
import { respond } from './respond.ts'
import { isHeld } from './versions/ladder.ts'

/** Serves a request. Never throws or rejects. */
export function serve(desk: Desk, operation: Operation, routed: Routed): void | Promise<void> {
  return respond(desk, operation, routed, exchange => answerTo(desk, operation, exchange))
}

/** A promise only where something is waited for: a poll that is answered out of memory costs none. */
function answerTo(desk: Desk, operation: Operation, exchange: Exchange): Answer | Promise<Answer> {
  const visit = admit(desk, operation, exchange)
  return visit instanceof Promise
    ? visit.then(admitted => run(operation, exchange, admitted))
    : run(operation, exchange, visit)
}

function run(operation: Operation, exchange: Exchange, visit: Admitted | Refused): Answer | Promise<Answer> {
  if ('refused' in visit) return visit
  const query = queryOf(operation, visit.rung, exchange.query)
  if ('refused' in query) return query
  // Who was admitted to an operation that needs an account has one.
  const admitted = visit as AccountVisit
  const faults = faultsMet(operation, admitted)
  const polls = operation.method === 'GET'
  const heard = isOverheard(operation, admitted)
  const overheard = heard && !polls ? listenTo(operation, admitted, exchange.params) : null
  const runAs = (visitor: AccountVisit): Answer | Promise<Answer> => {
    const visiting = overheard === null ? visitor : { ...visitor, heard: overheard.body }
    const answer = operation.run(visiting, inputOf(operation, visiting, exchange.params, query.value))
    const given = isHeld(visitor.rung, operation.name) ? outcomeOf(answer) : answer
    if (overheard !== null) tell(given, overheard.answered)
    else if (heard) tell(given, each => hearPoll(operation, visitor, exchange.params, each))
    return given
  }
  if (faults.length === 0) return runAs(admitted)
  return underFaults(admitted, faults, () => runAs({ ...admitted, faults: faultsBeyond(faults) })).then(answer => {
    if ('taken' in answer && answer.lost !== undefined) overheard?.lost()
    return answer
  })
}

/** Tells whoever listens what is answered. */
function tell(answer: Answer | Promise<Answer>, hear: (answer: Answer | 'failed') => void): void {
  if (answer instanceof Promise) answer.then(hear, () => hear('failed'))
  else hear(answer)
}

async function outcomeOf(answer: Answer | Promise<Answer>): Promise<Answer> {
  const given = await answer
  return 'outcome' in given && given.outcome !== undefined ? given.outcome() : given
}

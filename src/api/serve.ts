// src/api/serve.ts — serves a request to an operation: first whether it may, then what it asks.

import { faultsBeyond, faultsMet, underFaults } from '../simulator/interceptor/http-faults.ts'
import { hearPoll, isOverheard, listenTo } from '../simulator/interceptor/recorded-requests.ts'
import { type Admitted, admit } from './admission.ts'
import type { Desk } from './desk.ts'
import type { Exchange, Routed } from './exchange.ts'
import { inputOf, queryOf } from './input.ts'
import type { AccountVisit, Answer, Operation } from './operation.ts'
import { respond } from './respond.ts'
import { isHeld } from './versions/ladder.ts'

/** Serves a request. Never rejects. */
export function serve(desk: Desk, operation: Operation, routed: Routed): Promise<void> {
  return respond(desk, operation, routed, async exchange => {
    const visit = await admit(desk, operation, exchange)
    return 'refused' in visit ? visit : run(operation, exchange, visit)
  })
}

async function run(operation: Operation, exchange: Exchange, visit: Admitted): Promise<Answer> {
  const query = queryOf(operation, visit.rung, exchange.query)
  if ('refused' in query) return query
  // Who was admitted to an operation that needs an account has one.
  const admitted = visit as AccountVisit
  const faults = faultsMet(operation, admitted)
  const polls = operation.method === 'GET'
  const heard = isOverheard(operation, admitted)
  const overheard = heard && !polls ? listenTo(operation, admitted, exchange.params) : null
  const tell = (answer: Answer | 'failed', visitor: AccountVisit): void => {
    if (overheard !== null) overheard.answered(answer)
    else if (heard) hearPoll(operation, visitor, exchange.params, answer)
  }
  const runAs = async (visitor: AccountVisit): Promise<Answer> => {
    const visiting = overheard === null ? visitor : { ...visitor, heard: overheard.body }
    try {
      const answer = await operation.run(visiting, inputOf(operation, visiting, exchange.params, query.value))
      const given = isHeld(visitor.rung, operation.name) ? await outcomeOf(answer) : answer
      tell(given, visitor)
      return given
    } catch (error) {
      tell('failed', visitor)
      throw error
    }
  }
  if (faults.length === 0) return runAs(admitted)
  const answer = await underFaults(admitted, faults, () => runAs({ ...admitted, faults: faultsBeyond(faults) }))
  if ('taken' in answer && answer.lost !== undefined) overheard?.lost()
  return answer
}

function outcomeOf(answer: Answer): Answer | Promise<Answer> {
  return 'outcome' in answer && answer.outcome !== undefined ? answer.outcome() : answer
}

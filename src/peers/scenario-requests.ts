// src/peers/scenario-requests.ts — the requests of a control port that read and replace scenarios.
import { done, parsed, type Reply, refusal } from './control-port.ts'
import type { ScenarioQueue } from './scenario-queue.ts'

/**
 * Answers `GET /scenarios` and `PUT /scenarios`; null for another request.
 * @param listed names of all parts of scenarios, with what they mean
 */
export function scenarioReply<Concern extends string>(
  request: string,
  text: string,
  queue: Pick<ScenarioQueue<Concern, unknown>, 'current' | 'set'>,
  listed: () => readonly object[],
): Reply | null {
  if (request === 'GET /scenarios') return done({ ...queue.current(), scenarios: listed() })
  if (request !== 'PUT /scenarios') return null
  const document = parsed(text)
  const problem = document === undefined ? 'The body is no JSON.' : queue.set(document)
  return problem === null ? done(queue.current()) : refusal(400, problem)
}

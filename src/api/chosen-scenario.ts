// src/api/chosen-scenario.ts — a till's test may say with its request how the payment is to go, in sandbox mode.
import type { Terminal } from '../domain/terminal.ts'
import type { AccountVisit } from './operation.ts'
import type { Refused } from './read/json-body.ts'

const HEADER = 'Tollgate-Scenario'

export interface Choice {
  /** The transaction has not started after all. */
  takeBack(): void
}

const NO_CHOICE: Choice = { takeBack() {} }

/**
 * Tells the terminal what the transaction plays that is about to start. Nothing is told in live mode, and nothing
 * without the header.
 */
export function chooseScenario(
  { api, request }: AccountVisit,
  terminal: Terminal,
  requestId: string,
): Choice | Refused {
  const name = request.headers[HEADER.toLowerCase()]
  if (name === undefined || api.sandbox === null) return NO_CHOICE
  const { scenarios } = api.sandbox
  const objected = scenarios.reserve(terminal, requestId, String(name).trim())
  if (objected !== null)
    return { refused: { code: 'scenario_unplayable', field: HEADER, detail: objected.objection.says } }
  return { takeBack: () => scenarios.release(terminal, requestId) }
}

// src/simulator/interceptor/chosen-scenario.ts — a till's test may say with its request how the payment is to go, in sandbox mode.

import type { AccountVisit } from '../../api/operation.ts'
import type { Refused } from '../../api/read/json-body.ts'
import type { Terminal } from '../../domain/terminal.ts'
import { textOf } from '../faults/catalogue.ts'

export const SCENARIO_HEADER = 'Tollgate-Scenario'

export interface Choice {
  /** The transaction has not started after all. */
  takeBack(): void
}

const NO_CHOICE: Choice = { takeBack() {} }

/**
 * Tells the terminal what the transaction plays that is about to start: the scenario of the header, and the faults that
 * wait for this request. Nothing is told in live mode, and nothing where there is nothing to tell.
 */
export function chooseScenario(
  { api, request, faults = [] }: AccountVisit,
  terminal: Terminal,
  requestId: string,
): Choice | Refused {
  const name = request.headers[SCENARIO_HEADER.toLowerCase()]
  if (api.sandbox === null || (name === undefined && faults.length === 0)) return NO_CHOICE
  const { scenarios } = api.sandbox
  const named = name === undefined ? [] : [String(name).trim()]
  const objected = scenarios.reserve(terminal, requestId, [...named, ...faults.map(textOf)].join('+'))
  if (objected !== null)
    return { refused: { code: 'scenario_unplayable', field: SCENARIO_HEADER, detail: objected.objection.says } }
  return { takeBack: () => scenarios.release(terminal, requestId) }
}

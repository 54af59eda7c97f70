// src/simulator/interceptor/chosen-scenario.ts — reads the scenario that an HTTP request names for its transaction.
import type { IncomingMessage } from 'node:http'
import type { Refused } from '../../api/read/json-body.ts'
import type { Terminal } from '../../domain/accounts/terminal.ts'
import type { Reserved } from '../../services/counter/start-transaction.ts'
import type { Sandbox } from '../controls.ts'
import { type Fault, textOf } from '../faults/catalogue.ts'

export const SCENARIO_HEADER = 'Tollgate-Scenario'

/** Armed faults for what a request starts. `used`: it was started with them. */
export interface LeftFaults {
  readonly faults: readonly Fault[]
  used: boolean
}

const NOT_CHOSEN: Reserved = { withdraw() {} }

/** Scenario named in the header of a request; null without one. */
export function scenarioNamedBy({ headers }: Pick<IncomingMessage, 'headers'>): string | null {
  const named = headers[SCENARIO_HEADER.toLowerCase()]
  return named === undefined ? null : String(named).trim()
}

/**
 * Reserves the scenario of the transaction that is about to start: that of the header, with the faults armed for this
 * request.
 */
export function reserveScenario(
  { scenarios }: Pick<Sandbox, 'scenarios'>,
  request: IncomingMessage,
  left: LeftFaults,
  terminal: Terminal,
  requestId: string,
): Reserved | Refused {
  const name = scenarioNamedBy(request)
  if (name === null && left.faults.length === 0) return NOT_CHOSEN
  const parts = [...(name === null ? [] : [name]), ...left.faults.map(textOf)]
  const refused = scenarios.reserve(terminal, requestId, parts.join('+'))
  if (refused !== null)
    return { refused: { code: 'scenario_unplayable', field: SCENARIO_HEADER, detail: refused.refusal.says } }
  left.used = true
  return {
    withdraw() {
      scenarios.release(terminal, requestId)
      left.used = false
    },
  }
}

// src/simulator/interceptor/online-scenario.ts — reads the scenario that an HTTP request names for its online payment.
import type { IncomingHttpHeaders } from 'node:http'
import type { Refused } from '../../api/read/json-body.ts'
import { onlineScenarioIn as parseScenario, unknownOnlineScenario } from '../scenarios/online-scenarios.ts'
import { SCENARIO_HEADER, scenarioNamedBy } from './chosen-scenario.ts'

/** Scenario named in the header; null without one. */
export function onlineScenarioIn(headers: IncomingHttpHeaders): { readonly name: string } | Refused | null {
  const name = scenarioNamedBy({ headers })
  if (name === null) return null
  if (parseScenario(name) !== null) return { name }
  return { refused: { code: 'scenario_unplayable', field: SCENARIO_HEADER, detail: unknownOnlineScenario(name) } }
}

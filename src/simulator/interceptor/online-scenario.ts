// src/simulator/interceptor/online-scenario.ts — a shop's request may name the scenario that its payment meets.
import type { IncomingHttpHeaders } from 'node:http'
import type { Refused } from '../../api/read/json-body.ts'
import { onlineScenarioIn as parseScenario, unknownOnlineScenario } from '../scenarios/online-scenarios.ts'
import { SCENARIO_HEADER, scenarioNamedBy } from './chosen-scenario.ts'

/** The scenario of the header; null where none is named. */
export function onlineScenarioIn(headers: IncomingHttpHeaders): { readonly name: string } | Refused | null {
  const name = scenarioNamedBy({ headers })
  if (name === null) return null
  if (parseScenario(name) !== null) return { name }
  return { refused: { code: 'scenario_unplayable', field: SCENARIO_HEADER, detail: unknownOnlineScenario(name) } }
}

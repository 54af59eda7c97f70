// src/simulator/interceptor/online-scenario.ts — a shop's test may say with its request what a payment is to meet, in sandbox mode.
import type { IncomingHttpHeaders } from 'node:http'
import type { ApiParts } from '../../api/parts.ts'
import type { Refused } from '../../api/read/json-body.ts'
import { onlineScenarioIn, unknownOnlineScenario } from '../scenarios/online-scenarios.ts'
import { SCENARIO_HEADER } from './chosen-scenario.ts'

/** As Node names it. */
const SCENARIO_NAME = SCENARIO_HEADER.toLowerCase()

/** The scenario of the header, to be reserved for a payment; null where none is named, and in live mode. */
export function onlineScenarioOf(
  { sandbox }: Pick<ApiParts, 'sandbox'>,
  headers: IncomingHttpHeaders,
): { readonly chosen: string | null } | Refused {
  const named = headers[SCENARIO_NAME]
  if (sandbox === null || named === undefined) return { chosen: null }
  const chosen = String(named).trim()
  if (onlineScenarioIn(chosen) !== null) return { chosen }
  return { refused: { code: 'scenario_unplayable', field: SCENARIO_HEADER, detail: unknownOnlineScenario(chosen) } }
}

/** Says it to the simulator, for the payment with this id. */
export function reserveScenario(
  { sandbox }: Pick<ApiParts, 'sandbox'>,
  { merchantAccount, id }: { readonly merchantAccount: string; readonly id: string },
  chosen: string | null,
): void {
  if (chosen !== null) sandbox?.onlineScenarios.reserve(merchantAccount, id, chosen)
}

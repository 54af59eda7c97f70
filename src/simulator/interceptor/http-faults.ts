// src/simulator/interceptor/http-faults.ts — in sandbox mode a request can be made to fail on its way: not done, or done and not answered.

import type { AccountVisit, Answer, Operation } from '../../api/operation.ts'
import type { Refused } from '../../api/read/json-body.ts'
import type { Terminal } from '../../domain/terminal.ts'
import type { Clock } from '../../engine/ports.ts'
import { type Fault, placeOf } from '../faults/catalogue.ts'
import { SCENARIO_HEADER } from './chosen-scenario.ts'

const NONE: readonly Fault[] = []

/** The faults that were armed for this request; none for the simulator's own controls. */
export function faultsMet({ area }: Operation, { api, account, request }: AccountVisit): readonly Fault[] {
  // Where nobody was asked who calls, there is no account, whatever the type says.
  if (api.sandbox === null || area === 'sandbox' || account === null) return NONE
  return api.sandbox.faults.meet(account.id, request.method ?? 'GET', request.url ?? '/')
}

/** The faults of the scenario that a transaction is about to play, as far as they hit the request that starts it. */
export function faultsOfScenario({ api, request }: AccountVisit, terminal: Terminal | null): readonly Fault[] {
  if (api.sandbox === null || terminal === null) return NONE
  const name = request.headers[SCENARIO_HEADER.toLowerCase()]
  return api.sandbox.scenarios.requestFaults(terminal, name === undefined ? null : String(name).trim())
}

/** Runs a request as its faults have it. Those that do not hit requests are left to whoever starts something. */
export async function underFaults(
  { api, response }: AccountVisit,
  faults: readonly Fault[],
  run: () => Answer | Promise<Answer>,
): Promise<Answer> {
  const cut = (lost?: Answer): Answer => {
    response.destroy()
    return { taken: true, ...(lost === undefined ? {} : { lost }) }
  }
  const refused = refusalBy(faults)
  if (refused !== null) return refused
  if (found(faults, 'connection_dropped') !== undefined) return cut()
  const answer = await run()
  // An answer that is given again is not lost again: the till has asked for it under the same key.
  if ('headers' in answer && answer.headers?.['idempotency-replayed'] !== undefined) return answer
  const slow = found(faults, 'slow_answer')
  if (slow !== undefined) await passed(api.clock, slow.number)
  return found(faults, 'answer_lost') === undefined ? answer : cut(answer)
}

/** How a request is refused that is not to be done; null: it is to be done. @throws when it is to fail from inside. */
export function refusalBy(faults: readonly Fault[]): Refused | null {
  if (found(faults, 'http_500') !== undefined) throw new Error('provoked by the fault http_500')
  return found(faults, 'http_503') === undefined ? null : { refused: { code: 'gateway_busy' } }
}

export function found(faults: readonly Fault[], name: Fault['name']): Fault | undefined {
  return faults.find(fault => fault.name === name)
}

/** By the gateway's own clock: that of an account may stand still. */
export function passed(clock: Clock, ms: number): Promise<void> {
  return new Promise(resolve => void clock.alarm(clock.now() + ms, resolve))
}

/** The faults that belong to the terminal or the acquirer. */
export function faultsBeyond(faults: readonly Fault[]): readonly Fault[] {
  return faults.filter(fault => placeOf(fault) !== 'request')
}

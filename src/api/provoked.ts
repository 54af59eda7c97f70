// src/api/provoked.ts — in sandbox mode a request can be made to fail on its way: not done, or done and not answered.
import type { Terminal } from '../domain/terminal.ts'
import { type Fault, placeOf } from '../engine/sandbox/fault-catalogue.ts'
import { SCENARIO_HEADER } from './chosen-scenario.ts'
import type { AccountVisit, Answer, Operation } from './operation.ts'

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
  const has = (name: Fault['name']) => faults.find(fault => fault.name === name)
  const cut = (lost?: Answer): Answer => {
    response.destroy()
    return { taken: true, ...(lost === undefined ? {} : { lost }) }
  }
  if (has('http_500') !== undefined) throw new Error('provoked by the fault http_500')
  if (has('http_503') !== undefined) return { refused: { code: 'gateway_busy' } }
  if (has('connection_dropped') !== undefined) return cut()
  const answer = await run()
  // An answer that is given again is not lost again: the till has asked for it under the same key.
  if ('headers' in answer && answer.headers?.['idempotency-replayed'] !== undefined) return answer
  const slow = has('slow_answer')
  if (slow !== undefined) await new Promise<void>(resolve => api.clock.alarm(api.clock.now() + slow.number, resolve))
  return has('answer_lost') === undefined ? answer : cut(answer)
}

/** The faults that belong to the terminal or the acquirer. */
export function faultsBeyond(faults: readonly Fault[]): readonly Fault[] {
  return faults.filter(fault => placeOf(fault) !== 'request')
}

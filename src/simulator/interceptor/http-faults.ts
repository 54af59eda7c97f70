// src/simulator/interceptor/http-faults.ts — makes requests over HTTP fail on their way: not done, or done and not answered.
import type { IncomingMessage } from 'node:http'
import type { Headers } from '../../api/answer.ts'
import type { FaultyCall, InterceptedOperation, InterceptedRequest } from '../../api/interceptor.ts'
import type { Refused } from '../../api/read/json-body.ts'
import type { Terminal } from '../../domain/accounts/terminal.ts'
import type { Clock } from '../../engine/ports/clock.ts'
import type { Sandbox } from '../controls.ts'
import { type Fault, targetOf } from '../faults/catalogue.ts'
import { scenarioNamedBy } from './chosen-scenario.ts'

const NONE: readonly Fault[] = []

/** The faults that were armed for this request; none for the simulator's own controls. */
export function faultsMet(
  { faults }: Pick<Sandbox, 'faults'>,
  { area }: InterceptedOperation,
  { account, request }: InterceptedRequest,
): readonly Fault[] {
  // Where nobody was asked who calls, there is no account, whatever the type says.
  if (area === 'sandbox' || account === null) return NONE
  return faults.meet(account.id, request.method ?? 'GET', request.url ?? '/')
}

/** The faults of the scenario that a transaction is about to play, as far as they hit the request that starts it. */
export function faultsOfScenario(
  { scenarios }: Pick<Sandbox, 'scenarios'>,
  request: IncomingMessage | null,
  terminal: Terminal,
): readonly Fault[] {
  return scenarios.requestFaults(terminal, request === null ? null : scenarioNamedBy(request))
}

/** Runs a request as its faults have it. Those that do not hit requests are left to the transaction that it starts. */
export async function underFaults<Outcome extends object>(
  clock: Clock,
  call: FaultyCall<Outcome>,
  faults: readonly Fault[],
  run: () => Promise<Outcome>,
): Promise<Outcome | Refused> {
  const refused = refusalBy(faults)
  if (refused !== null) return refused
  if (found(faults, 'connection_dropped') !== undefined) return call.cut(null)
  const outcome = await run()
  // An answer that is given again is not lost again: the till has asked for it under the same key.
  if (isReplay(outcome)) return outcome
  const slow = found(faults, 'slow_answer')
  const answer = slow === undefined ? outcome : await call.later(outcome, () => passed(clock, slow.number))
  return found(faults, 'answer_lost') === undefined ? answer : call.cut(answer)
}

function isReplay(outcome: object): boolean {
  return 'headers' in outcome && (outcome.headers as Headers | undefined)?.['idempotency-replayed'] !== undefined
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
  return faults.filter(fault => targetOf(fault) !== 'request')
}

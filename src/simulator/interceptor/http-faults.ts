// src/simulator/interceptor/http-faults.ts — applies faults to HTTP requests: refused, delayed, or done without an answer.
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

/** Faults armed for this request; none for the simulator's own operations. */
export function faultsMet(
  { faults }: Pick<Sandbox, 'faults'>,
  { area }: InterceptedOperation,
  { account, request }: InterceptedRequest,
): readonly Fault[] {
  // Operations without authentication have no account, although the type says otherwise.
  if (area === 'sandbox' || account === null) return NONE
  return faults.meet(account.id, request.method ?? 'GET', request.url ?? '/')
}

/** Request faults of the scenario that the transaction about to start plays. */
export function faultsOfScenario(
  { scenarios }: Pick<Sandbox, 'scenarios'>,
  request: IncomingMessage | null,
  terminal: Terminal,
): readonly Fault[] {
  return scenarios.requestFaults(terminal, request === null ? null : scenarioNamedBy(request))
}

/** Runs a request under its faults. Faults of terminal and acquirer are left to the transaction it starts. */
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
  // A replayed answer is never lost: the till has repeated the request under the same key.
  if (isReplay(outcome)) return outcome
  const slow = found(faults, 'slow_answer')
  const answer = slow === undefined ? outcome : await call.later(outcome, () => passed(clock, slow.number))
  return found(faults, 'answer_lost') === undefined ? answer : call.cut(answer)
}

function isReplay(outcome: object): boolean {
  return 'headers' in outcome && (outcome.headers as Headers | undefined)?.['idempotency-replayed'] !== undefined
}

/** The refusal that a fault prescribes, or null. @throws Error for `http_500`. */
export function refusalBy(faults: readonly Fault[]): Refused | null {
  if (found(faults, 'http_500') !== undefined) throw new Error('provoked by the fault http_500')
  return found(faults, 'http_503') === undefined ? null : { refused: { code: 'gateway_busy' } }
}

export function found(faults: readonly Fault[], name: Fault['name']): Fault | undefined {
  return faults.find(fault => fault.name === name)
}

/** Waits on the gateway's own clock: an account's clock may be frozen. */
export function passed(clock: Clock, ms: number): Promise<void> {
  return new Promise(resolve => void clock.alarm(clock.now() + ms, resolve))
}

/** Faults of the terminal or the acquirer. */
export function faultsBeyond(faults: readonly Fault[]): readonly Fault[] {
  return faults.filter(fault => targetOf(fault) !== 'request')
}

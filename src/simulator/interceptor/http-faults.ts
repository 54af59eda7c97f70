// src/simulator/interceptor/http-faults.ts — applies faults to HTTP requests: refused, delayed, or done without an answer.
import type { IncomingMessage } from 'node:http'
import type { Headers } from '../../api/answer.ts'
import type { FaultyCall, InterceptedOperation, InterceptedParams, InterceptedRequest } from '../../api/interceptor.ts'
import type { Refused } from '../../api/read/json-body.ts'
import type { Terminal } from '../../domain/accounts/terminal.ts'
import type { Clock } from '../../engine/ports/clock.ts'
import type { MetFaults, Sandbox } from '../controls.ts'
import { type Fault, targetOf } from '../faults/catalogue.ts'
import { reachOf } from '../faults/reach.ts'
import { scenarioNamedBy } from './chosen-scenario.ts'

/** Faults armed for this request; null when there are none. */
export async function faultsMet(
  { faults }: Pick<Sandbox, 'faults'>,
  operation: InterceptedOperation,
  { request }: InterceptedRequest,
  { accountOf }: InterceptedParams,
): Promise<MetFaults | null> {
  const reach = reachOf(operation)
  // A browser's request costs a look at the store to find its account.
  if (reach.length === 0 || !faults.isArmed()) return null
  const account = await accountOf()
  if (account === null) return null
  const met = faults.meet(account, { method: request.method ?? 'GET', url: request.url ?? '/', reach })
  return met.faults.length === 0 ? null : met
}

/** Whether a fault of this account is armed that hits the request. */
export function wouldMeetFault(
  { faults }: Pick<Sandbox, 'faults'>,
  operation: InterceptedOperation,
  { request }: InterceptedRequest,
  account: string,
): boolean {
  const reach = reachOf(operation)
  if (reach.length === 0) return false
  return faults.wouldMeet(account, { method: request.method ?? 'GET', url: request.url ?? '/', reach })
}

/** Request faults of the scenario that the transaction about to start plays. */
export function faultsOfScenario(
  { scenarios }: Pick<Sandbox, 'scenarios'>,
  request: IncomingMessage | null,
  terminal: Terminal,
): readonly Fault[] {
  return scenarios.requestFaults(terminal, request === null ? null : scenarioNamedBy(request))
}

/**
 * Runs a request under its faults. Faults of terminal and acquirer are left to the transaction it starts.
 * @param isSpared whether an answer is sent in spite of the faults
 */
export async function underFaults<Outcome extends object>(
  clock: Clock,
  call: FaultyCall<Outcome>,
  faults: readonly Fault[],
  run: () => Promise<Outcome>,
  isSpared: (outcome: Outcome) => boolean = () => false,
): Promise<Outcome | Refused> {
  const refused = refusalBy(faults)
  if (refused !== null) return refused
  if (found(faults, 'connection_dropped') !== undefined) return call.cut(null)
  const outcome = await run()
  if (isSpared(outcome)) return outcome
  const slow = found(faults, 'slow_answer')
  const answer = slow === undefined ? outcome : await call.later(outcome, () => passed(clock, slow.number))
  return found(faults, 'answer_lost') === undefined ? answer : call.cut(answer)
}

/** Whether the answer is the first one of a repeated idempotency key. */
export function isReplay(outcome: object): boolean {
  return 'headers' in outcome && (outcome.headers as Headers | undefined)?.['idempotency-replayed'] !== undefined
}

/** The refusal that a fault prescribes, or null. @throws Error for `http_500`. */
export function refusalBy(faults: readonly Fault[]): Refused | null {
  if (found(faults, 'http_500') !== undefined) throw new Error('provoked by the fault http_500')
  if (found(faults, 'http_429') !== undefined) return { refused: { code: 'too_fast' } }
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
export function downstreamFaults(faults: readonly Fault[]): readonly Fault[] {
  return faults.filter(fault => targetOf(fault) !== 'request')
}

// src/simulator/interceptor/socket-faults.ts — in sandbox mode a till on a socket can be made to lose its line or an answer: as it connects, or
// as it starts a transaction. What the faults do to requests over HTTP is in `../provoked.ts`.
import type { Socket } from 'node:net'
import type { Answer } from '../../api/operation.ts'
import type { ApiParts } from '../../api/parts.ts'
import type { Caller, RpcAnswer, Taken } from '../../api/rpc/method.ts'
import type { AdmittedTill } from '../../api/rpc/session.ts'
import type { Refusal } from '../../domain/refusals.ts'
import type { Terminal } from '../../domain/terminal.ts'
import type { Clock } from '../../engine/ports.ts'
import type { Fault } from '../faults/catalogue.ts'
import { found, passed, refusalBy } from './http-faults.ts'

const NONE: readonly Fault[] = []

/** What becomes of the start of a transaction. */
export type Start = Extract<Taken, { readonly refused: Refusal } | { readonly underWay: Promise<RpcAnswer> }>

/** The faults of the scenario that a transaction is about to play, as far as they hit the request that starts it. */
export function faultsOfScenario({ api }: Caller, terminal: Terminal): readonly Fault[] {
  return api.sandbox?.scenarios.requestFaults(terminal, null) ?? NONE
}

/**
 * Starts a transaction as its faults have it.
 * @param start resolves when it is on disk, or refused
 */
export async function startUnderFaults(
  caller: Caller,
  requestId: string,
  faults: readonly Fault[],
  start: () => Promise<Start>,
): Promise<Taken> {
  const { api, account } = caller
  const refused = refusalBy(faults)
  if (refused !== null) return refused
  if (found(faults, 'connection_dropped') !== undefined) {
    caller.cut()
    return { unheard: true }
  }
  const started = await start()
  if (found(faults, 'answer_lost') !== undefined) {
    const lost = { from: 'gateway', to: 'till', what: 'answer_lost', data: null } as const
    if ('underWay' in started) api.sandbox?.recorder.note(account.id, requestId, lost)
    caller.cut()
    return started
  }
  const slow = found(faults, 'slow_answer')
  return slow === undefined ? started : { underWay: toldLater(api.clock, slow, started) }
}

async function toldLater(clock: Clock, { number }: Fault, started: Start): Promise<RpcAnswer> {
  const answer = 'underWay' in started ? await started.underWay : started
  await passed(clock, number)
  return answer
}

/** Lets a handshake meet what was armed for it. Null: it may go on. Rejects when it is to fail from inside. */
export async function meetAtHandshake(
  { sandbox, clock }: Pick<ApiParts, 'sandbox' | 'clock'>,
  { account, area }: AdmittedTill,
  socket: Socket,
): Promise<Answer | null> {
  const faults = sandbox?.faults.meet(account.id, 'GET', `/${area}`) ?? NONE
  if (faults.length === 0) return null
  const refused = refusalBy(faults)
  if (refused !== null) return refused
  // The answer is all that a handshake does, so it is lost in the same way.
  if (found(faults, 'connection_dropped') !== undefined || found(faults, 'answer_lost') !== undefined) socket.destroy()
  const slow = found(faults, 'slow_answer')
  if (slow !== undefined && !socket.destroyed) await passed(clock, slow.number)
  return socket.destroyed ? { taken: true } : null
}

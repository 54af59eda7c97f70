// src/simulator/interceptor/socket-faults.ts — makes tills on sockets lose their line or an answer, as http-faults.ts does over HTTP.
import type { Socket } from 'node:net'
import type { Answer } from '../../api/answer.ts'
import type { InterceptedCaller, SocketStart } from '../../api/interceptor.ts'
import type { RpcAnswer, Taken } from '../../api/rpc/taken.ts'
import type { Clock } from '../../engine/ports/clock.ts'
import type { Recorder, Sandbox } from '../controls.ts'
import type { Fault } from '../faults/catalogue.ts'
import { found, passed, refusalBy } from './http-faults.ts'

/**
 * Starts a transaction as its faults have it.
 * @param start resolves when it is on disk, or refused
 */
export async function startUnderFaults(
  { recorder, clock }: { readonly recorder: Recorder; readonly clock: Clock },
  caller: InterceptedCaller,
  requestId: string,
  faults: readonly Fault[],
  start: () => Promise<SocketStart>,
): Promise<Taken> {
  const refused = refusalBy(faults)
  if (refused !== null) return refused
  if (found(faults, 'connection_dropped') !== undefined) {
    caller.cut()
    return { unheard: true }
  }
  const started = await start()
  if (found(faults, 'answer_lost') !== undefined) {
    const lost = { from: 'gateway', to: 'till', what: 'answer_lost', data: null } as const
    if ('underWay' in started) recorder.note(caller.account.id, requestId, lost)
    caller.cut()
    return started
  }
  const slow = found(faults, 'slow_answer')
  return slow === undefined ? started : { underWay: toldLater(clock, slow, started) }
}

async function toldLater(clock: Clock, { number }: Fault, started: SocketStart): Promise<RpcAnswer> {
  const answer = 'underWay' in started ? await started.underWay : started
  await passed(clock, number)
  return answer
}

/** Lets a handshake meet what was armed for it. Null: it may go on. Rejects when it is to fail from inside. */
export async function meetAtHandshake(
  sandbox: Pick<Sandbox, 'faults'>,
  clock: Clock,
  { account, area }: { readonly account: { readonly id: string }; readonly area: string },
  socket: Socket,
): Promise<Answer | null> {
  const faults = sandbox.faults.meet(account.id, 'GET', `/${area}`)
  if (faults.length === 0) return null
  const refused = refusalBy(faults)
  if (refused !== null) return refused
  // The answer is all that a handshake does, so it is lost in the same way.
  if (found(faults, 'connection_dropped') !== undefined || found(faults, 'answer_lost') !== undefined) socket.destroy()
  const slow = found(faults, 'slow_answer')
  if (slow !== undefined && !socket.destroyed) await passed(clock, slow.number)
  return socket.destroyed ? { taken: true } : null
}

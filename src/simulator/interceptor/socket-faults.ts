// src/simulator/interceptor/socket-faults.ts — applies faults to the WebSocket handshake.
import type { Socket } from 'node:net'
import type { Answer } from '../../api/answer.ts'
import type { Clock } from '../../engine/ports/clock.ts'
import type { Sandbox } from '../controls.ts'
import type { Fault } from '../faults/catalogue.ts'
import type { LaneNode } from '../nodes/lane-node.ts'
import { found, passed, refusalBy } from './http-faults.ts'

const CALL = 'sandbox-handshake'

/** Takes the faults armed for handshakes, on whatever node of the gateway they arrive. */
export function createHandshakeFaults({ faults }: Pick<Sandbox, 'faults'>, lane: LaneNode) {
  const requestTo = (area: string) => ({ method: 'GET', url: `/${area}`, reach: ['request'] }) as const
  const meet = (account: string, area: string) => faults.meet(account, requestTo(area)).faults
  lane.answer(CALL, async (about, account) => meet(account, String(about)))
  return async (account: string, area: string): Promise<readonly Fault[]> => {
    if (lane.isThis(account)) return meet(account, area)
    if (!faults.wouldMeet(account, requestTo(area))) return []
    return (await lane.ask(account, CALL, area)) as readonly Fault[]
  }
}

/** Applies the faults of a handshake. Null when it may proceed. @throws Error for `http_500`. */
export async function meetAtHandshake(faults: readonly Fault[], clock: Clock, socket: Socket): Promise<Answer | null> {
  if (faults.length === 0) return null
  const refused = refusalBy(faults)
  if (refused !== null) return refused
  // The answer is all that a handshake has, so a lost answer is a dropped connection.
  if (found(faults, 'connection_dropped') !== undefined || found(faults, 'answer_lost') !== undefined) socket.destroy()
  const slow = found(faults, 'slow_answer')
  if (slow !== undefined && !socket.destroyed) await passed(clock, slow.number)
  return socket.destroyed ? { taken: true } : null
}

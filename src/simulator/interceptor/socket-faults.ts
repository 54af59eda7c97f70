// src/simulator/interceptor/socket-faults.ts — applies faults to the WebSocket handshake.
import type { Socket } from 'node:net'
import type { Answer } from '../../api/answer.ts'
import type { Clock } from '../../engine/ports/clock.ts'
import type { Sandbox } from '../controls.ts'
import { found, passed, refusalBy } from './http-faults.ts'

/** Applies the faults armed for a handshake. Null when it may proceed. @throws Error for `http_500`. */
export async function meetAtHandshake(
  sandbox: Pick<Sandbox, 'faults'>,
  clock: Clock,
  { account, area }: { readonly account: { readonly id: string }; readonly area: string },
  socket: Socket,
): Promise<Answer | null> {
  const { faults } = sandbox.faults.meet(account.id, { method: 'GET', url: `/${area}`, reach: ['request'] })
  if (faults.length === 0) return null
  const refused = refusalBy(faults)
  if (refused !== null) return refused
  // The answer is all that a handshake has, so a lost answer is a dropped connection.
  if (found(faults, 'connection_dropped') !== undefined || found(faults, 'answer_lost') !== undefined) socket.destroy()
  const slow = found(faults, 'slow_answer')
  if (slow !== undefined && !socket.destroyed) await passed(clock, slow.number)
  return socket.destroyed ? { taken: true } : null
}

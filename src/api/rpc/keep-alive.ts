// src/api/rpc/keep-alive.ts — asks a connection for a sign of life, and finds out that nobody is there any more. Terminal
// socket reference 1.7.
import type { WebSocket } from 'ws'
import type { Alarm, Clock } from '../../engine/ports.ts'
import type { RpcLimits } from './limits.ts'

export interface KeepAlive {
  /** Something was heard of the till. */
  heard(): void
  stop(): void
}

/** `silent` is called once, when nothing was heard for `silenceMs`. */
export function createKeepAlive(
  socket: WebSocket,
  clock: Clock,
  { pingMs, silenceMs }: Pick<RpcLimits, 'pingMs' | 'silenceMs'>,
  silent: () => void,
): KeepAlive {
  let heardAt = clock.now()
  let alarm: Alarm = clock.alarm(heardAt + pingMs, look)

  function look(): void {
    if (clock.now() - heardAt >= silenceMs) {
      silent()
      return
    }
    socket.ping()
    alarm = clock.alarm(clock.now() + pingMs, look)
  }

  return {
    heard() {
      heardAt = clock.now()
    },
    stop: () => alarm.cancel(),
  }
}

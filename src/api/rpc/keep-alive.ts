// src/api/rpc/keep-alive.ts — asks the other side for a sign of life, and finds out that nobody is there any more.
// Terminal socket reference 1.7.
import type { Clock } from '../../engine/ports.ts'
import type { RpcLimits } from './limits.ts'

export interface KeepAlive {
  /** Something was heard. */
  heard(): void
  stop(): void
}

/** `silent` is called once, when nothing was heard for `silenceMs`; `ask` every `pingMs` until then. */
export function createKeepAlive(
  clock: Clock,
  { pingMs, silenceMs }: Pick<RpcLimits, 'pingMs' | 'silenceMs'>,
  ask: () => void,
  silent: () => void,
): KeepAlive {
  let heardAt = clock.now()
  let alarm = clock.alarm(heardAt + pingMs, look)

  function look(): void {
    const now = clock.now()
    if (now - heardAt >= silenceMs) {
      silent()
      return
    }
    alarm = clock.alarm(now + pingMs, look)
    ask()
  }

  return {
    heard() {
      heardAt = clock.now()
    },
    stop: () => alarm.cancel(),
  }
}

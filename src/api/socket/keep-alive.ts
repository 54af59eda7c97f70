// src/api/socket/keep-alive.ts — asks the other side for a sign of life, and finds out that nobody is there any more.
// Terminal socket reference 1.7.
import type { Alarm, Clock } from '../../engine/ports/clock.ts'
import type { RpcLimits } from './socket-limits.ts'

export interface KeepAliveParts {
  readonly clock: Clock
  readonly limits: Pick<RpcLimits, 'pingMs' | 'silenceMs'>
}

export interface KeepAliveOwner {
  /** Called every `pingMs`, as long as something is heard. */
  ask(): void
  /** Called once, when nothing was heard for `silenceMs`. */
  silent(): void
}

export class KeepAlive {
  readonly #parts: KeepAliveParts
  readonly #owner: KeepAliveOwner
  #heardAt: number
  #alarm: Alarm

  constructor(parts: KeepAliveParts, owner: KeepAliveOwner) {
    this.#parts = parts
    this.#owner = owner
    this.#heardAt = parts.clock.now()
    this.#alarm = this.#lookLater(this.#heardAt)
  }

  /** Something was heard. */
  heard(now: number): void {
    this.#heardAt = now
  }

  stop(): void {
    this.#alarm.cancel()
  }

  #lookLater(now: number): Alarm {
    const { clock, limits } = this.#parts
    return clock.alarm(now + limits.pingMs, () => this.#look())
  }

  #look(): void {
    const { clock, limits } = this.#parts
    const now = clock.now()
    if (now - this.#heardAt >= limits.silenceMs) {
      this.#owner.silent()
      return
    }
    this.#alarm = this.#lookLater(now)
    this.#owner.ask()
  }
}

// src/api/socket/keep-alive.ts — schedules pings, and detects a silent connection.
import type { Alarm, Clock } from '../../engine/ports/clock.ts'
import type { RpcLimits } from './socket-limits.ts'

export interface KeepAliveParts {
  readonly clock: Clock
  readonly limits: Pick<RpcLimits, 'pingMs' | 'silenceMs'>
}

export interface KeepAliveOwner {
  /** Called every `pingMs` while the connection is alive. Sends a ping. */
  ping(): void
  /** Called once, when nothing was received for `silenceMs`. */
  silent(): void
}

export class KeepAlive {
  readonly #parts: KeepAliveParts
  readonly #owner: KeepAliveOwner
  #receivedAt: number
  #alarm: Alarm

  constructor(parts: KeepAliveParts, owner: KeepAliveOwner) {
    this.#parts = parts
    this.#owner = owner
    this.#receivedAt = parts.clock.now()
    this.#alarm = this.#lookLater(this.#receivedAt)
  }

  /** Records received data. @param now epoch milliseconds */
  received(now: number): void {
    this.#receivedAt = now
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
    if (now - this.#receivedAt >= limits.silenceMs) {
      this.#owner.silent()
      return
    }
    this.#alarm = this.#lookLater(now)
    this.#owner.ping()
  }
}

// src/engine/ports/clock.ts — tells the time and wakes callers at a time.

import type { MerchantAccountId } from '../../domain/ids.ts'

/** Time. The store never tells it, and nothing else reads the machine's clock. */
export interface Clock {
  /** Epoch milliseconds. */
  now(): number
  /** Calls back once at or after `at` (epoch milliseconds), never before this call has returned. */
  alarm(at: number, callback: () => void): Alarm
}
export interface Alarm {
  cancel(): void
}

/** Which clock an account lives by. */
export interface Clocks {
  of(account: MerchantAccountId): Clock
  /** All accounts live by the same one. */
  readonly shared: boolean
}

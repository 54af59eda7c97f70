// src/engine/ports/clock.ts — port: the current time, and alarms.

import type { MerchantAccountId } from '../../domain/ids.ts'

/** The only source of time. Nothing else reads the machine's clock, and SQL does not either. */
export interface Clock {
  /** Epoch milliseconds. */
  now(): number
  /** Calls back once at or after `at` (epoch milliseconds), never before this call has returned. */
  alarm(at: number, callback: () => void): Alarm
}
export interface Alarm {
  cancel(): void
}

/** Clock of each account. Record times and limits use it. */
export interface Clocks {
  of(account: MerchantAccountId): Clock
  /** All accounts have the same clock. */
  readonly shared: boolean
}

// src/engine/ports/clock.ts — port: the current time, and alarms.

import type { MerchantAccountId } from '../../domain/ids.ts'

/** The only source of time. Nothing else reads the machine's clock, and SQL does not either. */
export interface Clock {
  /** Epoch milliseconds. */
  now(): number
  /** Calls back once at or after `at` (epoch milliseconds), never before this call has returned. */
  alarm(at: number, callback: () => void): Alarm
  /**
   * Calls back when the time was set back, with the milliseconds. Pending alarms move back with it: what had a minute left still
   * has a minute left.
   */
  onSetBack(listener: (ms: number) => void): void
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

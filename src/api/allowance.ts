// src/api/allowance.ts — so many in an hour, and no more.
import type { Clock } from '../engine/ports/clock.ts'

const HOUR_MS = 60 * 60 * 1_000

export interface Allowance {
  /** Takes one; false when none is left in this hour. */
  take(): boolean
}

/** An allowance that is whole again an hour after its first taking. */
export function createAllowance(perHour: number, clock: Clock): Allowance {
  let taken = 0
  let until = 0
  return {
    take() {
      if (clock.now() >= until) {
        taken = 0
        until = clock.now() + HOUR_MS
      }
      if (taken >= perHour) return false
      taken += 1
      return true
    },
  }
}

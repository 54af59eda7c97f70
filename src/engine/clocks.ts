// src/engine/clocks.ts — which clock an account lives by: that of the system for all, unless a sandbox gives each its own.
import type { Clock, Clocks } from './ports/clock.ts'

/** One clock for all accounts. */
export function oneClock(clock: Clock): Clocks {
  return { of: () => clock, shared: true }
}

// src/engine/clocks.ts — one clock for all accounts. A sandbox gives each account its own instead.
import type { Clock, Clocks } from './ports/clock.ts'

/** One clock for all accounts. */
export function oneClock(clock: Clock): Clocks {
  return { of: () => clock, shared: true }
}

// src/engine/housekeeping.ts — erases what has expired, once at the start and then at intervals.
import type { Alarm, Clock, Log, Store } from './ports.ts'

/** Often enough that what has expired never grows to a burden. */
const INTERVAL_MS = 60 * 60 * 1000

export interface Housekeeping {
  start(): void
  stop(): void
}

/** Builds it; nothing is erased before `start`. */
export function createHousekeeping(parts: {
  readonly store: Store
  readonly clock: Clock
  readonly log: Log
}): Housekeeping {
  const { store, clock, log } = parts
  let alarm: Alarm | null = null
  let stopped = false
  const tidy = async () => {
    await store
      .forgetExpired(clock.now())
      .catch(error => stopped || log.warn({ error: String(error) }, 'expired rows could not be erased'))
    if (!stopped) alarm = clock.alarm(clock.now() + INTERVAL_MS, () => void tidy())
  }
  return {
    start: () => void tidy(),
    stop() {
      stopped = true
      alarm?.cancel()
    },
  }
}

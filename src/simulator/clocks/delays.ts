// src/simulator/clocks/delays.ts — simulated delays on an account's clock. They do not count as work under way, and end at
// once when the gateway stops.
import { type Activity, UNCOUNTED } from '../../engine/activity.ts'
import type { Alarm, Clocks } from '../../engine/ports/clock.ts'

export interface Delays {
  /** Resolves to true after `ms`, or to false at once when `wake` or `wakeAll` ends it. */
  sleep(account: string, ms: number): Promise<boolean>
  /** Number of pending delays, of one account or of all. */
  asleep(account?: string): number
  /** Ends the pending delays of an account. */
  wake(account: string): void
  /** Ends all delays, pending and future. */
  wakeAll(): void
}

interface Delay {
  readonly account: string
  readonly wake: (slept: boolean) => void
}

/** Delays by the clock of each account. The caller must be counted as active; it is not while it waits. */
export function createDelays(clocks: Clocks, activity: Activity = UNCOUNTED): Delays {
  const delays = new Set<Delay>()
  let awake = false
  return {
    sleep(account, ms) {
      if (awake) return Promise.resolve(false)
      return new Promise(resolve => {
        let alarm: Alarm | null = null
        const delay: Delay = {
          account,
          wake(slept) {
            alarm?.cancel()
            delays.delete(delay)
            // The caller is active again.
            activity.begin(account)
            resolve(slept)
          },
        }
        delays.add(delay)
        activity.end(account)
        const clock = clocks.of(account)
        alarm = clock.alarm(clock.now() + ms, () => delay.wake(true))
      })
    },
    asleep: account =>
      account === undefined ? delays.size : [...delays].filter(delay => delay.account === account).length,
    wake(account) {
      for (const delay of [...delays]) if (delay.account === account) delay.wake(false)
    },
    wakeAll() {
      awake = true
      for (const delay of [...delays]) delay.wake(false)
    },
  }
}

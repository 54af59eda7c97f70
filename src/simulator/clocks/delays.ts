// src/simulator/clocks/delays.ts — waiting that belongs to the simulation: whoever waits for the gateway to come to rest does
// not wait for it, and it ends at once when the gateway stops.
import { type Activity, UNCOUNTED } from '../../engine/activity.ts'
import type { Alarm, Clocks } from '../../engine/ports/clock.ts'

export interface Delays {
  /** Resolves after `ms` to true, or at once to false when the gateway stops. */
  sleep(account: string, ms: number): Promise<boolean>
  /** How many sleep now, of one account or of all. */
  asleep(account?: string): number
  /** Ends the naps of an account. */
  wake(account: string): void
  /** Ends all naps, now and from now on. */
  wakeAll(): void
}

interface Delay {
  readonly account: string
  readonly wake: (slept: boolean) => void
}

/** Naps by the clock of each account. Whoever sleeps was counted as active, and is not while it sleeps. */
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
            // Whoever slept is at work again.
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

// src/api/http/waiting.ts — long polling: requests that wait for a record to change. RFC 7240.
import type { ServerResponse } from 'node:http'
import type { Feed } from '../../engine/feed.ts'
import type { Clock } from '../../engine/ports/clock.ts'
import type { Key } from '../../engine/ports/store.ts'
import type { HttpLimits } from '../limits.ts'

/** Longest wait, in seconds. Proxies commonly close a silent connection after 60. */
const LONGEST_WAIT_SECONDS = 60

/** `changed`: read the record again. `over`: the time is up, or the gateway stops. `gone`: the caller has disconnected. */
export type WaitEnd = 'changed' | 'over' | 'gone'

export interface Wait {
  readonly end: Promise<WaitEnd>
  /** Ends the wait as `over`. */
  cancel(): void
}

export interface Waiting {
  readonly count: number
  /**
   * Waits for the next change of a record until `until` (epoch milliseconds). Null when the limit of waits is reached.
   * Changes after this call are not missed, so read the record once more after it.
   */
  wait(key: Key, until: number, response: ServerResponse): Wait | null
  /** Ends all waits and accepts no new ones. */
  release(): void
}

/** Returns the wait of a Prefer header in seconds, capped; 0 when it has none. */
export function waitSecondsOf(prefer: string | string[] | undefined): number {
  const header = Array.isArray(prefer) ? prefer.join(',') : (prefer ?? '')
  // The first of several waits applies. Its value may be quoted. RFC 7240 §2.
  const seconds = /(?:^|,)\s*wait\s*=\s*"?(\d{1,9})"?\s*(?:[;,]|$)/i.exec(header)?.[1]
  return Math.min(Number(seconds ?? 0), LONGEST_WAIT_SECONDS)
}

export function createWaiting(parts: {
  readonly feed: Feed
  readonly clock: Clock
  readonly limits: HttpLimits
}): Waiting {
  const { feed, clock, limits } = parts
  const ends = new Set<(end: WaitEnd) => void>()
  const perAccount = new Map<string, number>()
  let released = false

  function count(account: string, by: 1 | -1): void {
    const left = (perAccount.get(account) ?? 0) + by
    if (left === 0) perAccount.delete(account)
    else perAccount.set(account, left)
  }

  return {
    get count() {
      return ends.size
    },
    wait(key, until, response) {
      if (released || ends.size >= limits.waits) return null
      if ((perAccount.get(key.account) ?? 0) >= limits.waitsPerAccount) return null
      let resolveEnd: (end: WaitEnd) => void = () => {}
      const end = new Promise<WaitEnd>(resolve => (resolveEnd = resolve))
      const finish = (how: WaitEnd): void => {
        if (!ends.delete(finish)) return
        count(key.account, -1)
        unfollow()
        alarm.cancel()
        response.off('close', gone)
        resolveEnd(how)
      }
      const gone = (): void => finish('gone')
      const look = (): void => finish('changed')
      const unfollow = feed.follow(key, look, look)
      const alarm = clock.alarm(until, () => finish('over'))
      response.once('close', gone)
      ends.add(finish)
      count(key.account, 1)
      return { end, cancel: () => finish('over') }
    },
    release() {
      released = true
      for (const finish of [...ends]) finish('over')
    },
  }
}

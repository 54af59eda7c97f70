// src/api/rate-limiter.ts — limits how many calls are made in a time, by token bucket. ADR 45.
import { LRUCache } from 'lru-cache'
import type { Clock } from '../engine/ports/clock.ts'

/** Keys remembered. A forgotten one begins with a full bucket, and has made no call for a while, or is one of too many. */
const CACHED_KEYS = 20_000

export interface Rate {
  /** Calls in a window, which may all be made at once; 0: any number. */
  readonly limit: number
  /** In milliseconds; 0: any number of calls. */
  readonly windowMs: number
}

/**
 * Calls below the rate are never refused, and no window sees more than twice the limit. A refused call does not count, so
 * a caller that keeps trying is served at the limit.
 */
export class TokenBucket {
  readonly #rate: Rate
  #left: number
  /** When so many were left, in epoch milliseconds. */
  #at: number

  constructor(rate: Rate, now: number) {
    this.#rate = rate
    this.#left = rate.limit
    this.#at = now
  }

  /** Takes one; false when none is left. */
  take(now: number): boolean {
    const { limit, windowMs } = this.#rate
    // A clock that was set back gives nothing and takes nothing, and counts on from where it stands.
    this.#at = Math.min(this.#at, now)
    const gained = ((now - this.#at) * limit) / windowMs
    const left = Math.min(limit, this.#left + gained)
    if (left < 1) return false
    this.#left = left - 1
    this.#at = now
    return true
  }
}

/** Returns a function to call for each request with the caller's key; false: refuse it. */
export function createRateLimiter(clock: Clock, rate: Rate): (key: string) => boolean {
  if (rate.limit === 0 || rate.windowMs === 0) return () => true
  const buckets = new LRUCache<string, TokenBucket>({ max: CACHED_KEYS })
  return key => {
    const now = clock.now()
    const known = buckets.get(key)
    const bucket = known ?? new TokenBucket(rate, now)
    if (known === undefined) buckets.set(key, bucket)
    return bucket.take(now)
  }
}

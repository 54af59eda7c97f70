// src/api/rate-limiter.ts — limits the rate of calls by token bucket. ADR 45.
import { createBoundedCache } from '../engine/bounded-cache.ts'
import type { Clock } from '../engine/ports/clock.ts'
import type { SharedRates } from './shared-rates.ts'

/** Cached keys. An evicted key starts with a full bucket again; the least recently used ones are evicted. */
const CACHED_KEYS = 20_000

/** As many as there are nodes that a caller may have asked at the same time. */
const LONGEST_DEBT = 8

export interface Rate {
  /** Calls in a window, which may all be made at once. 0 sets no limit. */
  readonly limit: number
  /** Length of the window in milliseconds. 0 sets no limit. */
  readonly windowMs: number
}

/**
 * Calls below the rate are never refused, and no window sees more than twice the limit. A refused call does not count, so
 * a caller that keeps trying is served at the limit.
 */
export class TokenBucket {
  readonly #rate: Rate
  #left: number
  /** Time of `#left`, in epoch milliseconds. */
  #at: number

  constructor(rate: Rate, now: number) {
    this.#rate = rate
    this.#left = rate.limit
    this.#at = now
  }

  /** Takes a call at `now` (epoch milliseconds). False when none is left. */
  take(now: number): boolean {
    const left = this.#leftAt(now)
    if (left < 1) return false
    this.#left = left - 1
    this.#at = now
    return true
  }

  /** Takes calls that others have served already. Later ones pay for them, for at most `LONGEST_DEBT` windows. */
  spend(calls: number, now: number): void {
    this.#left = Math.max(-LONGEST_DEBT * this.#rate.limit, this.#leftAt(now) - calls)
    this.#at = now
  }

  #leftAt(now: number): number {
    const { limit, windowMs } = this.#rate
    // A clock that was set back adds no tokens and removes none; counting continues from its new time.
    this.#at = Math.min(this.#at, now)
    return Math.min(limit, this.#left + ((now - this.#at) * limit) / windowMs)
  }
}

export interface RateLimiterOptions extends Rate {
  /** Shares the rate with the other nodes of the gateway, under a name. Absent: each node counts by itself. */
  readonly shared?: { readonly by: SharedRates; readonly name: string }
}

/** Returns a function that takes a call for a key. False when the rate is exceeded. */
export function createRateLimiter(clock: Clock, { shared, ...rate }: RateLimiterOptions): (key: string) => boolean {
  if (rate.limit === 0 || rate.windowMs === 0) return () => true
  const buckets = createBoundedCache<string, TokenBucket>(CACHED_KEYS)
  const bucketOf = (key: string, now: number): TokenBucket => {
    const known = buckets.get(key)
    const bucket = known ?? new TokenBucket(rate, now)
    if (known === undefined) buckets.set(key, bucket)
    return bucket
  }
  const note = shared?.by.join(shared.name, (key, calls) => {
    const now = clock.now()
    bucketOf(key, now).spend(calls, now)
  })
  return key => {
    const now = clock.now()
    const isTaken = bucketOf(key, now).take(now)
    if (isTaken) note?.(key)
    return isTaken
  }
}

// src/api/shop-rate.ts — how many calls a second each web shop may make. Online reference 15, row 16.
import type { Clock } from '../engine/ports/clock.ts'

const SECOND_MS = 1_000
/** Accounts remembered. Whoever is forgotten begins with a full second, and has not called for a while. */
const CACHED_ACCOUNTS = 20_000

/** What an account has left, as it was at that time. */
interface Left {
  readonly calls: number
  readonly at: number
}

/**
 * Returns a function to call for each request: false when the account has made its calls. What is not used within a
 * second is not saved up: a shop may make all calls of one second at once, and below the limit nobody ever waits.
 * A request that was refused does not count, so that whoever keeps trying is served at the limit.
 * @param perSecond calls a second; 0: any number
 */
export function createShopRate(clock: Clock, perSecond: number): (account: string) => boolean {
  if (perSecond === 0) return () => true
  const left = new Map<string, Left>()
  return account => {
    const now = clock.now()
    const before = left.get(account)
    // A clock that was set back gives nothing and takes nothing.
    const gained = before === undefined ? perSecond : (Math.max(0, now - before.at) * perSecond) / SECOND_MS
    const calls = Math.min(perSecond, (before?.calls ?? 0) + gained)
    if (calls < 1) return false
    left.delete(account)
    left.set(account, { calls: calls - 1, at: now })
    if (left.size > CACHED_ACCOUNTS) {
      const oldest = left.keys().next()
      if (!oldest.done) left.delete(oldest.value)
    }
    return true
  }
}

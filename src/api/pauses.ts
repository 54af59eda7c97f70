// src/api/pauses.ts — the pause between two requests of one key, where the operator asks for one. Terminal reference 12.
import type { Clock } from '../engine/ports/clock.ts'
import { hashOfKey } from '../services/provisioning/provisioning.ts'

/** Keys remembered. Whoever is forgotten has not asked for a while, or among too many. */
const CACHED_KEYS = 20_000

/** Returns a function to call for each request: false when it comes too soon after the last that was let in. */
export function createPauses(clock: Clock, pauseMs: number): (secret: string) => boolean {
  if (pauseMs === 0) return () => true
  const lastAt = new Map<string, number>()
  return secret => {
    // Not even here is a key itself remembered.
    const key = hashOfKey(secret)
    const now = clock.now()
    const last = lastAt.get(key)
    if (last !== undefined && now < last + pauseMs) return false
    lastAt.delete(key)
    lastAt.set(key, now)
    if (lastAt.size > CACHED_KEYS) {
      const oldest = lastAt.keys().next()
      if (!oldest.done) lastAt.delete(oldest.value)
    }
    return true
  }
}

// src/api/rpc/tempo.ts — how fast messages come in.
import type { Clock } from '../../engine/ports.ts'

const SECOND_MS = 1_000

/** Returns a function to call for each message: false when there were more than `perSecond` within a second. */
export function createTempo(clock: Clock, perSecond: number): () => boolean {
  let since = clock.now()
  let count = 0
  return () => {
    const now = clock.now()
    if (now - since >= SECOND_MS) {
      since = now
      count = 0
    }
    count += 1
    return count <= perSecond
  }
}

// src/api/requests/refusal-lines.ts — counts refused requests and logs each in one line, at a bounded rate. ADR 54.
import { redacted } from '../../domain/redaction.ts'
import type { Clock } from '../../engine/ports/clock.ts'
import type { Log } from '../../engine/ports/log.ts'
import type { HttpMetrics } from '../parts.ts'
import { createRateLimiter, TokenBucket } from '../rate-limiter.ts'
import type { RefusedRequest } from './recording.ts'

const SECOND_MS = 1_000

export interface RefusalLimits {
  /** Lines in a second about one account, and about requests without one. */
  readonly refusalLinesPerAccount: number
  /** Lines in a second about all. */
  readonly refusalLines: number
}

interface Parts {
  readonly clock: Clock
  readonly log: Log
  readonly metrics: Pick<HttpMetrics, 'refused' | 'refusalLineDropped'>
  readonly limits: RefusalLimits
}

/** Returns a function that counts and logs a refused request. Lines above the limits are only counted. */
export function createRefusalLines({ clock, log, metrics, limits }: Parts): (refused: RefusedRequest) => void {
  // One account that is refused in a loop does not hide the lines of the others.
  const mayLog = createRateLimiter(clock, { limit: limits.refusalLinesPerAccount, windowMs: SECOND_MS })
  const all = new TokenBucket({ limit: limits.refusalLines, windowMs: SECOND_MS }, clock.now())
  return ({ route, refused: { code, field, detail }, account, id }) => {
    metrics.refused(code)
    if (!mayLog(account ?? '') || !all.take(clock.now())) return metrics.refusalLineDropped()
    // The log strikes out secrets too, which callers must not rely on: sentences repeat what was sent.
    const more = redacted({
      ...id,
      ...(field === undefined ? {} : { field }),
      ...(detail === undefined ? {} : { detail }),
    })
    log.info({ ...Object(more), route, code, ...(account === null ? {} : { account }) }, 'request refused')
  }
}

// src/services/retention/retention-jobs.ts — erases what nobody needs any more: at the start, then again and again, a small portion at a
// time so that no payment waits behind it.
import type { Alarm, Clock } from '../../engine/ports/clock.ts'
import type { Log } from '../../engine/ports/log.ts'
import type { Store } from '../../engine/ports/store.ts'

/** Something to be tidied, portion by portion. */
export interface RetentionJob {
  /** Names it in the log. */
  readonly name: string
  /** Milliseconds from the end of a round to the next one. */
  readonly everyMs: number
  /**
   * Does the portion behind a place (0: the first one).
   * @returns how much went, and where the next portion begins; null: the round is over
   */
  portion(after: number): Promise<Portion>
}

export interface Portion {
  readonly gone: number
  readonly next: number | null
}

/** Often enough that what has expired never grows to a burden. */
const EXPIRED_EVERY_MS = 60 * 60 * 1_000
/** Between two portions. One takes a few milliseconds, so tidying takes some hundredths of the gateway's time. */
const PAUSE_MS = 200
/** After a failure the store is not asked again at once. */
const FAILED_MS = 10 * 60 * 1_000

export interface RetentionJobs {
  start(): void
  stop(): void
}

/** Builds it; nothing is erased before `start`. */
export function createRetentionJobs(parts: {
  readonly store: Store
  readonly clock: Clock
  readonly log: Log
  readonly jobs: readonly RetentionJob[]
}): RetentionJobs {
  const { store, clock, log } = parts
  const alarms = new Map<string, Alarm>()
  let stopped = false
  const jobs: readonly RetentionJob[] = [
    {
      name: 'expired idempotency keys',
      everyMs: EXPIRED_EVERY_MS,
      portion: async () => ({ gone: await store.forgetExpired(clock.now()), next: null }),
    },
    ...parts.jobs,
  ]

  async function work(job: RetentionJob, after: number, goneBefore: number): Promise<void> {
    const { name, everyMs } = job
    try {
      const { gone, next } = await job.portion(after)
      const goneNow = goneBefore + gone
      if (next !== null) return again(job, PAUSE_MS, next, goneNow)
      if (goneNow > 0) log.info({ job: name, erased: goneNow }, 'tidied up')
      again(job, everyMs, 0, 0)
    } catch (error) {
      if (stopped) return
      log.warn({ job: name, error: String(error) }, 'tidying up has failed')
      again(job, FAILED_MS, 0, 0)
    }
  }

  function again(job: RetentionJob, afterMs: number, place: number, gone: number): void {
    if (stopped) return
    alarms.set(
      job.name,
      clock.alarm(clock.now() + afterMs, () => void work(job, place, gone)),
    )
  }

  return {
    start() {
      for (const job of jobs) void work(job, 0, 0)
    },
    stop() {
      stopped = true
      for (const alarm of alarms.values()) alarm.cancel()
    },
  }
}

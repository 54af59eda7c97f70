// src/services/retention/retention-jobs.ts — runs retention jobs at the start and periodically, in small batches so that
// payments do not wait.
import type { Alarm, Clock } from '../../engine/ports/clock.ts'
import type { Log } from '../../engine/ports/log.ts'
import type { Store } from '../../engine/ports/store.ts'
import { LEADS_AGAIN_MS } from '../../engine/work-leases.ts'

/** A retention job. It runs in batches. */
export interface RetentionJob {
  /** Name in the log. */
  readonly name: string
  /** Pause after a round, in milliseconds. */
  readonly everyMs: number
  /** Whether each of several nodes runs it, for what it has itself. Default: one node does it for all. */
  readonly onEachNode?: boolean
  /**
   * Runs the batch after a position (0 for the first one).
   * @returns the number of erased records, and the position for the next batch; null when the round is over
   */
  portion(after: number): Promise<Portion>
}

export interface Portion {
  readonly gone: number
  readonly next: number | null
}

/** Interval for expired idempotency keys: short enough that they never become many. */
const EXPIRED_EVERY_MS = 60 * 60 * 1_000
/** Pause between two batches. One takes a few milliseconds, so the jobs use a few per cent of the gateway's time. */
const PAUSE_MS = 200
/** Delay after a failure, in milliseconds. */
const FAILED_MS = 10 * 60 * 1_000

export interface RetentionJobs {
  start(): void
  stop(): void
}

/** Creates the jobs. Nothing is erased before `start`. */
export function createRetentionJobs(parts: {
  readonly store: Store
  readonly clock: Clock
  readonly log: Log
  readonly jobs: readonly RetentionJob[]
  /** Of several nodes one runs the jobs for all. Default: always this one. */
  readonly leads?: () => boolean
}): RetentionJobs {
  const { store, clock, log, leads = () => true } = parts
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
    if (job.onEachNode !== true && !leads()) return again(job, LEADS_AGAIN_MS, 0, 0)
    try {
      const { gone, next } = await job.portion(after)
      const goneNow = goneBefore + gone
      if (next !== null) return again(job, PAUSE_MS, next, goneNow)
      if (goneNow > 0) log.info({ job: name, erased: goneNow }, 'retention job completed')
      again(job, everyMs, 0, 0)
    } catch (error) {
      if (stopped) return
      log.warn({ job: name, error: String(error) }, 'retention job failed')
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

// src/platform/database-clock.ts — the time of the database, kept by the monotonic clock of this machine. ADR 69.
import type { Clock } from '../engine/ports/clock.ts'
import { MACHINE, type Machine, systemClock } from './clock.ts'

/** Measurements that are kept. */
const MOST_SAMPLES = 16
/** By how much a monotonic clock may go wrong, as a part of the time that passes. Clocks of machines stay below. */
const DRIFT = 200e-6

export interface DatabaseClock extends Clock {
  /** Milliseconds of the monotonic clock. */
  steady(): number
  /**
   * Notes a reading of the database's clock.
   * @param before the monotonic clock when it was asked for, milliseconds
   * @param at its answer, epoch milliseconds
   * @param after the monotonic clock when the answer came
   */
  sample(before: number, at: number, after: number): void
  /** By how much it may differ from the database's clock, in milliseconds. Infinite before the first sample. */
  readonly errorMs: number
}

interface Sample {
  /** Database's time minus ours. */
  readonly offset: number
  readonly errorMs: number
  readonly takenAt: number
}

/**
 * A clock that shows the database's time on every node, whatever the clocks of their machines say. Of the latest readings the one
 * counts that may be wrong by least. Alarms, and corrections of its time, are those of `systemClock`.
 */
export function createDatabaseClock(machine: Pick<Machine, 'steady' | 'wait'> = MACHINE): DatabaseClock {
  const { steady } = machine
  let samples: readonly Sample[] = []
  const errorOf = ({ errorMs, takenAt }: Sample, at: number) => errorMs + (at - takenAt) * DRIFT
  const best = (): Sample | null => {
    const now = steady()
    return samples.reduce<Sample | null>(
      (found, each) => (found === null || errorOf(each, now) < errorOf(found, now) ? each : found),
      null,
    )
  }
  let offset = Date.now() - steady()
  const clock = systemClock({ ...machine, now: () => Math.floor(steady() + offset) })
  return {
    ...clock,
    steady,
    sample(before, at, after) {
      const taken = { offset: at - (before + after) / 2, errorMs: (after - before) / 2, takenAt: after }
      samples = [taken, ...samples].slice(0, MOST_SAMPLES)
      offset = best()?.offset ?? offset
      // Follows a correction now, and not with the next question.
      clock.now()
    },
    get errorMs() {
      const sample = best()
      return sample === null ? Number.POSITIVE_INFINITY : errorOf(sample, steady())
    },
  }
}

// src/platform/clock.ts — implements the Clock port on the system clock.
import type { Clock } from '../engine/ports/clock.ts'

/**
 * Longest single wait. Runtime timers stop while a laptop sleeps and overflow beyond 2^31 - 1 ms, so a distant alarm is reached
 * in steps. After a sleep an alarm is at most this late.
 */
const LONGEST_WAIT_MS = 60_000

/**
 * Largest backward step that is hidden, in milliseconds. Time synchronisation makes small steps. A larger one is deliberate and is
 * followed; otherwise time would stop until the old time is reached again.
 */
const LARGEST_HIDDEN_STEP_MS = 5_000

/** Clock and timer of the machine. Tests pass their own. */
export interface Machine {
  now(): number
  /** Milliseconds of the monotonic clock. */
  steady(): number
  /** Calls `callback` after about `ms` milliseconds, possibly a little early. Returns a function that cancels it. */
  wait(ms: number, callback: () => void): () => void
}

interface Pending {
  at: number
  callOff: () => void
}

/**
 * Wall-clock time in epoch milliseconds that does not go back over small corrections. A pending alarm does not keep the
 * process alive; only the listening server does.
 */
export function systemClock(machine: Machine = MACHINE): Clock {
  const pending = new Set<Pending>()
  const listeners: ((ms: number) => void)[] = []
  let latest = machine.now()
  let latestSteady = machine.steady()

  function now(): number {
    const read = machine.now()
    const steady = machine.steady()
    const stepBack = latest + (steady - latestSteady) - read
    const isHidden = read < latest && stepBack <= LARGEST_HIDDEN_STEP_MS
    if (!isHidden) {
      latest = read
      latestSteady = steady
    }
    if (stepBack > LARGEST_HIDDEN_STEP_MS) setBack(stepBack)
    return latest
  }

  /** Waits of the runtime go by the monotonic clock, so each alarm is as far away as before. */
  function setBack(ms: number): void {
    for (const alarm of pending) alarm.at -= ms
    for (const listener of listeners) listener(ms)
  }

  function approach(alarm: Pending, callback: () => void): void {
    const left = Math.max(0, alarm.at - now())
    alarm.callOff = machine.wait(Math.min(left, LONGEST_WAIT_MS), () => {
      if (now() < alarm.at) return approach(alarm, callback)
      pending.delete(alarm)
      callback()
    })
  }

  return {
    now,
    alarm(at, callback) {
      const alarm: Pending = { at, callOff: () => {} }
      // Read before the alarm is there: a step back that is noticed now is older than the alarm.
      now()
      pending.add(alarm)
      approach(alarm, callback)
      return {
        cancel() {
          pending.delete(alarm)
          alarm.callOff()
        },
      }
    },
    onSetBack: listener => void listeners.push(listener),
  }
}

/** Largest difference between wall clock and monotonic clock, in milliseconds: the first counts whole ones, and is slewed. */
const TOLERATED_MS = 2

/** Returns a function that tells the time of a clock in epoch milliseconds with fractions. It follows steps of the clock. */
export function fineClock(clock: Pick<Clock, 'now'>, machine: Pick<Machine, 'steady'> = MACHINE): () => number {
  let offset = clock.now() - machine.steady()
  return () => {
    const fine = offset + machine.steady()
    const coarse = clock.now()
    if (Math.abs(fine - coarse) <= TOLERATED_MS) return fine
    offset += coarse - fine
    return coarse
  }
}

export const MACHINE: Machine = {
  now: () => Date.now(),
  steady: () => performance.now(),
  wait: (ms, callback) => {
    const timer = setTimeout(callback, ms).unref()
    return () => clearTimeout(timer)
  },
}

// src/platform/clock.ts — the machine's clock as the Clock port. Only this file reads it.
import type { Clock } from '../engine/ports/clock.ts'

/**
 * The longest wait before the clock is looked at again. A timer of the runtime stands still while a laptop sleeps and
 * overflows beyond 2^31 - 1 ms, so a far alarm is approached in steps; a minute is how late it may be after a sleep.
 */
const LONGEST_WAIT_MS = 60_000

/**
 * How far the machine's clock may step back unnoticed, in milliseconds. Time synchronisation takes small steps. A larger one
 * was made on purpose and is followed; otherwise time would stand still until the old one is reached again.
 */
const HELD_STEP_BACK_MS = 5_000

/** What the machine offers; tests bring their own. */
export interface Machine {
  now(): number
  /** Milliseconds of a clock that nobody can set. */
  steady(): number
  /** Calls back after about `ms`, possibly a little early. Returns how to call it off. */
  wait(ms: number, callback: () => void): () => void
}

interface Pending {
  at: number
  callOff: () => void
}

/**
 * Wall-clock time in epoch milliseconds that does not run backwards over small corrections. A pending alarm does not
 * keep the process alive: the listening server does, and when it is closed nothing else should.
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
    const isHeld = read < latest && stepBack <= HELD_STEP_BACK_MS
    if (!isHeld) {
      latest = read
      latestSteady = steady
    }
    if (stepBack > HELD_STEP_BACK_MS) setBack(stepBack)
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

const MACHINE: Machine = {
  now: () => Date.now(),
  steady: () => performance.now(),
  wait: (ms, callback) => {
    const timer = setTimeout(callback, ms).unref()
    return () => clearTimeout(timer)
  },
}

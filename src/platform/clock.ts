// src/platform/clock.ts — the machine's clock as the Clock port. Only this file reads it.
import type { Alarm, Clock } from '../engine/ports/clock.ts'

/**
 * The longest wait before the clock is looked at again. A timer of the runtime stands still while a laptop sleeps and
 * overflows beyond 2^31 - 1 ms, so a far alarm is approached in steps; a minute is how late it may be after a sleep.
 */
const LONGEST_WAIT_MS = 60_000

/**
 * How far the machine's clock may step back unnoticed. Time synchronisation takes small steps; a larger one was made
 * on purpose and is followed, or else time would stand still until the old one is reached again.
 */
const HELD_STEP_BACK_MS = 5_000

/** What the machine offers; tests bring their own. */
export interface Machine {
  now(): number
  /** Calls back after about `ms`, possibly a little early. Returns how to call it off. */
  wait(ms: number, callback: () => void): () => void
}

/**
 * Wall-clock time in epoch milliseconds that does not run backwards over small corrections. A waiting alarm does not
 * keep the process alive: the listening server does, and when it is closed nothing else should.
 */
export function systemClock(machine: Machine = MACHINE): Clock {
  let latest = machine.now()
  const now = (): number => {
    const read = machine.now()
    const held = read < latest && latest - read <= HELD_STEP_BACK_MS
    if (!held) latest = read
    return latest
  }
  return { now, alarm: (at, callback) => alarmOn(machine, now, at, callback) }
}

function alarmOn(machine: Machine, now: () => number, at: number, callback: () => void): Alarm {
  let callOff = (): void => {}
  const approach = (): void => {
    const left = Math.max(0, at - now())
    callOff = machine.wait(Math.min(left, LONGEST_WAIT_MS), () => (now() < at ? approach() : callback()))
  }
  approach()
  return { cancel: () => callOff() }
}

const MACHINE: Machine = {
  now: () => Date.now(),
  wait: (ms, callback) => {
    const timer = setTimeout(callback, ms).unref()
    return () => clearTimeout(timer)
  },
}

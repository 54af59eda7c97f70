// test/unit/platform/clock.test.ts — the system clock: monotonic time, and alarms that are never early.
import { deepEqual, equal, ok } from 'node:assert/strict'
import { test } from 'vitest'
import { type Machine, systemClock } from '../../../src/platform/clock.ts'

/** A machine whose time and waits a test drives. */
function machineAt(start: number) {
  const waits: { ms: number; callback: () => void }[] = []
  let time = start
  let steady = 0
  const machine: Machine = {
    now: () => time,
    steady: () => steady,
    wait: (ms, callback) => {
      const wait = { ms, callback }
      waits.push(wait)
      return () => {
        waits.splice(waits.indexOf(wait), 1)
      }
    },
  }
  const ring = () => waits.shift()?.callback()
  /** Advances both clocks. */
  const pass = (ms: number) => {
    time += ms
    steady += ms
  }
  return { machine, waits, ring, pass, set: (to: number) => (time = to) }
}

test('a small step back of the machine clock does not move time back', () => {
  const { machine, set } = machineAt(1_000_000)
  const clock = systemClock(machine)
  set(999_000)
  equal(clock.now(), 1_000_000)
  set(1_000_001)
  equal(clock.now(), 1_000_001)
})

test('a large step back is followed, and listeners get its length', () => {
  const { machine, set, pass } = machineAt(1_000_000)
  const clock = systemClock(machine)
  const steps: number[] = []
  clock.onSetBack(ms => steps.push(ms))
  pass(2_000)
  set(902_000)
  equal(clock.now(), 902_000)
  equal(clock.now(), 902_000)
  deepEqual(steps, [100_000], 'the two seconds that have passed are no part of the step')
})

test('a step back shorter than the time since the last reading is noticed', () => {
  const { machine, set, pass } = machineAt(1_000_000)
  const clock = systemClock(machine)
  const steps: number[] = []
  clock.onSetBack(ms => steps.push(ms))
  pass(60_000)
  set(1_050_000)
  equal(clock.now(), 1_050_000)
  deepEqual(steps, [10_000])
})

test('a step forward or a sleep is not a step back', () => {
  const { machine, set, pass } = machineAt(1_000_000)
  const clock = systemClock(machine)
  clock.onSetBack(() => ok(false))
  set(5_000_000)
  equal(clock.now(), 5_000_000)
  pass(1_000)
  equal(clock.now(), 5_001_000)
})

test('an alarm keeps its remaining time after a step back, and a new one uses the new time', () => {
  const { machine, ring, set, pass } = machineAt(10_000_000)
  const fired: string[] = []
  const clock = systemClock(machine)
  clock.alarm(10_050_000, () => fired.push('before'))
  pass(20_000)
  set(6_420_000)
  clock.alarm(6_430_000, () => fired.push('after'))
  pass(10_000)
  ring()
  ring()
  deepEqual(fired, ['after'], 'the first one has looked at the clock and waits on')
  pass(20_000)
  ring()
  deepEqual(fired, ['after', 'before'])
})

test('a distant alarm waits in steps of at most a minute', () => {
  const { machine, waits, ring, set } = machineAt(0)
  const fired: number[] = []
  const clock = systemClock(machine)
  clock.alarm(90_000, () => fired.push(clock.now()))
  deepEqual(
    waits.map(wait => wait.ms),
    [60_000],
  )
  set(60_000)
  ring()
  deepEqual(
    waits.map(wait => wait.ms),
    [30_000],
  )
  set(90_000)
  ring()
  deepEqual(fired, [90_000])
})

test('a wait that ends early does not fire the alarm early', () => {
  const { machine, waits, ring, set } = machineAt(0)
  let fired = false
  systemClock(machine).alarm(10, () => (fired = true))
  set(9)
  ring()
  equal(fired, false)
  deepEqual(
    waits.map(wait => wait.ms),
    [1],
  )
})

test('an alarm in the past does not fire inside the call', () => {
  const { machine, ring } = machineAt(1_000)
  let fired = false
  systemClock(machine).alarm(1, () => (fired = true))
  equal(fired, false)
  ring()
  equal(fired, true)
})

test('an alarm that is cancelled after its first step leaves no wait', () => {
  const { machine, waits, ring, set } = machineAt(0)
  let fired = false
  const alarm = systemClock(machine).alarm(100_000, () => (fired = true))
  set(60_000)
  ring()
  alarm.cancel()
  deepEqual(waits, [])
  equal(fired, false)
})

test('the real clock reads epoch milliseconds and fires alarms', async () => {
  const clock = systemClock()
  const at = clock.now() + 2
  ok(at > Date.parse('2024-01-01'))
  // The alarm alone does not keep a process alive; the test runner does.
  await new Promise<void>(resolve => clock.alarm(at, resolve))
  ok(clock.now() >= at)
})

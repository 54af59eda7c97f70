// test/unit/platform/clock.test.ts — the system clock: time that keeps its order, alarms that are never early.
import { deepEqual, equal, ok } from 'node:assert/strict'
import { test } from 'vitest'
import { type Machine, systemClock } from '../../../src/platform/clock.ts'

/** A machine whose time is set by hand and whose waits are run by hand. */
function machineAt(start: number) {
  const waits: { ms: number; callback: () => void }[] = []
  let time = start
  const machine: Machine = {
    now: () => time,
    wait: (ms, callback) => {
      const wait = { ms, callback }
      waits.push(wait)
      return () => {
        waits.splice(waits.indexOf(wait), 1)
      }
    },
  }
  const ring = () => waits.shift()?.callback()
  return { machine, waits, ring, set: (to: number) => (time = to) }
}

test('a small step back of the machine clock is not passed on, and time goes on from where it was', () => {
  const { machine, set } = machineAt(1_000_000)
  const clock = systemClock(machine)
  set(999_000)
  equal(clock.now(), 1_000_000)
  set(1_000_001)
  equal(clock.now(), 1_000_001)
})

test('a large step back was made on purpose and is followed', () => {
  const { machine, set } = machineAt(1_000_000)
  const clock = systemClock(machine)
  set(900_000)
  equal(clock.now(), 900_000)
})

test('a far alarm is approached in steps that the runtime can hold', () => {
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

test('a wait that ends early does not ring the alarm early', () => {
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

test('an alarm in the past waits for its turn instead of ringing inside the call', () => {
  const { machine, ring } = machineAt(1_000)
  let fired = false
  systemClock(machine).alarm(1, () => (fired = true))
  equal(fired, false)
  ring()
  equal(fired, true)
})

test('a cancelled alarm does not ring, whichever step it is in', () => {
  const { machine, waits, ring, set } = machineAt(0)
  let fired = false
  const alarm = systemClock(machine).alarm(100_000, () => (fired = true))
  set(60_000)
  ring()
  alarm.cancel()
  deepEqual(waits, [])
  equal(fired, false)
})

test('the real clock reads epoch milliseconds and rings', async () => {
  const clock = systemClock()
  const at = clock.now() + 2
  ok(at > Date.parse('2024-01-01'))
  // The alarm alone does not keep a process alive; the test runner does.
  await new Promise<void>(resolve => clock.alarm(at, resolve))
  ok(clock.now() >= at)
})

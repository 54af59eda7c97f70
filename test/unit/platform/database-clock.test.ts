// test/unit/platform/database-clock.test.ts — the database's time, kept by the monotonic clock.
import { deepEqual, equal, ok } from 'node:assert/strict'
import { test } from 'vitest'
import { createDatabaseClock } from '../../../src/platform/database-clock.ts'

const DATABASE_AT = 1_800_000_000_000

/** A machine whose monotonic clock begins at 5 s. The database's clock goes as fast as it. */
function open() {
  let steady = 5_000
  const waits: { readonly at: number; readonly callback: () => void }[] = []
  const clock = createDatabaseClock({
    steady: () => steady,
    wait(ms, callback) {
      const wait = { at: steady + ms, callback }
      waits.push(wait)
      return () => void waits.splice(waits.indexOf(wait), 1)
    },
  })
  const pass = (ms: number) => {
    steady += ms
    for (const wait of [...waits])
      if (wait.at <= steady) {
        waits.splice(waits.indexOf(wait), 1)
        wait.callback()
      }
  }
  /** Asks the database. @param slower how much later than in the middle it answers, milliseconds */
  const ask = (roundTripMs: number, slower = 0) => {
    const before = steady
    pass(roundTripMs / 2 + slower)
    const at = DATABASE_AT + steady - 5_000
    pass(roundTripMs / 2 - slower)
    clock.sample(before, at, steady)
  }
  return { clock, ask, pass, databaseNow: () => DATABASE_AT + steady - 5_000 }
}

test('it shows the time of the database, whatever the clock of the machine says', () => {
  const { clock, ask, pass, databaseNow } = open()
  ask(10)
  equal(clock.now(), databaseNow())
  pass(60_000)
  equal(clock.now(), databaseNow())
})

test('the error is half of the round trip, and grows with the time since', () => {
  const { clock, ask, pass } = open()
  equal(clock.errorMs, Number.POSITIVE_INFINITY)
  ask(10)
  equal(clock.errorMs, 5)
  pass(100_000)
  equal(clock.errorMs, 25)
  ask(3_000)
  ok(clock.errorMs < 27, 'a slow answer is no better than an old one')
  ask(2)
  equal(clock.errorMs, 1)
})

test('the reading that may be wrong by least counts', () => {
  const { clock, ask, databaseNow } = open()
  ask(4)
  ask(400, 199)
  equal(clock.now(), databaseNow())
})

test('an alarm rings by the database’s time, also when that turns out to be another', () => {
  const { clock, ask, pass, databaseNow } = open()
  ask(200, 90)
  const rung: number[] = []
  clock.alarm(clock.now() + 1_000, () => rung.push(databaseNow()))
  const due = clock.now() + 1_000
  ask(2)
  pass(898)
  deepEqual(rung, [])
  pass(200)
  equal(rung.length, 1)
  ok(rung[0]! >= due - 100)
})

// test/unit/support/test-clock.test.ts — the clock and random source of the tests.
import { deepEqual, equal, rejects } from 'node:assert/strict'
import { test } from 'vitest'
import { SeededRandom } from '../../support/seeded-random.ts'
import { TestClock } from '../../support/test-clock.ts'

test('alarms fire in order of time, then of creation, each at its time', async () => {
  const clock = new TestClock(1000)
  const fired: string[] = []
  clock.alarm(1200, () => fired.push(`late ${clock.now()}`))
  clock.alarm(1100, () => fired.push(`first ${clock.now()}`))
  clock.alarm(1100, () => fired.push(`second ${clock.now()}`))
  await clock.advance(150)
  deepEqual(fired, ['first 1100', 'second 1100'])
  await clock.advance(50)
  deepEqual(fired.at(-1), 'late 1200')
  equal(clock.now(), 1200)
})

test('an alarm set by an alarm fires in the same advance if it is due', async () => {
  const clock = new TestClock(0)
  const fired: number[] = []
  clock.alarm(10, () => clock.alarm(20, () => fired.push(clock.now())))
  await clock.advance(100)
  deepEqual(fired, [20])
})

test('a cancelled alarm does not fire', async () => {
  const clock = new TestClock(0)
  let fired = 0
  clock.alarm(10, () => fired++).cancel()
  await clock.advance(100)
  equal(fired, 0)
  equal(clock.alarms, 0)
})

test('the work of an alarm settles before the next alarm fires', async () => {
  const clock = new TestClock(0)
  const seen: string[] = []
  clock.alarm(10, () => void Promise.resolve().then(() => seen.push('promise of the first')))
  clock.alarm(10, () => seen.push('second'))
  await clock.advance(10)
  deepEqual(seen, ['promise of the first', 'second'])
})

test('an alarm that sets itself again without end throws', async () => {
  const clock = new TestClock(0, async () => {})
  const again = () => void clock.alarm(0, again)
  again()
  await rejects(clock.advance(1), /alarms in one advance/)
})

test('the same seed gives the same bytes, and UUIDs have version 4', () => {
  const [one, other] = [new SeededRandom(7), new SeededRandom(7)]
  deepEqual(one.bytes(8), other.bytes(8))
  const uuid = one.uuid()
  equal(uuid, other.uuid())
  equal(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/.test(uuid), true)
})

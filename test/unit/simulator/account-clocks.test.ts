// test/unit/simulator/account-clocks.test.ts — the clocks of accounts: alarms ring in order and once, a stand is remembered, and a
// move that cannot come to rest says so.
import { deepEqual, equal } from 'node:assert/strict'
import { test } from 'vitest'
import { createActivity } from '../../../src/engine/activity.ts'
import { endOfTurn } from '../../../src/platform/event-loop.ts'
import { createAccountClocks } from '../../../src/simulator/clocks/account-clocks.ts'
import { createDelays } from '../../../src/simulator/clocks/delays.ts'
import { createProcessMemory } from '../../../src/simulator/memory/process-memory.ts'
import { settleTurns, TestClock } from '../../support/test-clock.ts'

function open(memory = createProcessMemory(), base = new TestClock(1_000_000)) {
  const activity = createActivity()
  const clocks = createAccountClocks({ clock: base, memory, activity, endOfTurn })
  const fired: string[] = []
  const set = (at: number, name: string, account = 'demo') =>
    clocks.of(account).alarm(at, () => fired.push(`${name}@${clocks.of(account).now()}`))
  return { base, memory, activity, clocks, fired, set }
}

test('untouched, it is the clock of the system', async () => {
  const { base, clocks, fired, set } = open()
  set(1_000_500, 'b')
  set(1_000_200, 'a')
  set(1_000_200, 'a2')
  const cancelled = set(1_000_300, 'never')
  cancelled.cancel()
  await base.advance(500)
  deepEqual(fired, ['a@1000200', 'a2@1000200', 'b@1000500'])
  deepEqual(clocks.controls.read('demo'), { now: 1_000_500, frozen: false, offsetMs: 0 })
})

test('a move rings what falls due in order, each at its time, also what is set on the way', async () => {
  const { clocks, fired, set } = open()
  set(1_000_900, 'late')
  clocks.of('demo').alarm(1_000_100, () => {
    fired.push('first')
    set(1_000_100, 'at once')
    set(1_000_400, 'soon')
  })
  set(1_002_000, 'beyond')
  const moved = await clocks.controls.advance('demo', 1_000)
  deepEqual(fired, ['first', 'at once@1000100', 'soon@1000400', 'late@1000900'])
  deepEqual(moved, { now: 1_001_000, frozen: false, offsetMs: 1_000, fired: 4, settled: true })
})

test('an alarm that was called off on the way does not ring', async () => {
  const { clocks, fired, set } = open()
  const later = set(1_000_200, 'later')
  clocks.of('demo').alarm(1_000_100, () => later.cancel())
  equal((await clocks.controls.advance('demo', 1_000)).fired, 1)
  deepEqual(fired, [])
})

test('frozen, nothing rings however much time goes by; released, alarms keep their distance', async () => {
  const { base, clocks, fired, set } = open()
  await clocks.controls.freeze('demo')
  set(1_000_100, 'mine')
  set(1_000_100, 'theirs', 'other')
  await base.advance(5_000)
  deepEqual(fired, ['theirs@1000100'])
  await clocks.controls.release('demo')
  await base.advance(99)
  equal(fired.length, 1)
  await base.advance(1)
  equal(fired[1], 'mine@1000100')
  deepEqual(clocks.controls.read('demo'), { now: 1_000_100, frozen: false, offsetMs: -5_000 })
})

test('where a clock stands outlives the process', async () => {
  const first = open()
  await first.clocks.controls.advance('ahead', 60_000)
  await first.clocks.controls.freeze('still')
  await first.base.advance(10_000)
  const second = open(first.memory, first.base)
  deepEqual(second.clocks.controls.read('ahead'), { now: 1_070_000, frozen: false, offsetMs: 60_000 })
  deepEqual(second.clocks.controls.read('still'), { now: 1_000_000, frozen: true, offsetMs: -10_000 })
  deepEqual(second.clocks.controls.read('other'), { now: 1_010_000, frozen: false, offsetMs: 0 })
})

test('a move waits for what is under way, not for who sleeps', async () => {
  const { clocks, activity } = open()
  const delays = createDelays(clocks, activity)
  const done: string[] = []
  clocks.of('demo').alarm(1_000_100, () => {
    activity.begin('demo')
    void delays.sleep('demo', 500).then(slept => {
      done.push(`slept ${slept} until ${clocks.of('demo').now()}`)
      void endOfTurn().then(() => {
        done.push('worked')
        activity.end('demo')
      })
    })
  })
  equal((await clocks.controls.advance('demo', 100)).settled, true)
  deepEqual([done, delays.asleep(), delays.asleep('demo'), delays.asleep('other')], [[], 1, 1, 0])
  await clocks.controls.advance('demo', 500)
  deepEqual(done, ['slept true until 1000600', 'worked'])
  activity.begin('demo')
  const cut = delays.sleep('demo', 1_000_000)
  delays.wakeAll()
  deepEqual([await cut, await delays.sleep('demo', 5)], [false, false])
})

test('an account that does not come to rest is told of, and its clock stays on the way', async () => {
  const { base, clocks, activity, fired, set } = open()
  clocks.of('demo').alarm(1_000_100, () => activity.begin('demo'))
  set(1_000_200, 'never')
  const moving = clocks.controls.advance('demo', 60_000)
  await settleTurns(20)
  await base.advance(25_000)
  const moved = await moving
  deepEqual([moved.settled, moved.fired, moved.now], [false, 1, 1_000_100])
  deepEqual(fired, [])
})

test('who waits for rest hears of it once it is there', async () => {
  const activity = createActivity()
  const heard: string[] = []
  activity.begin('demo')
  activity.begin('demo')
  void activity.rest('demo').then(() => heard.push('rest'))
  activity.end('demo')
  await settleTurns()
  deepEqual([heard, activity.of('demo')], [[], 1])
  activity.end('demo')
  await settleTurns()
  deepEqual([heard, activity.of('demo')], [['rest'], 0])
  await activity.rest('demo')
})

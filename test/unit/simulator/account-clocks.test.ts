// test/unit/simulator/account-clocks.test.ts — clocks of accounts: order of alarms, persistence, and
// moves that do not settle.
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

test('an account clock that was never moved follows the system clock', async () => {
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

test('a move fires due alarms in order, each at its time, including those set meanwhile', async () => {
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

test('an alarm that is cancelled during a move does not fire', async () => {
  const { clocks, fired, set } = open()
  const later = set(1_000_200, 'later')
  clocks.of('demo').alarm(1_000_100, () => later.cancel())
  equal((await clocks.controls.advance('demo', 1_000)).fired, 1)
  deepEqual(fired, [])
})

test('a frozen clock fires no alarm; after its release alarms keep their remaining time', async () => {
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

test('moved and frozen clocks outlive a restart', async () => {
  const first = open()
  await first.clocks.controls.advance('ahead', 60_000)
  await first.clocks.controls.freeze('still')
  await first.base.advance(10_000)
  const second = open(first.memory, first.base)
  deepEqual(second.clocks.controls.read('ahead'), { now: 1_070_000, frozen: false, offsetMs: 60_000 })
  deepEqual(second.clocks.controls.read('still'), { now: 1_000_000, frozen: true, offsetMs: -10_000 })
  deepEqual(second.clocks.controls.read('other'), { now: 1_010_000, frozen: false, offsetMs: 0 })
})

test('a move waits for work under way, not for delays', async () => {
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

test('a move of an account that does not settle stops at the last alarm and reports it', async () => {
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

test('rest resolves when the last activity has ended', async () => {
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

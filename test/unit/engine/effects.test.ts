// test/unit/engine/effects.test.ts — effects are performed at least once, in order, and repeated until they succeed.
import { deepEqual, equal } from 'node:assert/strict'
import { test } from 'vitest'
import { oneClock } from '../../../src/engine/clocks.ts'
import { createEffects, type Performer } from '../../../src/engine/effects.ts'
import type { StoredEffect } from '../../../src/engine/ports/store.ts'
import { openMemoryStore } from '../../../src/store/sqlite/memory-store.ts'
import { keepingLog } from '../../support/silent-log.ts'
import { silentMeters } from '../../support/silent-meters.ts'
import { settleTurns, TestClock } from '../../support/test-clock.ts'

function effect(id: string, record = 'r1', type = 'call'): StoredEffect {
  return { account: 'demo', kind: 'terminal-transaction', id: record, effectId: id, type, body: '{}' }
}

function open(performer: Performer) {
  const clock = new TestClock()
  const retried: string[] = []
  const meters = { ...silentMeters, effectRetried: (type: string) => retried.push(type) }
  const log = keepingLog()
  const clocks = oneClock(clock)
  const effects = createEffects({ performers: { call: performer }, store: openMemoryStore(), clocks, log, meters })
  return { effects, clock, retried, log }
}

test('effects of one record run in order, those of different records in parallel', async () => {
  const running: string[] = []
  let release = () => {}
  const gate = new Promise<void>(resolve => {
    release = resolve
  })
  const { effects } = open(async ({ effectId }) => {
    running.push(effectId)
    await gate
    return 'done'
  })
  effects.enqueue([effect('a1', 'a'), effect('a2', 'a'), effect('b1', 'b')])
  await settleTurns()
  deepEqual(running, ['a1', 'b1'])
  release()
  await settleTurns()
  deepEqual(running, ['a1', 'b1', 'a2'])
})

test('a failed effect is retried later, and the effects behind it wait', async () => {
  const tries: string[] = []
  const { effects, clock, retried } = open(async ({ effectId }) => {
    tries.push(effectId)
    if (effectId === 'first' && tries.length < 3) throw new Error('line down')
    return 'done'
  })
  effects.enqueue([effect('first'), effect('second')])
  await clock.advance(0)
  deepEqual(tries, ['first'])
  await clock.advance(49)
  deepEqual(tries, ['first'])
  await clock.advance(1)
  deepEqual(tries, ['first', 'first'])
  await clock.advance(250)
  deepEqual(tries, ['first', 'first', 'first', 'second'])
  deepEqual(retried, ['call', 'call'])
})

test('hurry retries a waiting effect at once', async () => {
  let up = false
  let tries = 0
  const { effects, clock } = open(async () => {
    tries += 1
    return up ? 'done' : 'again'
  })
  effects.enqueue([effect('first')])
  await clock.advance(10_000)
  const before = tries
  up = true
  effects.hurry(effect('first'))
  await settleTurns()
  equal(tries, before + 1)
  await clock.advance(120_000)
  equal(tries, before + 1)
})

test('stop waits for the effect under way and begins no other', async () => {
  const done: string[] = []
  let release = () => {}
  const gate = new Promise<void>(resolve => {
    release = resolve
  })
  const { effects, clock } = open(async ({ effectId }) => {
    await gate
    done.push(effectId)
    return 'done'
  })
  effects.enqueue([effect('first'), effect('second')])
  await settleTurns()
  const stopped = effects.stop()
  release()
  await stopped
  await clock.advance(60_000)
  deepEqual(done, ['first'])
  equal(effects.performing, 0)
})

test('an effect of an unknown type is logged and retried, not dropped', async () => {
  const { effects, clock, log, retried } = open(async () => 'done')
  effects.enqueue([effect('odd', 'r1', 'unheard_of')])
  await clock.advance(0)
  deepEqual(
    log.lines.map(({ level, message, fields }) => [level, message, fields['error']]),
    [['warn', 'effect failed', 'Error: no performer for effects of type unheard_of']],
  )
  // It is retried without end.
  await clock.advance(1_000)
  deepEqual(retried, ['unheard_of', 'unheard_of', 'unheard_of'])
})

test('an effect whose performer throws synchronously is retried, and can be stopped', async () => {
  let tries = 0
  const { effects, clock, retried, log } = open(() => {
    tries += 1
    throw new Error('no driver')
  })
  effects.enqueue([effect('first')])
  await settleTurns()
  deepEqual([tries, effects.performing], [1, 0])
  await clock.advance(50)
  deepEqual([tries, retried.length], [2, 2])
  equal(log.lines.length, 2)
  await effects.stop()
  await clock.advance(60_000)
  equal(tries, 2)
})

test('effects that are enqueued together are tried once for each record', async () => {
  const tries: string[] = []
  const { effects, retried } = open(async ({ effectId }) => {
    tries.push(effectId)
    return 'again'
  })
  effects.enqueue([effect('a1', 'a'), effect('b1', 'b'), effect('a2', 'a')])
  await settleTurns()
  deepEqual(tries, ['a1', 'b1'])
  equal(retried.length, 2)
})

test('a new effect retries the waiting effects of its record at once', async () => {
  const tries: string[] = []
  const { effects, clock } = open(async ({ effectId }) => {
    tries.push(effectId)
    return effectId === 'first' && tries.length < 3 ? 'again' : 'done'
  })
  effects.enqueue([effect('first')])
  await clock.advance(60)
  deepEqual(tries, ['first', 'first'])
  effects.enqueue([effect('second')])
  await clock.advance(0)
  deepEqual(tries, ['first', 'first', 'first', 'second'])
})

test('a new effect is performed whenever it arrives during a failed try, after the effect before it', async () => {
  for (let turns = 0; turns < 20; turns += 1) {
    const tries: string[] = []
    const { effects, clock } = open(async ({ effectId }) => {
      tries.push(effectId)
      return effectId === 'first' && tries.length < 2 ? 'again' : 'done'
    })
    effects.enqueue([effect('first')])
    // Each await settles one round of promises, so some turns fall between a try and the wait for the next one.
    for (let turn = 0; turn < turns; turn += 1) await null
    effects.enqueue([effect('second')])
    await clock.advance(0)
    deepEqual(tries, ['first', 'first', 'second'], `after ${turns} turns`)
  }
})

test('hurry during a try is not lost', async () => {
  for (let turns = 0; turns < 20; turns += 1) {
    let up = false
    let tries = 0
    const { effects, clock } = open(async () => {
      tries += 1
      return up ? 'done' : 'again'
    })
    effects.enqueue([effect('first')])
    for (let turn = 0; turn < turns; turn += 1) await null
    up = true
    effects.hurry(effect('first'))
    await clock.advance(0)
    equal(tries, 2, `after ${turns} turns`)
  }
})

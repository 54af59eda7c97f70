// test/unit/engine/effects.test.ts — effects are done at least once, in order, and again until they are taken.
import { deepEqual, equal } from 'node:assert/strict'
import { test } from 'vitest'
import { oneClock } from '../../../src/engine/clocks.ts'
import { createEffects, type Performer } from '../../../src/engine/effects.ts'
import type { Meters } from '../../../src/engine/ports/log.ts'
import type { StoredEffect } from '../../../src/engine/ports/store.ts'
import { openMemoryStore } from '../../../src/store/sqlite/memory.ts'
import { keepingLog } from '../../support/silent-log.ts'
import { settleTurns, TestClock } from '../../support/test-clock.ts'

function effect(id: string, record = 'r1', type = 'call'): StoredEffect {
  return { account: 'demo', kind: 'terminal-transaction', id: record, effectId: id, type, body: '{}' }
}

function open(performer: Performer) {
  const clock = new TestClock()
  const retried: string[] = []
  const meters: Meters = {
    committed() {},
    effectRetried: type => retried.push(type),
    transactionStarted() {},
    transactionFinished() {},
  }
  const log = keepingLog()
  const clocks = oneClock(clock)
  const effects = createEffects({ performers: { call: performer }, store: openMemoryStore(), clocks, log, meters })
  return { effects, clock, retried, log }
}

test('effects of one record run one after the other, those of two records side by side', async () => {
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

test('an effect that finds no answer is tried again later, and the ones behind it wait', async () => {
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

test('a change in the world hurries the next try', async () => {
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

test('stopping waits for what is being performed and begins nothing new', async () => {
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

test('an effect of an unknown type is kept and reported, not dropped', async () => {
  const { effects, clock, log, retried } = open(async () => 'done')
  effects.enqueue([effect('odd', 'r1', 'unheard_of')])
  await clock.advance(0)
  deepEqual(
    log.lines.map(({ level, message, fields }) => [level, message, fields['error']]),
    [['warn', 'effect failed', 'Error: no performer for effects of type unheard_of']],
  )
  // It waits for the next try, for as long as it takes.
  await clock.advance(1_000)
  deepEqual(retried, ['unheard_of', 'unheard_of', 'unheard_of'])
})

test('a performer that throws before it has begun is tried again in its time, and can be stopped', async () => {
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

test('what is found undone at a start is tried once for each record, however it is mixed', async () => {
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

test('a new effect makes the ones that wait for another try be looked at at once', async () => {
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

test('an effect that comes at whatever moment of a try in vain is done, and so is the one before it', async () => {
  for (let turns = 0; turns < 20; turns += 1) {
    const tries: string[] = []
    const { effects, clock } = open(async ({ effectId }) => {
      tries.push(effectId)
      return effectId === 'first' && tries.length < 2 ? 'again' : 'done'
    })
    effects.enqueue([effect('first')])
    // Each await lets one round of promises settle: between the end of a try and the wait for the next one, too.
    for (let turn = 0; turn < turns; turn += 1) await null
    effects.enqueue([effect('second')])
    await clock.advance(0)
    deepEqual(tries, ['first', 'first', 'second'], `after ${turns} turns`)
  }
})

test('a change in the world is not missed while a try is under way', async () => {
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

// test/unit/engine/timers.test.ts — due timers fire in order, also after a restart, and not for ever.
import { deepEqual, equal } from 'node:assert/strict'
import { test } from 'vitest'
import { oneClock } from '../../../src/engine/clocks.ts'
import type { Commit, Store, StoredTimer } from '../../../src/engine/ports/store.ts'
import { createTimers } from '../../../src/engine/timers.ts'
import { openMemoryStore } from '../../../src/store/sqlite/memory-store.ts'
import { keepingLog } from '../../support/silent-log.ts'
import { TestClock } from '../../support/test-clock.ts'

function commit(id: string, version: number, timers: Commit['timers']): Commit {
  return {
    account: 'demo',
    kind: 'thing',
    id,
    expectedVersion: version - 1,
    version,
    body: '{}',
    parent: '',
    live: true,
    lockKey: null,
    at: 0,
    events: [],
    effects: [],
    effectsDone: [],
    timers,
    idempotency: null,
  }
}

function open(store: Store, clock: TestClock, fire?: (timer: StoredTimer) => Promise<boolean>) {
  const fired: string[] = []
  const log = keepingLog()
  const timers = createTimers({
    store,
    clocks: oneClock(clock),
    log,
    fire:
      fire ??
      (async timer => {
        fired.push(`${timer.id}@${clock.now()}`)
        await store.commit(commit(timer.id, 2, []))
        return true
      }),
  })
  return { timers, fired, log }
}

test('timers fire when they are due, in order', async () => {
  const clock = new TestClock(0)
  const store = openMemoryStore()
  const { timers, fired } = open(store, clock)
  await timers.start()
  for (const [id, dueAt] of [
    ['late', 500],
    ['early', 100],
  ] as const) {
    await store.commit(commit(id, 1, [{ name: 'limit', dueAt }]))
    timers.set([{ account: 'demo', kind: 'thing', id, name: 'limit', dueAt }])
  }
  await clock.advance(99)
  deepEqual(fired, [])
  await clock.advance(1_000)
  deepEqual(fired, ['early@100', 'late@500'])
})

test('an overdue timer fires at the start', async () => {
  const clock = new TestClock(10_000)
  const store = openMemoryStore()
  await store.commit(commit('overdue', 1, [{ name: 'limit', dueAt: 5 }]))
  const { timers, fired } = open(store, clock)
  await timers.start()
  deepEqual(fired, ['overdue@10000'])
})

test('all due timers fire when there are more than one batch', async () => {
  const clock = new TestClock(10_000)
  const store = openMemoryStore()
  for (let index = 0; index < 450; index += 1)
    await store.commit(commit(`t${index}`, 1, [{ name: 'limit', dueAt: index }]))
  const { timers, fired } = open(store, clock)
  await timers.start()
  equal(fired.length, 450)
})

test('a timer that changes nothing is logged once and does not delay others', async () => {
  const clock = new TestClock(0)
  const store = openMemoryStore()
  await store.commit(commit('stuck', 1, [{ name: 'limit', dueAt: 1 }]))
  await store.commit(commit('fine', 1, [{ name: 'limit', dueAt: 2 }]))
  const fired: string[] = []
  const { timers, log } = open(store, clock, async timer => {
    fired.push(timer.id)
    if (timer.id === 'fine') await store.commit(commit('fine', 2, []))
    return timer.id === 'fine'
  })
  await timers.start()
  await clock.advance(60_000)
  deepEqual(fired, ['stuck', 'fine'])
  deepEqual(
    log.lines.map(line => line.message),
    ['timer changed nothing'],
  )
})

test('timers are read again after the store failed', async () => {
  const clock = new TestClock(0)
  const store = openMemoryStore()
  await store.commit(commit('waiting', 1, [{ name: 'limit', dueAt: 1 }]))
  let broken = true
  const flaky: Store = {
    ...store,
    dueTimers: async (...args) => (broken ? Promise.reject(new Error('disk')) : store.dueTimers(...args)),
  }
  const { timers, fired } = open(flaky, clock)
  await timers.start()
  broken = false
  await clock.advance(5_000)
  equal(fired.length, 1)
  await timers.stop()
})

test('with a clock for each account, its timers fire by that clock', async () => {
  const clocks = { demo: new TestClock(0), other: new TestClock(0) }
  const store = openMemoryStore()
  const fired: string[] = []
  const timers = createTimers({
    store,
    clocks: { of: account => clocks[account as 'demo'], shared: false },
    log: keepingLog(),
    fire: async timer => {
      fired.push(`${timer.account} ${timer.id}`)
      await store.commit({ ...commit(timer.id, 2, []), account: timer.account })
      return true
    },
  })
  const limit = { name: 'limit', dueAt: 100 }
  await store.commit(commit('before the start', 1, [limit]))
  await timers.start()
  for (const account of ['demo', 'other']) {
    await store.commit({ ...commit('after it', 1, [limit]), account })
    timers.set([{ account, kind: 'thing', id: 'after it', ...limit }])
  }
  await clocks.other.advance(100)
  deepEqual(fired, ['other after it'])
  await clocks.demo.advance(100)
  deepEqual(fired, ['other after it', 'demo before the start', 'demo after it'])
  await timers.stop()
})

test('running timers keep their remaining time when the clock is set back, and later ones use the new time', async () => {
  const clock = new TestClock(10_000_000)
  const store = openMemoryStore()
  const { timers, fired, log } = open(store, clock)
  await timers.start()
  const set = async (id: string, dueAt: number) => {
    await store.commit(commit(id, 1, [{ name: 'limit', dueAt }]))
    timers.set([{ account: 'demo', kind: 'thing', id, name: 'limit', dueAt }])
  }
  await set('before', 10_200_000)
  await set('gone', 10_300_000)
  await clock.advance(100_000)
  await clock.setBack(3_600_000)
  equal(log.lines.filter(({ level }) => level === 'warn').length, 1)
  const now = clock.now()
  await set('after', now + 50_000)
  await store.commit(commit('gone', 2, []))
  await clock.advance(49_999)
  deepEqual(fired, [])
  await clock.advance(150_001)
  deepEqual(fired, [`after@${now + 50_000}`, `before@${now + 100_000}`])
  await timers.stop()
})

test('a timer with an absolute time keeps its stored time when the clock is set back', async () => {
  const clock = new TestClock(10_000_000)
  const store = openMemoryStore()
  const fired: number[] = []
  const fire = async () => {
    fired.push(clock.now())
    if (clock.now() < 10_200_000) return false
    await store.commit(commit('secret', 2, []))
    return true
  }
  const { timers, log } = open(store, clock, fire)
  await store.commit(commit('secret', 1, [{ name: 'retire', dueAt: 10_200_000 }]))
  await timers.start()
  await clock.setBack(3_600_000)
  await clock.advance(4_000_000)
  deepEqual(fired, [6_600_000, 10_200_000])
  deepEqual(
    log.lines.filter(({ level }) => level === 'error'),
    [],
  )
  await timers.stop()
})

// test/unit/engine/remote-changes.test.ts — publishes the commits of other processes, once each and in order.
import { deepEqual, equal, rejects } from 'node:assert/strict'
import { test } from 'vitest'
import { createRecordCache } from '../../../src/engine/cache.ts'
import { oneClock } from '../../../src/engine/clocks.ts'
import { createEngine } from '../../../src/engine/engine.ts'
import { type Change, createFeed } from '../../../src/engine/feed.ts'
import { TERMINAL } from '../../../src/engine/machines.ts'
import type { Store, StoredEvent } from '../../../src/engine/ports/store.ts'
import { createRemoteChanges } from '../../../src/engine/remote-changes.ts'
import { freshSettings } from '../../../src/services/provisioning/provisioning.ts'
import { openMemoryStore } from '../../../src/store/sqlite/memory-store.ts'
import { withAllAsOthers } from '../../support/other-process.ts'
import { keepingLog } from '../../support/silent-log.ts'
import { TestClock } from '../../support/test-clock.ts'

/** A process that follows, and one that changes terminals. Every event counts as the other's. */
function openBoth(allEvents?: Store['allEvents'], shared = false) {
  const store = openMemoryStore()
  const clock = new TestClock(0)
  const log = keepingLog()
  const cache = createRecordCache(100)
  const feed = createFeed()
  const changes: Change[] = []
  let committed = 0
  feed.followAll(change => changes.push(change))
  const remote = createRemoteChanges({
    store: { ...withAllAsOthers(store, allEvents), shared },
    ...{ clock, log, cache, feed },
    committed() {
      committed += 1
    },
  })
  const parts = { store, clocks: oneClock(clock), feed: createFeed(), cache: createRecordCache(0) }
  const other = createEngine(parts)
  const add = (tid: string) =>
    other.execute(
      TERMINAL,
      { account: 'demo', id: tid },
      { type: 'add', tid, merchantAccount: 'demo', driver: 'simulated', settings: freshSettings('GBP') },
    )
  const remove = (tid: string) => other.execute(TERMINAL, { account: 'demo', id: tid }, { type: 'remove' })
  const told = () => changes.map(({ id, version, events }) => [id, version, ...events.map(({ type }) => type)])
  return { store, clock, log, cache, remote, add, remove, told, committed: () => committed }
}

test('only commits after the first read are published: older ones cannot be in memory', async () => {
  const { remote, add, told, clock } = openBoth()
  await add('T1')
  await remote.refresh(true)
  deepEqual(told(), [])
  await add('T2')
  await clock.advance(1_000)
  await remote.refresh(true)
  deepEqual(told(), [['T2', 1, 'added']])
})

test('the feed is read at most once a second, also with simultaneous calls or a clock set back', async () => {
  let reads = 0
  const { remote, clock } = openBoth(async () => {
    reads += 1
    return []
  })
  await Promise.all([remote.refresh(true), remote.refresh(true), remote.refresh(true)])
  equal(reads, 1)
  await clock.advance(999)
  equal(remote.refresh(true), undefined)
  await clock.advance(1)
  await remote.refresh(true)
  equal(reads, 2)
})

test('events of one record are published together, with the current record', async () => {
  const { remote, clock, add, remove, told, cache, committed } = openBoth()
  await remote.refresh(true)
  await add('T1')
  await add('T2')
  await remove('T1')
  await clock.advance(1_000)
  await remote.refresh(true)
  deepEqual(told(), [
    ['T1', 2, 'added', 'removed'],
    ['T2', 1, 'added'],
  ])
  equal(cache.get({ account: 'demo', kind: TERMINAL.kind, id: 'T1' })?.version, 2)
  equal(committed(), 1)
  await clock.advance(1_000)
  await remote.refresh(true)
  equal(told().length, 2, 'each is published once')
  equal(committed(), 1)
})

test('more events than fit into one read are all published', async () => {
  const { remote, clock, add, told } = openBoth()
  await remote.refresh(true)
  for (let index = 0; index < 450; index += 1) await add(`T${index}`)
  await clock.advance(1_000)
  await remote.refresh(true)
  deepEqual(
    told().map(([id]) => id),
    Array.from({ length: 450 }, (_, index) => `T${index}`),
  )
})

test('a record that cannot be read is dropped from memory and hides no other', async () => {
  const { remote, add, told, log, cache } = openBoth(async (after, limit) => {
    const unknown: StoredEvent = {
      cursor: after + 1,
      account: 'demo',
      kind: 'unknown',
      id: 'x',
      version: 1,
      at: 0,
      type: 'made',
      body: '{}',
    }
    return after < 100 && limit > 0
      ? [unknown, { ...unknown, cursor: 100, kind: TERMINAL.kind, id: 'T1', type: 'added' }]
      : []
  })
  await add('T1')
  cache.put({ account: 'demo', kind: 'unknown', id: 'x' }, {}, 1)
  await remote.refresh(true)
  deepEqual(told(), [['T1', 1, 'added']])
  equal(cache.get({ account: 'demo', kind: 'unknown', id: 'x' }), undefined)
  equal(log.lines.length, 0, 'a record that is gone is no fault')
})

test('after a failed read the store is read again from the same cursor', async () => {
  let broken = false
  const both = openBoth((after, limit) =>
    broken ? Promise.reject(new Error('disk')) : both.store.allEvents(after, limit),
  )
  const { remote, clock, add, told } = both
  await remote.refresh(true)
  await add('T1')
  broken = true
  await clock.advance(1_000)
  await rejects(async () => remote.refresh(true), /disk/)
  broken = false
  await remote.refresh(true)
  deepEqual(told(), [['T1', 1, 'added']])
})

test('after start it reads every second, also after a failure, until stop', async () => {
  let broken = false
  const both = openBoth((after, limit) =>
    broken ? Promise.reject(new Error('disk')) : both.store.allEvents(after, limit),
  )
  const { remote, clock, add, told, log } = both
  await remote.refresh(true)
  remote.start()
  await add('T1')
  await clock.advance(1_000)
  deepEqual(told(), [['T1', 1, 'added']])
  broken = true
  await clock.advance(1_000)
  equal(log.lines.filter(({ level }) => level === 'error').length, 1)
  broken = false
  await add('T2')
  await clock.advance(1_000)
  equal(told().length, 2)
  remote.stop()
  await add('T3')
  await clock.advance(5_000)
  equal(told().length, 2)
})

test('on a shared store every look is answered by a read that began after it, and looks share reads', async () => {
  let reads = 0
  let answer = (): void => {}
  const both = openBoth(async (after, limit) => {
    reads += 1
    await new Promise<void>(resolve => (answer = resolve))
    return both.store.allEvents(after, limit)
  }, true)
  const { remote, add, cache } = both
  const key = { account: 'demo', kind: TERMINAL.kind, id: 'T1' }
  const first = remote.refresh(false)
  await settled()
  equal(reads, 1)
  // These came after the read under way had begun: one more serves all of them.
  await add('T1')
  const later = [1, 2, 3].map(() => remote.refresh(false))
  await settled()
  equal(reads, 1)
  answer()
  await first
  await settled()
  equal(reads, 2)
  answer()
  await Promise.all(later)
  equal(cache.get(key)?.version, 1)
  equal(reads, 2)
})

test('changes that were read and not loaded, because the store failed in between, are published later', async () => {
  const both = openBoth()
  const { clock, add, told } = both
  let broken = true
  const feed = createFeed()
  feed.followAll(({ id, own }) => seen.push(`${id} ${own}`))
  const seen: string[] = []
  const remote = createRemoteChanges({
    store: {
      ...withAllAsOthers(both.store),
      loadAll: keys => (broken ? Promise.reject(new Error('disk')) : both.store.loadAll(keys)),
    },
    ...{ clock, log: both.log, cache: both.cache, feed, committed() {} },
  })
  await remote.refresh(true)
  await add('T1')
  await clock.advance(1_000)
  await rejects(async () => remote.refresh(true), /disk/)
  broken = false
  await add('T2')
  await remote.refresh(true)
  deepEqual(seen, ['T1 false', 'T2 false'])
  deepEqual(told(), [])
})

test('a change of another process does not undo a later one of this process', async () => {
  const both = openBoth()
  const { remote, clock, add, told, cache } = both
  await remote.refresh(true)
  await add('T1')
  const key = { account: 'demo', kind: TERMINAL.kind, id: 'T1' }
  // Committed and cached here while the feed was read.
  cache.put(key, { newest: true }, 7)
  cache.drop = () => {}
  await clock.advance(1_000)
  await remote.refresh(true)
  deepEqual(told(), [])
  equal(cache.get(key)?.version, 7)
})

/** Lets pending promises run. */
async function settled(): Promise<void> {
  for (let turn = 0; turn < 20; turn += 1) await Promise.resolve()
}

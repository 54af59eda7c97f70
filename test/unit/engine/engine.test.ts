// test/unit/engine/engine.test.ts — the engine: commits, what follows a commit, and races.
import { deepEqual, equal, ok, rejects } from 'node:assert/strict'
import { test } from 'vitest'
import { createRecordCache } from '../../../src/engine/cache.ts'
import { oneClock } from '../../../src/engine/clocks.ts'
import { decodeRecord } from '../../../src/engine/decoding.ts'
import { createEngine, type EngineParts } from '../../../src/engine/engine.ts'
import { type Change, createFeed } from '../../../src/engine/feed.ts'
import { TERMINAL, TERMINAL_TRANSACTION } from '../../../src/engine/machines.ts'
import type { Commit, Lease, Store, StoredEffect, StoredTimer } from '../../../src/engine/ports/store.ts'
import { createRemoteChanges } from '../../../src/engine/remote-changes.ts'
import { createTerminals, type Fleet } from '../../../src/services/counter/terminals.ts'
import { freshSettings } from '../../../src/services/provisioning/provisioning.ts'
import { openMemoryStore } from '../../../src/store/sqlite/memory-store.ts'
import { withAllAsOthers } from '../../support/other-process.ts'
import { SALE } from '../../support/records.ts'
import { silentLog } from '../../support/silent-log.ts'
import { settleTurns, TestClock } from '../../support/test-clock.ts'

const facts = {
  terminal: { authorisedBy: 'gateway', paperOut: false },
  live: null,
  limits: { transactionMs: 200_000, signatureMs: 80_000 },
} as const

function start(requestId: string, tid = '22160001') {
  const partner = { softwareHouseId: 'house', installerId: null }
  return { type: 'start', requestId, merchantAccount: 'demo', tid, request: SALE, partner } as const
}

interface Options extends Pick<EngineParts, 'remote' | 'leases'> {
  readonly store?: Store
  readonly cached?: number
}

function openEngine(options: Options = {}) {
  const clock = new TestClock()
  const store = options.store ?? openMemoryStore()
  const feed = createFeed()
  const cache = createRecordCache(options.cached ?? 100)
  const remote =
    options.remote ?? createRemoteChanges({ store, clock, log: silentLog, cache, feed, committed: async () => {} })
  const leases = options.leases === undefined ? {} : { leases: options.leases }
  const engine = createEngine({ store, clocks: oneClock(clock), feed, remote, cache, ...leases })
  const told: { effects: StoredEffect[]; timers: StoredTimer[]; changes: Change[] } = {
    effects: [],
    timers: [],
    changes: [],
  }
  engine.attach({
    effects: effects => told.effects.push(...effects),
    timers: timers => told.timers.push(...timers),
    hurry: () => {},
  })
  feed.followAll(change => told.changes.push(change))
  return { engine, store, clock, feed, cache, told }
}

for (const cached of [0, 100]) {
  test(`a start is stored and published with its event, effect and timer (cache of ${cached})`, async () => {
    const { engine, store, clock, told } = openEngine({ cached })
    const executed = await engine.execute(TERMINAL_TRANSACTION, { account: 'demo', id: 'r1' }, start('r1'), {
      facts: () => facts,
    })
    ok('record' in executed)
    equal(executed.record.progress, 'accepted')
    const key = { account: 'demo', kind: 'terminal-transaction', id: 'r1' }
    deepEqual(decodeRecord(TERMINAL_TRANSACTION, (await store.load(key))!.body), executed.record)
    equal((await store.eventsOf(key)).length, 1)
    deepEqual(
      (await store.undoneEffects(10)).map(effect => effect.effectId),
      ['r1.1.terminal.start'],
    )
    equal(await store.nextTimerAt(), clock.now() + 200_000)
    deepEqual(
      told.effects.map(effect => effect.effectId),
      ['r1.1.terminal.start'],
    )
    equal(told.timers.length, 1)
    equal(told.changes.length, 1)
  })

  test(`a refusal writes and publishes nothing (cache of ${cached})`, async () => {
    const { engine, store, told } = openEngine({ cached })
    const executed = await engine.execute(TERMINAL_TRANSACTION, { account: 'demo', id: 'r1' }, start('r1'), {
      facts: () => ({ ...facts, terminal: null }),
    })
    deepEqual(executed, { refused: { code: 'terminal_unavailable', tid: '22160001' } })
    equal(await store.load({ account: 'demo', kind: 'terminal-transaction', id: 'r1' }), null)
    deepEqual(told, { effects: [], timers: [], changes: [] })
  })

  test(`exactly one of fifty simultaneous starts on a terminal succeeds (cache of ${cached})`, async () => {
    const { engine, store } = openEngine({ cached })
    const liveFacts = async () => {
      const holder = await store.lockHolderOf('demo', 'terminal:22160001')
      return { ...facts, live: holder === null ? null : { requestId: holder.id, awaitsSignature: false } }
    }
    const all = await Promise.all(
      Array.from({ length: 50 }, (_, index) =>
        engine.execute(TERMINAL_TRANSACTION, { account: 'demo', id: `r${index}` }, start(`r${index}`), {
          facts: liveFacts,
        }),
      ),
    )
    equal(all.filter(executed => 'record' in executed).length, 1)
    for (const executed of all) if ('refused' in executed) equal(executed.refused.code, 'terminal_busy')
  })

  test(`commands on one record are executed in order (cache of ${cached})`, async () => {
    const { engine, store } = openEngine({ cached })
    const key = { account: 'demo', id: 'r1' }
    await engine.execute(TERMINAL_TRANSACTION, key, start('r1'), { facts: () => facts })
    await Promise.all(
      Array.from({ length: 30 }, (_, index) =>
        engine.execute(
          TERMINAL_TRANSACTION,
          key,
          { type: 'terminal_reports', sequence: index + 1, reports: [{ type: 'prompted', prompt: 'PRESENT_CARD' }] },
          { report: index + 1 },
        ),
      ),
    )
    const entry = await engine.read(TERMINAL_TRANSACTION, key)
    equal(entry?.version, 31)
    equal(entry?.record.lastReport, 30)
    equal((await store.eventsOf({ ...key, kind: 'terminal-transaction' })).length, 31)
  })
}

test('a command is decided again after a change by another process', async () => {
  const store = openMemoryStore()
  const here = openEngine({ store }).engine
  const there = openEngine({ store }).engine
  const key = { account: 'demo', id: '22160001' }
  const add = {
    type: 'add',
    tid: '22160001',
    merchantAccount: 'demo',
    driver: 'simulated',
    settings: freshSettings('GBP'),
  } as const
  await here.execute(TERMINAL, key, add)
  await there.execute(TERMINAL, key, { type: 'configure', changes: { gratuity: true } })
  const executed = await here.execute(TERMINAL, key, { type: 'configure', changes: { printing: false } })
  ok('record' in executed)
  deepEqual([executed.record.settings.gratuity, executed.record.settings.printing], [true, false])
})

test('a change by another process is seen within a second', async () => {
  const store = openMemoryStore()
  // For the first engine every event is from another process.
  const { engine: here, clock } = openEngine({ store: withAllAsOthers(store) })
  const { engine: there } = openEngine({ store })
  const key = { account: 'demo', id: '22160001' }
  const add = {
    type: 'add',
    tid: '22160001',
    merchantAccount: 'demo',
    driver: 'simulated',
    settings: freshSettings('GBP'),
  } as const
  await here.execute(TERMINAL, key, add)
  equal((await here.read(TERMINAL, key))?.record.status, 'installed')
  await there.execute(TERMINAL, key, { type: 'remove' })
  equal((await here.read(TERMINAL, key))?.record.status, 'installed')
  await clock.advance(1_000)
  equal((await here.read(TERMINAL, key))?.record.status, 'removed')
})

test('a record loaded before a remote change and received after it is not cached', async () => {
  const store = openMemoryStore()
  let epoch = 0
  let slow: Promise<void> | null = null
  const loading: Store = {
    ...store,
    async load(key) {
      const stored = await store.load(key)
      await slow
      return stored
    },
  }
  const remote = {
    get epoch() {
      return epoch
    },
    refresh: () => undefined,
  }
  const { engine } = openEngine({ store: loading, remote })
  const key = { account: 'demo', id: 'r1' }
  await engine.execute(TERMINAL_TRANSACTION, key, start('r1'), { facts: () => facts })
  const fresh = openEngine({ store: loading, remote })
  let arrive = (): void => {}
  slow = new Promise(resolve => (arrive = resolve))
  const reading = fresh.engine.read(TERMINAL_TRANSACTION, key)
  epoch += 1
  arrive()
  const old = await reading
  const again = await fresh.engine.read(TERMINAL_TRANSACTION, key)
  ok(old !== null && again !== null && old !== again)
  equal(await fresh.engine.read(TERMINAL_TRANSACTION, key), again, 'the second one is cached')
})

test('timers and outcomes of effects are committed under the lease of the account, requests under none', async () => {
  const store = openMemoryStore()
  const commits: Commit[] = []
  const [lease] = (await store.claimLanes()).leases
  const noting: Store = {
    ...store,
    commit(commit) {
      commits.push(commit)
      return store.commit(commit)
    },
  }
  const { engine } = openEngine({ store: noting, leases: { of: () => lease!, refused() {} } })
  const key = { account: 'demo', id: 'r1' }
  await engine.execute(TERMINAL_TRANSACTION, key, start('r1'), { facts: () => facts })
  await engine.execute(TERMINAL_TRANSACTION, key, { type: 'cancel' }, { effectsDone: ['r1:1:terminal.start'] })
  await engine.execute(TERMINAL_TRANSACTION, key, { type: 'time_is_up', timer: 'limit' }, { timer: true })
  deepEqual(
    commits.map(commit => commit.lease),
    [undefined, lease, lease],
  )
})

test('without the lease of the account, a commit of an effect or timer is refused', async () => {
  const store = openMemoryStore()
  const refused: Lease[] = []
  let lease: Lease | null = { lane: 0, fence: 1_000 }
  const { engine, told } = openEngine({ store, leases: { of: () => lease, refused: given => refused.push(given) } })
  const key = { account: 'demo', id: 'r1' }
  await engine.execute(TERMINAL_TRANSACTION, key, start('r1'), { facts: () => facts })
  const late = () => engine.execute(TERMINAL_TRANSACTION, key, { type: 'time_is_up', timer: 'limit' }, { timer: true })
  await rejects(late(), { code: 'lease_lost' })
  deepEqual(refused, [lease], 'the store refused it')
  lease = null
  await rejects(late(), { code: 'lease_lost' })
  equal(refused.length, 1, 'the store was not asked')
  equal(told.changes.length, 1)
  equal((await store.eventsOf({ ...key, kind: TERMINAL_TRANSACTION.kind })).length, 1)
})

test('a command fails with a fault after three lost races', async () => {
  const store = openMemoryStore()
  let tries = 0
  const unlucky: Store = {
    ...store,
    commit: async () => {
      tries += 1
      return 'version_moved'
    },
  }
  const { engine } = openEngine({ store: unlucky })
  await rejects(
    engine.execute(TERMINAL_TRANSACTION, { account: 'demo', id: 'r1' }, start('r1'), { facts: () => facts }),
    { code: 'contention' },
  )
  equal(tries, 3)
})

test('a change is published after its commit; its effects and timers follow even if a listener throws', async () => {
  const order: string[] = []
  const feed = createFeed()
  const memory = openMemoryStore()
  const store: Store = {
    ...memory,
    async commit(commit) {
      const result = await memory.commit(commit)
      order.push('written')
      return result
    },
  }
  const clocks = oneClock(new TestClock())
  const telling = createEngine({ store, clocks, feed, cache: createRecordCache(100) })
  telling.attach({ effects: () => order.push('effects'), timers: () => order.push('timers'), hurry: () => {} })
  feed.followAll(() => {
    order.push('feed')
    throw new Error('a listener with a fault')
  })
  await rejects(
    telling.execute(TERMINAL_TRANSACTION, { account: 'demo', id: 'r1' }, start('r1'), { facts: () => facts }),
    /a listener with a fault/,
  )
  deepEqual(order, ['written', 'feed', 'effects', 'timers'])
  equal(telling.busy, 0)
})

/** Options for a record with a new id. `attempts` collects the number of each attempt. */
const asNew = (attempts: number[] = []) => ({
  isNew: true as const,
  facts: (_record: unknown, attempt: number) => {
    attempts.push(attempt)
    return facts
  },
})

test('a new record with a taken id is decided again on the existing record', async () => {
  const { engine } = openEngine()
  const key = { account: 'demo', id: 'r1' }
  await engine.execute(TERMINAL_TRANSACTION, key, start('r1'), asNew())
  const attempts: number[] = []
  const again = engine.execute(TERMINAL_TRANSACTION, key, start('r1', '22160002'), asNew(attempts))
  await rejects(again, /a request id was given twice/)
  deepEqual(attempts, [1, 2])
  equal((await engine.read(TERMINAL_TRANSACTION, key))?.record.tid, '22160001')
  equal(engine.busy, 0)
})

test('the facts of a new record are read again when its lock key is taken', async () => {
  const { engine } = openEngine()
  await engine.execute(TERMINAL_TRANSACTION, { account: 'demo', id: 'r1' }, start('r1'), asNew())
  const attempts: number[] = []
  const live = { requestId: 'r1', awaitsSignature: false }
  const second = await engine.execute(TERMINAL_TRANSACTION, { account: 'demo', id: 'r2' }, start('r2'), {
    isNew: true,
    facts: (_record, attempt) => {
      attempts.push(attempt)
      return attempt === 1 ? facts : { ...facts, live }
    },
  })
  deepEqual(attempts, [1, 2])
  equal('refused' in second ? second.refused.code : null, 'terminal_busy')
  equal(engine.busy, 0)
})

test('the engine is busy until a new record is published or its commit fails, and not while its account is held', async () => {
  const store = openMemoryStore()
  const { engine } = openEngine({ store })
  const release = engine.pause('demo')
  const held = engine.execute(TERMINAL_TRANSACTION, { account: 'demo', id: 'r1' }, start('r1'), asNew())
  equal(engine.busy, 0)
  release()
  ok('record' in (await held))
  equal(engine.busy, 0)
  const { engine: failing } = openEngine({ store: { ...store, commit: () => Promise.reject(new Error('disk')) } })
  const failed = failing.execute(TERMINAL_TRANSACTION, { account: 'demo', id: 'r2' }, start('r2'), asNew())
  equal(failing.busy, 1)
  await rejects(failed, /disk/)
  equal(failing.busy, 0)
})

test('while a commit has no answer nothing is shown that another node may deny', async () => {
  const written = openMemoryStore()
  /** Ends the silence after a commit. */
  let answer: (error?: Error) => void = () => {}
  let isSilent = false
  const store: Store = {
    ...written,
    shared: true,
    async commit(change) {
      const result = await written.commit(change)
      if (isSilent)
        await new Promise<void>((resolve, reject) => (answer = error => (error ? reject(error) : resolve())))
      return result
    },
  }
  const { engine, feed, cache } = openEngine({ store })
  const terminals = createTerminals({ engine, store, feed, cache, fleet: {} as Fleet })
  const key = { account: 'demo', id: 'r1' }
  const seen = async () => ({
    version: (await engine.read(TERMINAL_TRANSACTION, key))?.version,
    live: (await terminals.liveOn('demo', '22160001'))?.kind,
  })
  await engine.execute(TERMINAL_TRANSACTION, key, start('r1'), { facts: () => facts })
  deepEqual(await seen(), { version: 1, live: 'transaction' })

  isSilent = true
  const forgetting = engine.execute(TERMINAL_TRANSACTION, key, { type: 'terminal_forgot' })
  await settleTurns()
  deepEqual(await seen(), { version: 2, live: undefined })
  equal(engine.isChanging('demo', '22160001'), true)
  answer()
  equal('record' in (await forgetting), true)
  equal(engine.isChanging('demo', '22160001'), false)
  deepEqual(await seen(), { version: 2, live: undefined })

  const failing = engine.execute(TERMINAL_TRANSACTION, { account: 'demo', id: 'r2' }, start('r2'), {
    facts: () => facts,
  })
  await settleTurns()
  equal((await terminals.liveOn('demo', '22160001'))?.kind, 'transaction')
  answer(new Error('no answer'))
  await rejects(failing)
  await settleTurns()
  equal(engine.isChanging('demo', '22160001'), false)
})

test('a commit whose answer comes after the changes of another node hides none of them', async () => {
  const written = openMemoryStore()
  const answers: (() => void)[] = []
  const store: Store = {
    ...withAllAsOthers(written),
    shared: true,
    async commit(change) {
      const result = await written.commit(change)
      await new Promise<void>(resolve => void answers.push(resolve))
      return result
    },
  }
  const { engine, feed, cache, told } = openEngine({ store })
  const terminals = createTerminals({ engine, store, feed, cache, fleet: {} as Fleet })
  const other = openEngine({ store: written, cached: 0 })
  const key = { account: 'demo', id: 'r1' }
  const seen = async () => ({
    version: (await engine.read(TERMINAL_TRANSACTION, key))?.version,
    live: (await terminals.liveOn('demo', '22160001'))?.kind,
  })
  // Follows from here on.
  equal(await engine.read(TERMINAL_TRANSACTION, key), null)
  const starting = engine.execute(TERMINAL_TRANSACTION, key, start('r1'), { isNew: true, facts: () => facts })
  await settleTurns()
  await other.engine.execute(TERMINAL_TRANSACTION, key, { type: 'terminal_forgot' })
  deepEqual(await seen(), { version: 2, live: undefined })
  for (const answer of answers) answer()
  equal('record' in (await starting), true)
  deepEqual(await seen(), { version: 2, live: undefined })
  const last = told.changes.at(-1)
  deepEqual([last?.own, last?.version, last?.events.map(({ type }) => type)], [true, 2, ['started']])
  equal(told.effects.length, 1)
})

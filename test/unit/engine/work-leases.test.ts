// test/unit/engine/work-leases.test.ts — lanes are claimed, renewed, lost and taken over. Each account is in one lane.
import { deepEqual, equal, ok } from 'node:assert/strict'
import { test } from 'vitest'
import { oneClock } from '../../../src/engine/clocks.ts'
import { createEffects } from '../../../src/engine/effects.ts'
import { TERMINAL_TRANSACTION } from '../../../src/engine/machines.ts'
import type { Commit, Lease, StoredEffect } from '../../../src/engine/ports/store.ts'
import type { TerminalSink } from '../../../src/engine/ports/terminal.ts'
import { createTakingOver } from '../../../src/engine/taking-over.ts'
import { createTimers } from '../../../src/engine/timers.ts'
import { createWorkLeases, laneOf } from '../../../src/engine/work-leases.ts'
import { openMemoryStore } from '../../../src/store/sqlite/memory-store.ts'
import { change, effect } from '../../support/changes.ts'
import { aTransaction } from '../../support/records.ts'
import { keepingLog } from '../../support/silent-log.ts'
import { silentMeters } from '../../support/silent-meters.ts'
import { TestClock } from '../../support/test-clock.ts'

const RENEW_MS = 1_000
const LANES = 4

/** A store that several processes share. The test sets the result of a claim. */
function openLeases(first: readonly Lease[]) {
  const clock = new TestClock(0)
  const log = keepingLog()
  let next: readonly Lease[] | Error = first
  let surplus = 0
  /** Ends the work in progress on lost lanes. */
  let endWork = (): void => {}
  let working: Promise<void> = Promise.resolve()
  const seen: string[] = []
  /** The addresses of other nodes, of each claim. */
  const known: (readonly string[])[] = []
  const leases = createWorkLeases({
    store: {
      lanes: { count: LANES, renewEveryMs: RENEW_MS },
      async claimLanes() {
        if (next instanceof Error) throw next
        return { leases: next, surplus, others: ['10.0.0.2:4021'] }
      },
      async releaseLanes(lanes) {
        seen.push(`released ${lanes.join(' ')}`)
      },
      async leaveLanes() {
        seen.push('left')
      },
    },
    clock,
    log,
    onOthers: addresses => void known.push(addresses),
  })
  const start = () =>
    leases.start({
      gained: lanes => void seen.push(`gained ${lanes.join(' ')}`),
      lost(lanes) {
        seen.push(`lost ${lanes.join(' ')}`)
        return working
      },
    })
  const renewTo = async (given: readonly Lease[] | Error, more = 0) => {
    next = given
    surplus = more
    await clock.advance(RENEW_MS)
  }
  /** @param fault the work fails at once */
  const work = (fault?: string) => {
    working = new Promise((resolve, reject) => {
      endWork = resolve
      if (fault !== undefined) reject(new Error(fault))
    })
    working.catch(() => {})
    return () => endWork()
  }
  return { leases, start, renewTo, work, seen, known, log, clock }
}

const lease = (lane: number, fence = 1): Lease => ({ lane, fence })

/** An account of a lane. */
function accountIn(lane: number): string {
  for (let index = 0; ; index += 1) if (laneOf(`shop-${index}`, LANES) === lane) return `shop-${index}`
}

test('every process puts an account into the same lane, and a thousand accounts fill all lanes', () => {
  const lanes = Array.from({ length: 1_000 }, (_, index) => laneOf(`shop-${index}`, LANES))
  for (let lane = 0; lane < LANES; lane += 1) {
    const share = lanes.filter(each => each === lane).length
    ok(share > 200 && share < 300, `${share} of 1,000 accounts are in lane ${lane}`)
  }
  // Never changes: a process of another version must compute the same lane.
  deepEqual(
    ['demo', 'shop-1', 'café'].map(account => laneOf(account, 64)),
    [54, 7, 60],
  )
  equal(laneOf('demo', 1), 0)
})

test('no lease is held before start, then those of the first claim', async () => {
  const { leases, start, seen } = openLeases([lease(laneOf('demo', LANES))])
  equal(leases.of('demo'), null)
  await start()
  deepEqual(leases.of('demo'), lease(laneOf('demo', LANES)))
  deepEqual(leases.lanes, [laneOf('demo', LANES)])
  deepEqual(seen, [], 'the caller takes up the first lanes itself')
})

test('each claim tells where the other nodes listen', async () => {
  const { start, renewTo, known } = openLeases([lease(0)])
  await start()
  await renewTo([lease(0)])
  deepEqual(known, [['10.0.0.2:4021'], ['10.0.0.2:4021']])
})

test('a renewal reports gained and lost lanes', async () => {
  const { leases, start, renewTo, seen } = openLeases([lease(0), lease(1)])
  await start()
  await renewTo([lease(0), lease(1)])
  deepEqual(seen, [])
  await renewTo([lease(1), lease(2), lease(3)])
  deepEqual(seen, ['lost 0', 'gained 2 3'])
  deepEqual([...leases.lanes].sort(), [1, 2, 3])
})

test('a lane with a new fence was lost meanwhile', async () => {
  const { leases, start, renewTo, seen } = openLeases([lease(0, 1)])
  await start()
  await renewTo([lease(0, 3)])
  deepEqual(seen, ['lost 0', 'gained 0'])
  deepEqual(leases.lanes, [0])
})

test('a lease that the store refused is lost at once, but not a later one', async () => {
  const { leases, start, renewTo, seen } = openLeases([lease(0, 1)])
  await start()
  leases.refused(lease(0, 1))
  deepEqual(seen, ['lost 0'])
  deepEqual(leases.lanes, [])
  await renewTo([lease(0, 2)])
  leases.refused(lease(0, 1))
  deepEqual(seen, ['lost 0', 'gained 0'])
  deepEqual(leases.lanes, [0])
})

test('a failed renewal is logged and retried', async () => {
  const { leases, start, renewTo, seen, log } = openLeases([lease(0)])
  await start()
  await renewTo(new Error('the database is gone'))
  equal(log.lines.filter(({ level }) => level === 'error').length, 1)
  deepEqual(leases.lanes, [0])
  await renewTo([lease(0), lease(1)])
  deepEqual(seen, ['gained 1'])
})

test('no lease is renewed after stop', async () => {
  const { leases, start, renewTo, seen } = openLeases([lease(0)])
  await start()
  leases.stop()
  await renewTo([lease(1)])
  deepEqual(seen, [])
})

test('lanes that others should have are given to them once the work in progress on them has ended', async () => {
  const { leases, start, renewTo, work, seen, clock } = openLeases([lease(0), lease(1), lease(2)])
  await start()
  const end = work()
  await renewTo([lease(0), lease(1), lease(2)], 2)
  deepEqual(seen, ['lost 1 2'])
  deepEqual(leases.lanes, [0])
  const [first, second] = [0, 1].map(lane => accountIn(lane))
  deepEqual([leases.isOurs(first!), leases.isOurs(second!)], [true, false])
  deepEqual(leases.of(second!), lease(1), 'work in progress is committed under it')
  // Another renewal gives nothing more away.
  await renewTo([lease(0), lease(1), lease(2)], 2)
  deepEqual(seen, ['lost 1 2'])
  end()
  await clock.advance(0)
  deepEqual(seen, ['lost 1 2', 'released 1 2'])
  equal(leases.of(second!), null)
})

test('a lane is given away after two seconds, even if work on it does not end', async () => {
  const { start, renewTo, work, seen, clock } = openLeases([lease(0), lease(1)])
  await start()
  work()
  await renewTo([lease(0), lease(1)], 1)
  await clock.advance(1_000)
  deepEqual(seen, ['lost 1'])
  await renewTo([lease(0), lease(1)])
  deepEqual(seen, ['lost 1', 'released 1', 'gained 1'], 'nobody has claimed it meanwhile')
})

test('a process that leaves gives all lanes back and takes none, and the others reach it until it stops', async () => {
  const { leases, start, renewTo, seen, known } = openLeases([lease(0), lease(1)])
  await start()
  await leases.leave()
  deepEqual(seen, ['lost 0 1', 'left'])
  await renewTo([lease(0)])
  deepEqual(leases.lanes, [])
  equal(known.length, 2)
  leases.stop()
  await renewTo([lease(0)])
  equal(known.length, 2)
  deepEqual(seen, ['lost 0 1', 'left'])
})

test('a process that stops while it leaves claims no more', async () => {
  const { leases, start, renewTo, work, known } = openLeases([lease(0)])
  await start()
  const end = work()
  const left = leases.leave()
  leases.stop()
  end()
  await left
  await renewTo([lease(0)])
  equal(known.length, 1)
})

test('work that does not end in order is logged, and the lane is given away all the same', async () => {
  const { start, renewTo, work, seen, log, clock } = openLeases([lease(0), lease(1)])
  await start()
  work('a terminal is gone')
  await renewTo([lease(0), lease(1)], 1)
  await clock.advance(0)
  deepEqual(seen, ['lost 1', 'released 1'])
  equal(log.lines.filter(({ level }) => level === 'error').length, 1)
})

test('the new holder of a lane performs its open effects, and the former holder none', async () => {
  const store = openMemoryStore()
  const clock = new TestClock(0)
  const log = keepingLog()
  const clocks = oneClock(clock)
  const performed: string[] = []
  const fired: string[] = []
  let reachable = true
  const perform = async ({ effectId }: StoredEffect) => {
    if (!reachable) return 'again'
    performed.push(effectId)
    return 'done'
  }
  let held: Lease | null = null
  const isOurs = () => held !== null
  const effects = createEffects({ performers: { ring: perform }, store, clocks, log, meters: silentMeters, isOurs })
  const leases = {
    isOurs,
    get lanes() {
      return held === null ? [] : [held.lane]
    },
  }
  const fire = async ({ name }: { readonly name: string }) => {
    fired.push(name)
    await store.commit(change('sale', { expectedVersion: 1, timers: [] }))
    return true
  }
  const timers = createTimers({ store, clocks, log, lanes: () => others.resumed, fire })
  const sink = { reconnected: async () => {} } as unknown as TerminalSink
  const others = createTakingOver({ store, effects, timers, leases, clock, log, sink, drivers: [] })
  await timers.start()
  const effectOf = { ...effect('e1', 'ring') }
  await store.commit(change('sale', { effects: [effectOf], timers: [{ name: 'limit', dueAt: 500 }] }))

  await clock.advance(1_000)
  deepEqual([performed, fired], [[], []], 'another process has the lane')

  held = { lane: 0, fence: 7 }
  reachable = false
  others.gained([0])
  await clock.advance(0)
  deepEqual(fired, ['limit'])
  others.gained([0])
  await clock.advance(0)
  reachable = true
  held = null
  await others.lost([0])
  await clock.advance(120_000)
  deepEqual(performed, [], 'it waited for another try when the lane was lost')

  held = { lane: 0, fence: 9 }
  others.gained([0])
  await clock.advance(0)
  await clock.advance(0)
  deepEqual(performed, ['e1'], 'once, though it was taken up several times')
})

test('the work of a gained lane that could not be read is resumed later, as long as the lane is held', async () => {
  const store = openMemoryStore()
  const clock = new TestClock(0)
  const log = keepingLog()
  const clocks = oneClock(clock)
  let broken = true
  let held = true
  const flaky = {
    ...store,
    undoneEffects: (...given: Parameters<typeof store.undoneEffects>) =>
      broken ? Promise.reject(new Error('disk')) : store.undoneEffects(...given),
  }
  const performed: string[] = []
  const ring = async ({ effectId }: StoredEffect) => {
    performed.push(effectId)
    return 'done' as const
  }
  const leases = {
    isOurs: () => held,
    get lanes() {
      return held ? [0] : []
    },
  }
  const effects = createEffects({
    performers: { ring },
    store,
    clocks,
    log,
    meters: silentMeters,
    isOurs: leases.isOurs,
  })
  const timers = createTimers({ store, clocks, log, lanes: () => others.resumed, fire: async () => true })
  const sink = { reconnected: async () => {} } as unknown as TerminalSink
  const others = createTakingOver({ store: flaky, effects, timers, leases, clock, log, sink, drivers: [] })
  await store.commit(change('sale', { effects: [effect('e1', 'ring')] }))
  others.gained([0])
  await clock.advance(999)
  deepEqual(performed, [])
  equal(log.lines.filter(({ level }) => level === 'error').length, 1)
  broken = false
  await clock.advance(1)
  deepEqual(performed, ['e1'])

  broken = true
  others.gained([0])
  await clock.advance(0)
  held = false
  await clock.advance(60_000)
  equal(log.lines.filter(({ level }) => level === 'error').length, 2, 'it is not tried any more')
})

test('open effects of a gained lane wait for no terminal, its timers for all, and terminals are asked together', async () => {
  const store = openMemoryStore()
  const clock = new TestClock(0)
  const log = keepingLog()
  const clocks = oneClock(clock)
  const seen: string[] = []
  const ring = async ({ effectId }: StoredEffect) => {
    seen.push(effectId)
    return 'done' as const
  }
  let lanes: readonly number[] = []
  const leases = {
    isOurs: () => lanes.length > 0,
    get lanes() {
      return lanes
    },
  }
  const effects = createEffects({ performers: { ring }, store, clocks, log, meters: silentMeters })
  const fire = async ({ id, name }: { readonly id: string; readonly name: string }) => {
    seen.push(name)
    await store.commit({ ...runningSale(id, 3), timers: [] })
    return true
  }
  const timers = createTimers({ store, clocks, log, lanes: () => others.resumed, fire })
  const asked: (() => void)[] = []
  const reconnected = () => new Promise<void>(resolve => void asked.push(resolve))
  const sink = { reconnected } as unknown as TerminalSink
  const others = createTakingOver({ store, effects, timers, leases, clock, log, sink, drivers: [] })
  await timers.start()
  for (const id of ['r1', 'r2', 'r3']) await store.commit(runningSale(id, 1))
  await store.commit({
    ...runningSale('r3', 2),
    effects: [effect('e1', 'ring')],
    timers: [{ name: 'limit', dueAt: 500 }],
  })

  lanes = [0]
  others.gained([0])
  await clock.advance(1_000)
  deepEqual(seen, ['e1'])
  equal(asked.length, 3, 'none waits for the answer of another')
  deepEqual(others.resumed, [])

  for (const answer of asked) answer()
  await clock.advance(0)
  deepEqual(seen, ['e1', 'limit'])
  deepEqual(others.resumed, [0])
})

function runningSale(id: string, version: number): Commit {
  const record = aTransaction({ requestId: id, tid: `t-${id}`, version })
  const key = { account: 'demo', kind: TERMINAL_TRANSACTION.kind, id }
  return change(id, { ...key, expectedVersion: version - 1, version, body: JSON.stringify(record) })
}

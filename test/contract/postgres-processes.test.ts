// test/contract/postgres-processes.test.ts — several processes on one Postgres: the feed of the others, leases, and the schema.
import { deepEqual, equal, ok, rejects } from 'node:assert/strict'
import pg from 'pg'
import { expect, onTestFinished, test } from 'vitest'
import { createRecordCache } from '../../src/engine/cache.ts'
import { oneClock } from '../../src/engine/clocks.ts'
import { createEngine } from '../../src/engine/engine.ts'
import { Fault, type FaultCode } from '../../src/engine/fault.ts'
import { createFeed } from '../../src/engine/feed.ts'
import { TERMINAL } from '../../src/engine/machines.ts'
import { type Claim, ERASED, ERASED_SHOWN_MS, type Lease, type Store } from '../../src/engine/ports/store.ts'
import { createRemoteChanges, type RemoteChangesParts } from '../../src/engine/remote-changes.ts'
import { laneOf } from '../../src/engine/work-leases.ts'
import { freshSettings } from '../../src/services/provisioning/provisioning.ts'
import { GROUP_READS, GROUP_WRITES } from '../../src/store/postgres/statements.ts'
import { change, effect, envelope, fullChange } from '../support/changes.ts'
import { emptyDatabase, NODE, openPostgresAt, runAt } from '../support/postgres-store.ts'
import { keepingLog } from '../support/silent-log.ts'
import { TestClock } from '../support/test-clock.ts'

const isFault = (code: FaultCode) => (error: unknown) => error instanceof Fault && error.code === code

/** A node and the command line beside it. */
async function openBoth() {
  const url = await emptyDatabase()
  return { url, gateway: await openPostgresAt(url, { node: NODE }), commandLine: await openPostgresAt(url) }
}

const started = { events: [envelope('started')] }
const NOTHING: Claim = { leases: [], surplus: 0, others: [] }
const idsOf = (events: readonly { readonly id: string }[]) => events.map(({ id }) => id)

test('a process reads the events of others, without its own, each once and in any pages', async () => {
  const { gateway, commandLine } = await openBoth()
  await gateway.commit(change('own 1', started))
  await commandLine.commit(change('before', started))
  const [all, paged] = [await gateway.followOthers(), await gateway.followOthers()]
  const reverse = await commandLine.followOthers()
  for (const id of ['a', 'b', 'c']) {
    await commandLine.commit(change(id, started))
    await gateway.commit(change(`own ${id}`, started))
  }
  deepEqual(idsOf(await all.next(9)), ['a', 'b', 'c'])
  deepEqual(idsOf(await paged.next(1)), ['a'])
  deepEqual(idsOf(await paged.next(2)), ['b', 'c'])
  await commandLine.commit(change('d', started))
  deepEqual(idsOf(await all.next(9)), ['d'])
  deepEqual(idsOf(await paged.next(9)), ['d'])
  deepEqual(await all.next(9), [])
  deepEqual(idsOf(await reverse.next(9)), ['own a', 'own b', 'own c'])
})

test('a process reads which records others have erased, for an hour', async () => {
  const { url, gateway, commandLine } = await openBoth()
  for (const id of ['a', 'b', 'c']) await commandLine.commit(change(id, started))
  const others = await gateway.followOthers()
  const own = await commandLine.followOthers()
  const key = (id: string) => ({ account: 'shop', kind: 'transaction', id, version: 1 })
  equal(await commandLine.erase([key('a'), key('b'), { ...key('c'), version: 2 }]), 2)
  await commandLine.commit(change('a', started))
  const read = await others.next(9)
  deepEqual(
    read.map(({ account, kind, id, type, body }) => [account, kind, id, type, body.length > 0]),
    [
      ['shop', 'transaction', 'a', ERASED, false],
      ['shop', 'transaction', 'b', ERASED, false],
      ['shop', 'transaction', 'a', 'started', true],
    ],
  )
  deepEqual(await others.next(9), [], 'each once')
  deepEqual(await own.next(9), [], 'not to the one that has erased them')
  deepEqual(idsOf(await gateway.eventsAfter('shop', 0, 9)), ['c', 'a'], 'in no feed of a merchant')
  const kept = async () => (await runAt(url, 'SELECT cursor FROM erasures')).length
  equal(await gateway.forgetExpired(0), 0)
  equal(await kept(), 2)
  await runAt(url, `UPDATE erasures SET at = at - ${ERASED_SHOWN_MS} WHERE id = 'a'`)
  await gateway.forgetExpired(0)
  equal(await kept(), 1)
})

/** Two nodes, of which one has added a terminal. The other may be deaf: it hears of changes when it reads, not before. */
async function openWithTerminal({ deaf = false } = {}) {
  const url = await emptyDatabase()
  const [one, other] = [await openEngineAt(url), await openEngineAt(url, { deaf })]
  const key = { account: 'shop', id: 'T1' }
  const settings = freshSettings('GBP')
  await one.engine.execute(TERMINAL, key, {
    type: 'add',
    tid: 'T1',
    merchantAccount: 'shop',
    driver: 'simulated',
    settings,
  })
  return { url, one, other, key }
}

test('a record that one node erases is not shown by another from its cache', async () => {
  const { one, other, key } = await openWithTerminal()
  equal((await other.engine.read(TERMINAL, key))?.version, 1)
  const stored = await one.store.load({ ...key, kind: TERMINAL.kind })
  ok(stored !== null)
  equal(await one.engine.erase(TERMINAL, [stored]), 1)
  equal(await other.engine.read(TERMINAL, key), null)
})

test('a node that has not read for half an hour shows nothing from its cache', async () => {
  const { url, one, other, key } = await openWithTerminal({ deaf: true })
  await other.engine.read(TERMINAL, key)
  const stored = await one.store.load({ ...key, kind: TERMINAL.kind })
  ok(stored !== null)
  await one.engine.erase(TERMINAL, [stored])
  await runAt(url, 'DELETE FROM erasures')
  await other.clock.advance(ERASED_SHOWN_MS / 2)
  equal((await other.engine.read(TERMINAL, key))?.version, 1)
  await other.clock.advance(ERASED_SHOWN_MS / 2 + 1)
  equal(await other.engine.read(TERMINAL, key), null)
})

/** An engine of a node that follows the others. */
async function openEngineAt(url: string, { deaf = false } = {}) {
  const store = await openPostgresAt(url, { node: NODE })
  const clock = new TestClock()
  const [cache, feed] = [createRecordCache(100), createFeed()]
  const followed: RemoteChangesParts['store'] = {
    shared: store.shared,
    loadAll: store.loadAll,
    followOthers: wake => store.followOthers(deaf ? () => {} : wake),
  }
  const remote = createRemoteChanges({ store: followed, clock, cache, feed, log: keepingLog(), committed() {} })
  return { store, clock, engine: createEngine({ store, clocks: oneClock(clock), feed, cache, remote }) }
}

test('a follower has what was answered, also while a transaction with a lower cursor is still open', async () => {
  const { url, commandLine } = await openBoth()
  const clock = new TestClock()
  const gateway = await openPostgresAt(url, { clock })
  const others = await gateway.followOthers()
  const slow = await slowCommit(url, 'slow')
  await commandLine.commit(change('fast', { account: 'other', ...started }))
  deepEqual(idsOf(await others.next(9)), ['fast'])
  // Readers in order wait for it.
  deepEqual(await gateway.allEvents(0, 9), [])
  // A reader of the account alone has it at once.
  deepEqual(idsOf(await gateway.eventsAfter('other', 0, 9)), ['fast'])
  for (const id of ['second', 'third']) {
    await clock.advance(60)
    await commandLine.commit(change(id, { account: 'other', ...started }))
    deepEqual(idsOf(await others.next(9)), [id], 'each once, however often it is looked up what is settled')
  }
  await slow.query('COMMIT')
  deepEqual(idsOf(await others.next(9)), ['slow'])
  deepEqual(idsOf(await gateway.allEvents(0, 9)), ['slow', 'fast', 'second', 'third'])
})

test('a transaction that ends without a commit holds up no reader', async () => {
  const { url, gateway, commandLine } = await openBoth()
  const slow = await slowCommit(url, 'slow')
  await commandLine.commit(change('fast', { account: 'other', ...started }))
  deepEqual(await gateway.allEvents(0, 9), [])
  await slow.end()
  // The server notices the end of a connection on its own time.
  await expect.poll(async () => idsOf(await gateway.allEvents(0, 9))).toEqual(['fast'])
})

test('a node hears of the commits of another soon', async () => {
  const { url, gateway } = await openBoth()
  const other = await openPostgresAt(url, { node: NODE })
  let heard = 0
  const others = await gateway.followOthers(() => (heard += 1))
  for (const store of [gateway, other, gateway]) await store.claimLanes()
  // It may be heard at the beginning too, when the connection is there.
  await expect.poll(() => heard).toBe(1)
  await other.followOthers(() => {})
  await expect
    .poll(async () => {
      await other.commit(change(`sale ${heard} ${Math.random()}`, started))
      return heard
    })
    .toBeGreaterThan(1)
  ok((await others.next(1_000)).length > 0)
})

/** A transaction that has drawn a cursor for an event of the account `late`, and is not committed. */
async function slowCommit(url: string, id: string): Promise<pg.Client> {
  const client = new pg.Client(url)
  await client.connect()
  onTestFinished(() => client.end().catch(() => {}))
  await client.query('BEGIN')
  await client.query(GROUP_READS.mark)
  await client.query(GROUP_READS.lockAccounts.text, [['late']])
  const { rows } = await client.query<{ number: string }>(GROUP_READS.numbers.text, [1])
  const row = [['late'], ['transaction'], [id], [rows[0]!.number], [1], [1], ['started'], ['{}'], 99_999]
  await client.query(GROUP_WRITES.insertEvents.text, row)
  return client
}

test('nodes share the lanes out, give what is too much, and take over what a node leaves', async () => {
  const url = await emptyDatabase()
  const open = () => openPostgresAt(url, { node: NODE })
  const [first, second] = [await open(), await open()]
  const lanesOf = ({ leases }: Claim) => leases.map(({ lane }) => lane)
  const all = await first.claimLanes()
  equal(all.leases.length, 64)
  deepEqual(await second.claimLanes(), NOTHING, 'the first has not given any back')
  const claim = await first.claimLanes()
  equal(claim.surplus, 32)
  const given = lanesOf(claim).slice(-32)
  await first.releaseLanes(given)
  deepEqual(lanesOf(await second.claimLanes()), given)
  deepEqual(await second.claimLanes(), { leases: (await second.claimLanes()).leases, surplus: 0, others: [] })
  equal((await first.claimLanes()).leases.length, 32)
  // One that leaves in order is not waited for.
  await second.leaveLanes()
  equal((await first.claimLanes()).leases.length, 64)
})

test('a node knows where the others listen, also those that are leaving, until they are not seen any more', async () => {
  const url = await emptyDatabase()
  let listens = false
  const open = (address: string) => openPostgresAt(url, { node: { ...NODE, address } })
  const [first, second] = [await open('10.0.0.1:4021'), await open('10.0.0.2:4021')]
  const late = await openPostgresAt(url, {
    node: {
      ...NODE,
      get address() {
        return listens ? '10.0.0.3:4021' : null
      },
    },
  })
  const othersOf = async (store: Store) => (await store.claimLanes()).others
  deepEqual(await othersOf(first), [])
  deepEqual(await othersOf(second), ['10.0.0.1:4021'])
  deepEqual(await othersOf(late), ['10.0.0.1:4021', '10.0.0.2:4021'])
  deepEqual(await othersOf(first), ['10.0.0.2:4021'], 'the third does not listen yet')
  listens = true
  await late.claimLanes()
  await second.leaveLanes()
  deepEqual(await othersOf(first), ['10.0.0.2:4021', '10.0.0.3:4021'])
  await runAt(url, `UPDATE nodes SET seen_at = seen_at - interval '3 seconds' WHERE leaving`)
  deepEqual(await othersOf(first), ['10.0.0.3:4021'])
  // As long as it serves requests, it goes on claiming.
  deepEqual(await second.claimLanes(), { leases: [], surplus: 0, others: ['10.0.0.1:4021', '10.0.0.3:4021'] })
  deepEqual(await othersOf(first), ['10.0.0.2:4021', '10.0.0.3:4021'])
  await second.close()
  deepEqual(await othersOf(first), ['10.0.0.3:4021'])
})

test('a node that died is counted no more once its leases have expired', async () => {
  const url = await emptyDatabase()
  const open = () => openPostgresAt(url, { node: NODE })
  const [first, second] = [await open(), await open()]
  await first.claimLanes()
  await second.claimLanes()
  equal((await first.claimLanes()).surplus, 32)
  await runAt(url, `UPDATE leases SET expires_at = 'epoch'; UPDATE nodes SET seen_at = seen_at - interval '3 seconds'`)
  const { leases, surplus } = await second.claimLanes()
  deepEqual([leases.length, surplus], [64, 0])
})

test('a node that does not know the time gets no lanes and keeps none', async () => {
  const url = await emptyDatabase()
  let knows = true
  const store = await openPostgresAt(url, { node: NODE, knowsTime: () => knows })
  equal((await store.claimLanes()).leases.length, 64)
  knows = false
  deepEqual(await store.claimLanes(), NOTHING)
})

test('a gateway that lost its lanes while it was paused records no work of effects and timers', async () => {
  const url = await emptyDatabase()
  const paused = await openPostgresAt(url, { node: NODE })
  const lease = await leaseOf(paused)
  await paused.commit(change('sale', { effects: [effect('e1')] }))
  // Nobody has renewed them for longer than they last.
  await runAt(url, `UPDATE leases SET expires_at = 'epoch'; UPDATE nodes SET seen_at = 'epoch'`)
  const next = await openPostgresAt(url, { node: NODE })
  const taken = await leaseOf(next)
  equal(await paused.commit(change('sale', { expectedVersion: 1, effectsDone: ['e1'], lease })), 'lease_lost')
  deepEqual((await paused.claimLanes()).leases, [])
  equal((await next.undoneEffects(9)).length, 1)
  ok(taken.fence > lease.fence)
  const image = await paused.imageOf('shop', [])
  await rejects(paused.putImage('shop', [], { records: [], idempotency: [] }, lease), { code: 'lease_lost' })
  deepEqual(await next.imageOf('shop', []), image)
  equal(await next.commit(change('sale', { expectedVersion: 1, effectsDone: ['e1'], lease: taken })), 'written')
  // Requests of callers need no lease.
  equal(await paused.commit(change('refund')), 'written')
})

test('a lease that nobody took meanwhile is renewed late under the same fence', async () => {
  const url = await emptyDatabase()
  const store = await openPostgresAt(url, { node: NODE })
  const before = await store.claimLanes()
  await runAt(url, `UPDATE leases SET expires_at = 'epoch'`)
  deepEqual(await store.claimLanes(), before)
})

test('the command line gets no lease', async () => {
  const { commandLine } = await openBoth()
  deepEqual(await commandLine.claimLanes(), NOTHING)
})

test('two processes on the same records: each version is written once, and all their commits', async () => {
  const { gateway, commandLine } = await openBoth()
  const stores = [gateway, commandLine]
  const others = await gateway.followOthers()
  const rivals = Array.from({ length: 60 }, (_, index) =>
    stores[index % 2]!.commit(change('one', { parent: `${index}` })),
  )
  equal((await Promise.all(rivals)).filter(result => result === 'written').length, 1)
  const own = stores.flatMap((store, writer) =>
    Array.from({ length: 200 }, (_, index) =>
      store.commit(change(`${writer} ${index}`, { account: `shop ${index % 7}`, ...started })),
    ),
  )
  deepEqual(new Set(await Promise.all(own)), new Set(['written']))
  const events = await gateway.allEvents(0, 1_000)
  equal(events.length, 400)
  equal((await others.next(1_000)).length, 200)
})

test('two accounts that want the same API key at the same time: one gets it, and other commits are written', async () => {
  const { gateway, commandLine } = await openBoth()
  const wish = (id: string, account: string) =>
    change(id, { account, kind: 'api-key', lockKey: 'api-key:5f', uniqueKeys: [`api-key-id:${id}`] })
  for (let round = 0; round < 5; round += 1) {
    const lockKey = `api-key:${round}`
    const results = await Promise.all([
      gateway.commit({ ...wish(`mine ${round}`, 'shop'), lockKey }),
      commandLine.commit({ ...wish(`theirs ${round}`, 'other'), lockKey }),
      gateway.commit(fullChange(`sale ${round}`)),
    ])
    deepEqual(results.slice(0, 2).toSorted(), ['lock_key_taken', 'written'])
    equal(results[2], 'written')
  }
})

test('starts at the same time migrate an empty database once', async () => {
  const url = await emptyDatabase()
  const stores = await Promise.all([1, 2, 3].map(() => openPostgresAt(url)))
  equal(await stores[0]?.commit(change('sale')), 'written')
  equal((await runAt(url, 'SELECT number FROM migrations')).length, 7)
})

test('a database of a newer version is refused and not changed', async () => {
  const { url, gateway } = await openBoth()
  await gateway.close()
  await runAt(url, "INSERT INTO migrations (number, name) VALUES (99, 'of the future')")
  await rejects(openPostgresAt(url), isFault('store_newer'))
  equal((await runAt(url, 'SELECT 1 FROM leases WHERE holder IS NOT NULL')).length, 0)
})

test('a database is not migrated while a gateway of an older version works on it', async () => {
  const { url, gateway } = await openBoth()
  await gateway.claimLanes()
  await runAt(url, 'DELETE FROM migrations WHERE number = 7')
  await rejects(openPostgresAt(url), isFault('store_locked'))
  equal(await gateway.commit(change('sale')), 'written')
})

async function leaseOf(store: Store): Promise<Lease> {
  const lane = laneOf('shop', store.lanes.count)
  const lease = (await store.claimLanes()).leases.find(each => each.lane === lane)
  ok(lease !== undefined)
  return lease
}

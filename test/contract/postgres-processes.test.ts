// test/contract/postgres-processes.test.ts — several processes on one Postgres: the feed of the others, leases, and the schema.
import { deepEqual, equal, ok, rejects } from 'node:assert/strict'
import pg from 'pg'
import { onTestFinished, test } from 'vitest'
import { Fault, type FaultCode } from '../../src/engine/fault.ts'
import type { Clock } from '../../src/engine/ports/clock.ts'
import type { Lease, Store } from '../../src/engine/ports/store.ts'
import { laneOf } from '../../src/engine/work-leases.ts'
import { GROUP_READS, GROUP_WRITES } from '../../src/store/postgres/statements.ts'
import { change, effect, envelope, fullChange, keyOf } from '../support/changes.ts'
import { emptyDatabase, openPostgresAt, runAt } from '../support/postgres-store.ts'

const isFault = (code: FaultCode) => (error: unknown) => error instanceof Fault && error.code === code

/** A gateway and the command line beside it. */
async function openBoth() {
  const url = await emptyDatabase()
  return { url, gateway: await openPostgresAt(url), commandLine: await openPostgresAt(url, { exclusive: false }) }
}

const started = { events: [envelope('started')] }
const idsOf = (events: readonly { readonly id: string }[]) => events.map(({ id }) => id)

test('a process reads the events of others by cursor, without its own, in any pages', async () => {
  const { gateway, commandLine } = await openBoth()
  await gateway.commit(change('own 1', started))
  const end = await gateway.feedEnd()
  for (const id of ['a', 'b', 'c']) {
    await commandLine.commit(change(id, started))
    await gateway.commit(change(`own ${id}`, started))
  }
  deepEqual(idsOf(await gateway.othersEvents(end, 9)), ['a', 'b', 'c'])
  const [first] = await gateway.othersEvents(end, 1)
  deepEqual(idsOf(await gateway.othersEvents(first!.cursor, 9)), ['b', 'c'])
  // The same question again has the same answer.
  deepEqual(idsOf(await gateway.othersEvents(end, 9)), ['a', 'b', 'c'])
  await commandLine.commit(change('d', started))
  const third = (await gateway.othersEvents(end, 9)).at(2)
  deepEqual(idsOf(await gateway.othersEvents(third!.cursor, 9)), ['d'])
  ok((await gateway.othersEvents(await gateway.feedEnd(), 9)).length === 0)
  deepEqual(idsOf(await commandLine.othersEvents(0, 9)), ['own 1', 'own a', 'own b', 'own c'])
})

test('no reader of the feed skips an event whose transaction commits after one with a higher cursor', async () => {
  const { url, gateway, commandLine } = await openBoth()
  const end = await gateway.feedEnd()
  const slow = await slowCommit(url, 'slow')
  await commandLine.commit(change('fast', { account: 'other', ...started }))
  deepEqual(idsOf(await gateway.othersEvents(end, 9)), [])
  deepEqual(idsOf(await gateway.allEvents(end, 9)), [])
  equal(await gateway.feedEnd(), end)
  // A reader of the account alone has it at once.
  deepEqual(idsOf(await gateway.eventsAfter('other', 0, 9)), ['fast'])
  await slow.query('COMMIT')
  deepEqual(idsOf(await gateway.othersEvents(end, 9)), ['slow', 'fast'])
  deepEqual(idsOf(await gateway.allEvents(end, 9)), ['slow', 'fast'])
})

test('a transaction that ends without a commit holds up no reader', async () => {
  const { url, gateway, commandLine } = await openBoth()
  const slow = await slowCommit(url, 'slow')
  await commandLine.commit(change('fast', { account: 'other', ...started }))
  deepEqual(idsOf(await gateway.othersEvents(0, 9)), [])
  await slow.end()
  await runAt(url, `SELECT pg_sleep(0.05) FROM pg_stat_activity WHERE application_name = 'slow'`)
  let events = await gateway.othersEvents(0, 9)
  // The server notices the end of a connection on its own time.
  while (events.length === 0) events = await gateway.othersEvents(0, 9)
  deepEqual(idsOf(events), ['fast'])
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

test('a second gateway is refused while the first holds its leases, and starts once it has closed', async () => {
  const url = await emptyDatabase()
  const first = await openPostgresAt(url)
  await rejects(openPostgresAt(url, { clock: hastyClock() }), isFault('store_locked'))
  equal(await first.commit(change('sale', { lease: await leaseOf(first) })), 'written')
  await first.close()
  const second = await openPostgresAt(url, { clock: hastyClock() })
  equal((await second.load(keyOf('sale')))?.version, 1)
})

test('a gateway that lost its lanes while it was paused records no work of effects and timers', async () => {
  const url = await emptyDatabase()
  const paused = await openPostgresAt(url)
  const lease = await leaseOf(paused)
  await paused.commit(change('sale', { effects: [effect('e1')] }))
  // Nobody has renewed them for longer than they last.
  await runAt(url, `UPDATE leases SET expires_at = 'epoch'`)
  const next = await openPostgresAt(url)
  equal(await paused.commit(change('sale', { expectedVersion: 1, effectsDone: ['e1'], lease })), 'lease_lost')
  deepEqual(await paused.claimLanes(), [])
  equal((await next.undoneEffects(9)).length, 1)
  const taken = await leaseOf(next)
  ok(taken.fence > lease.fence)
  equal(await next.commit(change('sale', { expectedVersion: 1, effectsDone: ['e1'], lease: taken })), 'written')
  // Requests of callers need no lease.
  equal(await paused.commit(change('refund')), 'written')
})

test('a lease that nobody took meanwhile is renewed late under the same fence', async () => {
  const url = await emptyDatabase()
  const store = await openPostgresAt(url)
  const before = await store.claimLanes()
  await runAt(url, `UPDATE leases SET expires_at = 'epoch'`)
  deepEqual(await store.claimLanes(), before)
})

test('the command line gets no lease', async () => {
  const { commandLine } = await openBoth()
  deepEqual(await commandLine.claimLanes(), [])
})

test('two processes on the same records: each version is written once, and all their commits', async () => {
  const { gateway, commandLine } = await openBoth()
  const stores = [gateway, commandLine]
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
  equal((await gateway.othersEvents(0, 1_000)).length, 200)
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
  const stores = await Promise.all([1, 2, 3].map(() => openPostgresAt(url, { exclusive: false })))
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
  await runAt(url, 'DELETE FROM migrations WHERE number = 7')
  await rejects(openPostgresAt(url, { exclusive: false }), isFault('store_locked'))
  equal(await gateway.commit(change('sale')), 'written')
})

async function leaseOf(store: Store): Promise<Lease> {
  const lane = laneOf('shop', store.lanes.count)
  const lease = (await store.claimLanes()).find(each => each.lane === lane)
  ok(lease !== undefined)
  return lease
}

/** Its alarms ring at once. */
function hastyClock(): Clock {
  let now = 0
  return {
    now: () => now,
    alarm(at, callback) {
      const timer = setImmediate(() => {
        now = Math.max(now, at)
        callback()
      })
      return { cancel: () => clearImmediate(timer) }
    },
    onSetBack: () => {},
  }
}

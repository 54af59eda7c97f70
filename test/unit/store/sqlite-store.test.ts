// test/unit/store/sqlite-store.test.ts — the SQLite store: its file, lock, writer thread and groups.
import { deepEqual, equal, match, ok, rejects } from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readdir, readFile, rm, stat, truncate, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import Database from 'better-sqlite3'
import { onTestFinished, test } from 'vitest'
import { Fault, type FaultCode } from '../../../src/engine/fault.ts'
import type { Store, StoredEvent } from '../../../src/engine/ports/store.ts'
import { CommitQueue, MAX_WAITING } from '../../../src/store/sqlite/commit-queue.ts'
import { createFile, migrateFile } from '../../../src/store/sqlite/database.ts'
import { BATCH, FULL_GROUP } from '../../../src/store/sqlite/group-writer.ts'
import { openSqliteStore, type SqliteStoreOptions } from '../../../src/store/sqlite/store.ts'
import { startWriterThread } from '../../../src/store/sqlite/writer-thread.ts'
import { answered, change, effect, envelope, fullChange, keyOf, NOON } from '../../support/changes.ts'

async function emptyDirectory(): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), 'tollgate-'))
  onTestFinished(() => rm(directory, { recursive: true }))
  return directory
}

/** Opens a store that is closed at the end of the test, if not before. */
async function open(directory: string, options: Partial<SqliteStoreOptions> = {}): Promise<Store> {
  const store = await openSqliteStore({ directory, ...options })
  onTestFinished(() => store.close())
  return store
}

/** Asserts that an error is this fault, with one sentence that begins with the path. */
function isFault(code: FaultCode, place: string): (error: unknown) => boolean {
  return error => {
    ok(error instanceof Fault, String(error))
    equal(error.code, code)
    ok(error.message.startsWith(place), error.message)
    match(error.message, /^[^\n]+\.$/)
    return true
  }
}

test('everything written is there after a restart', async () => {
  const directory = await emptyDirectory()
  const first = await open(directory)
  await first.commit(fullChange('sale'))
  await first.commit(change('ended', { live: false }))
  const before = await everything(first)
  await first.close()
  const second = await open(directory)
  deepEqual(await everything(second), before)
  equal(await second.commit(change('sale', { expectedVersion: 1 })), 'written')
})

async function everything(store: Store): Promise<readonly unknown[]> {
  return Promise.all([
    store.load(keyOf('sale')),
    store.all('transaction', { limit: 10 }),
    store.all('transaction', { live: true, limit: 10 }),
    store.lockHolderOf('shop', 'terminal of sale'),
    store.eventsAfter('shop', 0, 10),
    store.undoneEffects(10),
    store.dueTimers(NOON * 2, 10),
    store.idempotencyOf('shop', 'request of sale'),
  ])
}

test('a new store is readable by its owner only, and a closed one leaves no journal', async () => {
  const directory = join(await emptyDirectory(), 'made', 'here')
  const store = await open(directory)
  equal((await stat(directory)).mode & 0o777, 0o700)
  equal((await stat(join(directory, 'tollgate.db'))).mode & 0o777, 0o600)
  await store.commit(change('sale'))
  await store.close()
  deepEqual((await readdir(directory)).toSorted(), ['tollgate.db', 'tollgate.lock'])
})

test('commits of one event-loop turn are one group, in any number of batches, and later ones another', async () => {
  const sizes: number[] = []
  const store = await open(await emptyDirectory(), { onGroup: size => sizes.push(size) })
  const first = Array.from({ length: BATCH * 2 + 5 }, (_, index) => store.commit(fullChange(`a ${index}`)))
  const second = new Promise<unknown>(resolve => {
    setImmediate(() => resolve(Promise.all(['b', 'c', 'd'].map(id => store.commit(change(id))))))
  })
  await Promise.all([...first, second])
  // The writer may be free or busy in the next turn.
  deepEqual(sizes, [BATCH * 2 + 5, 3])
})

test('a full group is written without waiting for the end of its event-loop turn', async () => {
  const sizes: number[] = []
  const store = await open(await emptyDirectory(), { onGroup: size => sizes.push(size) })
  const asked = Array.from({ length: FULL_GROUP * 2 + 1 }, (_, index) => store.commit(change(`sale ${index}`)))
  deepEqual(new Set(await Promise.all(asked)), new Set(['written']))
  deepEqual(sizes, [FULL_GROUP, FULL_GROUP, 1])
})

test('marking effects as done joins the group of a commit and does not count as a commit', async () => {
  const sizes: number[] = []
  const store = await open(await emptyDirectory(), { onGroup: size => sizes.push(size) })
  await store.commit(change('sale', { effects: [effect('e1'), effect('e2')] }))
  await Promise.all([store.effectsDone('shop', ['e1']), store.commit(change('refund'))])
  await store.effectsDone('shop', ['e2'])
  deepEqual(sizes, [1, 1])
  deepEqual(await store.undoneEffects(10), [])
})

test('a batch that cannot be sent rejects its own commits, and later answers match their commits', async () => {
  const store = await open(await emptyDirectory())
  const unsendable = (() => {}) as unknown as string
  const bodies = Array.from({ length: BATCH }, (_, index) => (index === BATCH - 1 ? unsendable : '{}'))
  const lost = await Promise.allSettled(bodies.map((body, index) => store.commit(change(`lost ${index}`, { body }))))
  deepEqual(
    lost.map(({ status }) => status),
    bodies.map(() => 'rejected'),
  )
  deepEqual(await Promise.all([store.commit(change('sale')), store.commit(change('sale'))]), [
    'written',
    'version_moved',
  ])
  equal((await store.all('transaction', { limit: 9 })).length, 1)
})

test('a batch that cannot be sent does not affect earlier batches of its group', async () => {
  const store = await open(await emptyDirectory())
  const unsendable = (() => {}) as unknown as string
  const sent = Array.from({ length: BATCH }, (_, index) => store.commit(change(`sent ${index}`)))
  const lost = store.commit(change('lost', { body: unsendable }))
  await rejects(lost)
  deepEqual(new Set(await Promise.all(sent)), new Set(['written']))
})

test('effects that are done while a batch fills up are marked', async () => {
  const store = await open(await emptyDirectory())
  await store.commit(change('sale', { effects: [effect('e1'), effect('e2')] }))
  const filling = Array.from({ length: BATCH - 1 }, (_, index) => store.commit(change(`filler ${index}`)))
  await Promise.all([...filling, store.effectsDone('shop', ['e1']), store.effectsDone('shop', ['e2'])])
  deepEqual(await store.undoneEffects(9), [])
})

test('a full queue refuses commits until it has been written', async () => {
  const directory = await emptyDirectory()
  const sizes: number[] = []
  const store = await open(directory, { onGroup: size => sizes.push(size) })
  const asked = Array.from({ length: MAX_WAITING + 10 }, (_, index) => store.commit(change(`sale ${index}`)))
  const results = await Promise.allSettled(asked)
  const refused = results.filter(result => result.status === 'rejected')
  equal(refused.length, 10)
  for (const { reason } of refused) isFault('store_busy', join(directory, 'tollgate.db'))(reason)
  ok(results.slice(0, MAX_WAITING).every(result => result.status === 'fulfilled' && result.value === 'written'))
  deepEqual(new Set(sizes.slice(0, -1)), new Set([FULL_GROUP]))
  equal(await store.commit(change('one more')), 'written')
})

test('a database of a newer version is refused and not changed', async () => {
  const directory = await emptyDirectory()
  const file = join(directory, 'tollgate.db')
  await (await open(directory)).close()
  const database = new Database(file)
  database.exec("INSERT INTO migrations (number, name) VALUES (9999, 'from the future')")
  database.close()
  const before = await readFile(file)
  await rejects(open(directory), isFault('store_newer', file))
  deepEqual(await readFile(file), before)
})

test('a file that is not a Tollgate database is refused and not changed', async () => {
  const directory = await emptyDirectory()
  const file = join(directory, 'tollgate.db')
  await writeFile(file, 'Dear diary, '.repeat(1_000))
  await rejects(open(directory), isFault('store_broken', file))
  equal(await readFile(file, 'utf8'), 'Dear diary, '.repeat(1_000))

  await rm(file)
  const database = new Database(file)
  database.exec('CREATE TABLE photographs (name TEXT)')
  database.close()
  const before = await readFile(file)
  await rejects(open(directory), isFault('store_broken', file))
  deepEqual(await readFile(file), before)
})

test('a truncated database is refused', async () => {
  const directory = await emptyDirectory()
  const file = join(directory, 'tollgate.db')
  await (await open(directory)).close()
  await truncate(file, 8_192)
  await rejects(open(directory), isFault('store_broken', file))
})

test('a directory that cannot be created is refused', async () => {
  const plainFile = join(await emptyDirectory(), 'data')
  await writeFile(plainFile, '')
  await rejects(open(plainFile), isFault('store_unwritable', plainFile))
  await rejects(open(join(plainFile, 'deeper')), isFault('store_unwritable', join(plainFile, 'deeper')))
})

test('a second gateway is refused until the first has closed, without effect on the first', async () => {
  const directory = await emptyDirectory()
  const first = await open(directory)
  await rejects(open(directory), isFault('store_locked', directory))
  equal(await first.commit(change('sale')), 'written')
  await rejects(open(directory), isFault('store_locked', directory))
  await first.close()
  const second = await open(directory)
  equal((await second.load(keyOf('sale')))?.version, 1)
})

test('a killed gateway leaves no lock and loses no acknowledged commit', async () => {
  const directory = await emptyDirectory()
  const program = fileURLToPath(new URL('../../support/hold-store.ts', import.meta.url))
  const child = spawn(process.execPath, ['--import', 'tsx', program, directory], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  onTestFinished(() => void child.kill('SIGKILL'))
  const [said] = await once(child.stdout, 'data')
  equal(String(said), 'written\n')
  await rejects(open(directory), isFault('store_locked', directory))
  child.kill('SIGKILL')
  await once(child, 'exit')
  const store = await open(directory)
  equal((await store.load(keyOf('held')))?.version, 1)
  equal((await store.lockHolderOf('shop', 'terminal of held'))?.id, 'held')
})

test('the command line and a running gateway see each other’s commits', async () => {
  const directory = await emptyDirectory()
  const gateway = await open(directory)
  const commandLine = await open(directory, { exclusive: false })
  await gateway.commit(change('sale', { lockKey: 'terminal 1', idempotency: answered('k1') }))
  equal((await commandLine.lockHolderOf('shop', 'terminal 1'))?.id, 'sale')
  equal(await commandLine.commit(change('refund', { lockKey: 'terminal 1' })), 'lock_key_taken')
  equal(await commandLine.commit(change('sale', { expectedVersion: 1, lockKey: 'terminal 1' })), 'written')
  equal(await gateway.commit(change('sale', { expectedVersion: 1 })), 'version_moved')
  const both = [gateway, commandLine].flatMap((store, writer) =>
    Array.from({ length: 200 }, (_, index) => store.commit(change(`${writer} ${index}`))),
  )
  deepEqual(new Set(await Promise.all(both)), new Set(['written']))
  await commandLine.close()
  equal((await gateway.load(keyOf('1 199')))?.version, 1)
  await rejects(open(directory), isFault('store_locked', directory))
})

test('when another process locks the database too long, all waiting commits reject at once', async () => {
  const file = join(await emptyDirectory(), 'tollgate.db')
  createFile(file)
  migrateFile(file)
  const other = new Database(file)
  onTestFinished(() => void other.close())
  const worker = startWriterThread({ file, outside: false, busyMs: 1_000 })
  const queue = new CommitQueue(worker, file, () => {})
  await queue.commit(change('before'))
  other.exec('BEGIN IMMEDIATE')
  const asked = Array.from({ length: BATCH * 3 + 1 }, (_, index) => queue.commit(change(`sale ${index}`)))
  // Unlocked after the first rejection: the others do not wait for the lock again.
  await rejects(Promise.race(asked), isFault('store_busy', file))
  other.exec('COMMIT')
  for (const result of await Promise.allSettled(asked)) {
    ok(result.status === 'rejected')
    isFault('store_busy', file)(result.reason)
  }
  equal(await queue.commit(change('after')), 'written')
  await queue.drain()
  await queue.end()
})

test('when the writer thread dies, waiting and later commits reject', async () => {
  const directory = await emptyDirectory()
  const file = join(directory, 'tollgate.db')
  createFile(file)
  migrateFile(file)
  const worker = startWriterThread({ file, outside: false })
  const queue = new CommitQueue(worker, file, () => {})
  await queue.commit(change('sale'))
  const waiting = [1, 2, 3].map(id => queue.commit(change(`sale ${id}`)))
  const results = Promise.allSettled(waiting)
  await worker.terminate()
  for (const result of await results) {
    ok(result.status === 'rejected')
    isFault('store_gone', file)(result.reason)
  }
  await rejects(queue.commit(change('late')), isFault('store_gone', file))
  await queue.drain()
  await queue.end()
})

test('a writer thread that cannot open its database reports the fault', async () => {
  const worker = startWriterThread({ file: join(await emptyDirectory(), 'missing.db'), outside: false })
  const [message] = await once(worker, 'message')
  equal(message.type, 'unready')
  equal(message.failure.fault, 'store_unwritable')
  await once(worker, 'exit')
})

test('the gateway reads events of the command line by cursor, without its own', async () => {
  const directory = await emptyDirectory()
  const gateway = await open(directory)
  const commandLine = await open(directory, { exclusive: false })
  await gateway.claimLanes()
  await gateway.commit(change('sale', { events: [envelope('changed', 1)] }))
  const others = await gateway.followOthers()
  const one = await gateway.followOthers()
  await commandLine.commit(change('key', { events: [envelope('changed', 1)] }))
  await gateway.commit(change('sale', { expectedVersion: 1, events: [envelope('changed', 2)] }))
  await commandLine.commit(change('sale', { expectedVersion: 2, events: [envelope('changed', 3)] }))
  const versions = (events: readonly StoredEvent[]) => events.map(({ id, version }) => [id, version])
  const both = [
    ['key', 1],
    ['sale', 3],
  ]
  deepEqual(versions(await others.next(9)), both)
  deepEqual(await others.next(9), [])
  deepEqual([...versions(await one.next(1)), ...versions(await one.next(1)), ...versions(await one.next(1))], both)
  await commandLine.close()
  await gateway.close()
  const next = await open(directory)
  const before = await next.followOthers()
  await next.claimLanes()
  deepEqual(await before.next(9), [], 'a gateway that starts has nothing in memory that could be old')
})

test('the command line gets no lease and performs no effects', async () => {
  const commandLine = await open(await emptyDirectory(), { exclusive: false })
  deepEqual(await commandLine.claimLanes(), { leases: [], surplus: 0, others: [] })
})

test('a gateway without its lock file records no work once another has started', async () => {
  const directory = await emptyDirectory()
  const first = await open(directory)
  const [old] = (await first.claimLanes()).leases
  await first.commit(change('sale', { lease: old! }))
  await rm(join(directory, 'tollgate.lock'))
  const second = await open(directory)
  const [lease] = (await second.claimLanes()).leases
  ok(lease!.fence > old!.fence)
  equal(await first.commit(change('sale', { expectedVersion: 1, lease: old! })), 'lease_lost')
  equal(await second.commit(change('sale', { expectedVersion: 1, lease: lease! })), 'written')
})

// test/contract/simulated-memory.test.ts — all implementations of the simulator's memory behave alike.
import { deepEqual, equal, rejects } from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import Database from 'better-sqlite3'
import fc from 'fast-check'
import { describe, onTestFinished, test } from 'vitest'
import type { Collection, MemoryDocument, SimulatedMemory } from '../../src/simulator/memory/memory.ts'
import { createSqliteMemory } from '../../src/simulator/memory/sqlite-memory.ts'
import { emptyDatabase, openPostgresAt, runAt } from '../support/postgres-store.ts'
import { openSharedMemoryAt } from '../support/sandbox-nodes.ts'
import { MEMORIES, type MemoryUnderTest } from '../support/simulated-memories.ts'

const order = (key: string, parent = 'demo', body = '{}'): MemoryDocument => ({
  collection: 'order',
  key,
  parent,
  body,
})

type Opened = Pick<MemoryUnderTest, 'memory'> & { afterCrash(): SimulatedMemory | Promise<SimulatedMemory> }

const IN_DATABASE = {
  name: 'in a database',
  make: async (now?: () => number) => (await emptyWorld())(now),
}

/** Empties a database, and returns what opens a memory on it that has nothing yet. */
async function emptyWorld() {
  const url = await emptyDatabase()
  await openPostgresAt(url)
  return async (now?: () => number): Promise<Opened & Pick<MemoryUnderTest, 'close'>> => {
    await runAt(url, 'DELETE FROM documents; DELETE FROM document_feeds')
    const memory = await openSharedMemoryAt(url, now)
    return { memory, afterCrash: () => openSharedMemoryAt(url, now), close: () => memory.close() }
  }
}

describe.each([...MEMORIES, IN_DATABASE])('memory $name', ({ make }) => {
  const open = async (now?: () => number): Promise<Opened> => {
    const under = await make(now)
    onTestFinished(() => under.close())
    return under
  }

  test('a written document is read by collection and key', async () => {
    const { memory } = await open()
    memory.write([order('a', 'demo', '{"n":1}')])
    equal(memory.read('order', 'a'), '{"n":1}')
    equal(memory.read('device', 'a'), null)
    equal(memory.read('order', 'b'), null)
  })

  test('lists are newest first, by parent, up to the limit; a rewritten document keeps its position', async () => {
    const { memory } = await open()
    memory.write([order('a'), order('b'), order('c', 'other')])
    memory.write([order('a', 'demo', '{"again":true}')])
    const keys = (query: { parent?: string; limit: number }) => memory.list('order', query).map(({ key }) => key)
    deepEqual(keys({ limit: 10 }), ['c', 'b', 'a'])
    deepEqual(keys({ parent: 'demo', limit: 10 }), ['b', 'a'])
    deepEqual(keys({ limit: 1 }), ['c'])
    equal(memory.list('order', { parent: 'demo', limit: 10 })[1]?.body, '{"again":true}')
  })

  test('documents of a parent are erased in batches', async () => {
    const { memory } = await open()
    memory.write([order('a'), order('b'), { ...order('c'), collection: 'device' }, order('d', 'other')])
    deepEqual([memory.eraseOf('demo', 2), memory.eraseOf('demo', 2), memory.eraseOf('demo', 2)], [2, 1, 0])
    deepEqual([memory.read('device', 'c'), memory.read('order', 'd')], [null, '{}'])
  })

  test('old documents are erased page by page, except those that are needed, were written again or are of another kind', async () => {
    const time = { now: 1_000 }
    const { memory } = await open(() => time.now)
    const device = { ...order('e'), collection: 'device' } as const
    memory.write([order('a'), order('b'), order('c'), order('d'), device])
    time.now = 2_000
    memory.write([order('b', 'demo', '{"again":true}')])
    await memory.written()
    const query = {
      collections: ['order'],
      before: 1_500,
      limit: 2,
      isNeeded: ({ key }: MemoryDocument) => key === 'c',
    }
    const gone: number[] = []
    for (let after: number | null = 0; after !== null; ) {
      const batch = memory.eraseOld({ ...query, collections: ['order'], after })
      gone.push(batch.gone)
      after = batch.next
    }
    deepEqual(gone, [1, 1, 0])
    deepEqual(
      memory.list('order', { limit: 9 }).map(({ key }) => key),
      ['c', 'b'],
    )
    equal(memory.read('device', 'e'), '{}')
  })

  test('an erased document is gone, and erasing it again does nothing', async () => {
    const { memory } = await open()
    memory.write([order('a'), order('b')])
    memory.erase('order', 'a')
    memory.erase('order', 'a')
    equal(memory.read('order', 'a'), null)
    deepEqual(
      memory.list('order', { limit: 10 }).map(({ key }) => key),
      ['b'],
    )
  })

  test('the documents of a parent are replaced as a whole, and those of other parents and collections stay', async () => {
    const { memory } = await open()
    const hold = { ...order('h'), collection: 'hold' as const }
    const scenario = { ...order('s'), collection: 'scenario' as const }
    memory.write([order('a'), order('x', 'other'), hold, scenario])
    memory.replace('demo', ['order', 'hold'], [order('c'), order('b')])
    const keys = (collection: 'order' | 'hold' | 'scenario', parent: string) =>
      memory.list(collection, { parent, limit: 10 }).map(({ key }) => key)
    deepEqual(keys('order', 'demo'), ['b', 'c'])
    deepEqual([keys('hold', 'demo'), keys('scenario', 'demo'), keys('order', 'other')], [[], ['s'], ['x']])
  })

  test('written documents survive a crash', async () => {
    const under = await open()
    under.memory.write([order('a', 'demo', '{"kept":true}')])
    await under.memory.written()
    equal((await under.afterCrash()).read('order', 'a'), '{"kept":true}')
  })
})

/** One step on a memory, with what it answers. */
type Step = (memory: SimulatedMemory) => unknown

const KEYS = fc.constantFrom('a', 'b', 'c', 'd')
const COLLECTIONS = fc.constantFrom<Collection>('order', 'device')
const DOCUMENTS = fc.array(
  fc
    .record({ collection: COLLECTIONS, key: KEYS, parent: fc.constant('demo'), body: fc.stringMatching(/^[0-9]$/) })
    .map(document => ({ ...document })),
  { maxLength: 4 },
)
const STEPS: fc.Arbitrary<Step> = fc.oneof(
  DOCUMENTS.map(
    (documents): Step =>
      memory =>
        memory.write(documents),
  ),
  fc.tuple(COLLECTIONS, KEYS).map(
    ([collection, key]): Step =>
      memory =>
        memory.erase(collection, key),
  ),
  fc.tuple(COLLECTIONS, DOCUMENTS).map(
    ([collection, documents]): Step =>
      memory =>
        memory.replace(
          'demo',
          [collection],
          documents.filter(each => each.collection === collection),
        ),
  ),
  fc.constant<Step>(memory => memory.eraseOf('demo', 100)),
  fc.tuple(COLLECTIONS, fc.integer({ min: 1, max: 5 }), fc.boolean()).map(
    ([collection, limit, ofParent]): Step =>
      memory =>
        memory.list(collection, { limit, ...(ofParent ? { parent: 'demo' } : {}) }),
  ),
  fc.tuple(COLLECTIONS, KEYS).map(
    ([collection, key]): Step =>
      memory =>
        memory.read(collection, key),
  ),
)

describe.each([
  { name: MEMORIES[1]!.name, prepare: async () => MEMORIES[1]!.make, runs: 60 },
  { name: IN_DATABASE.name, prepare: emptyWorld, runs: 15 },
])('memory $name', ({ prepare, runs }) => {
  test('it answers like a memory in this process, whether it has written yet or not', async () => {
    const make = await prepare()
    const property = fc.asyncProperty(fc.array(fc.tuple(STEPS, fc.boolean()), { maxLength: 40 }), async steps => {
      const inProcess = MEMORIES[0]!.make()
      const written = await make()
      try {
        for (const [step, isWritten] of steps) {
          deepEqual(step(written.memory), step(inProcess.memory))
          if (isWritten) await written.memory.written()
        }
        await written.memory.written()
        const next = await written.afterCrash()
        for (const collection of ['order', 'device'] as const)
          deepEqual(next.list(collection, { limit: 100 }), inProcess.memory.list(collection, { limit: 100 }))
      } finally {
        await written.close()
      }
    })
    await fc.assert(property, { numRuns: runs, seed: 7 })
  }, 60_000)
})

test('what a file could not write is reported, stays visible, and is written whole with the next call', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'tollgate-broken-'))
  const path = join(directory, 'sandbox.db')
  const memory = createSqliteMemory(path)
  memory.write([order('a')])
  await memory.written()
  const other = new Database(path)
  other.exec('ALTER TABLE documents RENAME TO hidden')
  memory.write([order('b'), order('c')])
  await rejects(memory.written(), /no such table/)
  await rejects(memory.written(), /no such table/)
  equal(memory.read('order', 'b'), '{}')
  other.exec('ALTER TABLE hidden RENAME TO documents')
  await memory.written()
  const keys = other.prepare('SELECT key FROM documents ORDER BY position').pluck().all()
  deepEqual(keys, ['a', 'b', 'c'])
  other.close()
  await memory.close()
  rmSync(directory, { recursive: true, force: true })
})

test('a thread that has ended is replaced, and what it did not write is written', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'tollgate-gone-'))
  const path = join(directory, 'gone', 'sandbox.db')
  mkdirSync(join(directory, 'gone'))
  const memory = createSqliteMemory(path)
  rmSync(join(directory, 'gone'), { recursive: true })
  memory.write([order('a')])
  await rejects(memory.written())
  await rejects(memory.written())
  mkdirSync(join(directory, 'gone'))
  await memory.written()
  const next = createSqliteMemory(path)
  equal(next.read('order', 'a'), '{}')
  await next.close()
  await memory.close()
  rmSync(directory, { recursive: true, force: true })
})

test('a file of an older version is opened, and the age of its rows begins with the first pass', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'tollgate-older-'))
  const path = join(directory, 'sandbox.db')
  const older = new Database(path)
  older.exec(`CREATE TABLE documents (position INTEGER PRIMARY KEY AUTOINCREMENT, shelf TEXT NOT NULL, key TEXT NOT NULL,
    parent TEXT NOT NULL, body TEXT NOT NULL, UNIQUE (shelf, key)) STRICT;
    INSERT INTO documents (shelf, key, parent, body) VALUES ('order', 'a', 'demo', '{}')`)
  older.close()
  let now = 1_000
  const memory = createSqliteMemory(path, () => now)
  const pass = () =>
    memory.eraseOld({ collections: ['order'], before: now - 500, after: 0, limit: 9, isNeeded: () => false }).gone
  equal(pass(), 0)
  await memory.written()
  now = 1_499
  equal(pass(), 0)
  now = 1_501
  equal(pass(), 1)
  await memory.close()
  rmSync(directory, { recursive: true, force: true })
})

test('a file has everything that was written before its process was killed', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'tollgate-killed-'))
  const path = join(directory, 'sandbox.db')
  const program = fileURLToPath(new URL('../support/killed-writer.ts', import.meta.url))
  const { signal, stderr } = spawnSync(process.execPath, ['--import', 'tsx', program, path], { encoding: 'utf8' })
  equal(signal, 'SIGKILL', stderr)
  const memory = createSqliteMemory(path)
  equal(memory.list('order', { limit: 1000 }).length, 100)
  await memory.close()
  rmSync(directory, { recursive: true, force: true })
})

// test/contract/world-takeover.test.ts — the simulated world of a data directory moves into the database, once.
import { deepEqual, equal, rejects } from 'node:assert/strict'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished, test } from 'vitest'
import { takeOverWorld } from '../../src/cli/world-takeover.ts'
import { createSqliteMemory } from '../../src/simulator/memory/sqlite-memory.ts'
import { emptyDatabase, NODE, openPostgresAt } from '../support/postgres-store.ts'
import { openDocumentsAt, openSharedMemoryAt } from '../support/sandbox-nodes.ts'

async function directoryWith(...keys: readonly string[]): Promise<string> {
  const directory = mkdtempSync(join(tmpdir(), 'tollgate-world-'))
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }))
  const memory = createSqliteMemory(join(directory, 'sandbox.db'), () => 7)
  for (const key of keys) memory.write([{ collection: 'order', key, parent: 'demo', body: `{"key":"${key}"}` }])
  await memory.written()
  memory.erase('order', 'gone')
  await memory.close()
  return directory
}

test('the documents of sandbox.db are taken over in their order, and the file is put aside', async () => {
  const url = await emptyDatabase()
  await openPostgresAt(url)
  const directory = await directoryWith('a', 'gone', 'b')
  await takeOverWorld(directory, openDocumentsAt(url))
  const memory = await openSharedMemoryAt(url)
  deepEqual(
    memory.list('order', { parent: 'demo', limit: 9 }).map(({ key, body }) => [key, body]),
    [
      ['b', '{"key":"b"}'],
      ['a', '{"key":"a"}'],
    ],
  )
  deepEqual(
    ['sandbox.db', 'sandbox.db.taken-over'].map(name => existsSync(join(directory, name))),
    [false, true],
  )
  // Nothing is left to take over.
  await takeOverWorld(directory, openDocumentsAt(url))
})

test('a database with a world keeps it, and the file stays', async () => {
  const url = await emptyDatabase()
  await openPostgresAt(url)
  await takeOverWorld(await directoryWith('a'), openDocumentsAt(url))
  const directory = await directoryWith('b')
  await takeOverWorld(directory, openDocumentsAt(url))
  equal(existsSync(join(directory, 'sandbox.db')), true)
  equal((await openSharedMemoryAt(url)).read('order', 'b'), null)
})

test('nothing is taken over while another gateway may begin its world', async () => {
  const url = await emptyDatabase()
  const other = await openPostgresAt(url, { node: NODE })
  await other.claimLanes()
  const directory = await directoryWith('a')
  await rejects(takeOverWorld(directory, openDocumentsAt(url)), /another gateway works on the database; stop that one/)
  equal(existsSync(join(directory, 'sandbox.db')), true)
  await other.leaveLanes()
  await takeOverWorld(directory, openDocumentsAt(url))
  equal((await openSharedMemoryAt(url)).read('order', 'a'), '{"key":"a"}')
})

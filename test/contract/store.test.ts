// test/contract/store.test.ts — runs the contract for every store.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { openMemoryStore } from '../../src/store/sqlite/memory-store.ts'
import { openSqliteStore } from '../../src/store/sqlite/store.ts'
import { openEmptyPostgresStore } from '../support/postgres-store.ts'
import { exerciseStore } from './store.suite.ts'

exerciseStore('memory', async () => {
  const store = openMemoryStore()
  onTestFinished(() => store.close())
  return store
})

exerciseStore('SQLite', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'tollgate-'))
  const store = await openSqliteStore({ directory })
  onTestFinished(async () => {
    await store.close()
    await rm(directory, { recursive: true })
  })
  return store
})

exerciseStore('Postgres', openEmptyPostgresStore)

// test/contract/vault.test.ts — runs the contract of the vault on every store.
import { onTestFinished } from 'vitest'
import { openMemoryStore } from '../../src/store/sqlite/memory-store.ts'
import { openEmptyPostgresStore } from '../support/postgres-store.ts'
import { exerciseVault } from './vault.suite.ts'

exerciseVault('SQLite', async () => {
  const store = openMemoryStore()
  onTestFinished(() => store.close())
  return store
})

exerciseVault('Postgres', openEmptyPostgresStore)

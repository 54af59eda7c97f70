// test/support/postgres-store.ts — opens stores on databases of the test run's Postgres.
import { onTestFinished } from 'vitest'
import type { AccountImages } from '../../src/engine/ports/account-images.ts'
import type { Store } from '../../src/engine/ports/store.ts'
import { systemClock } from '../../src/platform/clock.ts'
import { openConnections } from '../../src/store/postgres/connections.ts'
import { openPostgresStore, type PostgresStoreOptions } from '../../src/store/postgres/store.ts'
import { addressOf, createDatabase } from './postgres-server.ts'

/** Opens a store on a new database for one test. */
export async function openEmptyPostgresStore(): Promise<Store & AccountImages> {
  return openPostgresAt(await createDatabase())
}

/** Opens a store on a database and closes it after the test. */
async function openPostgresAt(
  url: string,
  options: Omit<PostgresStoreOptions, 'connections' | 'clock'> = {},
): Promise<Store & AccountImages> {
  const clock = systemClock()
  const connections = openConnections({ address: addressOf(url), clock })
  const store = await openPostgresStore({ connections, clock, ...options })
  onTestFinished(() => store.close())
  return store
}

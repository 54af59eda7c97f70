// test/support/postgres-store.ts — opens stores on databases of the test run's Postgres.
import pg from 'pg'
import { expect, onTestFinished } from 'vitest'
import type { AccountImages } from '../../src/engine/ports/account-images.ts'
import type { Store } from '../../src/engine/ports/store.ts'
import { systemClock } from '../../src/platform/clock.ts'
import { openConnections } from '../../src/store/postgres/connections.ts'
import { openPostgresStore, type PostgresStoreOptions } from '../../src/store/postgres/store.ts'
import { addressOf, createDatabase } from './postgres-server.ts'

/**
 * Databases that no test uses, by test file: a process runs several files, and a database ends with its file. Emptying one takes
 * less time than creating and dropping it.
 */
const freeOf = new Map<string, string[]>()

/** How the tests' nodes are shown. */
export const NODE = { name: 'test', version: '0', address: null } as const

/** Databases with empty tables that no test uses, by test file. Emptying tables takes less time than making them. */
const clearedOf = new Map<string, string[]>()

/** Empties the tables of a migrated database, and counts from the beginning again. */
const CLEAR = `
  TRUNCATE feeds, records, events, unique_keys, account_keys, effects, timers, idempotency, search_terms, search_days, rewrites,
    documents, document_feeds, erasures, nodes;
  UPDATE leases SET fence = 0, holder = NULL, expires_at = 'epoch';
  ALTER SEQUENCE places RESTART; ALTER SEQUENCE writers RESTART; SELECT nextval('places');
`

/** Opens the store of a node on an empty database for one test. */
export async function openEmptyPostgresStore(): Promise<Store & AccountImages> {
  const cleared = listOf(clearedOf)
  const url = cleared.pop() ?? (await createDatabase())
  const store = await openPostgresAt(url, { node: NODE })
  // After its own clean-up, which comes first.
  onTestFinished(async () => {
    await store.close()
    await runAt(url, CLEAR)
    cleared.push(url)
  })
  return store
}

/** The URL of a database without tables, for one test. */
export async function emptyDatabase(): Promise<string> {
  const free = listOf(freeOf)
  const url = free.pop() ?? (await createDatabase())
  onTestFinished(() => void free.push(url))
  await runAt(url, 'DROP SCHEMA public CASCADE; CREATE SCHEMA public')
  return url
}

/** The list of the running test file. */
function listOf(lists: Map<string, string[]>): string[] {
  const file = expect.getState().testPath ?? ''
  const list = lists.get(file) ?? []
  lists.set(file, list)
  return list
}

/** Runs SQL beside the store. Returns the rows. */
export async function runAt<Row extends pg.QueryResultRow>(url: string, sql: string): Promise<readonly Row[]> {
  const client = new pg.Client(url)
  await client.connect()
  try {
    return (await client.query<Row>(sql)).rows
  } finally {
    await client.end()
  }
}

/** Opens a store on a database and closes it after the test. */
export async function openPostgresAt(
  url: string,
  options: Partial<Omit<PostgresStoreOptions, 'connections'>> = {},
): Promise<Store & AccountImages> {
  const clock = systemClock()
  const connections = openConnections({ address: addressOf(url), clock })
  const store = await openPostgresStore({ connections, clock, ...options })
  onTestFinished(() => store.close())
  return store
}

// test/support/postgres-store.ts — opens stores on databases of the test run's Postgres.
import pg from 'pg'
import { expect, onTestFinished } from 'vitest'
import type { AccountImages } from '../../src/engine/ports/account-images.ts'
import type { Documents } from '../../src/engine/ports/documents.ts'
import type { Store } from '../../src/engine/ports/store.ts'
import { systemClock } from '../../src/platform/clock.ts'
import { openConnections } from '../../src/store/postgres/connections.ts'
import { createDocuments } from '../../src/store/postgres/documents.ts'
import { openPostgresStore, type PostgresStoreOptions } from '../../src/store/postgres/store.ts'
import { distribute } from './citus.ts'
import { addressOf, createDatabase, postgresServer } from './postgres-server.ts'

/**
 * Databases that no test uses, by test file: a process runs several files, and a database ends with its file. Emptying one takes
 * less time than creating and dropping it.
 */
const freeOf = new Map<string, string[]>()

/** Of each table on a Citus cluster: enough for each worker to have several. */
const SHARDS = 4

/** How the tests' nodes are shown. */
export const NODE = { name: 'test', version: '0', address: null } as const

/**
 * Databases with empty tables that no test uses. They end with the server, because a process runs many files with them. Emptying
 * tables takes less time than making them.
 */
const cleared: string[] = []

/** Empties the tables of a migrated database, and counts from the beginning again. */
const CLEAR = `
  TRUNCATE feeds, records, events, unique_keys, account_keys, effects, timers, idempotency, search_terms, search_days, rewrites,
    documents, document_feeds, erasures, nodes;
  UPDATE leases SET fence = 0, holder = NULL, expires_at = 'epoch';
  ALTER SEQUENCE places RESTART; ALTER SEQUENCE writers RESTART; SELECT nextval('places');
`

export interface OpenedPostgres {
  readonly store: Store & AccountImages
  /** Documents over the same connections. */
  readonly documents: Documents
}

/** Opens what a node has on an empty database, for one test. */
export async function openEmptyPostgres(): Promise<OpenedPostgres> {
  const url = cleared.pop() ?? (await newDatabase({ isKept: true }))
  const clock = systemClock()
  const connections = openConnections({ address: addressOf(url), clock })
  const store = await openPostgresStore({ connections, clock, node: NODE })
  onTestFinished(async () => {
    await store.close()
    await runAt(url, CLEAR)
    cleared.push(url)
  })
  return { store, documents: createDocuments(connections) }
}

/** Opens the store of a node on an empty database for one test. */
export async function openEmptyPostgresStore(): Promise<Store & AccountImages> {
  return (await openEmptyPostgres()).store
}

/** A new database. On a Citus cluster it has its tables already, spread over the workers. */
async function newDatabase({ isKept = false } = {}): Promise<string> {
  const url = await createDatabase({ isKept })
  const { port, workers } = await postgresServer()
  if (workers.length === 0) return url
  const connections = openConnections({ address: addressOf(url), clock: systemClock() })
  await (await openPostgresStore({ connections, clock: systemClock() })).close()
  await distribute(port, new URL(url).pathname.slice(1), SHARDS)
  return url
}

/** The URL of a database without tables, for one test. */
export async function emptyDatabase(): Promise<string> {
  if ((await postgresServer()).workers.length > 0) return newDatabase()
  const free = freeOfFile()
  const url = free.pop() ?? (await createDatabase())
  onTestFinished(() => void free.push(url))
  await runAt(url, 'DROP SCHEMA public CASCADE; CREATE SCHEMA public')
  return url
}

/** The free databases of the running test file. */
function freeOfFile(): string[] {
  const file = expect.getState().testPath ?? ''
  const list = freeOf.get(file) ?? []
  freeOf.set(file, list)
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

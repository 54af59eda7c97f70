// test/support/postgres-server.ts — databases of a test file on the Postgres that a whole test run shares.
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import pg from 'pg'
import { afterAll, inject } from 'vitest'
import { DATABASE_URL, type DatabaseAddress, withFiles } from '../../src/config/database-url.ts'
import { joinWorkers } from './citus.ts'
import type { Kept } from './postgres-keeper.ts'
import type {} from './postgres-setup.ts'

let server: Promise<Kept> | null = null
let made = 0
/** Databases to drop after the tests of the file. */
const leftOver: string[] = []

afterAll(async () => {
  const names = leftOver.splice(0)
  if (names.length === 0) return
  const { port, workers } = await postgresServer()
  for (const name of names)
    for (const each of [port, ...workers]) await asOwner(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`, each)
})

/** The server: starts it when nothing in this run has asked before. */
export function postgresServer(): Promise<Kept> {
  server ??= ask()
  return server
}

/** Creates an empty database, which is dropped after the tests of the file unless it `isKept`. Returns its URL. */
export async function createDatabase({ isKept = false } = {}): Promise<string> {
  made += 1
  const name = `test_${process.pid}_${made}`
  if (!isKept) leftOver.push(name)
  // Copied file by file: faster than through the log when the template is small and nothing is synced.
  await asOwner(`CREATE DATABASE ${name} STRATEGY file_copy`)
  const server = await postgresServer()
  if (server.workers.length > 0) await joinWorkers(server, name)
  const { port, user, password } = server
  return `postgres://${user}:${password}@127.0.0.1:${port}/${name}`
}

/** The address that a URL without files names. */
export function addressOf(url: string): DatabaseAddress {
  const parsed = DATABASE_URL.parse(url)
  if (parsed === undefined) throw new Error(`DATABASE_URL must be ${DATABASE_URL.allowed}`)
  return withFiles(parsed, path => readFileSync(path))
}

/** Runs a statement as the owner of the server, outside of the databases of tests. */
async function asOwner(statement: string, on?: number): Promise<void> {
  const { user, password, ...server } = await postgresServer()
  const port = on ?? server.port
  const client = new pg.Client({ host: '127.0.0.1', port, user, password, database: 'postgres' })
  await client.connect()
  try {
    await client.query(statement)
  } finally {
    await client.end()
  }
}

async function ask(): Promise<Kept> {
  const socket = connect(inject('postgresPort'), '127.0.0.1')
  await once(socket, 'connect')
  const kept = JSON.parse(await text(socket)) as Kept | { readonly failed: number | null }
  if ('failed' in kept) throw new Error(`the keeper of Postgres ended with ${kept.failed}`)
  return kept
}

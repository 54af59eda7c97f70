// src/store/sqlite/database.ts — creates, checks, migrates and opens the database file, for reading or for writing.
import { accessSync, closeSync, constants, openSync } from 'node:fs'
import { dirname } from 'node:path'
import Database from 'better-sqlite3'
import { Fault } from '../../engine/fault.ts'
import { makeDirectory } from '../make-directory.ts'
import { pendingMigrations } from '../migrate.ts'
import type { Migration } from '../migrations/migration.ts'

/** Marks the file as Tollgate's (`TOLG`), so that a foreign database is never migrated by mistake. */
const APPLICATION_ID = 0x544f4c47
/** Older versions could lose writes at a checkpoint of a busy database ("WAL-reset bug"). */
const OLDEST_SQLITE = [3, 51, 3] as const
/** How long a write waits for another process (the command line) before it fails as busy, in milliseconds. */
const BUSY_MS = 5_000
/** Pages in the WAL before a checkpoint: 16 MiB, so that a page changed often is written back once. */
const CHECKPOINT_PAGES = 4_096

/**
 * Creates a file and its directory, accessible to their owner only. An existing file stays as it is.
 * @throws Error of the file system, also when an existing file is not writable
 */
export function createFile(file: string): void {
  makeDirectory(dirname(file))
  try {
    // `wx` never opens an existing file: closing it again would drop SQLite's locks in this process.
    closeSync(openSync(file, 'wx', 0o600))
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error
    // SQLite would open it read-only and fail only at the first write.
    accessSync(file, constants.W_OK)
  }
}

/**
 * Migrates the database to the schema of this program.
 * @throws Fault `store_newer`, `store_outdated`, `store_broken` for a foreign database; errors of SQLite.
 */
export function migrateFile(file: string): void {
  const database = new Database(file, { timeout: BUSY_MS })
  try {
    refuseOldSqlite(String(database.prepare('SELECT sqlite_version()').pluck().get()))
    refuseForeign(database, file)
    database.pragma('journal_mode = WAL')
    database.pragma('synchronous = FULL')
    // Checked again under the lock. Most starts have no pending migration and need not wait for a busy writer.
    if (pendingIn(database, file).length > 0) database.transaction(() => migrate(database, file)).exclusive()
  } finally {
    database.close()
  }
}

/** Creates an in-memory database with the current schema. Closing it deletes it. */
export function openInMemory(): Database.Database {
  const database = new Database(':memory:')
  migrate(database, ':memory:')
  return database
}

/**
 * Opens the connection that writes. Only the writer thread uses it.
 * @param busyMs how long a write waits for another process, in milliseconds
 */
export function openForWriting(file: string, busyMs = BUSY_MS): Database.Database {
  const database = new Database(file, { timeout: busyMs, fileMustExist: true })
  database.pragma('synchronous = FULL')
  database.pragma('temp_store = MEMORY')
  database.pragma('cache_size = -32768') // KiB: the working set of some 100,000 records.
  database.pragma(`wal_autocheckpoint = ${CHECKPOINT_PAGES}`)
  return database
}

/** Opens a read-only connection. It sees everything committed before each query. */
export function openForReading(file: string): Database.Database {
  const database = new Database(file, { readonly: true, timeout: BUSY_MS, fileMustExist: true })
  database.pragma('cache_size = -16384') // KiB: the inner pages of every index, and the rows of some 10,000 terminals.
  return database
}

function migrate(database: Database.Database, file: string): void {
  const pending = pendingIn(database, file)
  database.pragma(`application_id = ${APPLICATION_ID}`)
  database.exec('CREATE TABLE IF NOT EXISTS migrations (number INTEGER PRIMARY KEY, name TEXT NOT NULL) STRICT')
  const note = database.prepare('INSERT INTO migrations (number, name) VALUES (?, ?)')
  for (const { number, name, sql } of pending) {
    database.exec(sql.sqlite)
    note.run(number, name)
  }
}

function pendingIn(database: Database.Database, file: string): readonly Migration[] {
  const isCreated = database.prepare("SELECT 1 FROM sqlite_schema WHERE name = 'migrations'").get() !== undefined
  const applied = isCreated ? Number(database.prepare('SELECT max(number) FROM migrations').pluck().get()) : 0
  return pendingMigrations(applied, file)
}

/** An empty file is a new database; any other must have our application id. One statement, so that it reads one state. */
function refuseForeign(database: Database.Database, file: string): void {
  const foreign = database
    .prepare('SELECT count(*) > 0 AND (SELECT application_id FROM pragma_application_id) <> ? FROM sqlite_schema')
    .pluck()
    .get(APPLICATION_ID)
  if (foreign === 1) throw new Fault('store_broken', { detail: file })
}

function refuseOldSqlite(version: string): void {
  const parts = version.split('.').map(Number)
  const differs = OLDEST_SQLITE.findIndex((part, index) => part !== parts[index])
  if (differs !== -1 && (parts[differs] ?? 0) < (OLDEST_SQLITE[differs] ?? 0))
    throw new Fault('store_outdated', { detail: `SQLite ${version}` })
}

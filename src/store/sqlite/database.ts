// src/store/sqlite/database.ts — the database file: made if it is missing, looked at before it is trusted, brought up to
// date, and opened for the one who writes and the one who reads.
import { accessSync, closeSync, constants, mkdirSync, openSync } from 'node:fs'
import { dirname } from 'node:path'
import Database from 'better-sqlite3'
import { Fault } from '../../engine/fault.ts'
import { pendingMigrations } from '../migrate.ts'
import type { Migration } from '../migrations/migration.ts'

/** Marks the file as ours (`TOLG`), so that somebody else's database is never migrated by mistake. */
const APPLICATION_ID = 0x544f4c47
/** Before this version a checkpoint could drop writes from the log of a busy database ("WAL-reset bug"). */
const OLDEST_SQLITE = [3, 51, 3] as const
/** How long a write waits for another process (the command line) before it counts as busy. */
const BUSY_MS = 5_000
/** Pages the log may grow by before it is written back: 16 MiB, so that a page changed often is written back once. */
const CHECKPOINT_PAGES = 4_096

/** Makes a file, and the directory it lies in, for their owner only; one that is there stays, but must be writable. */
export function createFile(file: string): void {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
  try {
    // `wx` never opens a file that exists: closing it again would take away SQLite's locks in this process.
    closeSync(openSync(file, 'wx', 0o600))
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error
    // SQLite would open it for reading and say nothing until the first write.
    accessSync(file, constants.W_OK)
  }
}

/**
 * Brings the database to the shape this program expects.
 * @throws Fault `store_newer`, `store_outdated`, `store_broken` for a database of somebody else; errors of SQLite.
 */
export function migrateFile(file: string): void {
  const database = new Database(file, { timeout: BUSY_MS })
  try {
    refuseOldSqlite(String(database.prepare('SELECT sqlite_version()').pluck().get()))
    refuseForeign(database, file)
    database.pragma('journal_mode = WAL')
    database.pragma('synchronous = FULL')
    // Under the lock it is asked again; most starts find nothing to do and need not wait for a busy writer.
    if (pendingIn(database, file).length > 0) database.transaction(() => migrate(database, file)).exclusive()
  } finally {
    database.close()
  }
}

/** A new database in memory, in the shape this program expects. It is gone when it is closed. */
export function openInMemory(): Database.Database {
  const database = new Database(':memory:')
  migrate(database, ':memory:')
  return database
}

/**
 * The connection that writes. Only the writer's thread holds it.
 * @param busyMs how long it waits for another process, in milliseconds
 */
export function openForWriting(file: string, busyMs = BUSY_MS): Database.Database {
  const database = new Database(file, { timeout: busyMs, fileMustExist: true })
  database.pragma('synchronous = FULL')
  database.pragma('temp_store = MEMORY')
  database.pragma('cache_size = -32768') // KiB: the working set of some 100,000 records.
  database.pragma(`wal_autocheckpoint = ${CHECKPOINT_PAGES}`)
  return database
}

/** A connection that cannot write. It sees everything that was committed before it asks. */
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
  const begun = database.prepare("SELECT 1 FROM sqlite_schema WHERE name = 'migrations'").get() !== undefined
  const applied = begun ? Number(database.prepare('SELECT max(number) FROM migrations').pluck().get()) : 0
  return pendingMigrations(applied, file)
}

/** An empty file is a new database; anything else must bear our mark. One statement, so that it sees one moment. */
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

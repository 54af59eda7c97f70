// src/store/sqlite/gateway-lock.ts — allows one running gateway per data directory. The lock is SQLite's lock on an empty
// database file beside the real one. The operating system releases it when the process ends, even after `kill -9`, so a
// lock is never stale. The command line does not take it, because it may write while the gateway runs.
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { Fault } from '../../engine/fault.ts'
import { createFile } from './database.ts'

/**
 * How long to wait for the lock, in milliseconds. A short check (the doctor) has ended by then, and of two gateways that
 * start at the same time one fails. A longer wait would not help against a running gateway.
 */
const PATIENCE_MS = 100

export interface GatewayLock {
  release(): void
}

/** Takes the lock. @throws Fault `store_locked` when another gateway has it; an error of SQLite or the file system. */
export function takeGatewayLock(directory: string): GatewayLock {
  const file = join(directory, 'tollgate.lock')
  createFile(file)
  const database = new Database(file, { timeout: PATIENCE_MS })
  try {
    database.exec('BEGIN EXCLUSIVE')
  } catch (error) {
    database.close()
    if (error instanceof Database.SqliteError && error.code.startsWith('SQLITE_BUSY'))
      throw new Fault('store_locked', { cause: error, detail: directory })
    throw error
  }
  return { release: () => void database.close() }
}

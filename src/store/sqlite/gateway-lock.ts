// src/store/sqlite/gateway-lock.ts — one running gateway a data directory. The lock is SQLite's own on an empty database
// file beside the real one: the operating system lets go of it when the process ends, even by `kill -9`, so there is no
// stale lock to judge. The command line writes beside a running gateway and does not take it.
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { Fault } from '../../engine/fault.ts'
import { createFile } from './database.ts'

/**
 * How long the lock is waited for. Whoever only looks at it (the doctor) is gone by then, and of two that start in the same
 * instant one gives way; a gateway that runs will be there in five seconds too.
 */
const PATIENCE_MS = 100

export interface GatewayLock {
  release(): void
}

/** @throws Fault `store_locked` when another gateway holds it; an error of SQLite when the file cannot be used. */
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

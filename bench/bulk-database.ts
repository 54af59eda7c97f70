// bench/bulk-database.ts — opens the database of a directory that no gateway uses, to add many rows to it.
import { statSync } from 'node:fs'
import { join } from 'node:path'
import Database from 'better-sqlite3'

/** Durability does not matter while copies are made. */
const PRAGMAS = ['journal_mode = OFF', 'synchronous = OFF', 'locking_mode = EXCLUSIVE', 'cache_size = -1048576']

/** Runs `add` on the database. Returns the size of the database, in bytes. */
export function addRows(directory: string, add: (database: Database.Database) => void): number {
  const database = new Database(join(directory, 'tollgate.db'))
  try {
    for (const pragma of PRAGMAS) database.pragma(pragma)
    add(database)
    database.pragma('journal_mode = WAL')
    return statSync(database.name).size
  } finally {
    database.close()
  }
}

/** Position of the newest record. */
export function newestPosition(database: Database.Database): number {
  return Number(database.prepare('SELECT max(position) FROM records').pluck().get())
}

// test/crash/files.ts — the files of a data directory, looked at as bytes and as databases.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { numbersThatLookLikeCards } from '../support/card-scanner.ts'

/** What could be card numbers in any file: databases, their logs that were not written back yet, and the rest. */
export function cardNumbersIn(directory: string): readonly string[] {
  return readdirSync(directory).flatMap(name =>
    numbersThatLookLikeCards(readFileSync(join(directory, name), 'latin1')).map(found => `${name}: ${found}`),
  )
}

/** What SQLite says of the whole file: `ok`. */
export function integrityOf(directory: string, name: string): unknown {
  const database = new Database(join(directory, name), { readonly: true, fileMustExist: true })
  try {
    return database.pragma('integrity_check', { simple: true })
  } finally {
    database.close()
  }
}

// test/crash/files.ts — checks the files of a data directory, as bytes and as databases.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { numbersThatLookLikeCards } from '../support/card-scanner.ts'

/** Possible card numbers in all files: databases, write-ahead logs, and others. */
export function cardNumbersIn(directory: string): readonly string[] {
  return readdirSync(directory).flatMap(name =>
    numbersThatLookLikeCards(readFileSync(join(directory, name), 'latin1')).map(found => `${name}: ${found}`),
  )
}

/** SQLite's integrity check of a whole file: `ok`, or the faults. */
export function integrityOf(directory: string, name: string): unknown {
  const database = new Database(join(directory, name), { readonly: true, fileMustExist: true })
  try {
    return database.pragma('integrity_check', { simple: true })
  } finally {
    database.close()
  }
}

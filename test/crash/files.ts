// test/crash/files.ts — checks the files of a data directory, as bytes and as databases.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { numbersThatLookLikeCards } from '../support/card-scanner.ts'

/** A cross reference: random digits, longer than any card number. */
const REFERENCE = /(?<!\d)\d{22}(?!\d)/g

/**
 * Possible card numbers in all files: databases, write-ahead logs, and others. A page that was overwritten in part may hold the rest of a
 * cross reference, one in ten of which has the check digit of a card; a part of one that is whole elsewhere is none.
 */
export function cardNumbersIn(directory: string): readonly string[] {
  const files = readdirSync(directory).map(name => ({ name, text: readFileSync(join(directory, name), 'latin1') }))
  const references = [...new Set(files.flatMap(({ text }) => text.match(REFERENCE) ?? []))]
  return files.flatMap(({ name, text }) =>
    numbersThatLookLikeCards(text)
      .filter(found => !references.some(reference => reference.includes(found)))
      .map(found => `${name}: ${found}`),
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

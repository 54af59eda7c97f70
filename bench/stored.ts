// bench/stored.ts — fills a database with copies of its last sale, and reads the rows of a sale.
import { statSync } from 'node:fs'
import { join } from 'node:path'
import Database from 'better-sqlite3'

/** Rows per statement, so that progress can be shown between. */
const BATCH = 100_000

/** The rows of the last sale, for the peer. */
export function storedBySale(directory: string): {
  readonly record: string
  readonly event: string
  readonly effect: string
} {
  const database = new Database(join(directory, 'tollgate.db'), { readonly: true })
  try {
    const text = (sql: string): string => String(database.prepare(sql).pluck().get())
    return {
      record: text("SELECT body FROM records WHERE kind = 'terminal-transaction' ORDER BY position DESC LIMIT 1"),
      event: text('SELECT body FROM events ORDER BY cursor DESC LIMIT 1'),
      // Its row is deleted once the terminal has accepted the start.
      effect: JSON.stringify({ type: 'terminal.start' }),
    }
  } finally {
    database.close()
  }
}

/**
 * Adds finished transactions with one event each, copies of the last sale, to the database of a directory that no gateway
 * uses. They are spread over `terminals` terminals, and their ids are random like real ones.
 * @returns the size of the database, in bytes
 */
export function fill(directory: string, count: number, terminals: number, say: (text: string) => void): number {
  const { record, event } = storedBySale(directory)
  const database = new Database(join(directory, 'tollgate.db'))
  try {
    // Durability does not matter while the copies are made.
    for (const pragma of [
      'journal_mode = OFF',
      'synchronous = OFF',
      'locking_mode = EXCLUSIVE',
      'cache_size = -1048576',
    ])
      database.pragma(pragma)
    const records = database.prepare(RECORDS)
    const events = database.prepare(EVENTS)
    for (let from = 0; from < count; from += BATCH) {
      const rows = Math.min(BATCH, count - from)
      const after = Number(database.prepare('SELECT max(position) FROM records').pluck().get())
      records.run({ rows, terminals, body: record })
      events.run({ after, body: event })
      say(`${(from + rows).toLocaleString('en')} transactions stored`)
    }
    database.pragma('journal_mode = WAL')
    return statSync(database.name).size
  } finally {
    database.close()
  }
}

const RECORDS = `
  WITH RECURSIVE counter(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM counter WHERE n < @rows)
  INSERT INTO records (kind, account, id, version, parent, live, exclusive, created_at, changed_at, body)
  SELECT 'terminal-transaction', 'demo', lower(hex(randomblob(16))), 1, printf('T%07d', abs(random()) % @terminals),
         0, NULL, 0, 0, @body
  FROM counter`

const EVENTS = `
  INSERT INTO events (record, account, version, at, type, body)
  SELECT position, account, 1, 0, 'started', @body FROM records WHERE position > @after`

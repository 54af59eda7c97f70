// bench/stored.ts — fills a database with copies of its last sale, and reads the rows of a sale.
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { addRows, newestPosition } from './bulk-database.ts'

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
 * Adds finished transactions with one event and their entries in the indexes each, copies of the last sale, to the database of a directory that no gateway
 * uses. They are spread over `terminals` terminals, and their ids are random like real ones.
 * @returns the size of the database, in bytes
 */
export function fill(directory: string, count: number, terminals: number, say: (text: string) => void): number {
  const { record, event } = storedBySale(directory)
  return addRows(directory, database => {
    const records = database.prepare(RECORDS)
    const rest = [EVENTS, TERMS, DAYS].map(sql => database.prepare(sql))
    for (let from = 0; from < count; from += BATCH) {
      const rows = Math.min(BATCH, count - from)
      const after = newestPosition(database)
      records.run({ rows, terminals, body: record })
      for (const statement of rest) statement.run({ after, body: event })
      say(`${(from + rows).toLocaleString('en')} transactions stored`)
    }
  })
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

const TERMS = `
  INSERT INTO search_terms (account, kind, term, record)
  SELECT account, kind, 'amount=2599', position FROM records WHERE position > @after`

const DAYS = `
  INSERT INTO search_days (account, kind, day, first, last)
  SELECT account, kind, 0, min(position), max(position) FROM records WHERE position > @after GROUP BY 1, 2
  ON CONFLICT DO UPDATE SET last = max(last, excluded.last)`

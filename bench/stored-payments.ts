// bench/stored-payments.ts — fills a database with copies of its last finished online payment.
import { addRows, newestPosition } from './bulk-database.ts'

/** Rows per statement, so that progress can be shown between. */
const BATCH = 50_000

/**
 * Adds finished payments with their events, unique keys and entries in the indexes, each with its own ids and order, to the database of a directory
 * that no gateway uses.
 * @returns the size of the database, in bytes
 */
export function fillPayments(directory: string, count: number, say: (text: string) => void): number {
  return addRows(directory, database => {
    const sample = Number(database.prepare(SAMPLE).pluck().get())
    // Once: the terms of one record are not found by an index.
    database.prepare(SAMPLE_TERMS).run({ sample })
    for (let from = 0; from < count; from += BATCH) {
      const rows = Math.min(BATCH, count - from)
      const after = newestPosition(database)
      database.prepare(RECORDS).run({ rows, sample })
      for (const sql of [EVENTS, CLAIMS]) database.prepare(sql).run({ after, sample })
      database.prepare(TERMS).run({ after })
      say(`${(from + rows).toLocaleString('en')} payments stored`)
    }
  })
}

const SAMPLE = `
  SELECT position FROM records WHERE kind = 'online-payment' AND live = 0 ORDER BY position DESC LIMIT 1`

const SAMPLE_TERMS = `
  CREATE TEMP TABLE sample_terms AS
  SELECT term FROM search_terms WHERE account = 'demo' AND kind = 'online-payment' AND record = @sample`

const RECORDS = `
  WITH RECURSIVE counter(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM counter WHERE n < @rows)
  INSERT INTO records (kind, account, id, version, parent, live, exclusive, created_at, changed_at, body)
  SELECT kind, account, lower(hex(randomblob(32))), version, lower(hex(randomblob(8))), 0, NULL, created_at, changed_at,
         body
  FROM counter CROSS JOIN records WHERE position = @sample`

const EVENTS = `
  INSERT INTO events (record, account, version, at, type, body)
  SELECT copies.position, event.account, event.version, event.at, event.type, event.body
  FROM records AS copies CROSS JOIN events AS event
  WHERE copies.position > @after AND event.record = @sample`

const CLAIMS = `
  INSERT INTO claims (claim, record)
  SELECT claims.claim || '/' || copies.position, copies.position
  FROM records AS copies CROSS JOIN claims
  WHERE copies.position > @after AND claims.record = @sample`

const TERMS = `
  INSERT INTO search_terms (account, kind, term, record)
  SELECT copies.account, copies.kind, sample.term, copies.position
  FROM records AS copies CROSS JOIN sample_terms AS sample
  WHERE copies.position > @after`

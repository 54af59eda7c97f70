// src/store/sqlite/term-statements.ts — prepared statements of the indexes by which lists find records. ADR 55.
import type { Database, Statement } from 'better-sqlite3'

type Term = [account: string, kind: string, term: string, record: number | bigint]

export interface TermWrites {
  readonly enterTerm: Statement<Term>
  readonly removeTerm: Statement<Term>
  /** Both positions are those of the record. */
  readonly enterDay: Statement<
    [account: string, kind: string, day: number, first: number | bigint, last: number | bigint]
  >
}

export function prepareTermWrites(database: Database): TermWrites {
  return {
    enterTerm: database.prepare(
      'INSERT INTO search_terms (account, kind, term, record) VALUES (?, ?, ?, ?) ON CONFLICT DO NOTHING',
    ),
    removeTerm: database.prepare('DELETE FROM search_terms WHERE account = ? AND kind = ? AND term = ? AND record = ?'),
    enterDay: database.prepare(
      `INSERT INTO search_days (account, kind, day, first, last) VALUES (?, ?, ?, ?, ?)
       ON CONFLICT DO UPDATE SET first = min(first, excluded.first), last = max(last, excluded.last)`,
    ),
  }
}

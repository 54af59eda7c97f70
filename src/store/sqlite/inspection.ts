// src/store/sqlite/inspection.ts — looks into a database that may be damaged, foreign or of another version.
import type { Database } from 'better-sqlite3'
import { MIGRATIONS } from '../migrate.ts'

/** Most faults listed. */
const NAMED_FAULTS = 3

/** Number of the newest migration that this program knows. */
export const NEWEST_SCHEMA = MIGRATIONS.at(-1)?.number ?? 0

/** What SQLite's check of the whole file finds; empty when it is intact. */
export function faultsIn(database: Database): readonly string[] {
  const said = database.pragma(`integrity_check(${NAMED_FAULTS})`) as readonly { readonly integrity_check: string }[]
  return said.map(row => row.integrity_check).filter(words => words !== 'ok')
}

/** Number of the last migration that was applied; null for a database that is not Tollgate's. */
export function schemaOf(database: Database): number | null {
  const known = database.prepare("SELECT count(*) FROM sqlite_schema WHERE name = 'migrations'").pluck().get() === 1
  return known ? Number(database.prepare('SELECT coalesce(max(number), 0) FROM migrations').pluck().get()) : null
}

export interface Counted {
  readonly records: number
  readonly events: number
}

/** Counts the records and events of the gateway's database. */
export function countIn(database: Database): Counted {
  const countOf = (table: string) => Number(database.prepare(`SELECT count(*) FROM ${table}`).pluck().get())
  return { records: countOf('records'), events: countOf('events') }
}

// src/cli/doctor/database-checks.ts — checks integrity and migrations of the database, without changing it.
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Database } from 'better-sqlite3'
import { MIGRATIONS } from '../../store/migrate.ts'
import { openForReading } from '../../store/sqlite/database.ts'
import { lostDatabase } from '../data-mode.ts'
import { type Finding, fine, problem, reasonOf } from './finding.ts'

/** Most faults listed. */
const NAMED_FAULTS = 3

export interface DatabaseChecked {
  readonly findings: readonly Finding[]
  /** Opened for reading, for further checks; the caller closes it. Null when it is missing or damaged. */
  readonly database: Database | null
}

/** Checks the database of a data directory. */
export function checkDatabase(directory: string): DatabaseChecked {
  const file = join(directory, 'tollgate.db')
  const lost = lostDatabase(directory)
  if (lost !== null) return { findings: [problem('database', lost)], database: null }
  if (!existsSync(file))
    return { findings: [fine('database', 'There is none yet; the first start creates it.')], database: null }
  let database: Database | null = null
  try {
    database = openForReading(file)
    const findings = [integrityOf(database, file), migrationsOf(database, file)]
    if (findings.every(finding => finding.ok)) return { findings, database }
    database.close()
    return { findings, database: null }
  } catch (error) {
    database?.close()
    return { findings: [problem('database', unreadable(file, error))], database: null }
  }
}

function unreadable(file: string, error: unknown): string {
  return `${file} cannot be read as a database (${reasonOf(error)}); restore it from a backup, or move it away to start afresh.`
}

function integrityOf(database: Database, file: string): Finding {
  const rows = database.pragma(`integrity_check(${NAMED_FAULTS})`) as readonly { readonly integrity_check: string }[]
  const faults = rows.map(row => row.integrity_check).filter(words => words !== 'ok')
  return faults.length === 0
    ? fine('database', `${file} is intact.`)
    : problem('database', `${file} is damaged (${faults.join('; ')}); stop the gateway and restore it from a backup.`)
}

function migrationsOf(database: Database, file: string): Finding {
  const newest = MIGRATIONS.at(-1)?.number ?? 0
  const known = database.prepare("SELECT count(*) FROM sqlite_schema WHERE name = 'migrations'").pluck().get() === 1
  if (!known)
    return problem('migrations', `${file} is not a database of Tollgate; name another directory, or move it away.`)
  const applied = Number(database.prepare('SELECT coalesce(max(number), 0) FROM migrations').pluck().get())
  if (applied > newest)
    return problem(
      'migrations',
      `${file} was written by a newer Tollgate (${applied}, this one knows ${newest}); use that.`,
    )
  return fine(
    'migrations',
    applied === newest ? `${applied}, the newest` : `${applied}; the next start goes on to ${newest}.`,
  )
}

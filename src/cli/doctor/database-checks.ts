// src/cli/doctor/database-checks.ts — checks integrity and migrations of the database, without changing it.
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Database } from 'better-sqlite3'
import { openForReading } from '../../store/sqlite/database.ts'
import { faultsIn, NEWEST_SCHEMA, schemaOf } from '../../store/sqlite/inspection.ts'
import { lostDatabase } from '../data-mode.ts'
import { type Finding, fine, problem, reasonOf } from './finding.ts'

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
  const faults = faultsIn(database)
  return faults.length === 0
    ? fine('database', `${file} is intact.`)
    : problem('database', `${file} is damaged (${faults.join('; ')}); stop the gateway and restore it from a backup.`)
}

function migrationsOf(database: Database, file: string): Finding {
  const applied = schemaOf(database)
  if (applied === null)
    return problem('migrations', `${file} is not a database of Tollgate; name another directory, or move it away.`)
  if (applied > NEWEST_SCHEMA)
    return problem(
      'migrations',
      `${file} was written by a newer Tollgate (${applied}, this one knows ${NEWEST_SCHEMA}); use that.`,
    )
  return fine(
    'migrations',
    applied === NEWEST_SCHEMA ? `${applied}, the newest` : `${applied}; the next start goes on to ${NEWEST_SCHEMA}.`,
  )
}

// src/cli/doctor/program-checks.ts — checks the versions of Node.js and SQLite.
import Database from 'better-sqlite3'
import { databaseModuleProblem } from '../database-module.ts'
import { type Finding, fine, problem, reasonOf } from './finding.ts'

/** Equal to `engines` in package.json. */
const OLDEST_NODE = [20, 19, 0] as const
/** Equal to the check of the store at its start. */
const OLDEST_SQLITE = [3, 51, 3] as const

/** Checks Node.js and the SQLite library. */
export function checkProgram(): readonly Finding[] {
  return [checkNode(process.versions.node), checkSqlite()]
}

function checkNode(version: string): Finding {
  return isAtLeast(version, OLDEST_NODE)
    ? fine('Node', version)
    : problem('Node', `${version} is too old; install ${OLDEST_NODE.join('.')} or newer.`)
}

function checkSqlite(): Finding {
  try {
    const database = new Database(':memory:')
    const version = String(database.prepare('SELECT sqlite_version()').pluck().get())
    database.close()
    return isAtLeast(version, OLDEST_SQLITE)
      ? fine('SQLite', version)
      : problem('SQLite', `${version} may lose writes; install the library in the lock file with \`npm ci\`.`)
  } catch (error) {
    return problem(
      'SQLite',
      databaseModuleProblem(error) ?? `The database library does not load (${reasonOf(error)}); run \`npm ci\` again.`,
    )
  }
}

function isAtLeast(version: string, oldest: readonly number[]): boolean {
  const parts = version.split('.').map(Number)
  const differs = oldest.findIndex((part, index) => part !== parts[index])
  return differs === -1 || (parts[differs] ?? 0) > (oldest[differs] ?? 0)
}

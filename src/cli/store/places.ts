// src/cli/store/places.ts — the places between which a store is copied: a data directory or a Postgres database.
import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { DATABASE_URL, type DatabaseAddress, withFiles } from '../../config/database-url.ts'
import { Failure, MISUSED } from '../failure.ts'
import type { Shell } from '../shell.ts'

export type Place =
  | { readonly type: 'directory'; readonly path: string }
  | { readonly type: 'database'; readonly address: DatabaseAddress }

const VARIABLE = 'env:'

/**
 * Reads the value of an option. No message repeats a URL, because it may hold a password.
 * @throws Failure
 */
export function placeOf({ env }: Pick<Shell, 'env'>, given: string, option: string): Place {
  const text = given.startsWith(VARIABLE) ? (env[given.slice(VARIABLE.length)] ?? '') : given
  if (text === '')
    throw new Failure(`${option} ${given} is empty; name a data directory or a postgres:// URL.`, {
      exitCode: MISUSED,
    })
  if (!/^\w+:\/\//.test(text)) return { type: 'directory', path: resolve(text) }
  const url = DATABASE_URL.parse(text)
  if (url === undefined)
    throw new Failure(`${option} must be a data directory or ${DATABASE_URL.allowed}.`, { exitCode: MISUSED })
  const address = withFiles(url, (parameter, path) => {
    try {
      return readFileSync(path)
    } catch (error) {
      throw new Failure(`${parameter} of ${option} names ${path}, which cannot be read.`, { cause: error })
    }
  })
  return { type: 'database', address }
}

/** @throws Failure when both places are of a kind that this command does not copy, or the same database */
export function refuseSame(from: Place, to: Place): void {
  if (from.type === 'directory' && to.type === 'directory')
    throw new Failure('Both are data directories; use `tollgate backup` and `tollgate restore`.', { exitCode: MISUSED })
  if (from.type === 'database' && to.type === 'database' && nameIn(from) === nameIn(to))
    throw new Failure('--from and --to are the same database; name an empty one with --to.', { exitCode: MISUSED })
}

function nameIn({ address: { hosts, database } }: Extract<Place, { type: 'database' }>): string {
  return JSON.stringify([hosts, database])
}

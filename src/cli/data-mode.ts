// src/cli/data-mode.ts — fixes the mode of a data directory, sandbox or live, at its first start.
// Otherwise a lost setting could open public test accounts among real ones.
import {
  closeSync,
  existsSync,
  fsyncSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeSync,
} from 'node:fs'
import { join } from 'node:path'
import type { Config } from '../config.ts'
import { Fault } from '../engine/fault.ts'
import { isUnfinishedDirectory, unfinishedFile } from '../store/copy/unfinished.ts'
import { Failure } from './failure.ts'

/**
 * Records the mode of a directory at its first start. The caller holds the lock of the directory.
 * @throws Failure when it has the other mode; Fault `store_unwritable`
 */
export function claimDirectory({ dataDirectory, mode }: Pick<Config, 'dataDirectory' | 'mode'>): void {
  const file = modeFile(dataDirectory)
  const noted = modeIn(file)
  if (noted === null) writeNote(file, mode)
  else if (noted !== mode)
    throw new Failure(
      `${dataDirectory} belongs to a gateway in ${noted} mode; start it with TOLLGATE_MODE=${noted}, ` +
        'or name another data directory.',
    )
}

/**
 * Mode of a directory; before its first start, that of the settings.
 * @throws Failure when the file that names it is damaged; Fault `store_unwritable`
 */
export function directoryMode({ dataDirectory, mode }: Config): Config['mode'] {
  return modeIn(modeFile(dataDirectory)) ?? mode
}

/** Mode of a directory; null before its first start. @throws like `directoryMode` */
export function notedMode(dataDirectory: string): Config['mode'] | null {
  return modeIn(modeFile(dataDirectory))
}

/**
 * Refuses a directory that has been used and has lost its database: a new one in its place would look like a gateway without
 * any payments. The mode is written after the first database, so a directory with a mode has had one.
 * @throws Failure; Fault `store_unwritable`
 */
export function refuseLostDatabase({ dataDirectory }: Pick<Config, 'dataDirectory'>): void {
  const lost = lostDatabase(dataDirectory)
  if (lost !== null) throw new Failure(lost)
}

/** @throws Failure when a directory has no database yet */
export function refuseNoDatabase({ dataDirectory }: Pick<Config, 'dataDirectory'>): void {
  if (existsSync(join(dataDirectory, 'tollgate.db'))) return
  if (isUnfinishedDirectory(dataDirectory)) throw new Failure(unfinished(dataDirectory))
  throw new Failure(
    `${dataDirectory} holds no gateway yet; start one with \`tollgate serve\`, or name its directory with --data.`,
  )
}

/**
 * Says that the database of a used directory is gone or empty, or an unfinished copy; null when it is there, or the directory
 * is new.
 */
export function lostDatabase(dataDirectory: string): string | null {
  if (isUnfinishedDirectory(dataDirectory)) return unfinished(dataDirectory)
  const mode = modeFile(dataDirectory)
  if (readNote(mode) === null) return null
  const database = join(dataDirectory, 'tollgate.db')
  const bytes = statSync(database, { throwIfNoEntry: false })?.size
  if (bytes !== undefined && bytes > 0) return null
  return (
    `${database} is ${bytes === undefined ? 'missing' : 'empty'}, although this directory has been in use; ` +
    `restore it from a backup, or remove ${mode} to start afresh.`
  )
}

/**
 * Notes in a data directory that its gateway is on Postgres, so that a lost setting does not begin a new one on SQLite.
 * @param where names the database
 * @throws Fault `store_unwritable`
 */
export function noteDatabase({ dataDirectory }: Pick<Config, 'dataDirectory'>, where: string): void {
  const file = databaseFile(dataDirectory)
  if (readNote(file) !== where) writeNote(file, where)
}

/** @throws Failure when the gateway of a data directory is on Postgres; Fault `store_unwritable` */
export function refuseDatabaseNote({ dataDirectory }: Pick<Config, 'dataDirectory'>): void {
  const file = databaseFile(dataDirectory)
  const where = readNote(file)
  if (where !== null)
    throw new Failure(
      `${dataDirectory} belongs to a gateway on Postgres (${where}); set DATABASE_URL, name another data directory, ` +
        `or remove ${file} to begin a new gateway on SQLite.`,
    )
}

/** Removes the note: the gateway is on SQLite from now on. @throws Fault `store_unwritable` */
export function forgetDatabase(dataDirectory: string): void {
  const file = databaseFile(dataDirectory)
  try {
    rmSync(file, { force: true })
  } catch (error) {
    throw new Fault('store_unwritable', { detail: file, cause: error })
  }
}

function databaseFile(dataDirectory: string): string {
  return join(dataDirectory, 'postgres')
}

function unfinished(dataDirectory: string): string {
  return new Fault('store_unfinished', { detail: unfinishedFile(dataDirectory) }).message
}

function modeFile(dataDirectory: string): string {
  return join(dataDirectory, 'mode')
}

function modeIn(file: string): Config['mode'] | null {
  const noted = readNote(file)
  if (noted === null || noted === 'live' || noted === 'sandbox') return noted
  throw new Failure(
    `${file} must name the mode of this directory and is ${noted === '' ? 'empty' : 'damaged'}; ` +
      'write into it the mode in which this gateway was running, `live` or `sandbox`.',
  )
}

/** Reads a note of one line; null when there is none. @throws Fault `store_unwritable` */
export function readNote(file: string): string | null {
  try {
    return readFileSync(file, 'utf8').trim()
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null
    throw new Fault('store_unwritable', { detail: file, cause: error })
  }
}

/**
 * Writes the file and renames it, so that a crash leaves either the whole file or none.
 * @throws Fault `store_unwritable`
 */
export function writeNote(file: string, text: string): void {
  const draft = `${file}.draft`
  try {
    const descriptor = openSync(draft, 'w', 0o600)
    try {
      writeSync(descriptor, `${text}\n`)
      fsyncSync(descriptor)
    } finally {
      closeSync(descriptor)
    }
    renameSync(draft, file)
  } catch (error) {
    throw new Fault('store_unwritable', { detail: file, cause: error })
  }
}

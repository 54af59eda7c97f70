// src/store/copy/sqlite-target.ts — fills a data directory with a copy: a file under another name until it is whole.
import { closeSync, existsSync, fsyncSync, openSync, renameSync } from 'node:fs'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { createFile, migrateFile } from '../sqlite/database.ts'
import { faultOf } from '../sqlite/faults.ts'
import { takeGatewayLock } from '../sqlite/gateway-lock.ts'
import { foreignCopy, notEmpty } from './refusals.ts'
import type { Ends, Row, Section } from './sections.ts'
import { type CopiedSection, type CopyState, type CopyTarget, NOTHING_COPIED } from './sides.ts'
import { prepareRows } from './sqlite-rows.ts'
import { MOVES, STATE } from './sqlite-statements.ts'
import { unfinishedFile } from './unfinished.ts'

interface Stored {
  readonly stamp: string
  /** `CopyState` as JSON. */
  readonly state: string
}

/**
 * Works on a new store in a data directory, or on the unfinished copy of the same source in it.
 * @param stamp of the source, see `stampOf`
 * @throws CopyProblem when the directory has a store or another copy; Fault `store_locked`; what `work` throws
 */
export async function withSqliteTarget<T>(
  directory: string,
  stamp: string,
  work: (target: CopyTarget) => Promise<T>,
): Promise<T> {
  const file = join(directory, 'tollgate.db')
  const draft = unfinishedFile(directory)
  const closers: (() => void)[] = []
  try {
    const lock = takeGatewayLock(directory)
    closers.push(() => lock.release())
    const database = existsSync(file) ? openFinished(file, stamp) : openDraft(draft, stamp)
    closers.push(() => database.close())
    return await work(targetOf(database, directory))
  } catch (error) {
    throw faultOf(error, draft)
  } finally {
    for (const close of closers.reverse()) close()
  }
}

/** A copy that was killed after it had got its name. */
function openFinished(file: string, stamp: string): Database.Database {
  const database = new Database(file, { fileMustExist: true })
  try {
    const isCopy = database.prepare(STATE.exists).pluck().get() === 1
    if (!isCopy || storedIn(database)?.stamp !== stamp) throw notEmpty(file)
    return database
  } catch (error) {
    database.close()
    throw error
  }
}

function openDraft(draft: string, stamp: string): Database.Database {
  createFile(draft)
  migrateFile(draft)
  const database = new Database(draft, { fileMustExist: true })
  try {
    // A lost transaction is copied again, because the state is part of it.
    database.pragma('synchronous = NORMAL')
    database.pragma('cache_size = -65536') // KiB: the inner pages of the indexes of some million records.
    const begin = database.transaction(() => {
      if (database.prepare(STATE.exists).pluck().get() === 1) return
      database.exec(STATE.create)
      database.prepare(STATE.begin).run(stamp, JSON.stringify(NOTHING_COPIED))
    })
    begin()
    if (storedIn(database)?.stamp !== stamp) throw foreignCopy(draft)
    return database
  } catch (error) {
    database.close()
    throw error
  }
}

function storedIn(database: Database.Database): Stored | undefined {
  return database.prepare<[], Stored>(STATE.read).get()
}

function targetOf(database: Database.Database, directory: string): CopyTarget {
  const rows = prepareRows(database)
  const writeState = database.prepare<[string]>(STATE.write)
  const note = (state: CopyState) => void writeState.run(JSON.stringify(state))
  const write = database.transaction((section: Section, added: readonly Row[], state: CopyState) => {
    for (const row of added) rows.insert(section, row)
    note(state)
  })
  // SQLite numbers records and effects by their highest row.
  const moveEnds = database.transaction(({ cursor, fence }: Ends) => {
    if (database.prepare(MOVES.cursor).run(cursor).changes === 0) database.prepare(MOVES.firstCursor).run(cursor)
    database.prepare(MOVES.fence).run(fence)
  })
  return {
    where: directory,
    state: JSON.parse(storedIn(database)?.state ?? '') as CopyState,
    write: async (section, added, state) => write(section, added, state),
    find: async (section, wanted) => wanted.map(row => rows.find(section, row)),
    count: async section => rows.count(section),
    ends: async () => rows.ends(),
    moveEnds: async ends => moveEnds(ends),
    async release(verified) {
      release(database, directory, verified)
    },
  }
}

/**
 * Gives the file its name. The state is removed after that: a kill in between leaves a whole store with a table that no gateway
 * reads, and the next run removes it.
 */
function release(database: Database.Database, directory: string, verified: readonly CopiedSection[]): void {
  const file = join(directory, 'tollgate.db')
  if (database.name !== file) {
    const state: CopyState = { ...NOTHING_COPIED, verified }
    database.prepare(STATE.write).run(JSON.stringify(state))
    // One file without a log beside it can be renamed.
    database.pragma('journal_mode = DELETE')
    database.close()
    sync(database.name, 'r+')
    renameSync(database.name, file)
    if (process.platform !== 'win32') sync(directory, 'r')
  } else database.close()
  const whole = new Database(file, { fileMustExist: true })
  try {
    whole.pragma('synchronous = FULL')
    whole.exec(STATE.drop)
  } finally {
    whole.close()
  }
}

function sync(path: string, flags: 'r' | 'r+'): void {
  const descriptor = openSync(path, flags)
  try {
    fsyncSync(descriptor)
  } finally {
    closeSync(descriptor)
  }
}

// src/store/copy/sqlite-source.ts — reads a data directory for a copy, and keeps everything else from changing it.
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { faultOf } from '../sqlite/faults.ts'
import { takeGatewayLock } from '../sqlite/gateway-lock.ts'
import { NEWEST_SCHEMA, schemaOf } from '../sqlite/inspection.ts'
import { schemaProblem } from './schema-problem.ts'
import type { CopySource } from './sides.ts'
import { prepareRows } from './sqlite-rows.ts'
import { BODY, CHANGED_AT } from './sqlite-statements.ts'

/** How long to wait for a command that writes, in milliseconds. */
const BUSY_MS = 5_000

/**
 * Works on the store of a data directory while no gateway and no command can change it.
 * @throws Fault `store_locked`, `store_broken`, `store_busy`; CopyProblem for another schema; what `work` throws
 */
export async function withSqliteSource<T>(directory: string, work: (source: CopySource) => Promise<T>): Promise<T> {
  const file = join(directory, 'tollgate.db')
  const closers: (() => void)[] = []
  try {
    const lock = takeGatewayLock(directory)
    closers.push(() => lock.release())
    const database = new Database(file, { timeout: BUSY_MS, fileMustExist: true })
    closers.push(() => database.close())
    const schema = schemaOf(database)
    if (schema !== NEWEST_SCHEMA) throw schemaProblem(file, schema)
    // The lock of all writers. What is read does not change until it is released.
    database.exec('BEGIN IMMEDIATE')
    return await work(sourceOf(database, directory))
  } catch (error) {
    throw faultOf(error, file)
  } finally {
    for (const close of closers.reverse()) close()
  }
}

function sourceOf(database: Database.Database, where: string): CopySource {
  const rows = prepareRows(database)
  const changedAt = database.prepare<[], number>(CHANGED_AT).pluck()
  const body = database.prepare<[string, string, string], string>(BODY).pluck()
  return {
    where,
    ends: async () => rows.ends(),
    changedAt: async () => changedAt.get() ?? 0,
    count: async section => rows.count(section),
    page: async (section, after, limit) => rows.page(section, after, limit),
    placeOf: rows.placeOf,
    bodyOf: async ({ account, kind, id }) => body.get(kind, account, id) ?? null,
  }
}

// src/store/postgres/schema.ts — migrates the database to the schema of this program.
import { Fault } from '../../engine/fault.ts'
import { refuseUnfinishedCopy } from '../copy/unfinished.ts'
import { pendingMigrations } from '../migrate.ts'
import type { Connections } from './connections.ts'
import type { Query, Statement } from './session.ts'
import { LEASES, SCHEMA } from './work-statements.ts'

/** Limit of a migration, and of waiting for that of another process, in milliseconds. */
const PATIENCE_MS = 10 * 60_000

/**
 * Migrates the database in one transaction. Programs that start at the same time do it one after the other.
 * @throws Fault `store_newer`; `store_unfinished` for a copy that is not whole; `store_locked` when there is something to migrate while a gateway works on the database
 */
export async function migrateDatabase(connections: Connections): Promise<void> {
  await refuseUnfinishedCopy(connections.query, connections.where)
  // Most starts have nothing to do, and take no lock.
  if ((await pendingIn(connections.query, connections.where)).length === 0) return
  await connections.transaction(async query => {
    await query(SCHEMA.lock, [])
    const pending = await pendingIn(query, connections.where)
    const [exists] = await query<{ readonly exists: boolean }>(SCHEMA.exists, [])
    if (exists?.exists !== true) await query(SCHEMA.create, [])
    else if (pending.length > 0) await refuseInUse(query, connections.where)
    for (const { number, name, sql } of pending) {
      if (sql.postgres !== '') await query(blockOf(number, sql.postgres), [])
      await query(SCHEMA.note, [number, name])
    }
  }, PATIENCE_MS)
}

/** Whether the tables are spread over several machines by merchant account. */
export async function isDistributed(query: Query): Promise<boolean> {
  const [can] = await query<{ readonly yes: boolean }>(SCHEMA.canDistribute, [])
  if (can?.yes !== true) return false
  const [is] = await query<{ readonly yes: boolean }>(SCHEMA.isDistributed, [])
  return is?.yes === true
}

async function pendingIn(query: Query, where: string) {
  const [exists] = await query<{ readonly exists: boolean }>(SCHEMA.exists, [])
  if (exists?.exists !== true) return pendingMigrations(0, where)
  const [applied] = await query<{ readonly number: number }>(SCHEMA.applied, [])
  return pendingMigrations(applied?.number ?? 0, where)
}

/** A gateway of the older version would go on with a schema that it does not know. */
async function refuseInUse(query: Query, where: string): Promise<void> {
  const [used] = await query<{ readonly count: number }>(LEASES.inUse, [])
  if ((used?.count ?? 0) > 0) throw new Fault('store_locked', { detail: where })
}

/** The statements of a migration as one. */
function blockOf(number: number, sql: string): Statement {
  return { name: `migration_${number}`, text: `DO $migration$ BEGIN ${sql} END $migration$` }
}

// src/store/copy/unfinished.ts — how to tell an unfinished copy, on which no gateway may start.
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { Fault } from '../../engine/fault.ts'
import type { Query } from '../postgres/session.ts'
import { MARK } from './postgres-statements.ts'

/** The file of a copy into a data directory, until it is whole. */
export function unfinishedFile(directory: string): string {
  return join(directory, 'tollgate.db.copy')
}

/** Whether a data directory holds an unfinished copy and no store. */
export function isUnfinishedDirectory(directory: string): boolean {
  return existsSync(unfinishedFile(directory)) && !existsSync(join(directory, 'tollgate.db'))
}

/** @throws Fault `store_unfinished` for a Postgres database that holds an unfinished copy */
export async function refuseUnfinishedCopy(query: Query, where: string): Promise<void> {
  const [found] = await query<{ readonly exists: boolean }>(MARK.exists, [])
  if (found?.exists === true) throw new Fault('store_unfinished', { detail: where })
}

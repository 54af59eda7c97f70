// src/store/migrate.ts — how a database comes to the shape this program expects: forward only, one number after another.
// Each kind of database runs what is pending under its own lock and notes the number in its table `migrations`.
import { Fault } from '../engine/fault.ts'
import { records } from './migrations/0001-records.ts'
import { claims } from './migrations/0002-claims.ts'
import { outsideChanges } from './migrations/0003-outside-changes.ts'
import { bodies } from './migrations/0004-bodies.ts'
import { rewrites } from './migrations/0005-rewrites.ts'
import { leases } from './migrations/0006-leases.ts'
import type { Migration } from './migrations/migration.ts'

/** All there are, in order. */
export const MIGRATIONS: readonly Migration[] = [records, claims, outsideChanges, bodies, rewrites, leases]

/**
 * What is still to be run on a database that has come as far as `applied` (0: it is new), in order.
 * @throws Fault `store_newer` when it has come further than this program knows; `where` names the database.
 */
export function pendingMigrations(applied: number, where: string): readonly Migration[] {
  const newest = MIGRATIONS.at(-1)?.number ?? 0
  if (applied > newest) throw new Fault('store_newer', { detail: where })
  return MIGRATIONS.filter(migration => migration.number > applied)
}

// src/store/migrate.ts — lists the pending migrations of a database: forward only, in order of their numbers. Each kind of
// database runs them under its own lock and records their numbers in its table `migrations`.
import { Fault } from '../engine/fault.ts'
import { records } from './migrations/0001-records.ts'
import { claims } from './migrations/0002-claims.ts'
import { outsideChanges } from './migrations/0003-outside-changes.ts'
import { bodies } from './migrations/0004-bodies.ts'
import { rewrites } from './migrations/0005-rewrites.ts'
import { leases } from './migrations/0006-leases.ts'
import { searchTerms } from './migrations/0007-search-terms.ts'
import type { Migration } from './migrations/migration.ts'

/** All migrations, in order. */
export const MIGRATIONS: readonly Migration[] = [records, claims, outsideChanges, bodies, rewrites, leases, searchTerms]

/**
 * Migrations still to run on a database whose last one is `applied` (0 when it is new), in order.
 * @throws Fault `store_newer` when `applied` is newer than this program; `where` names the database.
 */
export function pendingMigrations(applied: number, where: string): readonly Migration[] {
  const newest = MIGRATIONS.at(-1)?.number ?? 0
  if (applied > newest) throw new Fault('store_newer', { detail: where })
  return MIGRATIONS.filter(migration => migration.number > applied)
}

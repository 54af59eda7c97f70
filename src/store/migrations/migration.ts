// src/store/migrations/migration.ts — one step of the database schema.

/** SQL dialects. A new one does not compile until every migration has SQL for it. */
export type Dialect = 'sqlite'

export interface Migration {
  /** Counts from 1. A number that has been released never changes its meaning. */
  readonly number: number
  readonly name: string
  readonly sql: Readonly<Record<Dialect, string>>
}

// src/store/migrations/migration.ts — one step of the database schema.

/** SQL dialects. A new one does not compile until every migration has SQL for it. */
export type Dialect = 'sqlite' | 'postgres'

export interface Migration {
  /** Counts from 1. A number that has been released never changes its meaning. */
  readonly number: number
  readonly name: string
  /** Statements, separated by semicolons; of Postgres empty before number 7, with which its databases begin. */
  readonly sql: Readonly<Record<Dialect, string>>
}

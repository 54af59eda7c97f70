// src/store/migrations/migration.ts — one step of a database towards the shape this program expects.

/** One name for each kind of SQL. A new one does not compile until every migration speaks it. */
export type Dialect = 'sqlite'

export interface Migration {
  /** Counts from 1. A number that has been released never changes its meaning. */
  readonly number: number
  readonly name: string
  readonly sql: Readonly<Record<Dialect, string>>
}

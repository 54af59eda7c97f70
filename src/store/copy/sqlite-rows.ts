// src/store/copy/sqlite-rows.ts — reads and inserts the rows of a copy in a SQLite database.
import { type Database, SqliteError, type Statement } from 'better-sqlite3'
import { unfitting } from './refusals.ts'
import {
  type Cell,
  cellsOf,
  comparable,
  type Ends,
  type Row,
  rowOf,
  SECTIONS,
  type Section,
  type SectionName,
} from './sections.ts'
import { countStatement, ENDS, findStatement, insertStatement, orderOf, pageStatement } from './sqlite-statements.ts'

type Found = Readonly<Record<string, unknown>>

export interface SqliteRows {
  count(section: Section): number
  placeOf(section: Section, row: Row): readonly Cell[]
  page(section: Section, after: readonly Cell[] | null, limit: number): readonly Row[]
  find(section: Section, row: Row): Row | undefined
  insert(section: Section, row: Row): void
  ends(): Ends
}

interface Prepared {
  readonly count: Statement<[], number>
  readonly first: Statement<Cell[], Found>
  readonly next: Statement<Cell[], Found>
  readonly find: Statement<Cell[], Found>
  /** Null when other sections contain the row. */
  readonly insert: Statement<[Record<string, Cell>]> | null
}

export function prepareRows(database: Database): SqliteRows {
  const prepared = Object.fromEntries(SECTIONS.map(section => [section.name, prepare(database, section)]))
  const of = ({ name }: Section): Prepared => (prepared as Readonly<Record<SectionName, Prepared>>)[name]
  const ends = database.prepare<[], Ends>(ENDS)
  const placeOf = (section: Section, row: Row) => cellsOf(section, row, orderOf(section))
  return {
    count: section => of(section).count.get() ?? 0,
    placeOf,
    page(section, after, limit) {
      const { first, next } = of(section)
      const found = after === null ? first.all(limit) : next.all(...after, limit)
      // Keys of erased records name their account in their text only.
      return found.map(one => comparable(section, rowOf(section, one)))
    },
    find(section, row) {
      const found = of(section).find.get(...placeOf(section, row))
      return found === undefined ? undefined : rowOf(section, found)
    },
    insert(section, row) {
      const cells = section.columns.map(({ name, type }, index) => {
        const cell = row[index] ?? null
        return [name, type === 'boolean' ? Number(cell) : cell]
      })
      try {
        of(section).insert?.run(Object.fromEntries(cells))
      } catch (error) {
        if (error instanceof SqliteError && error.code.startsWith('SQLITE_CONSTRAINT'))
          throw unfitting(section, placeOf(section, row), 'SQLite')
        throw error
      }
    },
    ends() {
      const found = ends.get()
      if (found === undefined) throw new Error('a statement without FROM gave no row')
      return found
    },
  }
}

function prepare(database: Database, section: Section): Prepared {
  const insert = insertStatement(section)
  return {
    count: database.prepare<[], number>(countStatement(section)).pluck(),
    first: database.prepare(pageStatement(section, false)),
    next: database.prepare(pageStatement(section, true)),
    find: database.prepare(findStatement(section)),
    insert: insert === null ? null : database.prepare(insert),
  }
}

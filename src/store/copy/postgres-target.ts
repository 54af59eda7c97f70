// src/store/copy/postgres-target.ts — fills a Postgres database with a copy.
import { laneOf } from '../../engine/work-leases.ts'
import type { Connections } from '../postgres/connections.ts'
import { StatementFailed } from '../postgres/faults.ts'
import { LANES } from '../postgres/lanes.ts'
import { migrateDatabase } from '../postgres/schema.ts'
import type { Query } from '../postgres/session.ts'
import { NEWEST_SCHEMA } from '../sqlite/inspection.ts'
import { STATEMENT_MS, schemaIn } from './postgres-database.ts'
import { MARK, statementsOf, TARGET } from './postgres-statements.ts'
import { foreignCopy, notEmpty, unfitting } from './refusals.ts'
import { schemaProblem } from './schema-problem.ts'
import { type Cell, cellsOf, type Ends, type Row, rowOf, type Section } from './sections.ts'
import { type AddedRecord, type CopyState, type CopyTarget, NOTHING_COPIED } from './sides.ts'

interface Marked {
  readonly stamp: string
  /** `CopyState` as JSON. */
  readonly state: string
}

type Found = Readonly<Record<string, unknown>> & { readonly place_in_page: number }

/**
 * Opens an empty database, or the unfinished copy of the same source in it.
 * @param stamp of the source, see `stampOf`
 * @param added a record for a source that does not have it, or null
 * @throws CopyProblem when it holds something else or has another schema
 */
export async function openPostgresTarget(
  connections: Connections,
  stamp: string,
  added: AddedRecord | null,
): Promise<CopyTarget> {
  const { query, where } = connections
  const schema = await schemaIn(connections)
  if (schema === null) {
    const [foreign] = await query<{ readonly name: string }>(TARGET.foreign, [])
    if (foreign !== undefined) throw notEmpty(where, `it has a table ${foreign.name}`)
    await migrateDatabase(connections)
  } else if (schema !== NEWEST_SCHEMA) throw schemaProblem(where, schema)
  const marked = await markedIn(connections, stamp)
  if (marked.stamp !== stamp) throw foreignCopy(where)
  return targetOver(connections, JSON.parse(marked.state) as CopyState, added)
}

/** Reads the mark of an unfinished copy, or marks an empty database. */
async function markedIn({ query, transaction, where }: Connections, stamp: string): Promise<Marked> {
  const [mark] = await query<{ readonly exists: boolean }>(MARK.exists, [])
  if (mark?.exists !== true) {
    const [used] = await query<{ readonly name: string }>(TARGET.used, [])
    if (used !== undefined) throw notEmpty(where, `it has ${used.name}`)
    await transaction(async query => {
      await query(MARK.create, [])
      await query(MARK.begin, [stamp, JSON.stringify(NOTHING_COPIED)])
    })
  }
  const [marked] = await query<Marked>(MARK.read, [])
  if (marked === undefined) throw foreignCopy(where)
  return marked
}

function targetOver(
  { query, transaction, where }: Connections,
  state: CopyState,
  added: AddedRecord | null,
): CopyTarget {
  const ends = async () => {
    const [found] = await query<Ends>(TARGET.ends, [])
    if (found === undefined) throw new Error('a sequence gave no row')
    return found
  }
  return {
    ...{ where, state, ends },
    async write(section, rows, next) {
      refuseUnfitting(section, rows)
      await transaction(async query => {
        if (rows.length > 0) await insert(query, section, rows)
        await query(MARK.write, [JSON.stringify(next)])
      }, STATEMENT_MS)
    },
    async find(section, rows) {
      const { find, order } = statementsOf(section)
      const places = rows.map(row => cellsOf(section, row, order))
      const found = await query<Found>(find, columnsOf(places))
      const byPlace = new Map(found.map(row => [row.place_in_page, rowOf(section, row)]))
      return rows.map((_, index) => byPlace.get(index + 1))
    },
    async count(section) {
      const [found] = await query<{ readonly count: number }>(statementsOf(section).count, [])
      return found?.count ?? 0
    },
    async moveEnds({ cursor, position, place, fence }) {
      // One sequence numbers them all.
      await query(TARGET.moveNumbers, [Math.max(cursor, position, place, 1)])
      await query(TARGET.moveFences, [fence])
      // So that comparing, and the first queries of a gateway, are planned for the rows that are there.
      await query(TARGET.analyse, [])
    },
    async release() {
      await transaction(async query => {
        if (added !== null) {
          const { key, body, at } = added
          await query(TARGET.addRecord, [key.account, key.kind, key.id, at, body])
        }
        await query(MARK.drop, [])
      }, STATEMENT_MS)
    },
  }
}

async function insert(query: Query, section: Section, rows: readonly Row[]): Promise<void> {
  const { insert, hasLane } = statementsOf(section)
  const lanes = hasLane ? [rows.map(row => laneOf(String(cellsOf(section, row, ['account'])[0]), LANES))] : []
  try {
    await query(insert, [...columnsOf(rows), ...lanes])
  } catch (error) {
    if (!(error instanceof StatementFailed)) throw error
    // One of them: the database does not say which.
    throw unfitting(
      section,
      cellsOf(section, rows[0] ?? [], statementsOf(section).order),
      `Postgres with those after it (${error.message})`,
    )
  }
}

/** Postgres stores no text with this character. */
function refuseUnfitting(section: Section, rows: readonly Row[]): void {
  const bad = rows.find(row => row.some(cell => typeof cell === 'string' && cell.includes('\0')))
  if (bad !== undefined) throw unfitting(section, cellsOf(section, bad, statementsOf(section).order), 'Postgres')
}

/** One array for each column. */
function columnsOf(rows: readonly (readonly Cell[])[]): readonly (readonly Cell[])[] {
  return (rows[0] ?? []).map((_, column) => rows.map(row => row[column] ?? null))
}

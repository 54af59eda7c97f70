// src/store/copy/postgres-source.ts — reads a Postgres database for a copy, and keeps everything else from changing it.
import type { Connections } from '../postgres/connections.ts'
import { CommitUnknown } from '../postgres/faults.ts'
import type { Query } from '../postgres/session.ts'
import { NEWEST_SCHEMA } from '../sqlite/inspection.ts'
import { STATEMENT_MS, schemaIn } from './postgres-database.ts'
import { SOURCE, statementsOf } from './postgres-statements.ts'
import { schemaProblem } from './schema-problem.ts'
import { cellsOf, type Ends, rowOf } from './sections.ts'
import { CopyProblem, type CopySource } from './sides.ts'
import { refuseUnfinishedCopy } from './unfinished.ts'

type Found = Readonly<Record<string, unknown>>

/**
 * Works on the store of a database while nothing can change it.
 * @throws CopyProblem for a database without a gateway or of another schema; Fault `store_unfinished`, `store_busy`; what
 * `work` throws
 */
export async function withPostgresSource<T>(
  connections: Connections,
  work: (source: CopySource) => Promise<T>,
): Promise<T> {
  const { query, where, transaction } = connections
  await refuseUnfinishedCopy(query, where)
  const schema = await schemaIn(connections)
  if (schema === null) throw new CopyProblem(`${where} holds no gateway.`)
  if (schema !== NEWEST_SCHEMA) throw schemaProblem(where, schema)
  let result: { readonly value: T } | null = null
  try {
    await transaction(async query => {
      await query(SOURCE.limits, [])
      await query(SOURCE.lock, [])
      result = { value: await work(sourceOver(query, where)) }
    }, STATEMENT_MS)
  } catch (error) {
    // It has written nothing.
    if (!(error instanceof CommitUnknown) || result === null) throw error
  }
  return (result as unknown as { readonly value: T }).value
}

function sourceOver(query: Query, where: string): CopySource {
  const one = async <Row>(...[statement, values]: Parameters<Query>): Promise<Row> => {
    const [row] = await query<Row>(statement, values)
    if (row === undefined) throw new Error('an aggregate gave no row')
    return row
  }
  return {
    where,
    ends: () => one<Ends>(SOURCE.ends, []),
    changedAt: async () => (await one<{ readonly at: number }>(SOURCE.changedAt, [])).at,
    count: async section => (await one<{ readonly count: number }>(statementsOf(section).count, [])).count,
    async page(section, after, limit) {
      const { first, next } = statementsOf(section)
      const found = await (after === null ? query<Found>(first, [limit]) : query<Found>(next, [...after, limit]))
      return found.map(row => rowOf(section, row))
    },
    placeOf: (section, row) => cellsOf(section, row, statementsOf(section).order),
    async bodyOf({ account, kind, id }) {
      const [found] = await query<{ readonly body: string }>(SOURCE.body, [account, kind, id])
      return found?.body ?? null
    },
  }
}

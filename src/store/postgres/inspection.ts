// src/store/postgres/inspection.ts — looks at a database without changing it: versions, schema, and how safe a COMMIT is.
import type { StoredRecord } from '../../engine/ports/store.ts'
import { MIGRATIONS } from '../migrate.ts'
import type { Query, Statement } from './session.ts'
import { INSPECTION } from './work-statements.ts'

/** Versions that are tested, by their first number. */
export const SUPPORTED = { from: 15, to: 18 } as const

const SERVER: Statement = {
  name: 'inspect_server',
  text: `SELECT current_setting('server_version') AS version, current_setting('server_version_num')::integer / 10000 AS major,
    current_setting('synchronous_commit') AS "synchronousCommit", current_setting('fsync') AS fsync,
    current_setting('synchronous_standby_names') AS standbys, to_regclass('migrations') IS NOT NULL AS used`,
}
const SCHEMA: Statement = { name: 'inspect_schema', text: 'SELECT max(number)::integer AS number FROM migrations' }

export interface Inspected {
  /** As the server says it, such as `17.2 (Debian 17.2-1)`. */
  readonly version: string
  readonly major: number
  readonly synchronousCommit: string
  readonly fsync: string
  /** `synchronous_standby_names`; empty without synchronous standbys. */
  readonly standbys: string
  /** Number of the last migration; null when the database holds no gateway. */
  readonly schema: number | null
}

/** Reads the newest records of a kind, over all accounts. */
export function newestRecords(query: Query, kind: string, limit: number): Promise<readonly StoredRecord[]> {
  return query<StoredRecord>(INSPECTION.newest, [kind, limit])
}

/** Number of the newest migration that this program knows. */
export const NEWEST_SCHEMA = MIGRATIONS.at(-1)?.number ?? 0

export async function inspectDatabase(query: Query): Promise<Inspected> {
  const [server] = await query<Omit<Inspected, 'schema'> & { readonly used: boolean }>(SERVER, [])
  if (server === undefined) throw new Error('a statement without FROM gave no row')
  const { used, ...said } = server
  const [applied] = used ? await query<{ readonly number: number | null }>(SCHEMA, []) : []
  return { ...said, schema: applied?.number ?? null }
}

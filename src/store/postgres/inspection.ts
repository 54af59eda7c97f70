// src/store/postgres/inspection.ts — looks at a database without changing it: versions, schema, and how safe a COMMIT is.
import type { StoredRecord } from '../../engine/ports/store.ts'
import { MIGRATIONS } from '../migrate.ts'
import type { Query, Statement } from './session.ts'
import { READS } from './statements.ts'
import { NODES } from './work-statements.ts'

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
  return query<StoredRecord>(READS.newest, [kind, limit])
}

/** A node that has worked on the database within the last hour. */
export interface NodeStatus {
  readonly name: string
  /** Version of its program. */
  readonly version: string
  /** Where it listens for other nodes. */
  readonly address: string | null
  /** It stops: it has given its lanes back. */
  readonly leaving: boolean
  /** Epoch milliseconds. */
  readonly startedAt: number
  /** Milliseconds since it last renewed its leases. */
  readonly silentMs: number
  /** Lanes whose effects and timers it performs. */
  readonly lanes: number
  /** Events of other nodes that it has not read, up to `MOST_BEHIND`. */
  readonly behind: number
}

export interface ClusterStatus {
  readonly nodes: readonly NodeStatus[]
  /** Lanes that no node performs. */
  readonly freeLanes: number
}

/** More events than this are not counted. */
export const MOST_BEHIND = 10_000

/** Reads which nodes work on the database, and how far each is. */
export async function clusterOf(query: Query): Promise<ClusterStatus> {
  const nodes = await query<NodeStatus>(NODES.all, [MOST_BEHIND])
  const [free] = await query<{ readonly count: number }>(NODES.free, [])
  return { nodes, freeLanes: free?.count ?? 0 }
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

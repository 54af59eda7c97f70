// src/store/postgres/dial.ts — connects to the primary: the hosts in turn, each asked what it is. ADR 65, 73.
import { type ConnectionOptions, checkServerIdentity } from 'node:tls'
import type pg from 'pg'
import type { Clock } from '../../engine/ports/clock.ts'
import { type DatabaseAddress, type DatabaseHost, type Limits, nameOf, namesOf } from './address.ts'
import { reasonOf, sqlStateOf, unreachable } from './faults.ts'
import { PLAN_BY_INDEX } from './planning.ts'
import { createSession, destroySocketOf, type Session, within } from './session.ts'
import type { Timeline, Timelines } from './timelines.ts'

/** Type numbers of Postgres. */
const INT8 = 20

/** The server ends a transaction whose gateway has gone silent after this time, in milliseconds. */
const IDLE_IN_TRANSACTION_MS = 15_000
/** How soon a silent connection is probed, in milliseconds. */
const PROBED_AFTER_MS = 10_000

const WHO_ARE_YOU = `SELECT pg_is_in_recovery() AS standby, pid, extract(epoch FROM backend_start)::text AS "startedAt",
  current_setting('synchronous_standby_names') <> '' AND current_setting('synchronous_commit') NOT IN ('off', 'local') AS confirms,
  ${PLAN_BY_INDEX} AS planned
  FROM pg_stat_activity WHERE pid = pg_backend_pid()`
/** The name of the file that is written begins with the timeline. The control file has the new one only a while after a promotion. */
const TIMELINE = `SELECT system_identifier::text AS cluster,
  CASE WHEN pg_is_in_recovery() THEN NULL ELSE pg_walfile_name(pg_current_wal_lsn()) END AS file
  FROM pg_control_system()`
/** SQLSTATE classes of a server without these functions, or that does not let everyone call them. */
const NO_TIMELINES = /^(0A|42|55)/
/** Hexadecimal digits of the timeline in the name of a file. */
const TIMELINE_DIGITS = 8

interface Introduction {
  readonly standby: boolean
  readonly pid: number
  readonly startedAt: string
  /** Whether it confirms a COMMIT only when a standby has it, too. */
  readonly confirms: boolean
}

/** Null for a server that does not say it. */
type Met = Introduction & { readonly timeline: Timeline | null }

export interface DialParts {
  readonly address: DatabaseAddress
  readonly clock: Clock
  readonly limits: Limits
  readonly timelines: Timelines
}

/**
 * Returns a function that opens a connection to the primary. It begins with the host that was the primary last. When it comes to
 * another one, it looks at the rest, too, because there may be two: the one on the newest timeline counts.
 * The function throws Fault `store_unreachable` that says why each host is none.
 */
export function createDialler(parts: DialParts): () => Promise<Session> {
  const { hosts, database } = parts.address
  let last: number | null = null
  return async () => {
    const reasons: string[] = []
    const before = last
    const inTurn = hosts.map((_, turn) => ((before ?? 0) + turn) % hosts.length)
    for (const [turn, index] of inTurn.entries()) {
      const found = await attempt(index, reasons)
      if (found === null) continue
      const rest = index === before ? [] : inTurn.slice(turn + 1)
      const all = [found, ...(await Promise.all(rest.map(other => attempt(other, reasons))))]
      const chosen = all.find(each => each !== null && !each.session.broken) ?? null
      for (const each of all) if (each !== chosen) await each?.session.end()
      if (chosen === null) continue
      last = chosen.index
      parts.timelines.use(chosen.confirms)
      return chosen.session
    }
    throw unreachable(`The database ${database}`, reasons.join('; '))
  }

  /** Null, with the reason, when the host is no primary. */
  async function attempt(index: number, reasons: string[]): Promise<(Dialled & { readonly index: number }) | null> {
    const host = hosts[index]
    if (host === undefined) return null
    try {
      return { ...(await dial(host, parts)), index }
    } catch (error) {
      reasons.push(`${nameOf(host)}: ${reasonOf(error)}`)
      return null
    }
  }
}

interface Dialled {
  readonly session: Session
  readonly confirms: boolean
}

/** @throws Error when the host cannot be reached, is a standby, or is a primary of the past */
async function dial(host: DatabaseHost, { address, clock, limits, timelines }: DialParts): Promise<Dialled> {
  // Imported late: most commands run on the embedded store, and would load it for nothing.
  const { Client, types } = (await import('pg')).default
  const client = new Client({
    ...host,
    user: address.user,
    // A function, so that an empty password is not replaced by one of the environment.
    password: () => address.password,
    database: address.database,
    ssl: tlsOf(address, host),
    application_name: 'tollgate',
    connectionTimeoutMillis: limits.connectMs,
    statement_timeout: limits.statementMs,
    lock_timeout: limits.lockMs,
    idle_in_transaction_session_timeout: IDLE_IN_TRANSACTION_MS,
    keepAlive: true,
    keepAliveInitialDelayMillis: PROBED_AFTER_MS,
    types: { getTypeParser: parserOver(types) },
  })
  // An error after a failed attempt has no listener otherwise, and would end the process.
  client.on('error', () => {})
  try {
    // Its own limit covers the first answer only.
    const met = await within(clock, limits.connectMs, meet(client), () => new Error('no answer'))
    if (met.standby) throw new Error('it is a standby')
    const { pid, startedAt, confirms, timeline } = met
    const refusal = timeline === null ? null : timelines.meet(timeline)
    if (refusal !== null) throw new Error(refusal)
    const session = createSession({ client, clock, id: { pid, startedAt }, where: namesOf(address) })
    if (timeline !== null) session.onEnd(timelines.whenPast(timeline, session.destroy))
    return { session, confirms }
  } catch (error) {
    destroySocketOf(client)
    throw error
  }
}

async function meet(client: pg.Client): Promise<Met> {
  await client.connect()
  const { rows } = await client.query<Introduction>(WHO_ARE_YOU)
  const [met] = rows
  if (met === undefined) throw new Error('it does not say what it is')
  return { ...met, timeline: met.standby ? null : await timelineOf(client) }
}

async function timelineOf(client: pg.Client): Promise<Timeline | null> {
  try {
    const { rows } = await client.query<{ readonly cluster: string; readonly file: string | null }>(TIMELINE)
    const [row] = rows
    if (row === undefined || row.file === null) return null
    return { cluster: row.cluster, number: Number.parseInt(row.file.slice(0, TIMELINE_DIGITS), 16) }
  } catch (error) {
    // Then failovers are guarded by the operator alone.
    if (NO_TIMELINES.test(sqlStateOf(error) ?? '')) return null
    throw error
  }
}

function tlsOf({ tls }: DatabaseAddress, { host }: DatabaseHost): ConnectionOptions | false {
  if (tls === null) return false
  const { verify, ca, cert, key } = tls
  return {
    ...(ca === null ? {} : { ca }),
    ...(cert === null || key === null ? {} : { cert, key }),
    rejectUnauthorized: verify !== 'none',
    checkServerIdentity: verify === 'full' ? (_, presented) => checkServerIdentity(host, presented) : () => undefined,
  }
}

/** Counters and times fit into a number. */
function parserOver(types: typeof pg.types) {
  return (type: number, format?: 'text' | 'binary') => {
    if (type === INT8) return Number
    return format === undefined ? types.getTypeParser(type) : types.getTypeParser(type, format as 'text')
  }
}

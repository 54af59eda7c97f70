// src/store/postgres/dial.ts — connects to the primary: the hosts in turn, each asked whether it is one. ADR 65.
import { type ConnectionOptions, checkServerIdentity } from 'node:tls'
import pg from 'pg'
import type { Clock } from '../../engine/ports/clock.ts'
import { type DatabaseAddress, type DatabaseHost, type Limits, nameOf, namesOf } from './address.ts'
import { reasonOf, unreachable } from './faults.ts'
import { PLAN_BY_INDEX } from './planning.ts'
import { createSession, destroySocketOf, type Session, within } from './session.ts'

/** Type numbers of Postgres. */
const INT8 = 20

/** The server ends a transaction whose gateway has gone silent after this time, in milliseconds. */
const IDLE_IN_TRANSACTION_MS = 15_000
/** How soon a silent connection is probed, in milliseconds. */
const PROBED_AFTER_MS = 10_000

const WHO_ARE_YOU = `SELECT pg_is_in_recovery() AS standby, pid, extract(epoch FROM backend_start)::text AS "startedAt",
  ${PLAN_BY_INDEX} AS planned
  FROM pg_stat_activity WHERE pid = pg_backend_pid()`

interface Introduction {
  readonly standby: boolean
  readonly pid: number
  readonly startedAt: string
}

export interface DialParts {
  readonly address: DatabaseAddress
  readonly clock: Clock
  readonly limits: Limits
}

/**
 * Returns a function that opens a connection to the primary. It begins with the host that was the primary last.
 * The function throws Fault `store_unreachable` that says why each host is none.
 */
export function createDialler({ address, clock, limits }: DialParts): () => Promise<Session> {
  let last = 0
  return async () => {
    const reasons: string[] = []
    const { hosts } = address
    const first = last
    for (const [turn] of hosts.entries()) {
      const index = (first + turn) % hosts.length
      const host = hosts[index]
      if (host === undefined) continue
      try {
        const session = await dial(host, { address, clock, limits })
        last = index
        return session
      } catch (error) {
        reasons.push(`${nameOf(host)}: ${reasonOf(error)}`)
      }
    }
    throw unreachable(`The database ${address.database}`, reasons.join('; '))
  }
}

/** @throws Error when the host cannot be reached or is a standby */
async function dial(host: DatabaseHost, { address, clock, limits }: DialParts): Promise<Session> {
  const client = new pg.Client({
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
    types: { getTypeParser: parserOf },
  })
  // An error after a failed attempt has no listener otherwise, and would end the process.
  client.on('error', () => {})
  try {
    // Its own limit covers the first answer only.
    const met = await within(clock, limits.connectMs, meet(client), () => new Error('no answer'))
    if (met.standby) throw new Error('it is a standby')
    const { pid, startedAt } = met
    return createSession({ client, clock, id: { pid, startedAt }, where: namesOf(address) })
  } catch (error) {
    destroySocketOf(client)
    throw error
  }
}

async function meet(client: pg.Client): Promise<Introduction> {
  await client.connect()
  const { rows } = await client.query<Introduction>(WHO_ARE_YOU)
  const [met] = rows
  if (met === undefined) throw new Error('it does not say what it is')
  return met
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
function parserOf(type: number, format?: 'text' | 'binary') {
  if (type === INT8) return Number
  return format === undefined ? pg.types.getTypeParser(type) : pg.types.getTypeParser(type, format as 'text')
}

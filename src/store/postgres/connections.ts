// src/store/postgres/connections.ts — runs SQL on the primary of a Postgres database: statements and transactions. ADR 65.
import { Fault } from '../../engine/fault.ts'
import type { Clock } from '../../engine/ports/clock.ts'
import { type DatabaseAddress, type Limits, namesOf, USUAL_LIMITS } from './address.ts'
import { createDialler } from './dial.ts'
import { type CommitUnknown, unreachable } from './faults.ts'
import { createPool } from './pool.ts'
import type { Query, Session, Statement } from './session.ts'
import { createTimelines, type Timelines } from './timelines.ts'

/** Connections of one gateway. More do not make one database faster, and a server has a hundred for all. */
const SIZE = 10
/** Transactions that may wait for a late COMMIT at a time. Further ones are refused; statements outside of transactions run. */
const MOST_LATE = 5
/** Measurements of the clock, of which the best counts. */
const ROUNDS = 3
/** Between two looks at a session that is to end, in milliseconds. */
const LOOK_EVERY_MS = 50

const BEGIN = 'BEGIN READ WRITE'

const CLOCK: Statement = { name: 'clock', text: 'SELECT extract(epoch FROM clock_timestamp()) * 1000 AS at' }
/** Ends a session of the same user. No row: it is over. */
const END_SESSION: Statement = {
  name: 'end_session',
  text: `SELECT pg_terminate_backend(pid) AS signalled FROM pg_stat_activity
    WHERE pid = $1 AND extract(epoch FROM backend_start)::text = $2`,
}

export interface Connections {
  /** Names the database in messages: hosts and name, no user, no password. */
  readonly where: string
  /** Runs a statement outside of a transaction. When it fails by an outage, it may have run. */
  readonly query: Query
  /**
   * Runs one transaction on one connection.
   * @param patienceMs limit of each of its statements and locks. Default: the usual ones
   * @throws CommitUnknown when the connection breaks or the wait ends during COMMIT; any other failure has rolled back
   */
  transaction<T>(work: (query: Query) => Promise<T>, patienceMs?: number): Promise<T>
  /**
   * Ends the session of an unknown COMMIT at the server. True when it is over, so that what can be read now stays as it is.
   * False when that cannot be found out now.
   */
  settled(unknown: CommitUnknown): Promise<boolean>
  /** Opens a connection outside of the pool. The caller ends it. */
  dial(): Promise<Session>
  /** Asks for the database's time, if there is a time keeper. */
  askTime(): Promise<void>
  /** The database's clock minus ours, and by how much that may be wrong, in milliseconds. */
  clockOffset(): Promise<{ readonly offsetMs: number; readonly errorMs: number }>
  /** Ends all connections when their work is done. */
  close(): Promise<void>
}

export interface ConnectionsOptions {
  readonly address: DatabaseAddress
  readonly clock: Clock
  /** Largest number of connections. */
  readonly size?: number
  readonly limits?: Partial<Limits>
  /** Gets the readings of the database's clock. */
  readonly timeKeeper?: TimeKeeper
  /** What is known of old primaries. Default: what these connections meet. */
  readonly timelines?: Timelines
}

/** Keeps the time of the database. */
export interface TimeKeeper {
  /** Milliseconds of the monotonic clock. */
  steady(): number
  /** Notes a reading of the database's clock (epoch milliseconds) between two of the monotonic clock. */
  sample(before: number, at: number, after: number): void
}

/** Prepares connections to a database. None is opened before it is needed. */
export function openConnections(options: ConnectionsOptions): Connections {
  const { address, clock, size = SIZE, limits: given, timeKeeper, timelines = createTimelines() } = options
  const limits = { ...USUAL_LIMITS, ...given }
  const where = namesOf(address)
  const dial = createDialler({ address, clock, limits, timelines })
  const pool = createPool({ dial, clock, size, waitMs: limits.waitMs, where })

  const query: Query = async (statement, values) => {
    const session = await pool.take()
    try {
      return await session.query(statement, values, limits.statementMs)
    } finally {
      pool.give(session)
    }
  }

  return {
    where,
    query,
    dial,
    async transaction(work, patienceMs) {
      if (pool.late >= MOST_LATE) throw unreachable(where, 'it confirms no COMMIT')
      const session = await pool.take()
      try {
        return await transact(session, work, { ...limits, patienceMs: patienceMs ?? null })
      } finally {
        pool.give(session)
      }
    },
    async settled({ session: { pid, startedAt } }) {
      const until = clock.now() + limits.statementMs
      try {
        while ((await query(END_SESSION, [pid, startedAt])).length > 0) {
          if (clock.now() >= until) return false
          await new Promise<void>(resolve => clock.alarm(clock.now() + LOOK_EVERY_MS, resolve))
        }
        return true
      } catch (error) {
        if (error instanceof Fault) return false
        throw error
      }
    },
    async askTime() {
      if (timeKeeper === undefined) return
      const before = timeKeeper.steady()
      const [row] = await query<{ readonly at: string }>(CLOCK, [])
      timeKeeper.sample(before, Number(row?.at), timeKeeper.steady())
    },
    async clockOffset() {
      let best = { offsetMs: 0, errorMs: Number.POSITIVE_INFINITY }
      for (let round = 0; round < ROUNDS; round += 1) {
        const before = clock.now()
        const [row] = await query<{ readonly at: string }>(CLOCK, [])
        const after = clock.now()
        const errorMs = (after - before) / 2
        if (errorMs < best.errorMs) best = { offsetMs: Number(row?.at) - (before + after) / 2, errorMs }
      }
      return best
    },
    close: () => pool.close(),
  }
}

async function transact<T>(
  session: Session,
  work: (query: Query) => Promise<T>,
  { statementMs, commitMs, patienceMs }: Limits & { readonly patienceMs: number | null },
): Promise<T> {
  const limitMs = patienceMs ?? statementMs
  let over = false
  const query: Query = (statement, values) => {
    if (over) throw new Error('the transaction is over')
    return session.query(statement, values, limitMs)
  }
  await session.command(BEGIN, statementMs)
  try {
    if (patienceMs !== null)
      await session.command(`SET LOCAL statement_timeout = ${limitMs}; SET LOCAL lock_timeout = ${limitMs}`, limitMs)
    const result = await work(query)
    over = true
    await session.commit(commitMs)
    return result
  } catch (error) {
    over = true
    // After COMMIT there is nothing to roll back, and a broken connection does it itself.
    if (!session.broken && session.answered === null)
      await session.command('ROLLBACK', statementMs).catch(session.destroy)
    throw error
  }
}

// src/store/copy/postgres-database.ts — opens a Postgres database for a copy, alone.
import { Fault } from '../../engine/fault.ts'
import type { Clock } from '../../engine/ports/clock.ts'
import type { DatabaseAddress } from '../postgres/address.ts'
import { type Connections, openConnections } from '../postgres/connections.ts'
import { takeGatewayLock } from '../postgres/gateway-lock.ts'
import { LEASE_MS, LEASES, SCHEMA } from '../postgres/work-statements.ts'

/** One reads or writes, another one asks meanwhile. */
const SIZE = 2
/** A gateway that was killed holds its leases for a while. */
const PATIENCE_MS = LEASE_MS + 2_000
const TRY_AGAIN_MS = 250
/** Limit of each statement of a copy, in milliseconds: counting a million rows takes a while. */
export const STATEMENT_MS = 10 * 60_000

/**
 * Works on a database that no gateway uses.
 * @throws Fault `store_locked` when a gateway uses it, `store_unreachable`; what `work` throws
 */
export async function withDatabase<T>(
  address: DatabaseAddress,
  clock: Clock,
  work: (connections: Connections) => Promise<T>,
): Promise<T> {
  // When another gateway takes the lock during an outage, it is not held here any more.
  const lock = await takeGatewayLock({ as: 'alone', address, clock, onLost: () => {} })
  const connections = openConnections({ address, clock, size: SIZE, limits: { statementMs: STATEMENT_MS } })
  try {
    await refuseLeases(connections, clock)
    return await work({
      ...connections,
      transaction(...given) {
        const lost = new Fault('store_unreachable', { detail: `${connections.where} (the lock was lost)` })
        return lock.held ? connections.transaction(...given) : Promise.reject(lost)
      },
    })
  } finally {
    await connections.close()
    await lock.release()
  }
}

/** Number of the last migration; null when the database has no gateway. */
export async function schemaIn({ query }: Pick<Connections, 'query'>): Promise<number | null> {
  const [found] = await query<{ readonly exists: boolean }>(SCHEMA.exists, [])
  if (found?.exists !== true) return null
  const [applied] = await query<{ readonly number: number }>(SCHEMA.applied, [])
  return applied?.number ?? 0
}

/** @throws Fault `store_locked` while a gateway holds leases */
async function refuseLeases(connections: Connections, clock: Clock): Promise<void> {
  const { query, where } = connections
  if ((await schemaIn(connections)) === null) return
  for (const until = clock.now() + PATIENCE_MS; ; ) {
    const [held] = await query<{ readonly count: number }>(LEASES.inUse, [])
    if ((held?.count ?? 0) === 0) return
    if (clock.now() >= until) throw new Fault('store_locked', { detail: where })
    await new Promise<void>(resolve => clock.alarm(clock.now() + TRY_AGAIN_MS, resolve))
  }
}

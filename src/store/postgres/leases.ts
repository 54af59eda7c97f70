// src/store/postgres/leases.ts — claims the lanes of one process by the database's clock. ADR 48.
import { Fault } from '../../engine/fault.ts'
import type { Clock } from '../../engine/ports/clock.ts'
import type { Lease } from '../../engine/ports/store.ts'
import type { Connections } from './connections.ts'
import { LANES } from './lanes.ts'
import { LEASE_MS, LEASES } from './work-statements.ts'

/** A gateway that was killed holds its leases for a while: a start waits for them this long, in milliseconds. */
const PATIENCE_MS = LEASE_MS + 2_000
const TRY_AGAIN_MS = 250

export interface LeasesParts {
  readonly connections: Connections
  readonly clock: Clock
  /** This process. */
  readonly writer: number
  readonly exclusive: boolean
}

export interface ProcessLeases {
  claim(): Promise<readonly Lease[]>
  /** Claims every lane. @throws Fault `store_locked` when another gateway holds one and goes on to */
  takeAll(): Promise<void>
  /** Gives all leases back, so that the next process need not wait for their end. */
  release(): Promise<void>
}

export function createLeases({ connections, clock, writer, exclusive }: LeasesParts): ProcessLeases {
  async function claim(): Promise<readonly Lease[]> {
    if (!exclusive) return []
    return connections.transaction(async query => {
      await query(LEASES.renew, [writer])
      await query(LEASES.claim, [writer])
      return query<Lease>(LEASES.held, [writer])
    })
  }
  return {
    claim,
    async takeAll() {
      const until = clock.now() + PATIENCE_MS
      while ((await claim()).length < LANES) {
        if (clock.now() >= until) {
          await connections.query(LEASES.release, [writer])
          throw new Fault('store_locked', { detail: connections.where })
        }
        await new Promise<void>(resolve => clock.alarm(clock.now() + TRY_AGAIN_MS, resolve))
      }
    },
    async release() {
      if (exclusive) await connections.query(LEASES.release, [writer])
    },
  }
}

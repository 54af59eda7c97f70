// src/store/postgres/store.ts — the store on Postgres. ADR 61.
import { Fault } from '../../engine/fault.ts'
import type { AccountImages } from '../../engine/ports/account-images.ts'
import type { Clock } from '../../engine/ports/clock.ts'
import type { Lanes, Store } from '../../engine/ports/store.ts'
import { createBookkeeping } from './bookkeeping.ts'
import { createCommitLanes } from './commit-lanes.ts'
import type { Connections } from './connections.ts'
import { createFeedReads } from './feed-reads.ts'
import { writeGroup } from './group.ts'
import { createImages } from './images.ts'
import { LANES } from './lanes.ts'
import { createLeases } from './leases.ts'
import { createReads } from './reads.ts'
import { migrateDatabase } from './schema.ts'
import { createSearch } from './search.ts'
import { createUnsureEvents } from './unsure-events.ts'
import { LEASES } from './work-statements.ts'

/** Renewals of leases: a lane is lost only after three in a row have failed. */
const RENEW_EVERY_MS = 1_000

const SHARED_LANES: Lanes = { count: LANES, renewEveryMs: RENEW_EVERY_MS }

export interface PostgresStoreOptions {
  /** Closed with the store. */
  readonly connections: Connections
  readonly clock: Clock
  /** False for the command line, which works beside a running gateway. Default true: one gateway per database. */
  readonly exclusive?: boolean
  /** Called with the number of commits of each group. */
  readonly onGroup?: (size: number) => void
  /** Whether the tables are distributed over several machines by merchant account. Then a group has one account. */
  readonly distributed?: boolean
}

/**
 * Opens the store and migrates its database.
 * @throws Fault `store_locked` when another gateway works on the database, `store_newer`, and faults of the database
 */
export async function openPostgresStore(options: PostgresStoreOptions): Promise<Store & AccountImages> {
  const { connections, clock, exclusive = true, onGroup = () => {}, distributed = false } = options
  try {
    await migrateDatabase(connections)
    const [drawn] = await connections.query<{ readonly writer: number }>(LEASES.writer, [])
    const writer = drawn?.writer ?? 0
    const leases = createLeases({ connections, clock, writer, exclusive })
    if (exclusive) await leases.takeAll()
    return storeOver({ connections, clock, onGroup, distributed, writer, leases })
  } catch (error) {
    await connections.close()
    throw error
  }
}

interface Parts extends Required<Omit<PostgresStoreOptions, 'exclusive'>> {
  readonly writer: number
  readonly leases: ReturnType<typeof createLeases>
}

function storeOver({ connections, clock, onGroup, distributed, writer, leases }: Parts): Store & AccountImages {
  const { where } = connections
  const unsure = createUnsureEvents(connections.query)
  const write = (works: Parameters<typeof writeGroup>[1]) => writeGroup({ connections, writer, unsure }, works)
  const lanes = createCommitLanes({ write, clock, onGroup, distributed, where })
  const bookkeeping = createBookkeeping(connections)
  const images = createImages(connections, writer)
  let closed: Promise<void> | null = null
  const open = <T extends object>(part: T): T => refusedOnceClosed(part, () => closed !== null, where)
  const close = async () => {
    await lanes.drain()
    // A database that cannot be reached takes the leases back itself.
    await leases.release().catch(() => {})
    await connections.close()
  }
  return {
    commit: commit => lanes.submit({ type: 'commit', account: commit.account, commit }),
    async effectsDone(account, effectIds) {
      await lanes.submit({ type: 'effects_done', account, effectIds })
    },
    ...open(createReads(connections.query)),
    ...open(createFeedReads({ query: connections.query, writer, unsure })),
    ...open({ search: createSearch(connections.query), claimLanes: leases.claim }),
    ...open(bookkeeping),
    ...open(images),
    lanes: SHARED_LANES,
    close: () => {
      closed ??= close()
      return closed
    },
  }
}

/** The same functions, which reject with Fault `store_gone` once the store is closed. */
function refusedOnceClosed<T extends object>(part: T, isClosed: () => boolean, where: string): T {
  const wrapped = Object.entries(part).map(([name, method]) => {
    const call = (...given: unknown[]) =>
      isClosed() ? Promise.reject(new Fault('store_gone', { detail: where })) : method(...given)
    return [name, call]
  })
  return Object.fromEntries(wrapped) as T
}

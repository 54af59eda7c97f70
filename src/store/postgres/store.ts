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
import { createLeases, type NodeDescription } from './leases.ts'
import { createNotices } from './notices.ts'
import { namingAccounts } from './one-account-statements.ts'
import { createReads } from './reads.ts'
import { isDistributed, migrateDatabase } from './schema.ts'
import { createSearch } from './search.ts'
import { storableCommit } from './storable-text.ts'
import { createUnsureEvents } from './unsure-events.ts'
import { LEASES } from './work-statements.ts'

/** Renewals of leases: a lane is lost only after three in a row have failed. */
const RENEW_EVERY_MS = 750

const SHARED_LANES: Lanes = { count: LANES, renewEveryMs: RENEW_EVERY_MS }

export interface PostgresStoreOptions {
  /** Closed with the store. */
  readonly connections: Connections
  readonly clock: Clock
  /** How this node is shown. Null, the default, for the command line, which works beside gateways and performs no work. */
  readonly node?: NodeDescription | null
  /** Whether this process knows the database's time well enough to work by it. Default: always. */
  readonly knowsTime?: () => boolean
  /** Called with the number of commits of each group. */
  readonly onGroup?: (size: number) => void
}

/**
 * Opens the store and migrates its database.
 * @throws Fault `store_locked` when it must be migrated while a gateway works on it, `store_newer`, and faults of the database
 */
export async function openPostgresStore(options: PostgresStoreOptions): Promise<Store & AccountImages> {
  const { connections, clock, onGroup = () => {} } = options
  try {
    await migrateDatabase(connections)
    const [drawn] = await connections.query<{ readonly writer: number }>(LEASES.writer, [])
    const writer = drawn?.writer ?? 0
    const { node = null, knowsTime = () => true } = options
    const distributed = await isDistributed(connections.query)
    const those = distributed ? namingAccounts(connections) : connections
    return storeOver({ connections: those, clock, onGroup, distributed, writer, node, knowsTime })
  } catch (error) {
    await connections.close()
    throw error
  }
}

interface Parts extends Required<PostgresStoreOptions> {
  readonly writer: number
  /** Whether the tables are distributed over several machines by merchant account. Then a group has one account. */
  readonly distributed: boolean
}

function storeOver({ connections, clock, onGroup, distributed, writer, ...of }: Parts): Store & AccountImages {
  const { where } = connections
  const leases = createLeases({ connections, writer, ...of, readTo: () => feed.readTo() })
  const unsure = createUnsureEvents(connections.query, writer)
  const notices = createNotices({ dial: connections.dial, clock, writer, hasOthers: () => leases.nodes > 1 })
  const feed = createFeedReads({ query: connections.query, clock, writer, unsure, notices })
  const write = (works: Parameters<typeof writeGroup>[1]) => writeGroup({ connections, writer, unsure }, works)
  const grouped = (size: number) => {
    onGroup(size)
    notices.committed()
  }
  const lanes = createCommitLanes({ write, clock, onGroup: grouped, distributed, where })
  const bookkeeping = createBookkeeping({ connections, writer, distributed })
  const images = createImages(connections, writer)
  let closed: Promise<void> | null = null
  const open = <T extends object>(part: T): T => refusedOnceClosed(part, () => closed !== null, where)
  const close = async () => {
    await lanes.drain()
    // A database that cannot be reached takes the leases back itself.
    await leases.end().catch(() => {})
    await notices.close()
    await connections.close()
  }
  return {
    commit: given => {
      const commit = storableCommit(given)
      return lanes.submit({ type: 'commit', account: commit.account, commit })
    },
    async effectsDone(account, effectIds) {
      await lanes.submit({ type: 'effects_done', account, effectIds })
    },
    ...open(createReads(connections.query)),
    ...open({ allEvents: feed.allEvents, followOthers: feed.followOthers }),
    ...open({ search: createSearch(connections.query) }),
    ...open({ claimLanes: leases.claim, releaseLanes: leases.release, leaveLanes: leases.leave }),
    ...open(bookkeeping),
    ...open(images),
    shared: true,
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

// src/cli/open-store.ts — opens the store that the settings choose: SQLite in the data directory, or Postgres.
import { existsSync } from 'node:fs'
import { hostname } from 'node:os'
import { join } from 'node:path'
import type { Config } from '../config.ts'
import { Fault } from '../engine/fault.ts'
import type { AccountImages } from '../engine/ports/account-images.ts'
import type { Clock } from '../engine/ports/clock.ts'
import type { Documents } from '../engine/ports/documents.ts'
import type { Store } from '../engine/ports/store.ts'
import { createDatabaseClock } from '../platform/database-clock.ts'
import type { DatabaseAddress } from '../store/postgres/address.ts'
import { type Connections, openConnections } from '../store/postgres/connections.ts'
import { createDocuments } from '../store/postgres/documents.ts'
import { type GatewayLock, takeGatewayLock as takeDatabaseLock } from '../store/postgres/gateway-lock.ts'
import { inspectDatabase, SUPPORTED } from '../store/postgres/inspection.ts'
import { openPostgresStore } from '../store/postgres/store.ts'
import type { Timelines } from '../store/postgres/timelines.ts'
import { NODES } from '../store/postgres/work-statements.ts'
import { takeGatewayLock as takeDirectoryLock } from '../store/sqlite/gateway-lock.ts'
import { openSqliteStore } from '../store/sqlite/store.ts'
import {
  claimDirectory,
  directoryMode,
  noteDatabase,
  refuseDatabaseNote,
  refuseLostDatabase,
  refuseNoDatabase,
} from './data-mode.ts'
import { claimDatabase, databaseMode } from './database-mode.ts'
import { Failure } from './failure.ts'
import { noteTimeline, timelinesOf } from './timeline-note.ts'
import { programVersion } from './version.ts'
import { takeOverWorld } from './world-takeover.ts'

type WholeStore = Store & AccountImages

/** A node that knows the time no better performs no work: timers would fire too early or too late. */
const MOST_CLOCK_ERROR_MS = 1_000

export interface GatewayStoreParts {
  readonly config: Config
  readonly clock: Clock
  /** Called with the number of commits of each group. */
  readonly onGroup: (size: number) => void
  /** Called when another gateway has taken the database; this one must end. */
  readonly onLost: (fault: Fault) => void
  /** Where this gateway listens for other nodes; null while it does not. */
  readonly nodeAddress: () => string | null
}

export interface GatewayStore {
  /** Closing it releases the locks. */
  readonly store: WholeStore
  /** Documents of the simulated world; null where each gateway has its own file. */
  readonly documents: Documents | null
  /** The clock that this gateway goes by: that of the database, when several nodes may share it. */
  readonly clock: Clock
  /** Problems of the connection, one sentence each. */
  problems(): readonly string[]
  /** What is known of old primaries; null on SQLite. */
  readonly failover: Failover | null
}

export interface Failover {
  readonly timelines: Timelines
  /** Where the nodes listen that the database names, those that are silent too. */
  addresses(): Promise<readonly string[]>
  /** Names the database. */
  readonly where: string
}

/**
 * Opens the store for a gateway and fixes its mode. On Postgres other nodes may use it too.
 * @throws Fault when it cannot be used or another gateway uses it; Failure when it belongs to a gateway of the other mode
 */
export async function openGatewayStore(parts: GatewayStoreParts): Promise<GatewayStore> {
  const { config, clock, onGroup } = parts
  if (config.database !== null) return openOnPostgres(parts, config.database)
  refuseDatabaseNote(config)
  refuseLostDatabase(config)
  const store = await openSqliteStore({ directory: config.dataDirectory, onGroup })
  try {
    claimDirectory(config)
    return { store, documents: null, clock, problems: () => [], failover: null }
  } catch (error) {
    await store.close()
    throw error
  }
}

async function openOnPostgres(
  { config, clock: ours, onGroup, onLost, nodeAddress }: GatewayStoreParts,
  address: DatabaseAddress,
): Promise<GatewayStore> {
  const { dataDirectory, mode } = config
  const clock = createDatabaseClock()
  const closers: (() => unknown)[] = []
  const closeAll = async () => {
    for (let close = closers.pop(); close !== undefined; close = closers.pop()) await close()
  }
  try {
    // For what lies beside the database, such as the simulated world of a sandbox.
    const directory = takeDirectoryLock(dataDirectory)
    closers.push(() => directory.release())
    const timelines = notedTimelines(config)
    const lock = await takeDatabaseLock({ as: 'shared', address, clock: ours, onLost, timelines })
    closers.push(() => lock.release())
    const connections = openConnections({ address, clock: ours, timeKeeper: clock, timelines })
    closers.push(() => connections.close())
    await connections.askTime()
    await refuseUnfit(config, connections)
    const node = {
      ...{ name: `${hostname()}:${process.pid}`, version: programVersion() },
      get address() {
        return nodeAddress()
      },
    }
    const knowsTime = () => clock.errorMs <= MOST_CLOCK_ERROR_MS
    const store = await openPostgresStore({ connections, clock: ours, onGroup, node, knowsTime })
    closers.push(() => store.close())
    await claimDatabase(store, mode, clock.now())
    noteDatabase(config, connections.where)
    const documents = documentsWhileHeld(createDocuments(connections), lock, connections.where)
    if (mode === 'sandbox') await takeOverWorld(dataDirectory, documents)
    return {
      store: { ...whileHeld(store, lock, connections.where), close: closeAll },
      documents,
      clock,
      problems: () => [
        ...(lock.held ? [] : [unheld(connections.where).message]),
        ...(knowsTime() ? [] : ['The time of the database is not known to a second; its connection is too slow.']),
      ],
      failover: { timelines, addresses: () => addressesIn(connections), where: connections.where },
    }
  } catch (error) {
    await closeAll()
    throw error
  }
}

/** Knows what earlier processes have met, and notes what this one meets. */
function notedTimelines(config: Config): Timelines {
  const timelines = timelinesOf(config)
  timelines.onNewer(newest => {
    try {
      noteTimeline(config, newest)
    } catch (error) {
      // The note serves the next start. The failover goes on without it.
      if (!(error instanceof Fault)) throw error
    }
  })
  return timelines
}

async function addressesIn({ query }: Connections): Promise<readonly string[]> {
  const rows = await query<{ readonly address: string }>(NODES.addresses, [])
  return rows.map(({ address }) => address)
}

/** Runs writes only while no other gateway may have the lock. */
function guardedBy(lock: GatewayLock, where: string) {
  return <Given extends unknown[], Result>(write: (...given: Given) => Promise<Result>) =>
    async (...given: Given): Promise<Result> => {
      if (!lock.held) throw unheld(where)
      return write(...given)
    }
}

function documentsWhileHeld(documents: Documents, lock: GatewayLock, where: string): Documents {
  const held = guardedBy(lock, where)
  return { ...documents, write: held(documents.write), takeOver: held(documents.takeOver) }
}

function whileHeld(store: WholeStore, lock: GatewayLock, where: string): WholeStore {
  const held = guardedBy(lock, where)
  return {
    ...store,
    ...{ commit: held(store.commit), effectsDone: held(store.effectsDone), erase: held(store.erase) },
    ...{ rewrite: held(store.rewrite), enterTerms: held(store.enterTerms) },
    ...{ forgetExpired: held(store.forgetExpired), putImage: held(store.putImage) },
  }
}

function unheld(where: string): Fault {
  return new Fault('store_unreachable', { detail: where })
}

/** @throws Failure for a server that is too old, and when a gateway on SQLite would look as if it had lost its payments */
async function refuseUnfit({ dataDirectory }: Config, { query, where }: Connections): Promise<void> {
  const { major, version, schema } = await inspectDatabase(query)
  if (major < SUPPORTED.from)
    throw new Failure(`${where} is Postgres ${version}; a gateway needs ${SUPPORTED.from} or newer.`)
  if (schema === null && existsSync(join(dataDirectory, 'tollgate.db')))
    throw new Failure(
      `${dataDirectory} holds a gateway on SQLite, and the database of DATABASE_URL holds none; ` +
        'name another directory with TOLLGATE_DATA to begin a new gateway, or unset DATABASE_URL.',
    )
}

export interface OpenedStore {
  readonly store: WholeStore
  /** Before the first start, that of the settings. */
  readonly mode: Config['mode']
}

/**
 * Opens the store for a command, which a gateway may use at the same time.
 * @param making whether to create a store when there is none
 * @throws Failure when there is no store and `making` is false; Fault
 */
export async function openStoreBeside(config: Config, clock: Clock, making: boolean): Promise<OpenedStore> {
  const { database: address, dataDirectory: directory } = config
  if (address === null) {
    refuseDatabaseNote(config)
    if (!making) refuseNoDatabase(config)
    refuseLostDatabase(config)
    return { store: await openSqliteStore({ directory, exclusive: false }), mode: directoryMode(config) }
  }
  const connections = openConnections({ address, clock, timelines: timelinesOf(config) })
  try {
    if (!making && (await inspectDatabase(connections.query)).schema === null)
      throw new Failure(`${connections.where} holds no gateway yet; start one with \`tollgate serve\`.`)
    const store = await openPostgresStore({ connections, clock })
    return { store, mode: (await databaseMode(store)) ?? config.mode }
  } catch (error) {
    await connections.close()
    throw error
  }
}

// src/cli/parts.ts — opens the gateway's parts by its configuration: store, vault, clock, log and others.
import type { KeyObject } from 'node:crypto'
import { statSync } from 'node:fs'
import { join } from 'node:path'
import type { Config } from '../config.ts'
import { Fault } from '../engine/fault.ts'
import type { Clock } from '../engine/ports/clock.ts'
import type { Log } from '../engine/ports/log.ts'
import type { CommitResult, Store } from '../engine/ports/store.ts'
import { systemClock } from '../platform/clock.ts'
import type { OpenNodeLink } from '../platform/cluster/node-link.ts'
import { type LogStream, openLog } from '../platform/log.ts'
import { type Metrics, openMetrics } from '../platform/metrics.ts'
import type { Tracer } from '../platform/otel/tracer.ts'
import { systemRandom } from '../platform/random.ts'
import { openVault, type VaultParts } from '../platform/vault/vault.ts'
import { createWalletProviderClient } from '../platform/wallet-provider-client.ts'
import { createWebhookSender } from '../platform/webhook-sender.ts'
import type { SimulatedMemory } from '../simulator/memory/memory.ts'
import { createSharedMemory } from '../simulator/memory/shared-memory.ts'
import { createSqliteMemory } from '../simulator/memory/sqlite-memory.ts'
import type { SimulatorSettings } from '../simulator/simulator.ts'
import { namesOf } from '../store/postgres/address.ts'
import { faultOf } from '../store/sqlite/faults.ts'
import type { Parts } from '../wire.ts'
import { openAcquirers } from './acquirers.ts'
import { type OpenDirectoryServer, openDirectoryServer } from './directory-server.ts'
import { openDrivers } from './drivers.ts'
import { openLink } from './open-link.ts'
import { type Failover, type GatewayStore, openGatewayStore } from './open-store.ts'
import { scenarioFilesIn } from './scenario-files.ts'
import { databaseSigningKey, signingKey } from './signing-key.ts'
import { LAST_EXPORT_MS, telemetryOf } from './telemetry.ts'
import { askTimelines, shareTimelines } from './timelines-of-nodes.ts'
import { vaultRing } from './vault-ring.ts'
import { walletSettingsOf } from './wallet-files.ts'

/**
 * Cached records of each kind: 20,000 of some 4 kB cover what a busy site polls, with room. A site is busy with one kind or
 * two, such as transactions and the runs of its terminals.
 */
const CACHED_RECORDS = 20_000

const DAY_MS = 86_400_000

/** How long the gateway is not ready after a failed write, in milliseconds. */
const FAULT_BELIEVED_MS = 10_000

export interface OpenParts {
  readonly parts: Parts
  readonly metrics: Metrics
  /** Signs the JWTs of accounts. */
  readonly signingKey: KeyObject
  /** Null when none is configured. */
  readonly directoryServer: OpenDirectoryServer | null
  /** Problems of the store, one sentence each. */
  problems(): readonly string[]
  /** Closes the parts in reverse order. */
  close(): Promise<void>
}

/**
 * Opens the parts.
 * @param onStoreGone called when the store has failed permanently, or another process has its lock; the gateway must end then
 * @throws Fault when the data directory cannot be used; Failure when it belongs to a gateway of the other mode
 */
export async function openParts(
  config: Config,
  logStream: LogStream,
  onStoreGone: (fault: Fault) => void,
): Promise<OpenParts> {
  const metrics = openMetrics()
  const machineClock = systemClock()
  const random = systemRandom()
  const log = openLog({
    ...{ level: config.logLevel, format: config.logFormat, stream: logStream },
    onDropped: metrics.logLineDropped,
  })
  const telemetry = await telemetryOf(config, { clock: machineClock, random, log, metrics })
  const tracer = telemetry?.tracer ?? null
  const onGroup = groupCounter(metrics, tracer)
  let link: OpenNodeLink | null = null
  const nodeAddress = () => link?.address ?? null
  const opening = { config, clock: machineClock, onGroup, onLost: onStoreGone, nodeAddress }
  const opened = await openGatewayStore(opening).catch(async error => {
    await telemetry?.close(0)
    throw error
  })
  const { store, clock } = opened
  try {
    const simulated = config.mode === 'sandbox' ? simulatedOf(config, opened) : null
    const watching = watched(opened, config, clock, onStoreGone)
    const ring = vaultRing(config, config.mode, clock, random)
    const vault = { store: watching.store, ring, random, clock }
    const signing = await signingKeyOf(config, vault)
    link = await openLink(config, { ring, clock: machineClock, log })
    if (link !== null && opened.failover !== null) await joinTimelines(link, opened.failover, { log, onStoreGone })
    const ofDrivers = { mode: config.mode, store: watching.store, vault: await openVault(vault), clock, random, log }
    const acquirers = openAcquirers(config.acquirerFile, { ...ofDrivers, ring })
    const directoryServer = openDirectoryServer(config, ofDrivers)
    const parts: Parts = {
      ...{ clock, random, log, meters: metrics.meters, tracing: tracer, store: watching.store },
      ...{ vault: ofDrivers.vault, drivers: openDrivers(ofDrivers), acquirers: acquirers.acquirers },
      directoryServers: directoryServer === null ? [] : [directoryServer.server],
      ...{ walletSettings: walletSettingsOf(config), walletProviderClient: createWalletProviderClient({ clock }) },
      webhookSender: createWebhookSender({ privateAllowed: callsPrivate(config), clock }),
      simulated,
      limits: limitsOf(config),
      retention: {
        cardMs: config.cardRetentionDays * DAY_MS,
        webhookMs: config.webhookRetentionDays * DAY_MS,
        tokenMs: config.tokenRetentionDays * DAY_MS,
      },
      cachedRecords: config.stateCache ? CACHED_RECORDS : 0,
      followsOthers: true,
      ...(link === null ? {} : { link }),
    }
    await acquirers.start()
    const close = async () => {
      await acquirers.close()
      watching.closing()
      await simulated?.memory.close()
      await link?.close()
      await store.close()
      await telemetry?.close(LAST_EXPORT_MS)
    }
    return { parts, metrics, signingKey: signing, directoryServer, problems: watching.problems, close }
  } catch (error) {
    await link?.close()
    await store.close()
    await telemetry?.close(0)
    throw error
  }
}

/**
 * Shares with the other nodes what is known of failovers. One that may have lost commits ends this process: it has them in memory, and
 * would show them.
 * @throws Fault `store_unreachable` when the database is an old primary
 */
async function joinTimelines(
  link: OpenNodeLink,
  failover: Failover,
  { log, onStoreGone }: { readonly log: Log; readonly onStoreGone: (fault: Fault) => void },
): Promise<void> {
  const { timelines, addresses } = failover
  shareTimelines(link, timelines)
  const others = (await addresses()).filter(address => address !== link.address)
  await askTimelines(link, timelines, { addresses: others, where: failover.where })
  timelines.onNewer(({ number }, mayLack) => {
    log.warn({ timeline: number }, 'another server of the database is the primary now')
    const former = `The former primary of ${failover.where}, which had no synchronous standby,`
    if (mayLack) onStoreGone(new Fault('store_gone', { detail: former.replace('of The', 'of the') }))
  })
}

function simulatedOf(config: Config, opened: GatewayStore): SimulatorSettings {
  const { store } = opened
  return {
    ...{ memory: openMemory(config.dataDirectory, opened), images: store, paceMs: config.paceMs },
    scenarios: scenarioFilesIn(config.scenarioDirectory),
    retentionMs: config.sandboxRetentionDays * DAY_MS,
  }
}

/** The key that signs JWTs: on Postgres in the database, else in the data directory. */
function signingKeyOf({ database, dataDirectory }: Config, vault: VaultParts): Promise<KeyObject> {
  return database === null ? signingKey(dataDirectory) : databaseSigningKey(vault, dataDirectory)
}

function limitsOf(config: Config): Parts['limits'] {
  return {
    transactionMs: config.transactionLimitMs,
    keyedMs: config.keyedLimitMs,
    signatureMs: config.signatureWaitMs,
    reportMs: config.reportLimitMs,
    tableLeaseMs: config.tableLeaseMs,
  }
}

/** Counts the commits of each group, and tells the tracer when there is one. */
function groupCounter({ meters }: Metrics, tracer: Tracer | null): (size: number) => void {
  if (tracer === null) return meters.committed
  return size => {
    meters.committed(size)
    tracer.grouped(size)
  }
}

/** Whether webhooks may call private addresses: in a sandbox the merchant's server may run on the same machine. */
function callsPrivate({ webhookPrivate, mode }: Config): boolean {
  return webhookPrivate === 'auto' ? mode === 'sandbox' : webhookPrivate === 'allow'
}

/** The memory of the simulated world: in the database, else in the data directory. */
function openMemory(directory: string, { store, documents, clock }: GatewayStore): SimulatedMemory {
  if (documents !== null) return createSharedMemory({ documents, lanes: store.lanes.count, now: () => clock.now() })
  const file = join(directory, 'sandbox.db')
  try {
    return createSqliteMemory(file, () => clock.now())
  } catch (error) {
    throw faultOf(error, file)
  }
}

/** Watches the commits of a store. Without a store the gateway could only refuse, so it ends and is started again. */
function watched(
  opened: GatewayStore,
  { dataDirectory: directory, database }: Config,
  clock: Clock,
  onGone: (fault: Fault) => void,
): { readonly store: Store; problems(): readonly string[]; closing(): void } {
  const { store } = opened
  let isClosing = false
  const where = database === null ? directory : namesOf(database)
  const replaced = database === null ? watchedFile(join(directory, 'tollgate.db')) : () => []
  let lastFault: { readonly message: string; readonly at: number } | null = null
  function written(result: CommitResult): CommitResult {
    lastFault = null
    // Another process has the lock of the directory, for instance because the lock file was deleted.
    if (result === 'lease_lost' && database === null) onGone(new Fault('store_locked', { detail: where }))
    return result
  }
  function failed(error: unknown): never {
    if (error instanceof Fault) lastFault = { message: error.message, at: clock.now() }
    // Work that is still under way when the store is closed is resumed by the next start, or by another node.
    if (error instanceof Fault && error.code === 'store_gone' && !isClosing) onGone(error)
    throw error
  }
  return {
    store: { ...store, commit: given => store.commit(given).then(written, failed) },
    // Reported for a limited time, because a gateway that is not ready gets no requests by which it could recover.
    problems: () => [
      ...(lastFault === null || clock.now() - lastFault.at > FAULT_BELIEVED_MS ? [] : [lastFault.message]),
      ...opened.problems(),
      ...replaced(),
    ],
    closing() {
      isClosing = true
    },
  }
}

/** Whether a file is the one that was opened. The gateway goes on writing to a removed file, and loses all of it at its end. */
function watchedFile(file: string): () => readonly string[] {
  const opened = statSync(file)
  return () => {
    const now = statSync(file, { throwIfNoEntry: false })
    return now?.ino === opened.ino && now.dev === opened.dev
      ? []
      : [`${file} was removed or replaced while the gateway runs; stop it now and restore the file from a backup.`]
  }
}

// src/cli/parts.ts — from configuration to parts: the gateway's ports, opened on this machine.
import { join } from 'node:path'
import type { Config } from '../config.ts'
import { Fault } from '../engine/fault.ts'
import type { Clock } from '../engine/ports/clock.ts'
import type { CommitResult, Store } from '../engine/ports/store.ts'
import { systemClock } from '../platform/clock.ts'
import { type LogStream, openLog } from '../platform/log.ts'
import { type Metrics, openMetrics } from '../platform/metrics.ts'
import { systemRandom } from '../platform/random.ts'
import { openVault } from '../platform/vault/vault.ts'
import { createWalletProviderClient } from '../platform/wallet-provider-client.ts'
import { createWebhookSender } from '../platform/webhook-sender.ts'
import { createSqliteMemory } from '../simulator/memory/sqlite-memory.ts'
import { faultOf } from '../store/sqlite/faults.ts'
import { openSqliteStore } from '../store/sqlite/store.ts'
import type { Parts } from '../wire.ts'
import { claimDirectory } from './data-mode.ts'
import { scenarioFilesIn } from './scenario-files.ts'
import { vaultRing } from './vault-ring.ts'
import { walletSettingsOf } from './wallet-files.ts'

/**
 * Records of a kind kept in memory: 20,000 of some 4 kB are what is polled at a busy site, with room. A site is busy with one
 * kind or two, such as transactions and what its terminals do.
 */
const CACHED_RECORDS = 20_000

const DAY_MS = 86_400_000

/** How long a failed write makes the gateway count as not ready, in milliseconds. */
const FAULT_BELIEVED_MS = 10_000

export interface OpenParts {
  readonly parts: Parts
  readonly metrics: Metrics
  /** What keeps the store from taking work, a sentence each. */
  problems(): readonly string[]
  /** Closes what was opened, in reverse order. */
  close(): Promise<void>
}

/**
 * Opens the parts.
 * @param onStoreGone hears when the store has stopped working for good, which no gateway outlives
 * @throws Fault when the data directory cannot be used; Failure when it belongs to a gateway of the other mode.
 */
export async function openParts(
  config: Config,
  logStream: LogStream,
  onStoreGone: (fault: Fault) => void,
): Promise<OpenParts> {
  const metrics = openMetrics()
  const directory = config.dataDirectory
  const store = await openSqliteStore({ directory, onGroup: metrics.meters.committed })
  try {
    claimDirectory(config)
    const scenarios = scenarioFilesIn(config.scenarioDirectory)
    const simulated =
      config.mode === 'sandbox'
        ? { memory: openMemory(directory), images: store, paceMs: config.paceMs, scenarios }
        : null
    const clock = systemClock()
    const watching = watched(store, directory, clock, onStoreGone)
    const random = systemRandom()
    const ring = vaultRing(config, clock, random)
    const parts: Parts = {
      clock,
      random,
      log: openLog({
        ...{ level: config.logLevel, format: config.logFormat, stream: logStream },
        onDropped: metrics.logLineDropped,
      }),
      meters: metrics.meters,
      store: watching.store,
      vault: await openVault({ store: watching.store, ring, random, clock }),
      walletSettings: walletSettingsOf(config),
      walletProviderClient: createWalletProviderClient({ clock }),
      webhookSender: createWebhookSender({ privateAllowed: callsPrivate(config), clock }),
      simulated,
      limits: {
        transactionMs: config.transactionLimitMs,
        keyedMs: config.keyedLimitMs,
        signatureMs: config.signatureWaitMs,
        reportMs: config.reportLimitMs,
        tableLeaseMs: config.tableLeaseMs,
      },
      retention: {
        cardMs: config.cardRetentionDays * DAY_MS,
        webhookMs: config.webhookRetentionDays * DAY_MS,
        tokenMs: config.tokenRetentionDays * DAY_MS,
      },
      cachedRecords: config.stateCache ? CACHED_RECORDS : 0,
      followsOthers: true,
    }
    const close = async () => {
      simulated?.memory.close()
      await store.close()
    }
    return { parts, metrics, problems: watching.problems, close }
  } catch (error) {
    await store.close()
    throw error
  }
}

/** In a sandbox the merchant's server is on the same laptop; elsewhere a merchant has no business in our network. */
function callsPrivate({ webhookPrivate, mode }: Config): boolean {
  return webhookPrivate === 'auto' ? mode === 'sandbox' : webhookPrivate === 'allow'
}

function openMemory(directory: string) {
  const file = join(directory, 'sandbox.db')
  try {
    return createSqliteMemory(file)
  } catch (error) {
    throw faultOf(error, file)
  }
}

/** A gateway whose store is gone could only refuse: it ends, and starts anew with whatever is on the disk. */
function watched(
  store: Store,
  directory: string,
  clock: Clock,
  onGone: (fault: Fault) => void,
): { readonly store: Store; problems(): readonly string[] } {
  let lastFault: { readonly message: string; readonly at: number } | null = null
  function written(result: CommitResult): CommitResult {
    lastFault = null
    // The lock has been taken from under this gateway, for instance because its file was deleted.
    if (result === 'lease_lost') onGone(new Fault('store_locked', { detail: directory }))
    return result
  }
  function failed(error: unknown): never {
    if (error instanceof Fault) lastFault = { message: error.message, at: clock.now() }
    if (error instanceof Fault && error.code === 'store_gone') onGone(error)
    throw error
  }
  return {
    store: { ...store, commit: given => store.commit(given).then(written, failed) },
    // Believed for a while only: whoever sends no work to a gateway that is not ready would never see it recover.
    problems: () => (lastFault === null || clock.now() - lastFault.at > FAULT_BELIEVED_MS ? [] : [lastFault.message]),
  }
}

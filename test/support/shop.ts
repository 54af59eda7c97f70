// test/support/shop.ts — the whole gateway in this process, on a hand-driven clock, with a till at a simulated terminal.
import { onTestFinished } from 'vitest'
import { type Api, type ApiSettings, createApi } from '../../src/api/api.ts'
import type { HttpLimits } from '../../src/api/limits.ts'
import type { ApiParts } from '../../src/api/parts.ts'
import type { TransactionBody } from '../../src/api/transaction-body.ts'
import type { Notification } from '../../src/domain/counter/notifications.ts'
import type { AccountImages } from '../../src/engine/ports/account-images.ts'
import type { Acquirer } from '../../src/engine/ports/acquirer.ts'
import type { Clock } from '../../src/engine/ports/clock.ts'
import type { NodeLink } from '../../src/engine/ports/node-link.ts'
import type { Store } from '../../src/engine/ports/store.ts'
import type { TerminalDriver } from '../../src/engine/ports/terminal.ts'
import type { Tracing } from '../../src/engine/ports/tracing.ts'
import type { Vault } from '../../src/engine/ports/vault.ts'
import type { WebhookSender } from '../../src/engine/ports/webhook-sender.ts'
import { lookAtCard } from '../../src/platform/card-rules.ts'
import type { Retention } from '../../src/services/retention/online-retention.ts'
import type { SimulatedMemory } from '../../src/simulator/memory/memory.ts'
import { createProcessMemory } from '../../src/simulator/memory/process-memory.ts'
import { seedSandbox } from '../../src/simulator/seed.ts'
import { type Gateway, wire } from '../../src/wire.ts'
import { createMemoryVault } from './memory-vault.ts'
import { GATEWAY_KEYS, GATEWAY_KID } from './merchant-jwts.ts'
import { SANDBOX_OPERATIONS } from './operations.ts'
import { SeededRandom } from './seeded-random.ts'
import { openShopStore } from './shop-store.ts'
import { keepingLog } from './silent-log.ts'
import { silentMeters } from './silent-meters.ts'
import { TestClock } from './test-clock.ts'
import { createTill, type Started, type Till } from './till.ts'

export interface ShopOptions {
  /** Terminal of the till. Default: a scripted terminal that approves. */
  readonly terminal?: string
  readonly account?: 'demo' | 'demo-eur'
  /** 0 disables the record cache. */
  readonly cachedRecords?: number
  readonly settings?: Partial<ApiSettings>
  readonly limits?: Partial<HttpLimits>
  /** Wraps the gateway's store. */
  readonly store?: (store: Store) => Store
  /** Wraps the store of the snapshots. */
  readonly images?: (images: AccountImages) => AccountImages
  readonly parts?: Partial<ApiParts>
  readonly tls?: { readonly cert: Buffer; readonly key: Buffer }
  /** Wraps the simulator's memory. */
  readonly memory?: (opened: SimulatedMemory) => SimulatedMemory
  /** Default: a vault in memory, without encryption. */
  readonly vault?: (store: Store, clock: Clock) => Promise<Vault>
  /** Drivers besides the simulated one. */
  readonly drivers?: readonly TerminalDriver[]
  /** Registered behind the simulated one. */
  readonly acquirers?: readonly Acquirer[]
  /** Wraps the simulated terminals. */
  readonly driver?: (real: TerminalDriver) => TerminalDriver
  /** Wraps the gateway's acquirer. */
  readonly acquirer?: (real: Acquirer) => Acquirer
  readonly retention?: Retention
  /** Traces the gateway on its clock. Default: tracing is off. */
  readonly tracing?: (clock: Clock) => Tracing | null
  /** How long the simulator keeps finished orders. Default: for ever. */
  readonly simulatorRetentionMs?: number
  /** The merchants' servers. Default: each accepts everything. */
  readonly webhookSender?: WebhookSender
  /** Headers of each request of the till. */
  readonly headers?: Readonly<Record<string, string>>
  /** Calls other nodes. */
  readonly link?: NodeLink
  /** Seed of all random values. Default: 1. */
  readonly seed?: number
}

export interface Shop {
  readonly api: Api
  readonly gateway: Gateway
  readonly clock: TestClock
  readonly store: Store
  readonly images: AccountImages
  readonly vault: Vault
  /** Memory of the simulated terminals and acquirer. */
  readonly memory: SimulatedMemory
  readonly log: ReturnType<typeof keepingLog>
  /** Observed requests: operation and status. */
  readonly observed: readonly string[]
  /** Codes of the counted refusals. */
  readonly refusals: readonly string[]
  readonly till: Till
  /** A till of another account, by API key. */
  tillOf(key: string, tid: string, currency?: 'GBP' | 'EUR'): Till
  /** Advances time until the newest notification is this one. Returns the body at that time. */
  until(transaction: Started, notification: Notification): Promise<TransactionBody>
  /** Advances time until the end. Returns the last body. */
  finished(transaction: Started): Promise<TransactionBody>
  /** Resolves when all work that needs no time is done. */
  settle(): Promise<void>
  /** Resolves when the store has nothing to do, although work may wait for something else. */
  storeSettled(): Promise<void>
}

/** Event-loop turns after which a promise chain that waits for nothing has ended. */
const QUIET_TURNS = 10

/** Milliseconds per step of a terminal. */
export const PACE_MS = 500

/** Steps after which waiting for a transaction fails the test: ten minutes. */
const MOST_STEPS = 1_200

export const SHOP_SETTINGS: ApiSettings = {
  mode: 'sandbox',
  publicUrl: null,
  consoleUrl: null,
  trustedProxies: [],
  defaultVersion: 'v2',
  partnerHeaders: 'require',
  strictCompletion: false,
  retentionMs: 86_400_000,
  pauseMs: 0,
  // Tests make a hundred calls in the same millisecond; the rate limit has a test of its own.
  shopCallsPerSecond: 0,
  corsOrigins: '*',
  bodyLimitBytes: 65_536,
  recordRequests: true,
  metricsToken: null,
  closingKey: null,
  programVersion: '0.0.0-test',
  publicKey: { account: 'demo', key: 'demo-api-key' },
}

/** Opens a shop, and closes it at the end of the test. */
export async function openShop(options: ShopOptions = {}): Promise<Shop> {
  const { account = 'demo', terminal = account === 'demo' ? 'VCMDEMOSIP0' : 'VCMEUROSIP0' } = options
  const { store: opened, openMemory, pending } = await openShopStore()
  const store = options.store?.(opened) ?? opened
  const images = options.images?.(opened) ?? opened
  // A test that brings a store of its own has one process.
  const openedMemory = store.shared ? openMemory(() => clock.now()) : createProcessMemory(() => clock.now())
  const memory = options.memory?.(openedMemory) ?? openedMemory
  const log = keepingLog()
  const random = new SeededRandom(options.seed ?? 1)
  const settle = async () => {
    for (let quiet = 0; quiet < 4; ) {
      await pending.nextAnswer()
      await new Promise<void>(resolve => setImmediate(resolve))
      quiet = gateway.idle && pending.count === 0 ? quiet + 1 : 0
    }
  }
  const storeSettled = async () => {
    for (let quiet = 0; quiet < QUIET_TURNS; quiet = pending.count === 0 ? quiet + 1 : 0) {
      await pending.nextAnswer()
      await new Promise<void>(resolve => setImmediate(resolve))
    }
  }
  const clock = new TestClock(undefined, settle)
  const vault = (await options.vault?.(store, clock)) ?? createMemoryVault()
  const tracing = options.tracing?.(clock) ?? null
  const gateway = wire({
    ...{ clock, random, log, meters: silentMeters, store, vault, tracing },
    webhookSender: options.webhookSender ?? { post: async () => ({ outcome: 'answered', status: 200 }) },
    simulated: {
      ...{ memory, images, paceMs: PACE_MS },
      ...(options.simulatorRetentionMs === undefined ? {} : { retentionMs: options.simulatorRetentionMs }),
    },
    limits: { transactionMs: 200_000, keyedMs: 400_000, signatureMs: 80_000, reportMs: 120_000, tableLeaseMs: 900_000 },
    ...(options.retention === undefined ? {} : { retention: options.retention }),
    cachedRecords: options.cachedRecords ?? 1_000,
    ...(options.link === undefined ? {} : { link: options.link }),
    ...(options.drivers === undefined ? {} : { drivers: options.drivers }),
    ...(options.acquirers === undefined ? {} : { acquirers: options.acquirers }),
    between: { driver: options.driver ?? (real => real), acquirer: options.acquirer ?? (real => real) },
  })
  await seedSandbox(gateway.provisioning, 'Europe/London')
  await gateway.start()
  const observed: string[] = []
  const refusals: string[] = []
  const { engine, feed, transactions, reports, posConnections, tables, online, webhooks, interceptor } = gateway
  const api = createApi(
    {
      clocks: gateway.clocks,
      ...{ engine, store, feed, clock, random, log, transactions, reports, posConnections, tables },
      ...{ online, vault, webhooks, interceptor },
      wallets: gateway.wallets,
      cardRules: lookAtCard,
      gatewayKeys: [{ kid: GATEWAY_KID, key: GATEWAY_KEYS.publicKey }],
      metrics: {
        refused: code => refusals.push(code),
        observe: (operation, status) => observed.push(`${operation} ${status}`),
        refusalLineDropped: () => observed.push('refusal line dropped'),
        text: async () => 'figures 1\n',
        contentType: 'text/plain; version=0.0.4; charset=utf-8',
      },
      tracing,
      openTestAccount: null,
      ...(options.link === undefined ? {} : { link: options.link }),
      settings: { ...SHOP_SETTINGS, ...options.settings },
      ready: () => [],
      ...options.parts,
    },
    {
      tls: options.tls ?? null,
      limits: options.limits ?? {},
      operations: options.settings?.mode === 'live' ? [] : SANDBOX_OPERATIONS,
    },
  )
  onTestFinished(async () => {
    let open = true
    void api.close().finally(() => {
      open = false
    })
    // A failed test may have left a pending request; the time limit of closing uses this clock, too.
    while (open) await clock.advance(1_000)
    await gateway.stop()
  })
  const tillOf = (key: string, tid: string, currency: 'GBP' | 'EUR' = 'GBP') =>
    createTill(api.inject, { tid, key, currency, headers: options.headers ?? {} })
  const till = account === 'demo' ? tillOf('demo-api-key', terminal) : tillOf('demo-eur-api-key', terminal, 'EUR')
  const until: Shop['until'] = async (transaction, notification) => {
    for (let step = 0; step < MOST_STEPS; step += 1) {
      const body = await till.look(transaction)
      if (body.notifications[0] === notification) return body
      await clock.advance(PACE_MS)
    }
    throw new Error(`no ${notification} in ${(await till.look(transaction)).notifications}`)
  }
  const finished: Shop['finished'] = transaction => until(transaction, 'TRANSACTION_FINISHED')
  return {
    api,
    gateway,
    clock,
    store,
    images,
    vault,
    memory,
    log,
    observed,
    refusals,
    till,
    tillOf,
    until,
    finished,
    settle,
    storeSettled,
  }
}

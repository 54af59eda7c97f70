// src/wire.ts — the composition root: creates all parts of the gateway and connects them.

import { acquirerByAccount } from './acquirers/registry.ts'
import { type Interceptor, NO_INTERCEPTOR } from './api/interceptor.ts'
import type { MerchantAccountId } from './domain/ids.ts'
import { type Activity, UNCOUNTED } from './engine/activity.ts'
import { createRecordCache, type RecordCache } from './engine/cache.ts'
import { oneClock } from './engine/clocks.ts'
import { createEffects, type Effects, type Performers } from './engine/effects.ts'
import { createEngine, type Engine, type PostCommit } from './engine/engine.ts'
import { createFeed, type Feed, type Listener } from './engine/feed.ts'
import { MERCHANT_ACCOUNT, REPORT, TABLE, TERMINAL, TERMINAL_TRANSACTION, TILL_MESSAGE } from './engine/machines.ts'
import type { Makes } from './engine/makes.ts'
import { ONLINE_PAYMENT } from './engine/online-machine.ts'
import type { Acquirer } from './engine/ports/acquirer.ts'
import type { Clock, Clocks } from './engine/ports/clock.ts'
import type { DeliveryOverrides } from './engine/ports/delivery-overrides.ts'
import type { Log, Meters } from './engine/ports/log.ts'
import { NO_LINK, type NodeLink } from './engine/ports/node-link.ts'
import type { Random } from './engine/ports/random.ts'
import type { Store, StoredTimer } from './engine/ports/store.ts'
import type { TerminalDriver } from './engine/ports/terminal.ts'
import type { DirectoryServer } from './engine/ports/three-d-secure.ts'
import type { Tracing } from './engine/ports/tracing.ts'
import type { Vault } from './engine/ports/vault.ts'
import type { WalletProviderClient, Wallets } from './engine/ports/wallets.ts'
import type { WebhookSender } from './engine/ports/webhook-sender.ts'
import { recover } from './engine/recovery.ts'
import { createRegistry } from './engine/registry.ts'
import { createRemoteChanges, type RemoteChangesParts } from './engine/remote-changes.ts'
import { sharedMemory } from './engine/remote-reads.ts'
import { createRewriting } from './engine/rewriting.ts'
import { createTakingOver } from './engine/taking-over.ts'
import { createTimers, type Timers } from './engine/timers.ts'
import {
  tracedAcquirer,
  tracedBy,
  tracedDirectoryServer,
  tracedDriver,
  tracedFire,
  tracedLink,
  tracedSink,
  tracedWebhookSender,
} from './engine/traced-ports.ts'
import { WEBHOOK_DELIVERY, WEBHOOK_SECRETS } from './engine/webhook-machines.ts'
import { createWorkLeases, type WorkLeases } from './engine/work-leases.ts'
import { lookAtCard } from './platform/card-rules.ts'
import { endOfTurn } from './platform/event-loop.ts'
import { type CardDataKeeper, createCardDataKeeper } from './services/counter/card-data.ts'
import { createReports, type Reports } from './services/counter/reports.ts'
import { createTerminals, LIVE } from './services/counter/terminals.ts'
import { logTransactions } from './services/counter/transaction-log.ts'
import { createTransactions, type TransactionLimits, type Transactions } from './services/counter/transactions.ts'
import { countPayments } from './services/online/payment-log.ts'
import { createOnlinePayments, type OnlinePayments } from './services/online/payments.ts'
import { createJwtEnds, type JwtEnds } from './services/provisioning/jwt-ends.ts'
import { createProvisioning, type Provisioning } from './services/provisioning/provisioning.ts'
import { onlineRetentionJobs, type Retention, USUAL_RETENTION } from './services/retention/online-retention.ts'
import { oldRecords } from './services/retention/record-retention.ts'
import { createRetentionJobs } from './services/retention/retention-jobs.ts'
import type { PosConnections } from './services/tables/pos-connections.ts'
import { createPosConnections } from './services/tables/pos-connections-of-nodes.ts'
import { createTillMessages } from './services/tables/pos-messages.ts'
import { NO_POS_RECORDER, type PosRecorder } from './services/tables/pos-recorder.ts'
import { createPosTableProvider } from './services/tables/pos-table-provider.ts'
import { uploadedTables } from './services/tables/table-providers.ts'
import { createTables, type Tables, type TablesParts } from './services/tables/tables.ts'
import { createWaiters } from './services/tables/waiters.ts'
import { createSink } from './services/terminal-sink.ts'
import { createSecretKeeper } from './services/webhooks/webhook-secret-keeper.ts'
import { createWebhooks, type Webhooks } from './services/webhooks/webhooks.ts'
import type { Sandbox } from './simulator/controls.ts'
import { createSimulator, type SimulatedPorts, type Simulator, type SimulatorSettings } from './simulator/simulator.ts'
import { createFleet } from './terminals/registry.ts'
import { directoryServerByAccount } from './three-d-secure/registry.ts'
import { createWallets, settingsOf, type WalletSettings } from './wallets/wallets.ts'

/** Parts that differ between a laptop, a production gateway and a simulation. */
export interface Parts {
  readonly clock: Clock
  readonly random: Random
  readonly log: Log
  readonly meters: Meters
  /** Null, the default, when tracing is off. */
  readonly tracing?: Tracing | null
  readonly store: Store
  readonly vault: Vault
  readonly webhookSender: WebhookSender
  /** Wallets with real keys. A sandbox uses its own for the others. */
  readonly walletSettings?: WalletSettings
  /** Client for wallet providers. Without it Apple's own sheet is not offered. */
  readonly walletProviderClient?: WalletProviderClient
  /** Null in live mode. */
  readonly simulated: SimulatorSettings | null
  readonly limits: TransactionLimits & {
    readonly reportMs: number
    /** How long a terminal's table lock lasts without a payment, in milliseconds. 0, the default: until it is overridden. */
    readonly tableLeaseMs?: number
  }
  /** Retention of online payments. Default: USUAL_RETENTION. */
  readonly retention?: Retention
  /** Cached records of each kind. 0 disables the cache. */
  readonly cachedRecords: number
  /** Whether to poll the store once a second for commits of other processes, even when nothing is read. Default: false. */
  readonly followsOthers?: boolean
  /** Calls other nodes. Default: there are none. */
  readonly link?: NodeLink
  /** Drivers, acquirers and directory servers, registered behind the simulated ones. ADR 46. */
  readonly drivers?: readonly TerminalDriver[]
  readonly acquirers?: readonly Acquirer[]
  readonly directoryServers?: readonly DirectoryServer[]
  /** Wrappers by which a simulation loses, delays and repeats calls. */
  readonly between?: {
    readonly driver: (driver: TerminalDriver) => TerminalDriver
    readonly acquirer: (acquirer: Acquirer) => Acquirer
  }
}

export interface Gateway {
  readonly engine: Engine
  readonly store: Store
  readonly feed: Feed
  readonly transactions: Transactions
  readonly reports: Reports
  /** Card data on its way to acquirers. ADR 47. */
  readonly cardData: CardDataKeeper
  readonly webhooks: Webhooks
  readonly tables: Tables
  /** Connections of POS table providers (tills that store their own tables). */
  readonly posConnections: PosConnections
  readonly online: OnlinePayments
  readonly vault: Vault
  readonly wallets: Wallets
  readonly provisioning: Provisioning
  /** Announces the coming ends of JWTs. */
  readonly jwtEnds: JwtEnds
  /** Registered drivers, acquirers and directory servers. */
  readonly makes: Makes
  /** The simulator; null in live mode. */
  readonly sandbox: Sandbox | null
  /** The simulator's hook around requests; NO_INTERCEPTOR in live mode. */
  readonly interceptor: Interceptor
  readonly clocks: Clocks
  /** The lanes of merchant accounts whose effects and timers this process performs. */
  readonly lanes: readonly number[]
  /** Claims work, recovers what an earlier run left, and starts the background jobs. */
  start(): Promise<void>
  /** Whether no work is under way. Alarms and terminals may still be waiting. */
  readonly idle: boolean
  /** Lets other nodes perform the effects and timers from now on. Nothing on a store of one gateway. */
  leave(): Promise<void>
  /** Stops background jobs, timers, terminals and effects, in this order. The caller closes the store. */
  stop(): Promise<void>
}

/** Cached terminals for each cached record of another kind: every request names one, and they are small. */
const TERMINALS_FOR_EACH = 6

function recordCacheFor(limit: number): RecordCache {
  const terminals = TERMINALS_FOR_EACH * limit
  return createRecordCache(limit, { [TERMINAL.kind]: terminals, [LIVE]: terminals })
}

/** Connects the parts. Nothing runs before `start`. */
export function wire(parts: Parts): Gateway {
  const { clock, random, log, meters, store, vault, tracing = null } = parts
  const link = tracedBy(tracing, tracedLink, parts.link ?? NO_LINK)
  const feed = createFeed()
  const simulator = parts.simulated === null ? null : createSimulator({ ...parts, ...parts.simulated, link, endOfTurn })
  const { clocks, activity } = simulator ?? { clocks: oneClock(clock), activity: UNCOUNTED }
  const cache = recordCacheFor(parts.cachedRecords)
  const leases = createWorkLeases({ store, clock, log, onOthers: link.know })
  const committed: RemoteChangesParts['committed'] = accounts => others.committed(accounts)
  const remote = createRemoteChanges({ store, clock, log, cache, feed, committed })
  const { memory, reads } = sharedMemory(parts.simulated?.memory.nodes ?? null, { leases, remote })
  const engine = createEngine({ store, clocks, feed, cache, remote: reads, leases, activity, tracing })
  const simulated = simulator?.parties(engine) ?? null
  const makes = registrationsOf(parts, simulated)
  const drivers = makes.terminals.all
  const fleet = createFleet(makes.terminals)
  const { acquirer, directoryServer } = chosenByAccount(makes, engine)
  const terminals = createTerminals({ engine, store, fleet, feed, cache })
  const cardData = createCardDataKeeper({ engine, feed, vault })
  const transactions = createTransactions({ ...parts, ...{ engine, terminals, acquirer, cardData, link } })
  const reports = createReports({ engine, terminals, log, limitMs: parts.limits.reportMs })
  const { tables, posConnections, messages, till, waiters } = restaurantOver({
    ...{ ...parts, link },
    ...{ engine, clocks, activity, terminals, transactions, reports, leases },
    posRecorder: simulator?.posRecorder ?? NO_POS_RECORDER,
  })
  const webhooks = webhooksOver(parts, engine, clocks, simulator?.deliveryOverrides ?? null)
  const online = createOnlinePayments({
    ...{ engine, store, feed, clock, clocks, random, log, acquirer, directoryServer, vault, link },
  })
  const performers = performersOf([transactions, reports, tables, till, webhooks, online])
  const effects = createEffects({ performers, store, clocks, log, meters, isOurs: leases.isOurs, activity, tracing })
  const fire = tracedBy(tracing, tracedFire, firing({ transactions, reports, tables, messages, online, webhooks }))
  const timers = createTimers({ store, clocks, log, lanes: () => others.resumed, fire, activity })
  const sink = tracedBy(tracing, tracedSink, createSink({ terminals, transactions, reports, effects, waiters }))
  const recovery = { store, clock, sink, effects, timers, drivers, log, leases, memory }
  const others = createTakingOver({ ...recovery, activity })
  engine.attach(workOf(leases, effects, timers))
  followOwn(feed, [logTransactions(log, meters), countPayments(meters), ...(simulated ? [simulated.onChange] : [])])
  const forAll = { store, clock, log, leads: () => leases.leads }
  const jwtEnds = createJwtEnds(forAll)
  const controlled = simulated?.control({ engine, feed, effects, timers })
  const ofPayments = onlineRetentionJobs({ retention: USUAL_RETENTION, ...parts, engine, clocks })
  const retained = [...ofPayments, ...oldRecords({ engine, store, clock }), ...(controlled?.jobs ?? [])]
  const retentionJobs = createRetentionJobs({ ...forAll, jobs: retained })
  const background = [...(parts.followsOthers ? [remote] : []), retentionJobs, createRewriting(forAll), jwtEnds]
  return {
    ...{ engine, store, feed, clocks, transactions, cardData, reports, tables, posConnections },
    ...{ online, webhooks, vault, makes, jwtEnds },
    wallets: walletsOver(parts, simulated?.wallets.settings ?? null),
    provisioning: createProvisioning({ engine, store, random, vault, makes }),
    sandbox: controlled?.sandbox ?? null,
    interceptor: controlled?.interceptor ?? NO_INTERCEPTOR,
    async start() {
      // Before anything is claimed: what is committed from now on is read there, what was before is read by `recover`.
      if (parts.followsOthers) await remote.refresh(true)
      await simulated?.wallets.start()
      await leases.start(others)
      await recover(recovery)
      for (const job of background) job.start()
    },
    get lanes() {
      return leases.lanes
    },
    get idle() {
      return engine.busy === 0 && isAtRest(effects, simulator) && timers.firing === 0
    },
    leave: leases.leave,
    async stop() {
      await leases.leave()
      leases.stop()
      for (const job of background) job.stop()
      await timers.stop()
      await Promise.all(drivers.map(driver => driver.close()))
      simulator?.wakeAll()
      await effects.stop()
    },
  }
}

/** Whether no effect is performed. Delays of the simulated acquirer are not work of the gateway. */
function isAtRest(effects: Effects, simulator: Simulator | null): boolean {
  return effects.performing - (simulator?.asleep() ?? 0) <= 0
}

/** Effects and timers of commits. The process that has the account's lane finds those of others in the store. */
function workOf(leases: WorkLeases, effects: Effects, timers: Timers): PostCommit {
  const areOurs = ([first]: readonly { readonly account: MerchantAccountId }[]) =>
    first !== undefined && leases.isOurs(first.account)
  return {
    effects(given) {
      if (areOurs(given)) effects.enqueue(given)
    },
    timers(given) {
      if (areOurs(given)) timers.set(given)
    },
    hurry: effects.hurry,
  }
}

/** Calls listeners on the changes that this process has committed. Each node logs and counts its own. */
function followOwn(feed: Feed, listeners: readonly Listener[]): void {
  for (const listener of listeners)
    feed.followAll(change => {
      if (change.own) listener(change)
    })
}

/** Registers drivers, acquirers and directory servers by name, the simulated ones first. */
function registrationsOf(
  { drivers = [], acquirers = [], directoryServers = [], between, tracing = null }: Parts,
  simulated: SimulatedPorts | null,
) {
  const recorded = simulated?.recorded(
    between?.driver(simulated.driver) ?? simulated.driver,
    between?.acquirer(simulated.acquirer) ?? simulated.acquirer,
  )
  const all = {
    drivers: [...(recorded ? [recorded.driver] : []), ...drivers],
    acquirers: [...(recorded ? [recorded.acquirer] : []), ...acquirers],
    directoryServers: [...(simulated === null ? [] : [simulated.directoryServer]), ...directoryServers],
  }
  const called = tracing === null ? all : tracedParties(all, tracing)
  return {
    terminals: createRegistry('terminal drivers', called.drivers),
    acquirers: createRegistry('acquirers', called.acquirers),
    directoryServers: createRegistry('directory servers', called.directoryServers),
  }
}

type Parties = Required<Pick<Parts, 'drivers' | 'acquirers' | 'directoryServers'>>

/** The parties outside, with a span for each call. */
function tracedParties({ drivers, acquirers, directoryServers }: Parties, tracing: Tracing): Parties {
  return {
    drivers: drivers.map(driver => tracedDriver(driver, tracing)),
    acquirers: acquirers.map(acquirer => tracedAcquirer(acquirer, tracing)),
    directoryServers: directoryServers.map(server => tracedDirectoryServer(server, tracing)),
  }
}

/** Selects acquirer and directory server by account. */
function chosenByAccount({ acquirers, directoryServers }: ReturnType<typeof registrationsOf>, engine: Engine) {
  const recordOf = async (account: string) => (await engine.read(MERCHANT_ACCOUNT, { account, id: account }))?.record
  return {
    acquirer: acquirerByAccount(acquirers, async account => (await recordOf(account))?.acquirer),
    directoryServer: directoryServerByAccount(directoryServers, async id => (await recordOf(id))?.directoryServer),
  }
}

/** Creates the parts of pay at table: uploaded tables and POS table providers. */
function restaurantOver({
  limits,
  ...parts
}: Omit<TablesParts, 'tableLeaseMs'> &
  Pick<Parts, 'limits'> & {
    readonly activity: Activity
    readonly reports: Reports
    readonly posRecorder: PosRecorder
    readonly link: NodeLink
    readonly clock: Clock
    readonly leases: WorkLeases
  }) {
  const { engine, store, log, terminals, transactions, reports, posRecorder, link } = parts
  const tables = createTables({ ...parts, ...limits })
  const posConnections = createPosConnections(parts)
  const messages = createTillMessages({ engine, store, posConnections, link, log, posRecorder })
  const till = createPosTableProvider({ ...parts, tables, posConnections, messages })
  const uploaded = uploadedTables(tables)
  const waiters = createWaiters({
    terminals,
    tables,
    posConnections,
    till,
    uploaded,
    reports,
    transactions,
    engine,
  })
  // If the store fails here, the messages are sent with the next one, or when the till connects again.
  const connected = (account: MerchantAccountId) => void messages.flush(account).catch(() => {})
  posConnections.attach({ connected, replaced: messages.settled })
  return { tables, posConnections, messages, till, waiters }
}

/** Merges the performers of all effects. */
function performersOf(parts: readonly { readonly performers: Performers }[]): Performers {
  return Object.assign({}, ...parts.map(({ performers }) => performers))
}

interface Timed {
  fire(timer: StoredTimer): Promise<boolean>
}

/** Returns a function that fires a timer at the service of its kind. */
function firing({
  transactions,
  reports,
  tables,
  messages,
  online,
  webhooks,
}: Readonly<Record<'transactions' | 'reports' | 'tables' | 'messages' | 'online' | 'webhooks', Timed>>) {
  const byKind: Readonly<Record<string, Timed>> = {
    [TERMINAL_TRANSACTION.kind]: transactions,
    [REPORT.kind]: reports,
    [TABLE.kind]: tables,
    [TILL_MESSAGE.kind]: messages,
    [ONLINE_PAYMENT.kind]: online,
    [WEBHOOK_DELIVERY.kind]: webhooks,
    [WEBHOOK_SECRETS.kind]: webhooks,
  }
  return async (timer: StoredTimer): Promise<boolean> => (await byKind[timer.kind]?.fire(timer)) ?? false
}

function webhooksOver(
  { store, vault, webhookSender: sender, clock, random, log, tracing = null }: Parts,
  engine: Engine,
  clocks: Clocks,
  overrides: DeliveryOverrides | null,
): Webhooks {
  const secrets = createSecretKeeper({ engine, vault, clocks, random })
  const webhookSender = tracing === null ? sender : tracedWebhookSender(sender, tracing)
  return createWebhooks({ engine, store, vault, webhookSender, secrets, overrides, clock, clocks, log })
}

/** Wallets with real keys; in a sandbox also its own test wallets. */
function walletsOver(
  { store, clock, walletSettings, walletProviderClient }: Parts,
  sandboxWallets: WalletSettings | null,
): Wallets {
  const settings = settingsOf(walletSettings, sandboxWallets)
  const testSheet = sandboxWallets !== null
  return createWallets({ settings, store, clock, rules: lookAtCard, provider: walletProviderClient ?? null, testSheet })
}

// src/wire.ts — the composition root: the only file that knows every part and how they hold together.

import { NO_ACQUIRER } from './acquirers/none.ts'
import { createWallets, type WalletSettings } from './acquirers/wallets/wallets.ts'
import { type Interceptor, NO_INTERCEPTOR } from './api/interceptor.ts'
import type { MerchantAccount } from './domain/merchant-account.ts'
import type { AccountImages } from './engine/account-images.ts'
import { type Activity, createActivity, UNCOUNTED } from './engine/activity.ts'
import { createRecordCache } from './engine/cache.ts'
import { oneClock } from './engine/clocks.ts'
import { createEffects, type Performers } from './engine/effects.ts'
import { createEngine, type Engine } from './engine/engine.ts'
import { type Change, createFeed, type Feed } from './engine/feed.ts'
import { createHousekeeping } from './engine/housekeeping.ts'
import { MERCHANT_ACCOUNT, REPORT, TABLE, TERMINAL, TERMINAL_TRANSACTION, TILL_MESSAGE } from './engine/machines.ts'
import type { DeliveryOverrides } from './engine/online/delivery-overrides.ts'
import { type DirectoryServer, NO_DIRECTORY_SERVER } from './engine/online/directory-server.ts'
import { onlineChores, type Retention, USUAL_RETENTION } from './engine/online/keeping.ts'
import { ONLINE_PAYMENT } from './engine/online/online-machine.ts'
import { createOnlinePayments, type OnlinePayments } from './engine/online/payments.ts'
import { WEBHOOK_DELIVERY, WEBHOOK_SECRETS } from './engine/online/webhook-machines.ts'
import { createSecretKeeper } from './engine/online/webhook-secrets.ts'
import { createWebhooks, type Webhooks } from './engine/online/webhooks.ts'
import type {
  Acquirer,
  Clock,
  Clocks,
  Courier,
  Log,
  Meters,
  ProviderLine,
  Random,
  Store,
  StoredTimer,
  TerminalDriver,
  Vault,
  Wallets,
} from './engine/ports.ts'
import { createProvisioning, type Provisioning } from './engine/provisioning.ts'
import { recover } from './engine/recovery.ts'
import { createReports, type Reports } from './engine/reports.ts'
import { createRewriting } from './engine/rewriting.ts'
import { createSink } from './engine/sink.ts'
import { uploadedTables } from './engine/table-hosts.ts'
import { createTables, type Tables, type TablesParts } from './engine/tables.ts'
import { tellsOf } from './engine/tells.ts'
import { createTerminals, LIVE } from './engine/terminals.ts'
import { createTillHost } from './engine/till-host.ts'
import { createTillLines, type TillLines } from './engine/till-lines.ts'
import { createTillMessages } from './engine/till-messages.ts'
import { UNHEARD } from './engine/till-talk.ts'
import { createTimers } from './engine/timers.ts'
import { createTransactions, type TransactionLimits, type Transactions } from './engine/transactions.ts'
import { createWaiters } from './engine/waiters.ts'
import { lookAtCard } from './platform/card-rules.ts'
import { endOfTurn } from './platform/turn.ts'
import { createSimulatedAcquirer } from './simulator/acquirer/acquirer.ts'
import { createOnlineScripts } from './simulator/acquirer/online-queue.ts'
import { ONLINE_TEST_CARDS } from './simulator/cards/online-test-cards.ts'
import { type AccountClocks, createAccountClocks } from './simulator/clocks/account-clocks.ts'
import { createNaps, type Naps } from './simulator/clocks/delays.ts'
import type { Recorder, Sandbox } from './simulator/controls.ts'
import { createWebhookFaults } from './simulator/faults/webhook-faults.ts'
import { createInterceptor } from './simulator/interceptor/interceptor.ts'
import type { SimulatedMemory } from './simulator/memory/memory.ts'
import { recordedAcquirer, recordedDriver } from './simulator/recorder/recorded-ports.ts'
import { createRecorder } from './simulator/recorder/recorder.ts'
import { overheardTill } from './simulator/recorder/till-talk.ts'
import { type AccountStatesParts, createAccountStates } from './simulator/snapshots.ts'
import { createSimulatedTerminals } from './simulator/terminals/terminals.ts'
import { createSimulatedAcs } from './simulator/three-d-secure/acs.ts'
import { createSimulatedDirectoryServer } from './simulator/three-d-secure/directory-server.ts'
import { createTestWallets } from './simulator/wallets/test-wallets.ts'
import { createFleet } from './terminals/fleet.ts'

/** What differs between a laptop, a production gateway and a simulation. */
export interface Parts {
  readonly clock: Clock
  readonly random: Random
  readonly log: Log
  readonly meters: Meters
  readonly store: Store
  /** Keeps what must be kept of cards. */
  readonly vault: Vault
  /** Carries webhooks to merchants' servers. */
  readonly courier: Courier
  /** Wallets with real keys; a sandbox has its own for the others. */
  readonly walletSettings?: WalletSettings
  /** Reaches the providers of wallets; absent: Apple's own sheet is not offered. */
  readonly providerLine?: ProviderLine
  /** The memory of the simulated terminals and acquirer; null where there are none (live mode). */
  readonly simulated: {
    readonly memory: SimulatedMemory
    /** The accounts in the store, as its snapshots take and put them. */
    readonly images: AccountImages
    readonly paceMs: number
    /** Scenarios of the installation, as documents. */
    readonly scenarios?: readonly unknown[]
  } | null
  readonly limits: TransactionLimits & {
    readonly reportMs: number
    /** How long a terminal may hold a table without a payment; 0 (the default): until somebody overrides it. */
    readonly tableLeaseMs?: number
  }
  /** How long what belongs to online payments is kept. Default: as the settings have it. */
  readonly retention?: Retention
  /** Records of a kind that are kept in memory; 0 switches the cache off. */
  readonly cachedRecords: number
  /** Reach terminals of other makes than the simulated one. */
  readonly drivers?: readonly TerminalDriver[]
  /** Lets a simulation stand between the gateway and the world, to lose, delay and repeat. */
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
  readonly webhooks: Webhooks
  readonly tables: Tables
  /** Tills that keep their tables themselves. */
  readonly tillLines: TillLines
  readonly online: OnlinePayments
  readonly vault: Vault
  readonly wallets: Wallets
  readonly provisioning: Provisioning
  /** The simulator; null in live mode. */
  readonly sandbox: Sandbox | null
  /** What stands between callers and the gateway: the simulator, or nothing. */
  readonly interceptor: Interceptor
  readonly clocks: Clocks
  /** Takes up what an earlier run left, and begins to work. */
  start(): Promise<void>
  /** Nothing is under way right now; alarms and terminals may still be waiting. */
  readonly idle: boolean
  /** Ends in reverse order: timers, terminals, effects. The store belongs to whoever opened it. */
  stop(): Promise<void>
}

/** Terminals kept in memory for each record of another kind: each request names one, and they are small. */
const TERMINALS_FOR_EACH = 6

/** Puts the parts together. Nothing happens before `start`. */
export function wire(parts: Parts): Gateway {
  const { clock, random, log, meters, store } = parts
  const feed = createFeed()
  const pace = paceOf(parts)
  const { clocks, activity } = pace
  const cache = createRecordCache(parts.cachedRecords, () => parts.store.outsideChanges(), {
    [TERMINAL.kind]: TERMINALS_FOR_EACH * parts.cachedRecords,
    [LIVE]: TERMINALS_FOR_EACH * parts.cachedRecords,
  })
  const engine = createEngine({ store, clocks, feed, cache, activity })
  const recorder = parts.simulated === null ? null : createRecorder(clocks)
  const outside = outsideOf(parts, pace, engine, recorder)
  const { naps, acquirer, directoryServer } = outside
  const drivers = [...outside.drivers, ...(parts.drivers ?? [])]
  const fleet = createFleet(drivers)
  const terminals = createTerminals({ engine, store, fleet, feed, cache })
  const transactions = createTransactions({ engine, terminals, acquirer, log, limits: parts.limits })
  const reports = createReports({ engine, terminals, log, limitMs: parts.limits.reportMs })
  const { tables, tillLines, messages, till, waiters } = restaurantOver({
    ...parts,
    ...{ engine, clocks, activity, terminals, transactions, reports, recorder },
  })
  const webhooks = webhooksOver(parts, engine, clocks, outside.deliveryOverrides)
  const { vault } = parts
  const online = createOnlinePayments({
    ...{ engine, store, feed, clock, clocks, random, log, acquirer, directoryServer, vault },
  })
  const performers = performersOf([transactions, reports, tables, till, webhooks, online])
  const effects = createEffects({ performers, store, clocks, log, meters, activity })
  const fire = firing({
    [TERMINAL_TRANSACTION.kind]: transactions,
    [REPORT.kind]: reports,
    [TABLE.kind]: tables,
    [TILL_MESSAGE.kind]: messages,
    [ONLINE_PAYMENT.kind]: online,
    [WEBHOOK_DELIVERY.kind]: webhooks,
    [WEBHOOK_SECRETS.kind]: webhooks,
  })
  const timers = createTimers({ store, clocks, log, fire, activity })
  const sink = createSink({ terminals, transactions, reports, effects, waiters })
  engine.attach({ effects: effects.enqueue, timers: timers.set })
  feed.followAll(tellsOf(log, meters))
  if (recorder !== null) feed.followAll(change => noteEvents(change, recorder))
  const retention = parts.retention ?? USUAL_RETENTION
  const chores = onlineChores({ engine, store, vault, clock, clocks, retention })
  const housekeeping = createHousekeeping({ ...parts, chores })
  const rewriting = createRewriting({ store, clock, log })
  const sandbox = outside.sandboxOver?.({ engine, feed, effects, timers }) ?? null
  return {
    ...{ engine, store, feed, clocks, transactions, reports, tables, tillLines, online, webhooks, vault },
    wallets: walletsOver(parts, outside.ownWallets),
    provisioning: createProvisioning({ engine, store, random }),
    sandbox,
    interceptor: sandbox === null ? NO_INTERCEPTOR : createInterceptor(sandbox, clock, clocks),
    async start() {
      await recover({ store, clock, sink, effects, timers, drivers, log })
      housekeeping.start()
      rewriting.start()
    },
    get idle() {
      // An acquirer that takes its time is part of the world, not of the gateway's work.
      const performing = effects.performing - (naps?.asleep() ?? 0)
      return engine.busy === 0 && performing <= 0 && timers.firing === 0
    },
    async stop() {
      rewriting.stop()
      housekeeping.stop()
      await timers.stop()
      await Promise.all(drivers.map(driver => driver.close()))
      naps?.wakeAll()
      await effects.stop()
    },
  }
}

/** Everything for paying at the table: tables that were uploaded, and tills that keep theirs themselves. */
function restaurantOver({
  limits,
  ...parts
}: Omit<TablesParts, 'tableLeaseMs'> &
  Pick<Parts, 'limits'> & {
    readonly activity: Activity
    readonly reports: Reports
    readonly recorder: Recorder | null
  }) {
  const { engine, store, clocks, log, activity, terminals, transactions, reports, recorder } = parts
  const talk = recorder === null ? UNHEARD : overheardTill(recorder, clocks)
  const tables = createTables({ ...parts, ...limits })
  const tillLines = createTillLines()
  const messages = createTillMessages({ engine, store, lines: tillLines, log, talk })
  const till = createTillHost({ engine, store, tables, lines: tillLines, messages, activity, talk })
  const uploaded = uploadedTables(tables)
  const waiters = createWaiters({ terminals, tables, lines: tillLines, till, uploaded, reports, transactions, engine })
  // A store that fails now has the messages sent when the next one is written, or the till is back.
  tillLines.onConnect(account => void messages.flush(account).catch(() => {}))
  return { tables, tillLines, messages, till, waiters }
}

/** All effects, and who performs them. */
function performersOf(parts: readonly { readonly performers: Performers }[]): Performers {
  return Object.assign({}, ...parts.map(({ performers }) => performers))
}

/** Tells the machine of a timer's kind that time is up. */
function firing(byKind: Readonly<Record<string, { fire(timer: StoredTimer): Promise<boolean> }>>) {
  return async (timer: StoredTimer): Promise<boolean> => (await byKind[timer.kind]?.fire(timer)) ?? false
}

function webhooksOver(
  { store, vault, courier, clock, random, log }: Parts,
  engine: Engine,
  clocks: Clocks,
  overrides: DeliveryOverrides | null,
): Webhooks {
  const secrets = createSecretKeeper({ engine, vault, clocks, random })
  return createWebhooks({ engine, store, vault, courier, secrets, overrides, clock, clocks, log })
}

/** What is set up with real keys, and in a sandbox what it has of its own for the rest. */
function walletsOver({ store, clock, walletSettings, providerLine }: Parts, own: WalletSettings | null): Wallets {
  const settings = {
    googlePay: walletSettings?.googlePay ?? own?.googlePay ?? null,
    applePay: walletSettings?.applePay ?? own?.applePay ?? null,
  }
  const testSheet = own !== null
  return createWallets({ settings, store, clock, rules: lookAtCard, line: providerLine ?? null, testSheet })
}

/** How time passes. */
interface Pace {
  readonly clocks: Clocks
  readonly activity: Activity
  /** The same clocks, to be moved; null in live mode. */
  readonly movable: AccountClocks | null
}

/** In a sandbox each account has a clock of its own, and it is counted what is under way for it. */
function paceOf({ simulated, clock }: Parts): Pace {
  if (simulated === null) return { clocks: oneClock(clock), activity: UNCOUNTED, movable: null }
  const activity = createActivity()
  const clocks = createAccountClocks({ clock, memory: simulated.memory, activity, endOfTurn })
  return { clocks, activity, movable: clocks }
}

type Inside = Pick<AccountStatesParts, 'engine' | 'feed' | 'effects' | 'timers'>

interface Outside {
  /** Null where nothing is simulated. */
  readonly naps: Naps | null
  /** The simulator over what it may touch of the gateway. */
  readonly sandboxOver: ((inside: Inside) => Sandbox) | null
  readonly drivers: readonly TerminalDriver[]
  readonly acquirer: Acquirer
  readonly directoryServer: DirectoryServer
  /** Wallets of the sandbox's own; null where nothing is simulated. */
  readonly ownWallets: WalletSettings | null
  /** What else than usual happens to webhooks; null where nothing is simulated. */
  readonly deliveryOverrides: DeliveryOverrides | null
}

/** Terminals and acquirer: the simulated ones, or none. */
function outsideOf(
  { simulated, clock, random, log, store, between }: Parts,
  pace: Pace,
  engine: Engine,
  recorder: Recorder | null,
): Outside {
  const { activity, movable: clocks } = pace
  if (simulated === null || clocks === null || recorder === null) return NOTHING_OUTSIDE
  const { memory, images } = simulated
  const terminals = createSimulatedTerminals({
    ...simulated,
    ...{ clocks, activity, log, random },
    profileOf: id => profileOf(engine, id),
  })
  const naps = createNaps(clocks, activity)
  const wallets = createTestWallets(random, clock)
  const webhookFaults = createWebhookFaults(random)
  const acquirer = createSimulatedAcquirer({ memory, clocks, random, naps })
  return {
    naps,
    sandboxOver: inside => ({
      ...terminals,
      clocks: clocks.controls,
      issuerPages: createSimulatedAcs({ memory, clocks }),
      onlineCards: ONLINE_TEST_CARDS,
      onlineScenarios: createOnlineScripts(memory),
      recorder,
      wallets: wallets.maker,
      webhookFaults,
      states: createAccountStates({
        ...inside,
        memory,
        store,
        images,
        clocks,
        naps,
        recorder,
        reload: terminals.reload,
      }),
    }),
    drivers: [recordedDriver(between?.driver(terminals.driver) ?? terminals.driver, recorder)],
    directoryServer: createSimulatedDirectoryServer({ memory, clocks }),
    ownWallets: wallets.settings,
    deliveryOverrides: webhookFaults.overrides,
    acquirer: recordedAcquirer(between?.acquirer(acquirer) ?? acquirer, recorder),
  }
}

async function profileOf(engine: Engine, id: string): Promise<MerchantAccount> {
  const entry = await engine.read(MERCHANT_ACCOUNT, { account: id, id })
  if (entry === null) throw new Error(`a terminal belongs to account ${id}, which does not exist`)
  return entry.record
}

/** A gateway without simulators: what it needs of the world is plugged in. */
const NOTHING_OUTSIDE: Outside = {
  naps: null,
  sandboxOver: null,
  drivers: [],
  acquirer: NO_ACQUIRER,
  directoryServer: NO_DIRECTORY_SERVER,
  ownWallets: null,
  deliveryOverrides: null,
}

/** Keeps the place of events among what was said. */
function noteEvents({ account, kind, id, version, events }: Change, recorder: Recorder): void {
  if (kind !== TERMINAL_TRANSACTION.kind && kind !== TABLE.kind) return
  for (const [index] of events.entries()) recorder.happened(account, id, version - events.length + 1 + index)
}

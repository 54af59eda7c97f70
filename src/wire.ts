// src/wire.ts — the composition root: the only file that knows every part and how they hold together.
import { createSimulatedAcquirer } from './acquirers/simulated/acquirer.ts'
import type { MerchantAccount } from './domain/merchant-account.ts'
import type { TerminalTransaction } from './domain/terminal-transaction.ts'
import { type Activity, createActivity, UNCOUNTED } from './engine/activity.ts'
import { createRecordCache } from './engine/cache.ts'
import { oneClock } from './engine/clocks.ts'
import { createEffects } from './engine/effects.ts'
import { createEngine, type Engine } from './engine/engine.ts'
import { Fault } from './engine/fault.ts'
import { type Change, createFeed, type Feed } from './engine/feed.ts'
import { MERCHANT_ACCOUNT, REPORT, TABLE, TERMINAL_TRANSACTION, TILL_MESSAGE } from './engine/machines.ts'
import type {
  Acquirer,
  Alarm,
  Clock,
  Clocks,
  Log,
  Meters,
  Random,
  Store,
  StoredTimer,
  TerminalDriver,
} from './engine/ports.ts'
import { createProvisioning, type Provisioning } from './engine/provisioning.ts'
import { recover } from './engine/recovery.ts'
import { createReports, type Reports } from './engine/reports.ts'
import type { Recorder, Sandbox } from './engine/sandbox/ports.ts'
import { createSink } from './engine/sink.ts'
import { uploadedTables } from './engine/table-hosts.ts'
import { createTables, type Tables } from './engine/tables.ts'
import { createTerminals, type Terminals } from './engine/terminals.ts'
import { createTillHost } from './engine/till-host.ts'
import { createTillLines, type TillLines } from './engine/till-lines.ts'
import { createTillMessages } from './engine/till-messages.ts'
import { createTimers } from './engine/timers.ts'
import { createTransactions, type TransactionLimits, type Transactions } from './engine/transactions.ts'
import { createWaiters } from './engine/waiters.ts'
import { endOfTurn } from './platform/turn.ts'
import { type AccountClocks, createAccountClocks } from './simulated-world/account-clocks.ts'
import { type AccountStatesParts, createAccountStates } from './simulated-world/account-states.ts'
import type { SimulatedMemory } from './simulated-world/memory.ts'
import { createNaps, type Naps } from './simulated-world/naps.ts'
import { createRecorder } from './simulated-world/recorder.ts'
import { recordedAcquirer, recordedDriver } from './simulated-world/recording.ts'
import { createFleet } from './terminals/fleet.ts'
import { createSimulatedTerminals } from './terminals/simulated/terminals.ts'

/** What differs between a laptop, a production gateway and a simulation. */
export interface Parts {
  readonly clock: Clock
  readonly random: Random
  readonly log: Log
  readonly meters: Meters
  readonly store: Store
  /** The memory of the simulated terminals and acquirer; null where there are none (live mode). */
  readonly simulated: {
    readonly memory: SimulatedMemory
    readonly paceMs: number
    /** Scenarios of the installation, as documents. */
    readonly scenarios?: readonly unknown[]
  } | null
  readonly limits: TransactionLimits & {
    readonly reportMs: number
    /** How long a terminal may hold a table without a payment; 0 (the default): until somebody overrides it. */
    readonly tableLeaseMs?: number
  }
  /** Records kept in memory; 0 switches the cache off. */
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
  readonly tables: Tables
  /** Tills that keep their tables themselves. */
  readonly tillLines: TillLines
  readonly provisioning: Provisioning
  /** The simulator; null in live mode. */
  readonly sandbox: Sandbox | null
  readonly clocks: Clocks
  /** Takes up what an earlier run left, and begins to work. */
  start(): Promise<void>
  /** Nothing is under way right now; alarms and terminals may still be waiting. */
  readonly idle: boolean
  /** Ends in reverse order: timers, terminals, effects. The store belongs to whoever opened it. */
  stop(): Promise<void>
}

/** How often what has expired is erased: often enough that it never grows to a burden. */
const HOUSEKEEPING_MS = 60 * 60 * 1000

/** Puts the parts together. Nothing happens before `start`. */
export function wire(parts: Parts): Gateway {
  const { clock, random, log, meters, store } = parts
  const feed = createFeed()
  const pace = paceOf(parts)
  const { clocks, activity } = pace
  const cache = createRecordCache(parts.cachedRecords, clock)
  const engine = createEngine({ store, clocks, feed, cache, activity })
  const recorder = parts.simulated === null ? null : createRecorder(clocks)
  const { naps, sandboxOver, acquirer, ...outside } = outsideOf(parts, pace, engine, recorder)
  const drivers = [...outside.drivers, ...(parts.drivers ?? [])]
  const fleet = createFleet(drivers)
  const terminals = createTerminals({ engine, store, fleet })
  const transactions = createTransactions({ engine, terminals, acquirer, log, limits: parts.limits })
  const reports = createReports({ engine, terminals, log, limitMs: parts.limits.reportMs })
  const tables = createTables({ engine, store, clocks, random, log, terminals, transactions, ...parts.limits })
  const { tillLines, messages, till, waiters } = tableSideOf({
    engine,
    store,
    log,
    activity,
    terminals,
    tables,
    reports,
    transactions,
  })
  const performers = { ...transactions.performers, ...reports.performers, ...tables.performers, ...till.performers }
  const effects = createEffects({ performers, store, clocks, log, meters, activity })
  const firing: Readonly<Record<string, { fire(timer: StoredTimer): Promise<boolean> }>> = {
    [TERMINAL_TRANSACTION.kind]: transactions,
    [REPORT.kind]: reports,
    [TABLE.kind]: tables,
    [TILL_MESSAGE.kind]: messages,
  }
  const fire = (timer: StoredTimer) => firing[timer.kind]?.fire(timer) ?? Promise.resolve(false)
  const timers = createTimers({ store, clocks, log, fire, activity })
  const sink = createSink({ terminals, transactions, reports, effects, waiters })
  engine.attach({ effects: effects.enqueue, timers: timers.set })
  feed.followAll(change => tellOf(change, log, meters))
  if (recorder !== null) feed.followAll(change => noteEvents(change, recorder))
  const housekeeping = createHousekeeping(parts)
  return {
    engine,
    store,
    feed,
    transactions,
    reports,
    tables,
    tillLines,
    provisioning: createProvisioning({ engine, store, random }),
    sandbox: sandboxOver?.({ engine, effects, timers }) ?? null,
    clocks,
    async start() {
      await recover({ store, clock, sink, effects, timers, drivers, log })
      housekeeping.start()
    },
    get idle() {
      // An acquirer that takes its time is part of the world, not of the gateway's work.
      const performing = effects.performing - (naps?.asleep() ?? 0)
      return engine.busy === 0 && performing <= 0 && timers.firing === 0
    },
    async stop() {
      housekeeping.stop()
      await timers.stop()
      await Promise.all(drivers.map(driver => driver.close()))
      naps?.wakeAll()
      await effects.stop()
    },
  }
}

/** Waiters at terminals, and tills that keep their tables themselves. */
function tableSideOf(inside: {
  readonly engine: Engine
  readonly store: Store
  readonly log: Log
  readonly activity: Activity
  readonly terminals: Terminals
  readonly tables: Tables
  readonly reports: Reports
  readonly transactions: Transactions
}) {
  const { tables } = inside
  const tillLines = createTillLines()
  const messages = createTillMessages({ ...inside, lines: tillLines })
  const till = createTillHost({ ...inside, lines: tillLines, messages })
  const waiters = createWaiters({ ...inside, lines: tillLines, till, uploaded: uploadedTables(tables) })
  // A store that fails now has the messages sent when the next one is written, or the till is back.
  tillLines.onConnect(account => void messages.flush(account).catch(() => {}))
  return { tillLines, messages, till, waiters }
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

type Inside = Pick<AccountStatesParts, 'engine' | 'effects' | 'timers'>

interface Outside {
  /** Null where nothing is simulated. */
  readonly naps: Naps | null
  /** The simulator over what it may touch of the gateway. */
  readonly sandboxOver: ((inside: Inside) => Sandbox) | null
  readonly drivers: readonly TerminalDriver[]
  readonly acquirer: Acquirer
}

/** Terminals and acquirer: the simulated ones, or none. */
function outsideOf(
  { simulated, random, log, store, between }: Parts,
  pace: Pace,
  engine: Engine,
  recorder: Recorder | null,
): Outside {
  const { activity, movable: clocks } = pace
  if (simulated === null || clocks === null || recorder === null)
    return { naps: null, sandboxOver: null, drivers: [], acquirer: NO_ACQUIRER }
  const { memory } = simulated
  const terminals = createSimulatedTerminals({
    ...simulated,
    ...{ clocks, activity, log, random },
    profileOf: id => profileOf(engine, id),
  })
  const naps = createNaps(clocks, activity)
  const acquirer = createSimulatedAcquirer({ memory, clocks, random, naps })
  return {
    naps,
    sandboxOver: inside => ({
      ...terminals,
      clocks: clocks.controls,
      recorder,
      states: createAccountStates({ ...inside, memory, store, clocks, naps, recorder, reload: terminals.reload }),
    }),
    drivers: [recordedDriver(between?.driver(terminals.driver) ?? terminals.driver, recorder)],
    acquirer: recordedAcquirer(between?.acquirer(acquirer) ?? acquirer, recorder),
  }
}

async function profileOf(engine: Engine, id: string): Promise<MerchantAccount> {
  const entry = await engine.read(MERCHANT_ACCOUNT, { account: id, id })
  if (entry === null) throw new Error(`a terminal belongs to account ${id}, which does not exist`)
  return entry.record
}

/** Where no acquirer is plugged in, nothing is approved, declined or undone: each call fails and says why. */
const NO_ACQUIRER: Acquirer = {
  name: 'none',
  authorise: refuse,
  capture: refuse,
  refund: refuse,
  verify: refuse,
  reverse: refuse,
}

async function refuse(order: { readonly orderId: string }): Promise<never> {
  throw new Fault('acquirer_missing', { detail: `Order ${order.orderId}` })
}

/** Keeps the place of events among what was said. */
function noteEvents({ account, kind, id, version, events }: Change, recorder: Recorder): void {
  if (kind !== TERMINAL_TRANSACTION.kind) return
  for (const [index] of events.entries()) recorder.happened(account, id, version - events.length + 1 + index)
}

/** One log line at the start and one at the end of each transaction; the figures beside them. */
function tellOf({ kind, record, events }: Change, log: Log, meters: Meters): void {
  if (kind !== TERMINAL_TRANSACTION.kind) return
  const { requestId, tid, request, result } = record as TerminalTransaction
  const type = request.transactionType
  for (const event of events) {
    if (event.type === 'started') {
      meters.transactionStarted(type)
      log.info({ requestId, tid, type }, 'transaction started')
    }
    if (event.type === 'ended' || event.type === 'timed_out') {
      const outcome = result ?? 'TIMED_OUT'
      meters.transactionFinished(type, outcome)
      log.info({ requestId, tid, type, outcome }, 'transaction finished')
    }
  }
}

/** Erases what has expired, once at the start and then at intervals. */
function createHousekeeping({ store, clock, log }: Parts): { start(): void; stop(): void } {
  let alarm: Alarm | null = null
  let stopped = false
  const tidy = async () => {
    await store
      .forgetExpired(clock.now())
      .catch(error => stopped || log.warn({ error: String(error) }, 'expired rows could not be erased'))
    if (!stopped) alarm = clock.alarm(clock.now() + HOUSEKEEPING_MS, () => void tidy())
  }
  return {
    start: () => void tidy(),
    stop() {
      stopped = true
      alarm?.cancel()
    },
  }
}

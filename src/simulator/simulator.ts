// src/simulator/simulator.ts — the simulator as one part: what it plugs into a gateway, and what it can be told.
import type { Interceptor } from '../api/interceptor.ts'
import type { MerchantAccount } from '../domain/accounts/merchant-account.ts'
import { type Activity, createActivity } from '../engine/activity.ts'
import type { Engine } from '../engine/engine.ts'
import type { Change } from '../engine/feed.ts'
import { MERCHANT_ACCOUNT, TABLE, TERMINAL_TRANSACTION } from '../engine/machines.ts'
import type { AccountImages } from '../engine/ports/account-images.ts'
import type { Acquirer } from '../engine/ports/acquirer.ts'
import type { Clock, Clocks } from '../engine/ports/clock.ts'
import type { DeliveryOverrides } from '../engine/ports/delivery-overrides.ts'
import type { Log } from '../engine/ports/log.ts'
import type { Random } from '../engine/ports/random.ts'
import type { Store } from '../engine/ports/store.ts'
import type { TerminalDriver } from '../engine/ports/terminal.ts'
import type { DirectoryServer } from '../engine/ports/three-d-secure.ts'
import type { PosRecorder } from '../services/tables/pos-recorder.ts'
import { createSimulatedAcquirer } from './acquirer/acquirer.ts'
import { createOnlineScripts } from './acquirer/online-queue.ts'
import { ONLINE_TEST_CARDS } from './cards/online-test-cards.ts'
import { type AccountClocks, createAccountClocks } from './clocks/account-clocks.ts'
import { createDelays, type Delays } from './clocks/delays.ts'
import type { Recorder, Sandbox } from './controls.ts'
import { createWebhookFaults } from './faults/webhook-faults.ts'
import { createInterceptor } from './interceptor/interceptor.ts'
import type { SimulatedMemory } from './memory/memory.ts'
import { recordedAcquirer, recordedDriver } from './recorder/recorded-ports.ts'
import { recordPosConnection } from './recorder/recorded-pos-connection.ts'
import { createRecorder } from './recorder/recorder.ts'
import { type AccountStatesParts, createAccountStates } from './snapshots.ts'
import { createSimulatedTerminals } from './terminals/terminals.ts'
import { createSimulatedAcs } from './three-d-secure/acs.ts'
import { createSimulatedDirectoryServer } from './three-d-secure/directory-server.ts'
import { createTestWallets } from './wallets/test-wallets.ts'

/** Where the simulator keeps what it must not forget, and how fast its terminals are. */
export interface SimulatorSettings {
  readonly memory: SimulatedMemory
  /** The accounts in the store, as snapshots take and put them. */
  readonly images: AccountImages
  /** Milliseconds a step of a terminal takes. */
  readonly paceMs: number
  /** Scenarios of the installation, as documents. */
  readonly scenarios?: readonly unknown[]
}

export interface SimulatorParts extends SimulatorSettings {
  readonly clock: Clock
  readonly random: Random
  readonly log: Log
  readonly store: Store
  /** Resolves when everything that is ready now has run once. */
  readonly endOfTurn: () => Promise<void>
}

export interface Simulator {
  /** Each account has a clock of its own. */
  readonly clocks: Clocks
  /** Counts what is under way for each account. */
  readonly activity: Activity
  /** The parties around the gateway, before anything listens to them. Called once. */
  parties(engine: Engine): SimulatedPorts
  /** What is recorded of tills that keep their tables. */
  readonly posRecorder: PosRecorder
  readonly deliveryOverrides: DeliveryOverrides
  /** Answers that wait because an acquirer takes its time. */
  asleep(): number
  /** Lets them go at once: the gateway stops. */
  wakeAll(): void
}

export interface SimulatedPorts {
  readonly driver: TerminalDriver
  readonly acquirer: Acquirer
  readonly directoryServer: DirectoryServer
  /** Wallets with keys of the sandbox's own. */
  readonly wallets: ReturnType<typeof createTestWallets>['settings']
  /** The controls of the simulator over the gateway around it, and what stands before its callers. */
  control(gateway: GatewayAround): { readonly sandbox: Sandbox; readonly interceptor: Interceptor }
  /** Hears of every change. */
  hear(change: Change): void
  /** The parties with what stands between them and the gateway: a recorder. */
  recorded(driver: TerminalDriver, acquirer: Acquirer): { readonly driver: TerminalDriver; readonly acquirer: Acquirer }
}

/** What the simulator may touch of a gateway when it puts an account into another state. */
export type GatewayAround = Pick<AccountStatesParts, 'engine' | 'feed' | 'effects' | 'timers'>

/** Builds it. Nothing happens before the gateway starts. */
export function createSimulator(parts: SimulatorParts): Simulator {
  const { clock, memory, random, endOfTurn } = parts
  const activity = createActivity()
  const clocks = createAccountClocks({ clock, memory, activity, endOfTurn })
  const recorder = createRecorder(clocks)
  const delays = createDelays(clocks, activity)
  const webhookFaults = createWebhookFaults(random)
  return {
    clocks,
    activity,
    parties: engine => partiesOf({ ...parts, clocks, activity, recorder, delays, webhookFaults }, engine),
    posRecorder: recordPosConnection(recorder, clocks),
    deliveryOverrides: webhookFaults.overrides,
    asleep: () => delays.asleep(),
    wakeAll: () => delays.wakeAll(),
  }
}

interface Inner extends SimulatorParts {
  readonly clocks: AccountClocks
  readonly activity: Activity
  readonly recorder: Recorder
  readonly delays: Delays
  readonly webhookFaults: ReturnType<typeof createWebhookFaults>
}

function partiesOf(inner: Inner, engine: Engine): SimulatedPorts {
  const { memory, images, store, clock, clocks, random, delays, recorder, webhookFaults } = inner
  const terminals = createSimulatedTerminals({ ...inner, profileOf: id => profileOf(engine, id) })
  const wallets = createTestWallets(random, clock)
  return {
    driver: terminals.driver,
    acquirer: createSimulatedAcquirer({ memory, clocks, random, delays }),
    directoryServer: createSimulatedDirectoryServer({ memory, clocks }),
    wallets: wallets.settings,
    recorded: (driver, acquirer) => ({
      driver: recordedDriver(driver, recorder),
      acquirer: recordedAcquirer(acquirer, recorder),
    }),
    control(gateway) {
      const around = { ...gateway, memory, store, images, clocks, delays, recorder }
      const sandbox: Sandbox = {
        ...terminals,
        clocks: clocks.controls,
        issuerPages: createSimulatedAcs({ memory, clocks }),
        onlineCards: ONLINE_TEST_CARDS,
        onlineScenarios: createOnlineScripts(memory),
        recorder,
        wallets: wallets.maker,
        webhookFaults,
        states: createAccountStates({ ...around, reload: terminals.reload }),
      }
      return { sandbox, interceptor: createInterceptor(sandbox, clock, clocks) }
    },
    hear: change => noteEvents(change, recorder),
  }
}

async function profileOf(engine: Engine, id: string): Promise<MerchantAccount> {
  const entry = await engine.read(MERCHANT_ACCOUNT, { account: id, id })
  if (entry === null) throw new Error(`a terminal belongs to account ${id}, which does not exist`)
  return entry.record
}

/** Keeps the place of events among what was said. */
function noteEvents({ account, kind, id, version, events }: Change, recorder: Recorder): void {
  if (kind !== TERMINAL_TRANSACTION.kind && kind !== TABLE.kind) return
  for (const [index] of events.entries()) recorder.happened(account, id, version - events.length + 1 + index)
}

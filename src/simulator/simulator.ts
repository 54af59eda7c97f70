// src/simulator/simulator.ts — builds the simulator: the ports it implements for a gateway, and its controls.
import type { Interceptor } from '../api/interceptor.ts'
import type { MerchantAccount } from '../domain/accounts/merchant-account.ts'
import { type Activity, createActivity } from '../engine/activity.ts'
import type { Engine } from '../engine/engine.ts'
import type { Change } from '../engine/feed.ts'
import { MERCHANT_ACCOUNT, TABLE, TERMINAL_TRANSACTION } from '../engine/machines.ts'
import { USER } from '../engine/people-machines.ts'
import type { AccountImages } from '../engine/ports/account-images.ts'
import type { Acquirer } from '../engine/ports/acquirer.ts'
import type { Clock, Clocks } from '../engine/ports/clock.ts'
import type { DeliveryOverrides } from '../engine/ports/delivery-overrides.ts'
import type { Log } from '../engine/ports/log.ts'
import { NO_LINK, type NodeLink } from '../engine/ports/node-link.ts'
import type { Random } from '../engine/ports/random.ts'
import type { Store } from '../engine/ports/store.ts'
import type { TerminalDriver } from '../engine/ports/terminal.ts'
import type { DirectoryServer } from '../engine/ports/three-d-secure.ts'
import type { RetentionJob } from '../services/retention/retention-jobs.ts'
import type { PosRecorder } from '../services/tables/pos-recorder.ts'
import { createSimulatedAcquirer } from './acquirer/acquirer.ts'
import { createOnlineScripts } from './acquirer/online-queue.ts'
import { ONLINE_TEST_CARDS } from './cards/online-test-cards.ts'
import { type AccountClocks, createAccountClocks } from './clocks/account-clocks.ts'
import { createDelays, type Delays } from './clocks/delays.ts'
import type { Recorder, Sandbox } from './controls.ts'
import { createWebhookFaults } from './faults/webhook-faults.ts'
import { createInterceptor } from './interceptor/interceptor.ts'
import { heldPorts } from './memory/held-ports.ts'
import type { SimulatedMemory } from './memory/memory.ts'
import { createLaneNode } from './nodes/lane-node.ts'
import { createPassedRequests } from './nodes/passed-requests.ts'
import { createRestorePause } from './nodes/restore-pause.ts'
import { pruningJobs } from './pruning.ts'
import { recordedAcquirer, recordedDriver } from './recorder/recorded-ports.ts'
import { recordPosConnection } from './recorder/recorded-pos-connection.ts'
import { createRecorder } from './recorder/recorder.ts'
import { type AccountStatesParts, createAccountStates } from './snapshots.ts'
import { createTerminalLinks } from './terminals/terminal-links.ts'
import { createSimulatedTerminals } from './terminals/terminals.ts'
import { createChallengePages, createSimulatedAcs } from './three-d-secure/acs.ts'
import { createSimulatedDirectoryServer } from './three-d-secure/directory-server.ts'
import { createTestWallets, type TestWallets } from './wallets/test-wallets.ts'

/** Storage and settings of the simulator. */
export interface SimulatorSettings {
  readonly memory: SimulatedMemory
  /** Reads and replaces the stored state of accounts, for snapshots. */
  readonly images: AccountImages
  /** Milliseconds per step of a terminal. */
  readonly paceMs: number
  /** Scenario documents from the installation's directory. */
  readonly scenarios?: readonly unknown[]
  /** How long finished orders and authentications stay, in milliseconds. Default: for ever. */
  readonly retentionMs?: number
}

export interface SimulatorParts extends SimulatorSettings {
  readonly clock: Clock
  readonly random: Random
  readonly log: Log
  readonly store: Store
  /** Calls other nodes. Default: there are none. */
  readonly link?: NodeLink
  /** Resolves when all callbacks that are ready now have run once. */
  readonly endOfTurn: () => Promise<void>
}

export interface Simulator {
  /** A clock for each account. */
  readonly clocks: Clocks
  /** Counts work under way, by account. */
  readonly activity: Activity
  /** Builds the simulated ports. Called once, before the gateway accepts calls. */
  parties(engine: Engine): SimulatedPorts
  /** Records exchanges with POS table providers (tills that store their own tables). */
  readonly posRecorder: PosRecorder
  readonly deliveryOverrides: DeliveryOverrides
  /** Number of answers that wait in a simulated delay. */
  asleep(): number
  /** Ends all simulated delays, when the gateway stops. */
  wakeAll(): void
}

export interface SimulatedPorts {
  readonly driver: TerminalDriver
  readonly acquirer: Acquirer
  readonly directoryServer: DirectoryServer
  /** Test wallets with keys of this sandbox. */
  readonly wallets: Pick<TestWallets, 'start' | 'settings'>
  /** Controls of the simulator, and the interceptor of calls to the gateway. */
  control(gateway: GatewayAround): {
    readonly sandbox: Sandbox
    readonly interceptor: Interceptor
    readonly jobs: readonly RetentionJob[]
  }
  /** Called with each committed change. */
  onChange(change: Change): void
  /** The ports, wrapped in a recorder. */
  recorded(driver: TerminalDriver, acquirer: Acquirer): { readonly driver: TerminalDriver; readonly acquirer: Acquirer }
}

/** Parts of the gateway that a snapshot needs to replace an account's state. */
export type GatewayAround = Pick<AccountStatesParts, 'feed' | 'effects' | 'timers'> & {
  readonly engine: Engine
}

/** Builds the simulator. Nothing runs before the gateway starts. */
export function createSimulator(parts: SimulatorParts): Simulator {
  const { clock, memory, random, endOfTurn } = parts
  const activity = createActivity()
  const clocks = createAccountClocks({ clock, memory, activity, endOfTurn })
  const recorder = createRecorder(clocks)
  const delays = createDelays(clocks, activity)
  const webhookFaults = createWebhookFaults(random, memory)
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
  const wallets = createTestWallets({ random, clock, store })
  const ports = {
    driver: terminals.driver,
    acquirer: createSimulatedAcquirer({ memory, clocks, random, delays }),
    directoryServer: createSimulatedDirectoryServer({ memory, clocks }),
  }
  return {
    ...(memory.nodes === undefined ? ports : heldPorts(ports, memory.nodes)),
    wallets,
    recorded: (driver, acquirer) => ({
      driver: recordedDriver(driver, recorder),
      acquirer: recordedAcquirer(acquirer, recorder),
    }),
    control(gateway) {
      const { link = NO_LINK, activity, log } = inner
      const lane = createLaneNode(link, memory)
      const issuerPages = createSimulatedAcs({ memory, clocks })
      const around = { ...gateway, memory, store, images, clocks, delays, recorder }
      const pause = createRestorePause({ link, clock, random, log, activity, engine: gateway.engine })
      const sandbox: Sandbox = {
        ...terminals,
        links: createTerminalLinks({ memory, random, clock }),
        clocks: clocks.controls,
        issuerPages,
        challengePages: createChallengePages(issuerPages, memory, lane),
        onlineCards: ONLINE_TEST_CARDS,
        onlineScenarios: createOnlineScripts(memory),
        recorder,
        wallets: wallets.maker,
        webhookFaults,
        states: createAccountStates({ ...around, pause, reload: terminals.reload }),
      }
      const { retentionMs = Number.POSITIVE_INFINITY } = inner
      const jobs = pruningJobs({
        ...{ store, clocks, memory, clock, retentionMs, engine: gateway.engine, forget: terminals.forget },
        releaseClock: clocks.controls.release,
      })
      return {
        sandbox,
        interceptor: createInterceptor({
          ...{ sandbox, clock, clocks, memory, lane },
          passed: memory.nodes === undefined ? null : createPassedRequests(lane, random.uuid()),
          refresh: id => profileOf(gateway.engine, id),
          userOf: async (account, id) => (await gateway.engine.read(USER, { account, id }))?.record ?? null,
        }),
        jobs,
      }
    },
    onChange: change => noteEvents(change, recorder),
  }
}

async function profileOf(engine: Engine, id: string): Promise<MerchantAccount> {
  const entry = await engine.read(MERCHANT_ACCOUNT, { account: id, id })
  if (entry === null) throw new Error(`a terminal belongs to account ${id}, which does not exist`)
  return entry.record
}

/** Records the position of events among the messages. */
function noteEvents({ account, kind, id, version, events }: Change, recorder: Recorder): void {
  if (kind !== TERMINAL_TRANSACTION.kind && kind !== TABLE.kind) return
  for (const [index] of events.entries()) recorder.happened(account, id, version - events.length + 1 + index)
}

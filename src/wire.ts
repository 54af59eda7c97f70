// src/wire.ts — the composition root: the only file that knows every part and how they hold together.
import { createSimulatedAcquirer } from './acquirers/simulated/acquirer.ts'
import { createRecordCache } from './engine/cache.ts'
import { createEffects } from './engine/effects.ts'
import { createEngine, type Engine } from './engine/engine.ts'
import { createFeed, type Feed } from './engine/feed.ts'
import { MERCHANT_ACCOUNT } from './engine/machines.ts'
import type { Acquirer, Clock, Log, Meters, Random, SandboxTerminals, Store, TerminalDriver } from './engine/ports.ts'
import { createProvisioning, type Provisioning } from './engine/provisioning.ts'
import { recover } from './engine/recovery.ts'
import { createTimers } from './engine/timers.ts'
import { createTransactions, type TransactionLimits, type Transactions } from './engine/transactions.ts'
import { createFleet } from './terminals/fleet.ts'
import type { SimulatedMemory } from './terminals/simulated/memory.ts'
import { createSimulatedTerminals } from './terminals/simulated/terminals.ts'

/** What differs between a laptop, a production gateway and a simulation. */
export interface Parts {
  readonly clock: Clock
  readonly random: Random
  readonly log: Log
  readonly meters: Meters
  readonly store: Store
  /** The memory of the simulated terminals and acquirer; null where there are none (live mode). */
  readonly simulated: { readonly memory: SimulatedMemory; readonly paceMs: number } | null
  readonly limits: TransactionLimits
  /** Records kept in memory; 0 switches the cache off. */
  readonly cachedRecords: number
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
  readonly provisioning: Provisioning
  /** The simulated terminals' screens; null in live mode. */
  readonly sandbox: SandboxTerminals | null
  /** Takes up what an earlier run left, and begins to work. */
  start(): Promise<void>
  /** Nothing is under way right now; alarms and terminals may still be waiting. */
  readonly idle: boolean
  /** Ends in reverse order: timers, terminals, effects. The store belongs to whoever opened it. */
  stop(): Promise<void>
}

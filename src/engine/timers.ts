// src/engine/timers.ts — durable alarms: what is due is found in the store, so a restart forgets none.
import type { MerchantAccountId } from '../domain/ids.ts'
import { type Activity, UNCOUNTED } from './activity.ts'
import type { Alarm, Clock, Clocks } from './ports/clock.ts'
import type { Log } from './ports/log.ts'
import type { Store, StoredTimer } from './ports/store.ts'
import type { WorkLeases } from './work-leases.ts'

/** How many due timers are taken from the store at once, so that a long downtime does not fill the memory. */
const BATCH = 200

/** How long to wait after the store could not be read, in milliseconds. */
const STORE_RETRY_MS = 1_000

/** More timers than a sandbox can have: each live record has one. */
const ALL_TIMERS = 1_000_000

export interface Timers {
  /** Begins to watch; what is overdue fires at once. */
  start(): Promise<void>
  /** Timers that a commit has set. */
  set(timers: readonly StoredTimer[]): void
  /** Looks at an account's timers anew: its clock or its records have been changed under them. */
  look(account: MerchantAccountId): Promise<void>
  /** Looks at all timers anew: another process has left some. */
  lookAtAll(): Promise<void>
  readonly firing: number
  stop(): Promise<void>
}

export interface TimersParts {
  readonly store: Store
  readonly clocks: Clocks
  readonly log: Log
  /** The lanes whose timers fire here; absent: all. */
  readonly leases?: Pick<WorkLeases, 'lanes'>
  /** Tells the machine that time is up. Resolves to whether that changed anything. */
  readonly fire: (timer: StoredTimer) => Promise<boolean>
  /** What is under way is counted here. */
  readonly activity?: Activity
}

/** The watch over the timers of one clock. */
interface Sweep {
  wakeAt(at: number): void
  sweep(): Promise<void>
  readonly sweeping: Promise<void> | null
  stop(): void
}

/** Builds the watch over due timers: one sweep for each clock, with one alarm for the earliest timer. */
export function createTimers(parts: TimersParts): Timers {
  const { store, clocks } = parts
  const sweeps = new Map<string, Sweep>()
  let started = false

  function sweepOf(account: MerchantAccountId): Sweep {
    const name = clocks.shared ? '' : account
    const known = sweeps.get(name)
    if (known !== undefined) return known
    const sweep = createSweep(parts, clocks.of(account), clocks.shared ? null : account, () => started)
    sweeps.set(name, sweep)
    return sweep
  }

  async function accounts(): Promise<readonly string[]> {
    if (clocks.shared) return ['']
    const timers = await store.dueTimers(Number.MAX_SAFE_INTEGER, ALL_TIMERS)
    return [...new Set(timers.map(({ account }) => account))]
  }

  const sweepings = () => [...sweeps.values()].flatMap(({ sweeping }) => sweeping ?? [])

  async function lookAtAll(): Promise<void> {
    const sweepAgain = async (account: MerchantAccountId) => {
      const sweep = sweepOf(account)
      // One that is under way may have read its timers already.
      await sweep.sweeping
      await sweep.sweep()
    }
    await Promise.all((await accounts()).map(sweepAgain))
  }

  return {
    start() {
      started = true
      return lookAtAll()
    },
    set(timers) {
      for (const timer of timers) sweepOf(timer.account).wakeAt(timer.dueAt)
    },
    look: account => sweepOf(account).sweep(),
    lookAtAll,
    get firing() {
      return sweepings().length
    },
    async stop() {
      started = false
      for (const sweep of sweeps.values()) sweep.stop()
      await Promise.all(sweepings())
    },
  }
}

/** @param account null: the timers of all accounts */
function createSweep(
  { store, log, fire, leases, activity = UNCOUNTED }: TimersParts,
  clock: Clock,
  account: MerchantAccountId | null,
  isStarted: () => boolean,
): Sweep {
  // A timer that changes nothing would be due for ever; it is told of once and then left alone.
  const idle = new Set<string>()
  let alarm: Alarm | null = null
  let alarmAt = Number.POSITIVE_INFINITY
  let sweeping: Promise<void> | null = null

  function wakeAt(at: number): void {
    if (!isStarted() || at >= alarmAt) return
    alarm?.cancel()
    alarmAt = at
    alarm = clock.alarm(at, () => {
      alarmAt = Number.POSITIVE_INFINITY
      alarm = null
      void sweep()
    })
  }

  function sweep(): Promise<void> {
    if (sweeping !== null) return sweeping
    activity.begin(account ?? '')
    sweeping = sweepOnce().finally(() => {
      sweeping = null
      activity.end(account ?? '')
    })
    return sweeping
  }

  async function sweepOnce(): Promise<void> {
    try {
      while (isStarted()) {
        const due = await waiting(clock.now(), BATCH)
        if (due.length === 0) break
        await Promise.all(due.map(fireOne))
      }
      const [next] = isStarted() ? await waiting(Number.MAX_SAFE_INTEGER, 1) : []
      if (next !== undefined) wakeAt(Math.max(next.dueAt, clock.now() + 1))
    } catch (error) {
      log.error({ error: String(error) }, 'timers could not be read')
      wakeAt(clock.now() + STORE_RETRY_MS)
    }
  }

  /** The earliest timers due by `until`, without those that were found to change nothing. */
  async function waiting(until: number, limit: number): Promise<readonly StoredTimer[]> {
    const timers = await store.dueTimers(until, limit + idle.size, {
      ...(account === null ? {} : { account }),
      ...(leases === undefined ? {} : { lanes: leases.lanes }),
    })
    return timers.filter(timer => !idle.has(nameOfTimer(timer)))
  }

  async function fireOne(timer: StoredTimer): Promise<void> {
    if (await fire(timer)) return
    idle.add(nameOfTimer(timer))
    log.error({ kind: timer.kind, id: timer.id, timer: timer.name }, 'a timer changed nothing')
  }

  return {
    wakeAt,
    sweep,
    get sweeping() {
      return sweeping
    },
    stop: () => alarm?.cancel(),
  }
}

function nameOfTimer(timer: StoredTimer): string {
  return `${timer.kind}\u0000${timer.account}\u0000${timer.id}\u0000${timer.name}\u0000${timer.dueAt}`
}

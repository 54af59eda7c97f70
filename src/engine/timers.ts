// src/engine/timers.ts — fires durable timers. Due timers are read from the store, so a restart loses none.
import type { MerchantAccountId } from '../domain/ids.ts'
import { type Activity, UNCOUNTED } from './activity.ts'
import type { Alarm, Clock, Clocks } from './ports/clock.ts'
import type { Log } from './ports/log.ts'
import type { Store, StoredTimer } from './ports/store.ts'

/** Due timers read at a time, so that a long downtime does not fill the memory. */
const BATCH = 200

/** Delay before the store is read again after a failure, in milliseconds. */
const STORE_RETRY_MS = 1_000

/** Upper bound of timers; a sandbox stays far below it, because each live record has one. */
const ALL_TIMERS = 1_000_000

export interface Timers {
  /** Starts watching. Overdue timers fire at once. */
  start(): Promise<void>
  /** Notes timers that a commit has set. */
  set(timers: readonly StoredTimer[]): void
  /** Reads the timers of accounts again, because their clock or records have been replaced, or another process has set some. */
  look(accounts: Iterable<MerchantAccountId>): Promise<void>
  /** Reads all timers again, because more lanes fire here. */
  lookAtAll(): Promise<void>
  readonly firing: number
  /** Resolves when the timers that are firing now have fired. */
  settled(): Promise<void>
  stop(): Promise<void>
}

export interface TimersParts {
  readonly store: Store
  readonly clocks: Clocks
  readonly log: Log
  /** The lanes whose timers fire here; absent for all. */
  readonly lanes?: () => readonly number[]
  /** Sends the time-out to the record's machine. Resolves to whether the record changed. */
  readonly fire: (timer: StoredTimer) => Promise<boolean>
  /** Counts sweeps in progress. */
  readonly activity?: Activity
}

/** Watches the timers of one clock. */
interface Sweep {
  wakeAt(at: number): void
  sweep(): Promise<void>
  readonly sweeping: Promise<void> | null
  stop(): void
}

/** Creates the watch over due timers: one sweep per clock, each with one alarm for its earliest timer. */
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

  async function look(given: Iterable<MerchantAccountId>): Promise<void> {
    const sweepAgain = async (sweep: Sweep) => {
      // A sweep in progress may have read its timers already.
      await sweep.sweeping
      await sweep.sweep()
    }
    await Promise.all([...new Set([...given].map(sweepOf))].map(sweepAgain))
  }
  const lookAtAll = async () => look(await accounts())

  return {
    start() {
      started = true
      return lookAtAll()
    },
    set(timers) {
      for (const timer of timers) sweepOf(timer.account).wakeAt(timer.dueAt)
    },
    look,
    lookAtAll,
    get firing() {
      return sweepings().length
    },
    async settled() {
      await Promise.all(sweepings())
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
  { store, log, fire, lanes, activity = UNCOUNTED }: TimersParts,
  clock: Clock,
  account: MerchantAccountId | null,
  isStarted: () => boolean,
): Sweep {
  // A timer that changes nothing would stay due for ever: it is logged once and then ignored.
  const idle = new Set<string>()
  /** Due times of timers that were set before the clock was set back, in the time of the clock since. */
  const shifted = new Map<string, number>()
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
      if (next !== undefined) wakeAt(Math.max(dueAtOf(next), clock.now() + 1))
    } catch (error) {
      log.error({ error: String(error) }, 'timer read failed')
      wakeAt(clock.now() + STORE_RETRY_MS)
    }
  }

  const dueAtOf = (timer: StoredTimer): number => shifted.get(nameOfTimer(timer)) ?? timer.dueAt

  function read(until: number, limit: number): Promise<readonly StoredTimer[]> {
    return store.dueTimers(until, limit, {
      ...(account === null ? {} : { account }),
      ...(lanes === undefined ? {} : { lanes: lanes() }),
    })
  }

  /** The earliest timers due by `until`, without the idle ones. */
  async function waiting(until: number, limit: number): Promise<readonly StoredTimer[]> {
    if (shifted.size > 0) return waitingShifted(until, limit)
    const timers = await read(until, limit + idle.size)
    return timers.filter(timer => !idle.has(nameOfTimer(timer)))
  }

  /** The same after the clock was set back. Reads all timers, until those from before have fired or are gone. */
  async function waitingShifted(until: number, limit: number): Promise<readonly StoredTimer[]> {
    const all = await read(Number.MAX_SAFE_INTEGER, ALL_TIMERS)
    const names = new Set(all.map(nameOfTimer))
    for (const name of shifted.keys()) if (!names.has(name)) shifted.delete(name)
    return all
      .filter(timer => !idle.has(nameOfTimer(timer)) && dueAtOf(timer) <= until)
      .toSorted((one, other) => dueAtOf(one) - dueAtOf(other))
      .slice(0, limit)
  }

  /**
   * Timers are stored with the time of the clock that was. Those that are running keep their distance, or a sale would hang for
   * as long as the clock was set back. After a restart they are due at their stored time.
   */
  async function shift(ms: number): Promise<void> {
    const set = clock.now()
    const before = await read(Number.MAX_SAFE_INTEGER, ALL_TIMERS)
    for (const timer of before) if (timer.dueAt > set) shifted.set(nameOfTimer(timer), dueAtOf(timer) - ms)
    await sweeping
    await sweep()
  }

  async function fireOne(timer: StoredTimer): Promise<void> {
    if (await fire(timer)) return
    const name = nameOfTimer(timer)
    // Its machine goes by the time: it is due when that says so.
    if (shifted.delete(name)) return
    idle.add(name)
    log.error({ kind: timer.kind, id: timer.id, timer: timer.name }, 'timer changed nothing')
  }

  clock.onSetBack(ms => {
    if (alarm !== null) alarmAt -= ms
    if (!isStarted()) return
    log.warn({ ms, ...(account === null ? {} : { account }) }, 'clock set back; running timers keep their time left')
    shift(ms).catch(error => log.error({ error: String(error) }, 'timer read failed'))
  })

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

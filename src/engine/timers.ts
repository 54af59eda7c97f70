// src/engine/timers.ts — durable alarms: what is due is found in the store, so a restart forgets none.
import type { Alarm, Clock, Log, Store, StoredTimer } from './ports.ts'

/** How many due timers are taken from the store at once, so that a long downtime does not fill the memory. */
const BATCH = 200

/** How long to wait after the store could not be read, in milliseconds. */
const STORE_RETRY_MS = 1_000

export interface Timers {
  /** Begins to watch; what is overdue fires at once. */
  start(): Promise<void>
  /** Timers that a commit has set. */
  set(timers: readonly StoredTimer[]): void
  readonly firing: number
  stop(): Promise<void>
}

export interface TimersParts {
  readonly store: Store
  readonly clock: Clock
  readonly log: Log
  /** Tells the machine that time is up. Resolves to whether that changed anything. */
  readonly fire: (timer: StoredTimer) => Promise<boolean>
}

/** Builds the watch over due timers. One alarm stands for the earliest of them. */
export function createTimers({ store, clock, log, fire }: TimersParts): Timers {
  // A timer that changes nothing would be due for ever; it is told of once and then left alone.
  const idle = new Set<string>()
  let alarm: Alarm | null = null
  let alarmAt = Number.POSITIVE_INFINITY
  let started = false
  let sweeping: Promise<void> | null = null

  function wakeAt(at: number): void {
    if (!started || at >= alarmAt) return
    alarm?.cancel()
    alarmAt = at
    alarm = clock.alarm(at, () => {
      alarmAt = Number.POSITIVE_INFINITY
      alarm = null
      void sweep()
    })
  }

  function sweep(): Promise<void> {
    sweeping ??= sweepOnce().finally(() => {
      sweeping = null
    })
    return sweeping
  }

  async function sweepOnce(): Promise<void> {
    try {
      while (started) {
        const due = await waiting(clock.now(), BATCH)
        if (due.length === 0) break
        await Promise.all(due.map(fireOne))
      }
      const [next] = started ? await waiting(Number.MAX_SAFE_INTEGER, 1) : []
      if (next !== undefined) wakeAt(Math.max(next.dueAt, clock.now() + 1))
    } catch (error) {
      log.error({ error: String(error) }, 'timers could not be read')
      wakeAt(clock.now() + STORE_RETRY_MS)
    }
  }

  /** The earliest timers due by `until`, without those that were found to change nothing. */
  async function waiting(until: number, limit: number): Promise<readonly StoredTimer[]> {
    const timers = await store.dueTimers(until, limit + idle.size)
    return timers.filter(timer => !idle.has(nameOfTimer(timer)))
  }

  async function fireOne(timer: StoredTimer): Promise<void> {
    if (await fire(timer)) return
    idle.add(nameOfTimer(timer))
    log.error({ kind: timer.kind, id: timer.id, timer: timer.name }, 'a timer changed nothing')
  }

  return {
    async start() {
      started = true
      await sweep()
    },
    set(timers) {
      for (const timer of timers) wakeAt(timer.dueAt)
    },
    get firing() {
      return sweeping === null ? 0 : 1
    },
    async stop() {
      started = false
      alarm?.cancel()
      await sweeping
    },
  }
}

function nameOfTimer(timer: StoredTimer): string {
  return `${timer.kind}\u0000${timer.account}\u0000${timer.id}\u0000${timer.name}\u0000${timer.dueAt}`
}

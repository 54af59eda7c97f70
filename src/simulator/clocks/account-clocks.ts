// src/simulator/clocks/account-clocks.ts — a virtual clock for each sandbox account, so test runs do not move each other's
// time. The state of each clock is stored in the simulator's memory (ADR 13).
import type { Activity } from '../../engine/activity.ts'
import { createKeyedQueue } from '../../engine/keyed-queue.ts'
import type { Clock, Clocks } from '../../engine/ports/clock.ts'
import type { AccountTime, Moved, SandboxClocks } from '../controls.ts'
import type { SimulatedMemory } from '../memory/memory.ts'
import { type AccountClock, type ClockState, createAccountClock, SYSTEM_TIME } from './account-clock.ts'

/** Upper bound of alarms per move. More means an alarm that sets itself again and again. */
const MOST_RUNG = 100_000
/** Upper bound of a move in system time, milliseconds. A test would have timed out by then. */
const LONGEST_MOVE_MS = 25_000
/** Event-loop turns without work after which an account counts as idle: promise chains take a few. */
const QUIET_TURNS = 4

export interface AccountClocksParts {
  readonly clock: Clock
  readonly memory: SimulatedMemory
  readonly activity: Activity
  /** Resolves at the end of an event-loop turn. */
  readonly endOfTurn: () => Promise<void>
}

export interface AccountClocks extends Clocks {
  readonly controls: SandboxClocks
  /**
   * Runs `work` while the account's clock is frozen and the account is idle. Afterwards the clock runs again if it ran
   * before.
   * @throws Error when the account does not become idle
   */
  atRest<T>(account: string, work: (clock: AccountClock) => Promise<T>): Promise<T>
}

/** Creates the clocks. Each follows the system clock until it is moved or frozen. */
export function createAccountClocks({ clock: base, memory, activity, endOfTurn }: AccountClocksParts): AccountClocks {
  const clocks = new Map<string, AccountClock>()
  /** Serialises the moves of one account. */
  const moves = createKeyedQueue()

  function of(account: string): AccountClock {
    const known = clocks.get(account)
    if (known !== undefined) return known
    const clock = createAccountClock(base, stored(account), state =>
      memory.write([{ collection: 'clock', key: account, parent: account, body: JSON.stringify(state) }]),
    )
    clocks.set(account, clock)
    return clock
  }

  function stored(account: string): ClockState {
    const body = memory.read('clock', account)
    return body === null ? SYSTEM_TIME : (JSON.parse(body) as ClockState)
  }

  // Another node may have moved the clock.
  memory.nodes?.onRead(account => {
    const clock = clocks.get(account)
    const state = stored(account)
    if (clock !== undefined && (clock.state.offsetMs !== state.offsetMs || clock.state.frozenAt !== state.frozenAt))
      clock.follow(state)
  })

  function timeOf(account: string): AccountTime {
    const clock = of(account)
    const now = clock.now()
    return { now, frozen: clock.state.frozenAt !== null, offsetMs: now - base.now() }
  }

  async function settle(account: string): Promise<boolean> {
    const until = base.now() + LONGEST_MOVE_MS
    for (let quiet = 0; quiet < QUIET_TURNS && base.now() < until; ) {
      await restOrLimit(base, until, activity.rest(account))
      await endOfTurn()
      quiet = activity.of(account) === 0 ? quiet + 1 : 0
    }
    return activity.of(account) === 0
  }

  /** Moves the clock to its next alarm up to `at` and fires it. The new time is stored before anything happens at it. */
  async function ringNext(clock: AccountClock, at: number): Promise<boolean> {
    const due = clock.nextAlarm()
    if (due === null || due > at) return false
    if (due > clock.now()) clock.put(due)
    await memory.written()
    return clock.ringNext(at)
  }

  async function moveTo(account: string, at: number): Promise<Moved> {
    const clock = of(account)
    const wasFrozen = clock.state.frozenAt !== null
    const until = base.now() + LONGEST_MOVE_MS
    clock.freeze()
    let settled = await settle(account)
    let fired = 0
    while (settled && fired < MOST_RUNG && base.now() < until && (await ringNext(clock, at))) {
      fired += 1
      settled = await settle(account)
    }
    const arrived = settled && fired < MOST_RUNG && base.now() < until
    if (arrived) clock.put(at)
    if (!wasFrozen) clock.release()
    return { ...timeOf(account), fired, settled: arrived }
  }

  const changed = (account: string, change: (clock: AccountClock) => void) =>
    moves.run(account, async () => {
      change(of(account))
      return timeOf(account)
    })

  return {
    of,
    shared: false,
    atRest: (account, work) =>
      moves.run(account, async () => {
        const clock = of(account)
        const wasFrozen = clock.state.frozenAt !== null
        clock.freeze()
        try {
          if (!(await settle(account))) throw new Error(`account ${account} does not come to rest`)
          return await work(clock)
        } finally {
          if (!wasFrozen) clock.release()
        }
      }),
    controls: {
      read: timeOf,
      advance: (account, ms) => moves.run(account, () => moveTo(account, of(account).now() + ms)),
      set: (account, at) =>
        moves.run(account, async () => {
          if (at >= of(account).now()) return moveTo(account, at)
          of(account).put(at)
          return { ...timeOf(account), fired: 0, settled: await settle(account) }
        }),
      freeze: account => changed(account, clock => clock.freeze()),
      release: account => changed(account, clock => clock.release()),
      reset: account => changed(account, clock => clock.reset()),
    },
  }
}

/** Waits until the account is idle, or until the limit. */
async function restOrLimit(base: Clock, until: number, rest: Promise<void>): Promise<void> {
  await new Promise<void>(resolve => {
    const alarm = base.alarm(until, resolve)
    void rest.then(() => {
      alarm.cancel()
      resolve()
    })
  })
}

// src/simulator/clocks/account-clock.ts — the clock of one account in a sandbox: it runs with that of the system, at a
// distance, or stands still; and it can be moved on, ringing what falls due in order.
import type { Alarm, Clock } from '../../engine/ports/clock.ts'

/** Where a clock stands. */
export interface ClockState {
  /** Milliseconds before (above 0) or behind the clock of the system. */
  readonly offsetMs: number
  /** Where it stands still, epoch milliseconds; null: it runs. */
  readonly frozenAt: number | null
}

export const SYSTEM_TIME: ClockState = { offsetMs: 0, frozenAt: null }

export interface AccountClock extends Clock {
  readonly state: ClockState
  /** Stands still from now on; runs again from where it stands; follows the system. */
  freeze(): void
  release(): void
  reset(): void
  /** Puts it somewhere else without ringing what lies between. Epoch milliseconds. */
  put(at: number): void
  /**
   * The next alarm due by `until`, rung with the clock standing at its time; false when there is none. The clock stands
   * still from the first call on, until `release`.
   */
  ringNext(until: number): boolean
}

interface Pending {
  at: number
  readonly order: number
  readonly callback: () => void
}

/** @param changed hears of each new state, before anybody acts on it */
export function createAccountClock(base: Clock, saved: ClockState, changed: (state: ClockState) => void): AccountClock {
  /** Soonest first. */
  const pending: Pending[] = []
  let state = saved
  let order = 0
  let baseAlarm: Alarm | null = null
  let baseAlarmAt = Number.POSITIVE_INFINITY

  const now = () => state.frozenAt ?? base.now() + state.offsetMs

  function become(next: ClockState): void {
    changed(next)
    state = next
    baseAlarm?.cancel()
    baseAlarm = null
    baseAlarmAt = Number.POSITIVE_INFINITY
    watch()
  }

  /** One alarm of the system stands for the earliest one here. */
  function watch(): void {
    const [first] = pending
    if (state.frozenAt !== null || first === undefined || first.at >= baseAlarmAt) return
    baseAlarm?.cancel()
    baseAlarmAt = first.at
    baseAlarm = base.alarm(first.at - state.offsetMs, () => {
      baseAlarm = null
      baseAlarmAt = Number.POSITIVE_INFINITY
      // What one of them sets may be due at once, and rings by an alarm of its own.
      for (const due of pending.filter(({ at }) => at <= now())) if (remove(due)) due.callback()
      watch()
    })
  }

  function remove(one: Pending): boolean {
    const index = pending.indexOf(one)
    if (index >= 0) pending.splice(index, 1)
    return index >= 0
  }

  function placeFor(at: number): number {
    const place = pending.findLastIndex(other => other.at <= at)
    return place + 1
  }

  const listeners: ((ms: number) => void)[] = []
  base.onSetBack(ms => {
    if (state.frozenAt !== null) return
    for (const one of pending) one.at -= ms
    if (baseAlarm !== null) baseAlarmAt -= ms
    for (const listener of listeners) listener(ms)
  })

  return {
    now,
    onSetBack: listener => void listeners.push(listener),
    alarm(at, callback) {
      order += 1
      const one: Pending = { at, order, callback }
      pending.splice(placeFor(at), 0, one)
      watch()
      return { cancel: () => void remove(one) }
    },
    get state() {
      return state
    },
    freeze: () => become({ offsetMs: now() - base.now(), frozenAt: now() }),
    release: () => become({ offsetMs: now() - base.now(), frozenAt: null }),
    reset: () => become(SYSTEM_TIME),
    put: at => become({ offsetMs: at - base.now(), frozenAt: state.frozenAt === null ? null : at }),
    ringNext(until) {
      if (state.frozenAt === null) become({ offsetMs: now() - base.now(), frozenAt: now() })
      const [first] = pending
      if (first === undefined || first.at > until) return false
      if (first.at > now()) become({ ...state, frozenAt: first.at })
      if (remove(first)) first.callback()
      return true
    },
  }
}

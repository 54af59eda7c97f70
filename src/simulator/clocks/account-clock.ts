// src/simulator/clocks/account-clock.ts — virtual clock of one sandbox account: follows the system clock at an offset, or is
// frozen. Advancing it fires due alarms in order.
import type { Alarm, Clock } from '../../engine/ports/clock.ts'

/** State of a clock, as stored. */
export interface ClockState {
  /** Milliseconds ahead of the system clock; negative when behind. */
  readonly offsetMs: number
  /** Time at which the clock is frozen, epoch milliseconds; null while it runs. */
  readonly frozenAt: number | null
}

export const SYSTEM_TIME: ClockState = { offsetMs: 0, frozenAt: null }

export interface AccountClock extends Clock {
  readonly state: ClockState
  /** Goes by a state that is stored already. */
  follow(state: ClockState): void
  /** `freeze` stops the clock. `release` lets it run on from its present time. `reset` returns it to system time. */
  freeze(): void
  release(): void
  reset(): void
  /** Sets the time, epoch milliseconds, without firing the alarms in between. */
  put(at: number): void
  /** When the next alarm is due, epoch milliseconds; null without one. */
  nextAlarm(): number | null
  /**
   * Fires the next alarm due by `until`, with the clock at the alarm's time. False when there is none. Freezes the clock;
   * `release` lets it run again.
   */
  ringNext(until: number): boolean
}

interface Pending {
  at: number
  readonly order: number
  readonly callback: () => void
}

/** @param changed called with each new state before it takes effect */
export function createAccountClock(base: Clock, saved: ClockState, changed: (state: ClockState) => void): AccountClock {
  /** Sorted, soonest first. */
  const pending: Pending[] = []
  let state = saved
  let order = 0
  let baseAlarm: Alarm | null = null
  let baseAlarmAt = Number.POSITIVE_INFINITY

  const now = () => state.frozenAt ?? base.now() + state.offsetMs

  function become(next: ClockState): void {
    changed(next)
    follow(next)
  }

  function follow(next: ClockState): void {
    state = next
    baseAlarm?.cancel()
    baseAlarm = null
    baseAlarmAt = Number.POSITIVE_INFINITY
    watch()
  }

  /** One alarm of the system clock serves the earliest one here. */
  function watch(): void {
    const [first] = pending
    if (state.frozenAt !== null || first === undefined || first.at >= baseAlarmAt) return
    baseAlarm?.cancel()
    baseAlarmAt = first.at
    baseAlarm = base.alarm(first.at - state.offsetMs, () => {
      baseAlarm = null
      baseAlarmAt = Number.POSITIVE_INFINITY
      // A callback may set an alarm that is due at once; it fires through a system alarm of its own.
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
    follow,
    freeze: () => become({ offsetMs: now() - base.now(), frozenAt: now() }),
    release: () => become({ offsetMs: now() - base.now(), frozenAt: null }),
    reset: () => become(SYSTEM_TIME),
    put: at => become({ offsetMs: at - base.now(), frozenAt: state.frozenAt === null ? null : at }),
    nextAlarm: () => pending[0]?.at ?? null,
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

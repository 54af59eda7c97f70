// test/support/test-clock.ts — a hand-driven clock.
import type { Alarm, Clock } from '../../src/engine/ports/clock.ts'

interface Pending {
  at: number
  readonly order: number
  readonly callback: () => void
}

/** Upper bound of alarms per `advance`. More means an alarm that sets itself again and again without moving on. */
const MOST_ALARMS = 100_000

/** 6 May 2026, 13:03:27 UTC: an ordinary Wednesday. */
export const TEST_START = Date.UTC(2026, 4, 6, 13, 3, 27)

/** Lets promises and immediates run, for a few event-loop turns. */
export async function settleTurns(turns = 3): Promise<void> {
  for (let turn = 0; turn < turns; turn++) await new Promise<void>(resolve => setImmediate(resolve))
}

/** A clock that moves only by `advance`. */
export class TestClock implements Clock {
  #now: number
  #set = 0
  #pending: Pending[] = []
  readonly #listeners: ((ms: number) => void)[] = []
  readonly #settle: () => Promise<void>

  /** `settle` is awaited between alarms, so that the work of one alarm is done before the next fires. */
  constructor(start: number = TEST_START, settle: () => Promise<void> = settleTurns) {
    this.#now = start
    this.#settle = settle
  }

  now(): number {
    return this.#now
  }

  alarm(at: number, callback: () => void): Alarm {
    const pending: Pending = { at, order: this.#set++, callback }
    this.#pending.push(pending)
    return {
      cancel: () => {
        this.#pending = this.#pending.filter(other => other !== pending)
      },
    }
  }

  onSetBack(listener: (ms: number) => void): void {
    this.#listeners.push(listener)
  }

  /** Sets the time back; pending alarms keep their distance. */
  async setBack(ms: number): Promise<void> {
    this.#now -= ms
    for (const pending of this.#pending) pending.at -= ms
    for (const listener of this.#listeners) listener(ms)
    await this.#settle()
  }

  /** Number of pending alarms. */
  get alarms(): number {
    return this.#pending.length
  }

  /** Advances by `ms` and fires due alarms in order of time. `advance(0)` fires what is due and settles. */
  async advance(ms: number): Promise<void> {
    const until = this.#now + ms
    await this.#settle()
    for (let fired = 0; ; fired++) {
      const due = this.#takeDue(until)
      if (due === null) break
      if (fired === MOST_ALARMS) throw new Error(`more than ${MOST_ALARMS} alarms in one advance`)
      this.#now = Math.max(this.#now, due.at)
      due.callback()
      await this.#settle()
    }
    this.#now = Math.max(this.#now, until)
  }

  #takeDue(until: number): Pending | null {
    let first: Pending | null = null
    for (const pending of this.#pending) {
      if (pending.at > until) continue
      if (first === null || pending.at < first.at || (pending.at === first.at && pending.order < first.order))
        first = pending
    }
    if (first !== null) this.#pending = this.#pending.filter(other => other !== first)
    return first
  }
}

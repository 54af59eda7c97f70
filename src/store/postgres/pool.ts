// src/store/postgres/pool.ts — a bounded pool of sessions. Whoever waits for one waits for a limited time.
import { Fault } from '../../engine/fault.ts'
import type { Alarm, Clock } from '../../engine/ports/clock.ts'
import type { Session } from './session.ts'

/** Limit of the callers that wait: about a second of requests. More would wait in vain. */
const MOST_WAITING = 1_024
/** How long a session may wait for the answer to a late COMMIT, in milliseconds. Then it is given up. */
const LATE_ANSWER_MS = 60_000

export interface PoolParts {
  readonly dial: () => Promise<Session>
  readonly clock: Clock
  /** Largest number of sessions. */
  readonly size: number
  /** How long a caller waits for a session, in milliseconds. */
  readonly waitMs: number
  /** Names the database in faults. */
  readonly where: string
}

export interface Pool {
  /** @throws Fault `store_busy` when none becomes free in time, `store_unreachable`, `store_gone` after the end */
  take(): Promise<Session>
  /** Takes a session back. One that still waits for the answer to COMMIT is kept apart until it comes. */
  give(session: Session): void
  /** Sessions that wait for the answer to a late COMMIT. */
  readonly late: number
  /** Ends all sessions, those in use when they come back. */
  close(): Promise<void>
}

interface Waiting {
  readonly resolve: (session: Session) => void
  readonly reject: (error: unknown) => void
  readonly alarm: Alarm
}

export function createPool({ dial, clock, size, waitMs, where }: PoolParts): Pool {
  const idle: Session[] = []
  const waiting = new Set<Waiting>()
  let open = 0
  let late = 0
  let closed: Promise<void> | null = null
  let whenEmpty: (() => void) | null = null
  const busy = () => new Fault('store_busy', { detail: where })

  function left(): void {
    open -= 1
    if (closed === null) serveNext()
    else if (open === 0) whenEmpty?.()
  }

  /** Opens a session. When it fails, nobody who waits would fare better. */
  async function opened(): Promise<Session> {
    open += 1
    try {
      const session = await dial()
      session.onEnd(() => {
        const index = idle.indexOf(session)
        if (index === -1) return
        idle.splice(index, 1)
        left()
      })
      return session
    } catch (error) {
      open -= 1
      if (open === 0) whenEmpty?.()
      for (const one of waiting) refuse(one, error)
      throw error
    }
  }

  function refuse(one: Waiting, error: unknown): void {
    waiting.delete(one)
    one.alarm.cancel()
    one.reject(error)
  }

  /** A place has become free: opens a session for the first who waits. */
  function serveNext(): void {
    if (waiting.size === 0 || open >= size) return
    opened().then(hand, () => {})
  }

  function hand(session: Session): void {
    const [first] = waiting
    if (closed !== null) return void session.end().then(left)
    if (first === undefined) return void idle.push(session)
    waiting.delete(first)
    first.alarm.cancel()
    first.resolve(session)
  }

  /** The place stays taken, so that a database that confirms nothing gets no more and more connections. */
  async function waitForAnswer(session: Session, answered: Promise<void>): Promise<void> {
    late += 1
    const alarm = clock.alarm(clock.now() + LATE_ANSWER_MS, session.destroy)
    await answered
    alarm.cancel()
    late -= 1
    give(session)
  }

  function give(session: Session): void {
    if (session.broken) left()
    else if (session.answered !== null) void waitForAnswer(session, session.answered)
    else hand(session)
  }

  return {
    get late() {
      return late
    },
    async take() {
      if (closed !== null) throw new Fault('store_gone', { detail: where })
      const free = idle.pop()
      if (free !== undefined) return free
      if (open < size) return opened()
      if (waiting.size >= MOST_WAITING) throw busy()
      return new Promise((resolve, reject) => {
        const alarm = clock.alarm(clock.now() + waitMs, () => refuse(one, busy()))
        const one: Waiting = { resolve, reject, alarm }
        waiting.add(one)
      })
    },
    give,
    close() {
      closed ??= (async () => {
        for (const one of waiting) refuse(one, new Fault('store_gone', { detail: where }))
        const empty = new Promise<void>(resolve => (whenEmpty = resolve))
        await Promise.all(idle.splice(0).map(session => session.end().then(left)))
        if (open > 0) await empty
      })()
      return closed
    },
  }
}

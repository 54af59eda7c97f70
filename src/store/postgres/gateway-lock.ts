// src/store/postgres/gateway-lock.ts — keeps away what would work on the same database without knowing of this gateway. An advisory
// lock on a connection of its own: the server releases it when that connection ends. ADR 65, 69.
import { Fault } from '../../engine/fault.ts'
import type { Alarm, Clock } from '../../engine/ports/clock.ts'
import { type DatabaseAddress, namesOf, USUAL_LIMITS } from './address.ts'
import { createDialler } from './dial.ts'
import type { SessionId } from './faults.ts'
import type { Session, Statement } from './session.ts'
import { createTimelines, type Timelines } from './timelines.ts'

/** `TOLG`, and the number of this lock. Nodes share it. */
const LOCKS = {
  alone: { name: 'gateway_lock', text: 'SELECT pg_try_advisory_lock(1414483015, 1) AS taken' },
  shared: { name: 'node_lock', text: 'SELECT pg_try_advisory_lock_shared(1414483015, 1) AS taken' },
} as const satisfies Readonly<Record<string, Statement>>
/** Ends our former session, when the server has not noticed yet that its connection is gone. */
const END_FORMER: Statement = {
  name: 'end_former',
  text: `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
    WHERE pid = $1 AND extract(epoch FROM backend_start)::text = $2`,
}
const ALIVE: Statement = { name: 'alive', text: 'SELECT 1 AS alive' }

/** How often the connection of the lock is tried, in milliseconds. An idle gateway notices an outage by it. */
const LOOK_EVERY_MS = 2_000
/** Between two attempts to take the lock back, in milliseconds. */
const AGAIN_MS = 500
/** How long a gateway that was killed may still have the lock, in milliseconds. */
const PATIENCE_MS = 3_000

export interface GatewayLock {
  /** False during an outage. Nothing may be committed then: another gateway may have the lock. */
  readonly held: boolean
  release(): Promise<void>
}

export interface LockParts {
  /** `shared`: together with other nodes of the gateway. */
  readonly as: keyof typeof LOCKS
  readonly address: DatabaseAddress
  readonly clock: Clock
  /** Called once, when another gateway has taken the lock during an outage. This one must end. */
  readonly onLost: (fault: Fault) => void
  /** What is known of old primaries. Default: what this connection meets. */
  readonly timelines?: Timelines
}

/** Takes the lock. @throws Fault `store_locked` when another gateway has it, `store_unreachable` */
export async function takeGatewayLock(parts: LockParts): Promise<GatewayLock> {
  const { as, address, clock, onLost, timelines = createTimelines() } = parts
  const dial = createDialler({ address, clock, limits: USUAL_LIMITS, timelines })
  const fault = () => new Fault('store_locked', { detail: namesOf(address) })
  const pause = (ms: number) => new Promise<void>(resolve => clock.alarm(clock.now() + ms, resolve))
  let held: Session | null = null
  let released = false
  let look: Alarm | null = null

  /** Takes the lock on a new connection. Null when another session keeps it. */
  async function taken(former: SessionId | null): Promise<Session | null> {
    const session = await dial()
    const { statementMs } = USUAL_LIMITS
    const until = clock.now() + PATIENCE_MS
    try {
      if (former !== null) await session.query(END_FORMER, [former.pid, former.startedAt], statementMs)
      for (;;) {
        const [row] = await session.query<{ readonly taken: boolean }>(LOCKS[as], [], statementMs)
        if (row?.taken === true) return session
        if (clock.now() >= until || released) break
        await pause(AGAIN_MS)
      }
    } catch (error) {
      session.destroy()
      throw error
    }
    await session.end()
    return null
  }

  function hold(session: Session): void {
    held = session
    session.onEnd(() => {
      if (held !== session) return
      held = null
      look?.cancel()
      if (!released) void takeBack(session.id)
    })
    watch(session)
  }

  /** A connection that is silent tells nothing of its end. */
  function watch(session: Session): void {
    look = clock.alarm(clock.now() + LOOK_EVERY_MS, () => {
      session.query(ALIVE, [], USUAL_LIMITS.statementMs).then(
        () => held === session && watch(session),
        () => session.destroy(),
      )
    })
  }

  async function takeBack(former: SessionId): Promise<void> {
    while (!released) {
      await pause(AGAIN_MS)
      try {
        const session = await taken(former)
        if (session === null) {
          if (!released) onLost(fault())
          return
        }
        if (released) return void (await session.end())
        return hold(session)
      } catch (error) {
        // The outage goes on.
        if (!(error instanceof Fault)) throw error
      }
    }
  }

  const first = await taken(null)
  if (first === null) throw fault()
  hold(first)
  return {
    get held() {
      return held !== null && !held.broken
    },
    async release() {
      released = true
      look?.cancel()
      await held?.end()
    },
  }
}

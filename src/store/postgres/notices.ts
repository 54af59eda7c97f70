// src/store/postgres/notices.ts — tells other nodes that this one has committed, and hears it from them. A lost notice delays a
// reader by a second at most: the feed is the truth. ADR 69.
import { Fault } from '../../engine/fault.ts'
import type { Alarm, Clock } from '../../engine/ports/clock.ts'
import { USUAL_LIMITS } from './address.ts'
import type { Session } from './session.ts'
import { NOTICES } from './work-statements.ts'

/** The shortest time between two notices, in milliseconds. One stands for all commits since the last. */
const NOTIFY_EVERY_MS = 5
/** How soon a lost connection is opened again, in milliseconds. */
const DIAL_AGAIN_MS = 1_000

export interface NoticesParts {
  /** Opens a connection outside of the pool. */
  readonly dial: () => Promise<Session>
  readonly clock: Clock
  /** This process. */
  readonly writer: number
  /** Whether there are other nodes to be told. */
  readonly hasOthers: () => boolean
}

export interface Notices {
  /** This process has committed something. */
  committed(): void
  /** Calls back soon after another node has committed, from now on. */
  listen(listener: () => void): void
  close(): Promise<void>
}

/**
 * Notices are sent outside of the transactions that they are about: NOTIFY inside of one holds a lock of the whole database while
 * it commits.
 */
export function createNotices({ dial, clock, writer, hasOthers }: NoticesParts): Notices {
  let session: Session | null = null
  let listener: (() => void) | null = null
  let closed = false
  let alarm: Alarm | null = null
  let sending = false
  let unsent = false

  async function connect(): Promise<void> {
    try {
      const opened = await dial()
      opened.onEnd(() => {
        if (session === opened) session = null
        connectLater()
      })
      opened.onNotice(sender => {
        if (sender !== `${writer}`) listener?.()
      })
      await opened.query(NOTICES.listen, [], USUAL_LIMITS.statementMs)
      session = opened
      if (closed) await opened.end()
      // What was committed before the connection was there may have gone unheard.
      else listener?.()
    } catch (error) {
      // The outage goes on, and the feed is read each second.
      if (!(error instanceof Fault)) throw error
      connectLater()
    }
  }

  function connectLater(): void {
    if (closed) return
    alarm?.cancel()
    alarm = clock.alarm(clock.now() + DIAL_AGAIN_MS, () => void connect())
  }

  async function send(): Promise<void> {
    sending = true
    while (unsent && session !== null && !session.broken) {
      unsent = false
      // A notice that fails is lost, and so is the connection.
      await session.query(NOTICES.send, [`${writer}`], USUAL_LIMITS.statementMs).catch(() => {})
      await new Promise<void>(resolve => clock.alarm(clock.now() + NOTIFY_EVERY_MS, resolve))
    }
    sending = false
  }

  return {
    committed() {
      if (session === null || !hasOthers()) return
      unsent = true
      if (!sending) void send()
    },
    listen(given) {
      listener = given
      if (session === null && alarm === null) void connect()
    },
    async close() {
      closed = true
      alarm?.cancel()
      await session?.end()
    },
  }
}

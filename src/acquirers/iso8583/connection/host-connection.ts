// src/acquirers/iso8583/connection/host-connection.ts — keeps a connection to a host: reconnects, and shares out its window.
import type { Clock } from '../../../engine/ports/clock.ts'
import type { Log } from '../../../engine/ports/log.ts'
import type { PaymentKeys } from '../../../engine/ports/payment-keys.ts'
import type { Random } from '../../../engine/ports/random.ts'
import type { HostAddress, HostTls, SocketOpener } from '../../../engine/ports/socket-opener.ts'
import type { Dialect } from '../dialect.ts'
import type { Message } from '../message-codec.ts'
import { createAuthentication } from './authentication.ts'
import { createExchanges, type Outcome, type Waiting } from './exchanges.ts'
import { createLink, type Link } from './link.ts'
import type { NetworkValues } from './network-messages.ts'

export interface HostConnectionParts extends NetworkValues {
  readonly dialect: Dialect
  /** Tried in turn. */
  readonly addresses: readonly [HostAddress, ...HostAddress[]]
  /** Null for plain TCP. */
  readonly tls: HostTls | null
  readonly opener: SocketOpener
  /** Keys of the codes of messages; null when the dialect has none. */
  readonly keys: PaymentKeys | null
  readonly clock: Clock
  readonly random: Random
  readonly log: Log
}

/** The right to send one request on the connection that is open now. */
export interface Slot {
  /**
   * Sends the request and waits for its answer. The slot is free again after that.
   * @throws Refused for a message that the dialect does not allow; nothing was sent
   */
  send(message: Message, waiting: Waiting): Promise<Outcome>
  /** Gives it back unused. */
  release(): void
}

export interface HostConnection {
  /** Address of the open connection; null when there is none, or when it is not signed on yet. */
  readonly address: HostAddress | null
  /** Why the last attempt to connect failed; null when it did not. */
  readonly problem: string | null
  /** Begins to connect. Resolves when the first attempt has succeeded or failed. */
  start(): Promise<void>
  /**
   * Waits for the connection and for a place in the window. Null when there is none in time, or when too many wait: nothing
   * can be sent now.
   * @param first whether it goes before others, as reversals and advices do
   */
  acquire(limitMs: number, first?: boolean): Promise<Slot | null>
  /** Milliseconds until the host answers an echo; null when the dialect has none. @throws Error when it does not answer */
  echo(): Promise<number | null>
  /** Takes no more requests, waits for the answers to those under way, signs off and closes. */
  close(limitMs: number): Promise<void>
}

const FIRST_PAUSE_MS = 1_000
const LONGEST_PAUSE_MS = 60_000
/** Requests that wait for a place. A till has given up before its turn comes when there are more. */
const MOST_WAITING = 1_000
/** Part of a pause that is random, so that gateways do not all come back at once. */
const JITTER = 0.25
const BYTE_VALUES = 256

interface Waiter {
  give(slot: Slot | null): void
}

/** Creates the connection. It connects when it is started. */
export function createHostConnection(parts: HostConnectionParts): HostConnection {
  const { dialect, addresses, tls, opener, clock, random, log } = parts
  const { connectMs, window } = dialect.document.timers
  const exchanges = createExchanges(dialect, clock)
  const authentication = createAuthentication(dialect, parts.keys)
  const waiters: { readonly first: Waiter[]; readonly others: Waiter[] } = { first: [], others: [] }
  let up: { readonly link: Link; readonly address: HostAddress } | null = null
  let problem: string | null = null
  let attempts = 0
  let inUse = 0
  let isClosing = false
  let whenIdle: (() => void) | null = null

  function addressAt(attempt: number): HostAddress {
    return addresses[attempt % addresses.length] ?? addresses[0]
  }

  async function connect(): Promise<void> {
    const address = addressAt(attempts)
    const name = `${address.host}:${address.port}`
    // Bytes and the end may come before the link is there, so both ask for it.
    const opening: { link: Link | null; closed: string | null } = { link: null, closed: null }
    const opened = await opener.open({
      ...{ address, tls, limitMs: connectMs },
      events: {
        onData: bytes => opening.link?.receive(bytes),
        onClosed(why) {
          opening.closed = why
          if (opening.link !== null) closed(opening.link, name, why)
        },
      },
    })
    if ('failed' in opened) return failed(name, `${opened.failed}: ${opened.detail}`)
    const link = createLink({ ...parts, exchanges, authentication, address: name }, opened.socket)
    opening.link = link
    if (opening.closed !== null) return closed(link, name, opening.closed)
    if (isClosing) return link.end()
    const refused = await link.network('signOn').catch((error: Error) => error.message)
    if (refused !== null) {
      problem = `${name}: sign-on: ${refused}`
      return link.drop(`sign-on: ${refused}`)
    }
    if (isClosing) return link.end()
    if (opening.closed !== null) return
    up = { link, address }
    problem = null
    attempts = 0
    log.info({ address: name }, 'connected to the host')
    link.watch()
    share()
  }

  function closed(link: Link, name: string, why: string): void {
    const wasUp = up?.link === link
    if (wasUp) up = null
    const said = link.lost(why)
    if (isClosing) return
    if (wasUp) log.warn({ address: name, why: said }, 'connection to the host was lost')
    failed(name, said)
  }

  function failed(name: string, why: string): void {
    problem = `${name}: ${why}`
    if (isClosing) return
    attempts += 1
    const pause = attempts % addresses.length === 0 ? pauseAfter(attempts / addresses.length) : 0
    log.warn({ address: name, why, pauseMs: pause }, 'no connection to the host')
    clock.alarm(clock.now() + pause, () => void begin())
  }

  function pauseAfter(rounds: number): number {
    const pause = Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** (rounds - 1))
    const [byte = 0] = random.bytes(1)
    return Math.round(pause * (1 - (JITTER * byte) / BYTE_VALUES))
  }

  async function begin(): Promise<void> {
    if (!isClosing) await connect().catch((error: Error) => failed('host', error.message))
  }

  /** Gives free places to those that wait. */
  function share(): void {
    while (up !== null && inUse < window) {
      const waiter = waiters.first.shift() ?? waiters.others.shift()
      if (waiter === undefined) return
      waiter.give(slotOn(up.link))
    }
  }

  function slotOn(link: Link): Slot {
    inUse += 1
    let isHeld = true
    const release = () => {
      if (!isHeld) return
      isHeld = false
      inUse -= 1
      if (inUse === 0) whenIdle?.()
      share()
    }
    return {
      release,
      async send(message, waiting) {
        try {
          return await link.request(message, waiting)
        } finally {
          release()
        }
      },
    }
  }

  function wait(limitMs: number, queue: Waiter[]): Promise<Slot | null> {
    return new Promise(resolve => {
      const limit = clock.alarm(clock.now() + limitMs, () => {
        queue.splice(queue.indexOf(waiter), 1)
        resolve(null)
      })
      const waiter: Waiter = {
        give(slot) {
          limit.cancel()
          resolve(slot)
        },
      }
      queue.push(waiter)
    })
  }

  return {
    get address() {
      return up?.address ?? null
    },
    get problem() {
      return problem
    },
    start: begin,
    async acquire(limitMs, first = false) {
      if (isClosing) return null
      if (up !== null && inUse < window) return slotOn(up.link)
      if (waiters.first.length + waiters.others.length >= MOST_WAITING) return null
      return wait(limitMs, first ? waiters.first : waiters.others)
    },
    async echo() {
      if (up === null) throw new Error(problem ?? 'not connected')
      if (dialect.messages.echo === undefined) return null
      const begun = clock.now()
      const missed = await up.link.network('echo')
      if (missed !== null) throw new Error(`echo: ${missed}`)
      return clock.now() - begun
    },
    async close(limitMs) {
      isClosing = true
      for (const waiter of [...waiters.first.splice(0), ...waiters.others.splice(0)]) waiter.give(null)
      if (inUse > 0)
        await new Promise<void>(resolve => {
          const limit = clock.alarm(clock.now() + limitMs, resolve)
          whenIdle = () => {
            limit.cancel()
            resolve()
          }
        })
      const open = up
      up = null
      if (open === null) return
      const said = await open.link.network('signOff').catch((error: Error) => error.message)
      if (said !== null) log.warn({ why: said }, 'sign-off was not accepted')
      open.link.end()
    },
  }
}

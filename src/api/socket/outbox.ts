// src/api/socket/outbox.ts — what goes out to one till: in order, and only as long as the till reads it.
import type { Duplex } from 'node:stream'
import type { WebSocket } from 'ws'
import type { Departures } from './message-batches.ts'
import type { RpcLimits } from './socket-limits.ts'

export interface OutboxParts {
  readonly departures: Departures
  /** More than so many that the till has not read are too many. */
  readonly limits: Pick<RpcLimits, 'unreadBytes'>
}

export interface OutboxOwner {
  /** The till does not read what it is sent. */
  tooSlow(): void
}

export class Outbox {
  readonly #parts: OutboxParts
  readonly #connection: WebSocket
  readonly #wire: Duplex
  readonly #owner: OutboxOwner
  #isHeld = false
  /** What was said while it was held. */
  #waiting: object[] | null = null
  /** The messages of this turn, as JSON. */
  #leaving: string[] = []

  /** @param wire the socket below the connection: what has not left it yet, the till has not read */
  constructor(parts: OutboxParts, connection: WebSocket, wire: Duplex, owner: OutboxOwner) {
    this.#parts = parts
    this.#connection = connection
    this.#wire = wire
    this.#owner = owner
  }

  get isOpen(): boolean {
    return this.#connection.readyState === this.#connection.OPEN
  }

  /** Sends behind everything that waits. */
  send(message: object): void {
    if (!this.#isHeld) this.sendNow(message)
    else if (this.#waiting === null) this.#waiting = [message]
    else this.#waiting.push(message)
  }

  /** Sends ahead of what waits. False: nobody is there any more to read it. */
  sendNow(message: object): boolean {
    // What cannot be delivered is not kept: the till finds out when it is back. Terminal socket reference 10.1.
    if (!this.isOpen) return false
    if (this.#leaving.length === 0) this.#parts.departures.add(this)
    this.#leaving.push(JSON.stringify(message))
    return true
  }

  /**
   * Hands a message to the system before it returns, with what was sent before it in this turn. For what is noted as sent
   * afterwards: a note that is on the disk before the message has left outlives a crash that the message does not.
   * @returns false: nobody is there any more to read it
   */
  sendAtOnce(message: object): boolean {
    const isOpen = this.sendNow(message)
    this.leave()
    return isOpen
  }

  /**
   * From now until `release`, what is sent waits: somebody is working out an answer, and the news that it causes must
   * come after it.
   */
  hold(): void {
    this.#isHeld = true
  }

  /** Sends the answer, if there is one, and then what has waited. */
  release(answer: object | null): void {
    this.#isHeld = false
    const waiting = this.#waiting
    this.#waiting = null
    if (answer !== null) this.sendNow(answer)
    if (waiting !== null) for (const message of waiting) this.sendNow(message)
  }

  /** Lets leave at once what was sent in this turn: at its end, and before the connection is closed. */
  leave(): void {
    const messages = this.#leaving
    this.#leaving = []
    if (messages.length === 0 || !this.isOpen) return
    // The system takes what it has room for: only what was there before tells whether the till reads.
    const isRead = this.#isRead()
    // One write for all of them.
    this.#wire.cork()
    for (const message of messages) this.#connection.send(message)
    this.#wire.uncork()
    if (!isRead) this.#owner.tooSlow()
  }

  /** Whether the till reads, is looked at when something leaves; and here, for what leaves by another way. */
  lookAtReading(): void {
    if (!this.#isRead()) this.#owner.tooSlow()
  }

  #isRead(): boolean {
    return this.#wire.writableLength <= this.#parts.limits.unreadBytes
  }
}

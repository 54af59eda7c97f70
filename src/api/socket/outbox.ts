// src/api/socket/outbox.ts — sends messages to a till in order, and detects a till that does not read.
import type { Duplex } from 'node:stream'
import type { WebSocket } from 'ws'
import type { MessageBatches } from './message-batches.ts'
import type { RpcLimits } from './socket-limits.ts'

export interface OutboxParts {
  readonly batches: MessageBatches
  /** Limit of bytes that the till has not read. */
  readonly limits: Pick<RpcLimits, 'unreadBytes'>
}

export interface OutboxOwner {
  /** Called when the till has more unread bytes than allowed. */
  tooSlow(): void
}

export class Outbox {
  readonly #parts: OutboxParts
  readonly #connection: WebSocket
  readonly #wire: Duplex
  readonly #owner: OutboxOwner
  #isDeferred = false
  /** Messages deferred until `release`; null when there are none. */
  #waiting: object[] | null = null
  /** Messages of this event-loop turn, as JSON. */
  #leaving: string[] = []

  /** @param wire the socket below the connection; its write buffer is what the till has not read */
  constructor(parts: OutboxParts, connection: WebSocket, wire: Duplex, owner: OutboxOwner) {
    this.#parts = parts
    this.#connection = connection
    this.#wire = wire
    this.#owner = owner
  }

  get isOpen(): boolean {
    return this.#connection.readyState === this.#connection.OPEN
  }

  /** Sends a message, or defers it until `release`. */
  send(message: object): void {
    if (!this.#isDeferred) this.sendNow(message)
    else if (this.#waiting === null) this.#waiting = [message]
    else this.#waiting.push(message)
  }

  /** Sends a message at the end of this event-loop turn, before deferred ones. False when the connection is closed. */
  sendNow(message: object): boolean {
    // Undeliverable messages are dropped: a till that reconnects looks the outcome up. See docs/websocket.md.
    if (!this.isOpen) return false
    if (this.#leaving.length === 0) this.#parts.batches.add(this)
    this.#leaving.push(JSON.stringify(message))
    return true
  }

  /**
   * Writes a message, with those sent before it in this turn, before it returns. For messages that are recorded as sent
   * afterwards: if the record were written first, a crash could lose the message but not the record.
   * @returns false when the connection is closed
   */
  sendAtOnce(message: object): boolean {
    const isOpen = this.sendNow(message)
    this.leave()
    return isOpen
  }

  /**
   * Defers messages until `release`: a request is being served, and the messages that it causes must follow its answer.
   */
  defer(): void {
    this.#isDeferred = true
  }

  /** Sends the answer, if there is one, and then the deferred messages. */
  release(answer: object | null): void {
    this.#isDeferred = false
    const waiting = this.#waiting
    this.#waiting = null
    if (answer !== null) this.sendNow(answer)
    if (waiting !== null) for (const message of waiting) this.sendNow(message)
  }

  /** Writes the messages of this turn. Called at its end, and before the connection is closed. */
  leave(): void {
    const messages = this.#leaving
    this.#leaving = []
    if (messages.length === 0 || !this.isOpen) return
    // The operating system buffers what it can, so only the buffer before this write shows whether the till reads.
    const isRead = this.#isRead()
    // Corked, so that all messages are one write.
    this.#wire.cork()
    for (const message of messages) this.#connection.send(message)
    this.#wire.uncork()
    if (!isRead) this.#owner.tooSlow()
  }

  /** Checks whether the till reads, for writes that bypass the outbox. */
  lookAtReading(): void {
    if (!this.#isRead()) this.#owner.tooSlow()
  }

  #isRead(): boolean {
    return this.#wire.writableLength <= this.#parts.limits.unreadBytes
  }
}

// src/api/rpc/outbox.ts — what goes out to one till: in order, and only as long as the till reads it.
import type { WebSocket } from 'ws'
import type { Departures } from './departures.ts'
import { textOf } from './message-text.ts'

export interface Outbox {
  /** Sends behind everything that waits. */
  send(message: object): void
  /** Sends ahead of what waits. False: nobody is there any more to read it. */
  sendNow(message: object): boolean
  /**
   * From now until `release`, what is sent waits: somebody is working out an answer, and the news that it causes must
   * come after it.
   */
  hold(): void
  /** Sends the answer, if there is one, and then what has waited. */
  release(answer: object | null): void
  /** Lets leave at once what was sent in this turn: before the connection is closed. */
  flush(): void
}

export interface OutboxParts {
  readonly departures: Departures
  /** More than so many that the till has not read are too many. */
  readonly unreadBytes: number
  readonly tooSlow: () => void
}

/** Bytes would go out as a binary frame. */
const AS_TEXT = { binary: false }

export function createOutbox(socket: WebSocket, { departures, unreadBytes, tooSlow }: OutboxParts): Outbox {
  let waiting: object[] | null = null
  /** Said in this turn; null: nothing. */
  let leaving: (string | Buffer)[] | null = null

  function flush(): void {
    const texts = leaving
    leaving = null
    if (texts === null || socket.readyState !== socket.OPEN) return
    for (const text of texts) socket.send(text, AS_TEXT)
    if (socket.bufferedAmount > unreadBytes) tooSlow()
  }

  function write(message: object): boolean {
    // What cannot be delivered is not kept: the till finds out when it is back. Terminal socket reference 10.1.
    if (socket.readyState !== socket.OPEN) return false
    const text = textOf(message)
    if (leaving === null) {
      leaving = [text]
      departures.add(flush)
    } else leaving.push(text)
    return true
  }

  return {
    flush,
    sendNow: write,
    send(message) {
      if (waiting === null) write(message)
      else waiting.push(message)
    },
    hold() {
      waiting ??= []
    },
    release(answer) {
      const held = waiting ?? []
      waiting = null
      if (answer !== null) write(answer)
      for (const message of held) write(message)
    },
  }
}

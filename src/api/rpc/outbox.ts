// src/api/rpc/outbox.ts — what goes out to one till: in order, and only as long as the till reads it.
import type { WebSocket } from 'ws'

export interface Outbox {
  /** Sends behind everything that waits. */
  send(message: object): void
  /** Sends at once, ahead of what waits. False: nobody is there any more to read it. */
  sendNow(message: object): boolean
  /**
   * From now until `release`, what is sent waits: somebody is working out an answer, and the news that it causes must
   * come after it.
   */
  hold(): void
  /** Sends the answer, if there is one, and then what has waited. */
  release(answer: object | null): void
}

/** `tooSlow` is called when more than `unreadBytes` wait for the till to read them. */
export function createOutbox(socket: WebSocket, unreadBytes: number, tooSlow: () => void): Outbox {
  let waiting: object[] | null = null

  function write(message: object): boolean {
    // What cannot be delivered is not kept: the till finds out when it is back. Terminal socket reference 10.1.
    if (socket.readyState !== socket.OPEN) return false
    socket.send(JSON.stringify(message))
    if (socket.bufferedAmount > unreadBytes) tooSlow()
    return true
  }

  return {
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

// src/api/http/connection-tracker.ts — counts requests under way and their connections, so that stopping cuts nobody off.
import type { Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { atEndOfTurn } from '../../engine/end-of-turn.ts'
import type { Clock } from '../../engine/ports/clock.ts'

export interface ConnectionTracker {
  /** Requests under way, without this one. */
  othersThan(response: ServerResponse): number
  /** No new request is taken. */
  readonly stopping: boolean
  enter(response: ServerResponse): void
  /** May be called more than once. */
  leave(response: ServerResponse): void
  /** The responses under way on a socket. */
  on(socket: Socket): readonly ServerResponse[]
  /** Watches a server's sockets from now on. */
  watch(server: Server): void
  /** Takes no new requests from now on. */
  stop(): void
  /** Resolves when nothing is under way any more, or at `until`; then all sockets are closed. */
  drain(clock: Clock, until: number): Promise<void>
}

/**
 * Fastify closes the connections that are idle. Those that have not said a whole request, have not finished the TLS
 * handshake or are being upgraded are none of its, and would keep the server open.
 */
export function createConnectionTracker(): ConnectionTracker {
  const responses = new Set<ServerResponse>()
  const sockets = new Set<Socket>()
  let stopping = false
  let drained = false
  let whenEmpty: () => void = () => {}

  const on = (socket: Socket): readonly ServerResponse[] =>
    [...responses].filter(response => response.req.socket === socket)

  return {
    othersThan: response => responses.size - (responses.has(response) ? 1 : 0),
    get stopping() {
      return stopping
    },
    enter: response => void responses.add(response),
    leave(response) {
      responses.delete(response)
      if (responses.size === 0) whenEmpty()
    },
    on,
    watch(server) {
      const keep = (socket: Socket): void => {
        // One that comes in at the very end finds the door open for a moment only.
        if (drained) socket.destroySoon()
        sockets.add(socket)
        socket.once('close', () => sockets.delete(socket))
      }
      server.on('connection', keep)
      server.on('secureConnection', keep)
    },
    stop() {
      stopping = true
    },
    async drain(clock, until) {
      if (responses.size > 0) {
        await new Promise<void>(resolve => {
          const alarm = clock.alarm(until, resolve)
          whenEmpty = () => {
            alarm.cancel()
            resolve()
          }
        })
      }
      // The time may be up in the middle of a turn whose answers have still to leave.
      await new Promise<void>(atEndOfTurn)
      drained = true
      // What is answered is still written out; nothing else is waited for, such as a half-sent next request.
      const cut = [...responses].some(response => !response.writableEnded)
      for (const socket of sockets)
        if (cut) socket.destroy()
        else socket.destroySoon()
    },
  }
}

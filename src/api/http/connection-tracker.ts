// src/api/http/connection-tracker.ts — tracks requests under way and open sockets for a graceful stop.
import type { Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { atEndOfTurn } from '../../engine/end-of-turn.ts'
import type { Clock } from '../../engine/ports/clock.ts'

export interface ConnectionTracker {
  /** Number of requests under way, without this one. */
  othersThan(response: ServerResponse): number
  /** True after `stop`. */
  readonly stopping: boolean
  enter(response: ServerResponse): void
  /** May be called more than once. */
  leave(response: ServerResponse): void
  /** The responses under way on a socket. */
  on(socket: Socket): readonly ServerResponse[]
  /** Tracks the sockets of a server. */
  watch(server: Server): void
  /** Makes the admission refuse new requests. */
  stop(): void
  /** Waits for the requests under way, at most until `until` (epoch milliseconds), then closes all sockets. */
  drain(clock: Clock, until: number): Promise<void>
}

/**
 * Fastify closes idle connections only. Connections in the middle of a request head, a TLS handshake or an upgrade would
 * keep the server open, so they are tracked here.
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
      const track = (socket: Socket): void => {
        // A connection accepted after the drain is closed at once.
        if (drained) socket.destroySoon()
        sockets.add(socket)
        socket.once('close', () => sockets.delete(socket))
      }
      server.on('connection', track)
      server.on('secureConnection', track)
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
      // The time may run out in the middle of an event-loop turn whose responses are sent at its end.
      await new Promise<void>(atEndOfTurn)
      drained = true
      // Finished responses are still flushed. Nothing else is waited for, such as a half-sent next request.
      const cut = [...responses].some(response => !response.writableEnded)
      for (const socket of sockets)
        if (cut) socket.destroy()
        else socket.destroySoon()
    },
  }
}

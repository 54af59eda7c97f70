// src/api/http/connection-tracker.ts — which requests are being served, so that nobody is cut off when the gateway stops, and how their
// answers leave: together, at the end of the turn of the event loop in which they were given. Reading and deciding for all
// that has come, and only then writing, keeps either in the processor's caches. ADR 41.
import type { Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { atEndOfTurn } from '../../engine/end-of-turn.ts'
import type { Clock } from '../../engine/ports/clock.ts'

export interface Traffic {
  /** Requests being served, without this one. */
  servingBeside(response: ServerResponse): number
  /** No new request is taken. */
  readonly stopping: boolean
  enter(response: ServerResponse): void
  leave(response: ServerResponse): void
  /** Ends a response, whose head is written, at the end of this turn. */
  depart: Depart
  /** The responses under way on a socket. */
  on(socket: Socket): readonly ServerResponse[]
  /** Watches a server's sockets from now on. */
  watch(server: Server): void
  /** Takes no new requests from now on. */
  stop(): void
  /** Resolves when nothing is served any more, or at `until`; then all sockets are closed. */
  drain(clock: Clock, until: number): Promise<void>
}

/** Ends a response with its body, if it has one. */
export type Depart = (response: ServerResponse, body: Uint8Array | undefined) => void

interface Departure {
  readonly response: ServerResponse
  readonly body: Uint8Array | undefined
}

/** Counts requests and sockets. */
export function createTraffic(): Traffic {
  const responses = new Set<ServerResponse>()
  const sockets = new Set<Socket>()
  let stopping = false
  let drained = false
  let whenEmpty: () => void = () => {}
  let departing: Departure[] = []

  const isEmpty = (): boolean => responses.size === 0 && departing.length === 0

  function allDepart(): void {
    const all = departing
    departing = []
    for (const { response, body } of all) response.end(body)
    if (isEmpty()) whenEmpty()
  }

  return {
    servingBeside: response => responses.size - (responses.has(response) ? 1 : 0),
    get stopping() {
      return stopping
    },
    enter: response => void responses.add(response),
    leave(response) {
      responses.delete(response)
      if (isEmpty()) whenEmpty()
    },
    depart(response, body) {
      if (departing.length === 0) atEndOfTurn(allDepart)
      departing.push({ response, body })
    },
    on: socket =>
      [...responses, ...departing.map(({ response }) => response)].filter(response => response.socket === socket),
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
      if (!isEmpty()) {
        await new Promise<void>(resolve => {
          const alarm = clock.alarm(until, resolve)
          whenEmpty = () => {
            alarm.cancel()
            resolve()
          }
        })
      }
      // The time may have been up in the middle of a turn.
      allDepart()
      drained = true
      // What was answered is still written out; nothing else is waited for, such as a half-sent next request.
      if (isEmpty()) for (const socket of sockets) socket.destroySoon()
      else for (const socket of sockets) socket.destroy()
    },
  }
}

// src/platform/cluster/link-server.ts — the server of the link: performs calls of other nodes. ADR 70.
import type { IncomingMessage, ServerResponse } from 'node:http'
import { createServer } from 'node:https'
import type { Clock } from '../../engine/ports/clock.ts'
import type { Log } from '../../engine/ports/log.ts'
import type { CallHandler } from '../../engine/ports/node-link.ts'
import { traceparentIn } from '../../engine/trace-context.ts'
import { closableServer } from '../closable-server.ts'
import type { KeyRing } from '../vault/key-ring.ts'
import { readJson } from './json-body.ts'
import { hintOf, keyNamed, LINK_TLS } from './link-keys.ts'

/** Header with the address of the calling node. */
export const FROM = 'tollgate-node'

/** Calls in progress. More means that this node is stuck, and callers had better try again. */
const MOST_CALLS = 1_000
/** Connections of other nodes, open or in the handshake. A node opens as many as it has calls in progress. */
const MOST_CONNECTIONS = 2_000
/** Idle connections close after this time, in milliseconds: later than a client closes them, so that no call meets the end. */
const KEEP_ALIVE_MS = 60_000
/** Time for a whole request to arrive, in milliseconds. */
const REQUEST_MS = 10_000
/** Time for a handshake, in milliseconds. */
const HANDSHAKE_MS = 5_000
/** Refused handshakes are logged once in this time, in milliseconds: anyone on the network can cause them. */
const LOG_AGAIN_MS = 60_000

export interface LinkServerParts {
  readonly ring: KeyRing
  readonly clock: Clock
  readonly log: Log
  readonly handlers: ReadonlyMap<string, CallHandler>
}

export interface LinkServer {
  /** Resolves to the port. @throws Error with the code of the system, such as EADDRINUSE */
  listen(host: string, port: number): Promise<number>
  /** Ends all connections. */
  close(): Promise<void>
}

/** Creates the server. Only clients with a key of the ring get to say anything. */
export function createLinkServer({ ring, clock, log, handlers }: LinkServerParts): LinkServer {
  let calls = 0
  let loggedAt = Number.NEGATIVE_INFINITY
  const server = createServer(
    {
      ...LINK_TLS,
      pskIdentityHint: hintOf(ring),
      pskCallback: (_socket, identity) => keyNamed(ring, identity),
      ...{ handshakeTimeout: HANDSHAKE_MS, requestTimeout: REQUEST_MS, headersTimeout: REQUEST_MS },
      keepAliveTimeout: KEEP_ALIVE_MS,
    },
    (request, response) => void serve(request, response),
  )
  server.maxConnections = MOST_CONNECTIONS
  server.on('tlsClientError', (error, { remoteAddress }) => {
    const now = clock.now()
    if (now >= loggedAt && now < loggedAt + LOG_AGAIN_MS) return
    loggedAt = now
    log.warn({ from: remoteAddress ?? null, error: error.message }, 'connection to the node port refused')
  })

  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const name = (request.url ?? '').slice(1)
    const handler = request.method === 'POST' ? handlers.get(name) : undefined
    if (handler === undefined) return refuse(request, response, 404)
    if (calls >= MOST_CALLS) return refuse(request, response, 503)
    calls += 1
    try {
      const body = await readJson(request).catch(() => undefined)
      if (body === undefined) return refuse(request, response, 413)
      const { [FROM]: from = '', traceparent } = request.headers
      const answer = await handler(body, String(from), traceparentIn(traceparent))
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(answer ?? null))
    } catch (error) {
      log.error({ call: name, error: String(error) }, 'call of another node failed')
      response.writeHead(500).end()
    } finally {
      calls -= 1
    }
  }

  return closableServer(server, error => log.error({ error: String(error) }, 'node port failed'))
}

/** Answers before the call is performed. The connection closes, because its request may not have been read. */
function refuse(request: IncomingMessage, response: ServerResponse, status: 404 | 413 | 503): void {
  response.writeHead(status, { connection: 'close' }).end()
  request.resume()
}

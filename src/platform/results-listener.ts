// src/platform/results-listener.ts — takes messages of a directory server on a port of its own, over mutual TLS. ADR 88.
import type { IncomingMessage, ServerResponse } from 'node:http'
import { createServer } from 'node:https'
import type { PeerCertificate, TLSSocket } from 'node:tls'
import type { Log } from '../engine/ports/log.ts'
import type { InboundTls, ResultsListener } from '../engine/ports/results-listener.ts'
import { boundedBody } from './bounded-body.ts'
import { closableServer } from './closable-server.ts'

export interface ResultsListenerParts {
  readonly tls: InboundTls
  /** Path in front of the account, without a slash at its end. */
  readonly path: string
  readonly log: Log
  /** The answer as JSON; null for none. */
  receive(account: string, body: string): Promise<string | null>
}

/** A result has a few kilobytes; extensions have eighty. */
const LONGEST_BYTES = 1_048_576
/** The directory server gives up after three seconds. */
const REQUEST_MS = 5_000
const HANDSHAKE_MS = 5_000
/** Results of payments that are authenticated at the same moment, with much room. */
const MOST_CONNECTIONS = 500

/** Creates the listener. Who has no certificate of the authorities and of the name gets to say nothing. */
export function createResultsListener({ tls, path, log, receive }: ResultsListenerParts): ResultsListener {
  const server = createServer(
    {
      ...{ cert: tls.certificate, key: tls.privateKey, ca: tls.authorities, minVersion: 'TLSv1.2' },
      ...{ requestCert: true, rejectUnauthorized: true },
      ...{ handshakeTimeout: HANDSHAKE_MS, requestTimeout: REQUEST_MS, headersTimeout: REQUEST_MS },
    },
    (request, response) => void serve(request, response),
  )
  server.maxConnections = MOST_CONNECTIONS
  server.on('tlsClientError', (error, { remoteAddress }) =>
    log.warn({ from: remoteAddress ?? null, error: error.message }, 'connection to the port for results refused'),
  )
  server.on('secureConnection', socket => {
    if (isNamed(socket, tls.clientName)) return
    log.warn({ from: socket.remoteAddress ?? null }, 'certificate of another name at the port for results')
    socket.destroy()
  })

  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const account = accountIn(request.url ?? '', path)
    if (request.method !== 'POST' || account === null) return refuse(request, response, 404)
    const body = await boundedBody(request, LONGEST_BYTES).catch(() => null)
    if (body === null) return refuse(request, response, 413)
    try {
      const answer = await receive(account, body.toString('utf8'))
      response.writeHead(200, { 'content-type': 'application/json; charset=UTF-8' }).end(answer ?? '')
    } catch (error) {
      log.error({ error: String(error) }, 'message of a directory server failed')
      response.writeHead(500).end()
    }
  }

  return closableServer(server, error => log.error({ error: String(error) }, 'port for results failed'))
}

/** The account behind the path; null for another path. */
function accountIn(url: string, path: string): string | null {
  const [, prefix, account = ''] = /^(.*)\/([^/?#]+)$/.exec(url) ?? []
  if (prefix !== path) return null
  try {
    return decodeURIComponent(account)
  } catch {
    return null
  }
}

function isNamed(socket: TLSSocket, name: string): boolean {
  const { subject, subjectaltname = '' }: Partial<PeerCertificate> = socket.getPeerCertificate()
  return subject?.CN === name || subjectaltname.split(', ').includes(`DNS:${name}`)
}

/** The connection closes, because its request may not have been read. */
function refuse(request: IncomingMessage, response: ServerResponse, status: 404 | 413): void {
  response.writeHead(status, { connection: 'close' }).end(() => request.destroy())
}

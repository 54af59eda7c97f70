// src/peers/control-port.ts — the port by which a peer is controlled: HTTP with JSON, for this machine only.
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { bodyText } from './body-text.ts'

/** Longest body, in bytes: the longest list of scenarios is shorter. */
const LONGEST_BODY = 131_072

export interface ControlPort {
  readonly url: string
  close(): Promise<void>
}

export interface Reply {
  readonly status: number
  readonly body: unknown
}

/**
 * Opens the port.
 * @param replyTo gets method and path, such as `GET /ledger`, and the text of the body
 */
export async function openControlPort(
  port: number,
  replyTo: (request: string, text: string) => Reply | Promise<Reply>,
): Promise<ControlPort> {
  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const text = await bodyText(request, LONGEST_BODY)
    const reply =
      text === null ? refusal(413, 'The body is too long.') : replyTo(`${request.method} ${request.url}`, text)
    const { status, body } = await reply
    response.writeHead(status, { 'content-type': 'application/json' }).end(`${JSON.stringify(body)}\n`)
  }
  const server = createServer((request, response) => void serve(request, response))
  server.listen(port, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async close() {
      server.close()
      server.closeAllConnections()
    },
  }
}

/** The value of a JSON text; undefined when it is none. */
export function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

export function done(body: unknown): Reply {
  return { status: 200, body }
}

export function refusal(status: number, message: string): Reply {
  return { status, body: { message } }
}

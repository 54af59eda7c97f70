// src/peers/nexo-terminal/server.ts — the port of a terminal: HTTPS for tills in its network, or the provider's cloud before it.
import { once } from 'node:events'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { createServer, type Server } from 'node:https'
import type { AddressInfo, Socket } from 'node:net'
import { bodyText } from '../body-text.ts'
import type { Time } from '../time.ts'
import { answer } from './answering.ts'
import { type Cloud, serveCloud } from './cloud.ts'
import { decryptedByLibrary, type LibraryKey } from './encryption.ts'
import { requestIn } from './messages.ts'
import type { Terminal } from './terminal.ts'

export interface ServerParts {
  readonly terminal: Terminal
  readonly poiId: string
  /** Null only behind the cloud: messages are in clear text. */
  readonly key: LibraryKey | null
  /** Null: in the local network. */
  readonly cloud: Cloud | null
  /** PEM. */
  readonly certificate: { readonly cert: string; readonly key: string }
  readonly host: string
  /** 0 for any free port, which it then keeps. */
  readonly port: number
  readonly time: Time
}

export interface TerminalServer {
  /** Opens its port, the same each time. @throws Error when it is taken */
  plugIn(): Promise<number>
  /** It is in no network; what runs on the terminal goes on. The cloud stays, and says that the terminal is away. */
  unplug(): void
  /** Breaks the connections that are open. */
  cut(): void
  close(): void
}

/** More tills than one terminal serves. */
const MOST_CONNECTIONS = 200
/** In bytes. */
const LONGEST_REQUEST = 1_048_576

/** Creates the server. It listens from `plugIn` on. */
export function createTerminalServer(parts: ServerParts): TerminalServer {
  const { certificate, host, cloud, key } = parts
  const sockets = new Set<Socket>()
  let { port } = parts
  let server: Server | null = null
  let isOn = false

  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const text = await bodyText(request, LONGEST_REQUEST).catch(() => null)
    if (text === null) return void response.socket?.destroy()
    if (cloud !== null) await serveCloud({ ...parts, cloud, isOn }, request, text, response)
    else if (key !== null) await serveTill(parts.terminal, key, text, response)
  }

  function cut(): void {
    for (const socket of sockets) socket.destroy()
  }

  function close(): void {
    server?.close()
    server = null
    cut()
  }

  return {
    async plugIn() {
      isOn = true
      if (server !== null) return port
      const opened = createServer(certificate, (request, response) => void serve(request, response))
      opened.maxConnections = MOST_CONNECTIONS
      // A till that does not trust the certificate ends the handshake.
      opened.on('tlsClientError', () => {})
      opened.on('connection', (socket: Socket) => {
        sockets.add(socket)
        socket.on('error', () => {})
        socket.on('close', () => sockets.delete(socket))
      })
      opened.listen(port, host)
      await once(opened, 'listening')
      server = opened
      port = (opened.address() as AddressInfo).port
      return port
    },
    unplug() {
      isOn = false
      if (cloud === null) close()
    },
    ...{ cut, close },
  }
}

async function serveTill(terminal: Terminal, key: LibraryKey, text: string, response: ServerResponse): Promise<void> {
  const refuse = (status: number, error: string) => {
    response.statusCode = status
    response.end(JSON.stringify({ errors: [error], ServiceID: '-NULL-' }))
  }
  let message: unknown
  try {
    message = decryptedByLibrary(text, key)
  } catch {
    return refuse(500, 'Nexo Service: crypto error (3)')
  }
  const request = requestIn(message)
  if (request === null) return refuse(400, 'At toplevel: Missing')
  const { header } = request
  response.on('close', () => terminal.hungUp(header.ServiceID))
  answer(header, await terminal.take(request, terminal.behaviourFor(request)), key, response)
}

// src/peers/directory-server/open.ts — opens a directory server with its issuer: a port for 3DS Servers, one for browsers, and one that
// controls them.
import { once } from 'node:events'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { createServer, type Server } from 'node:https'
import type { AddressInfo } from 'node:net'
import { createScenarioQueue } from '../scenario-queue.ts'
import type { Time } from '../time.ts'
import { createAuthentications } from './authentications.ts'
import { type Behaviour, behaviourIn, CONCERNS, type Concern, ORDINARY_BEHAVIOUR } from './behaviour.ts'
import { openControl } from './control.ts'
import { serveBrowser } from './issuer.ts'
import type { Scheme } from './messages.ts'
import { serveMessages } from './server.ts'

export interface DirectoryServerOptions {
  readonly scheme: Scheme
  /** Name of both servers in their certificate and in addresses. */
  readonly name: string
  readonly host: string
  /** 0 for any free port. */
  readonly port: number
  readonly issuerPort: number
  readonly controlPort: number
  readonly tls: DirectoryServerTls
  readonly time: Time
  readonly uuid: () => string
  /** Gets a line for each message. */
  readonly onLine: (line: string) => void
}

/** PEM. */
export interface DirectoryServerTls {
  /** The root of the 3DS Server's certificates. */
  readonly ca: string
  /** Of both servers. */
  readonly server: { readonly cert: string; readonly key: string }
  /** Of the directory server as a client, for results. */
  readonly client: { readonly cert: string; readonly key: string }
}

export interface DirectoryServer {
  readonly port: number
  readonly issuerPort: number
  /** Base address of the control port. */
  readonly controlUrl: string
  close(): Promise<void>
}

/** Opens all three. @throws Error when a certificate cannot be used, or a port is taken */
export async function openDirectoryServer(options: DirectoryServerOptions): Promise<DirectoryServer> {
  const { scheme, name, host, tls, time, uuid, onLine } = options
  const open: { close(): unknown }[] = []
  const close = async (): Promise<void> => {
    for (const each of open) await each.close()
  }
  const listen = async (server: Server, port: number): Promise<number> => {
    server.listen(port, host)
    await once(server, 'listening')
    open.push({
      close() {
        server.close()
        server.closeAllConnections()
      },
    })
    return (server.address() as AddressInfo).port
  }
  const queue = createScenarioQueue<Concern, Behaviour>({
    concerns: CONCERNS,
    ...{ seesCards: true, ordinary: ORDINARY_BEHAVIOUR, behaviourIn },
  })
  const authentications = createAuthentications()
  const shared = { authentications, time, onLine }
  try {
    const issuer = serving(tls.server, (request, response) =>
      serveBrowser(request, response, { ...shared, resultTls: { ...tls.client, ca: tls.ca } }),
    )
    const issuerPort = await listen(issuer, options.issuerPort)
    const base = `https://${name}:${issuerPort}`
    const pages = { challenge: `${base}/challenge`, method: `${base}/method` }
    const mutual = { ...tls.server, ca: tls.ca, requestCert: true, rejectUnauthorized: true }
    const server = serving(mutual, (request, response) =>
      serveMessages(request, response, { ...shared, scheme, pages, behaviours: queue, uuid }),
    )
    const port = await listen(server, options.port)
    const control = await openControl(options.controlPort, { authentications, queue })
    open.push(control)
    return { port, issuerPort, controlUrl: control.url, close }
  } catch (error) {
    await close()
    throw error
  }
}

/** A server whose broken requests break their connection only. */
function serving(
  tls: Parameters<typeof createServer>[0],
  serve: (request: IncomingMessage, response: ServerResponse) => Promise<void>,
): Server {
  return createServer(tls, (request, response) => void serve(request, response).catch(() => response.destroy()))
}

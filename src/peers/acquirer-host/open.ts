// src/peers/acquirer-host/open.ts — opens an acquirer's host: a port for gateways, and one that controls it.
import { once } from 'node:events'
import { type AddressInfo, createServer as createTcpServer, type Server, type Socket } from 'node:net'
import { createServer as createTlsServer } from 'node:tls'
import type { Time } from '../time.ts'
import { type Connection, serveConnection } from './connection.ts'
import { openControl } from './control.ts'
import { dialectIn } from './dialect.ts'
import { openLedger } from './ledger.ts'
import { ownMessage } from './own-message.ts'
import { createHostScenarios } from './scenario-queue.ts'

/** Connections of gateways at one time. More than any gateway opens to one acquirer. */
const MOST_CONNECTIONS = 200

export interface HostOptions {
  /** The dialect document, as parsed JSON. */
  readonly dialect: unknown
  readonly host: string
  /** 0 for any free port. */
  readonly port: number
  readonly controlPort: number
  /** File of the ledger; null for memory only. */
  readonly journal: string | null
  /** PEM. Null for TCP without TLS. */
  readonly tls: { readonly cert: string; readonly key: string } | null
  /** Test key of message authentication codes. */
  readonly macKey: Buffer | null
  /** Test key of PIN blocks. */
  readonly pinKey: Buffer | null
  readonly time: Time
  /** Gets a line for each message. */
  readonly onLine: (line: string) => void
}

export interface AcquirerHost {
  readonly port: number
  /** Base address of the control port. */
  readonly controlUrl: string
  close(): Promise<void>
}

/** Opens the host. @throws Error when the dialect or the journal cannot be read, or a port is taken */
export async function openAcquirerHost(options: HostOptions): Promise<AcquirerHost> {
  const dialect = dialectIn(options.dialect)
  const algorithm = dialect.mac?.algorithm ?? null
  if (options.macKey !== null && algorithm !== 'retail' && algorithm !== 'cbc')
    throw new Error(`With a key, mac.algorithm of the dialect must be retail or cbc, not ${algorithm ?? 'missing'}.`)
  const ledger = openLedger(options.journal)
  const queue = createHostScenarios()
  const connections = new Set<Connection>()
  const serve = (socket: Socket) => {
    const connection = serveConnection(socket, { ...options, dialect, ledger, queue })
    connections.add(connection)
    socket.on('close', () => connections.delete(connection))
  }
  const server = options.tls === null ? createTcpServer(serve) : createTlsServer(options.tls, serve)
  server.maxConnections = MOST_CONNECTIONS
  // A gateway that does not trust the certificate ends the handshake.
  server.on('tlsClientError', () => {})
  const closeAll = () => {
    for (const connection of connections) connection.close()
  }
  let lastStan = 0
  const sendEcho = () => {
    lastStan += 1
    const now = options.time.now()
    for (const each of connections) each.send(ownMessage('echo', dialect, { now, stan: lastStan, like: each.latest() }))
    return connections.size
  }
  try {
    const port = await listening(server, options.port, options.host)
    const control = await openControl(options.controlPort, { ledger, queue, dialect, sendEcho, closeAll })
    return {
      port,
      controlUrl: control.url,
      async close() {
        closeAll()
        server.close()
        await control.close()
        ledger.close()
      },
    }
  } catch (error) {
    server.close()
    ledger.close()
    throw error
  }
}

async function listening(server: Server, port: number, host: string): Promise<number> {
  server.listen(port, host)
  await once(server, 'listening')
  return (server.address() as AddressInfo).port
}

// test/support/nexo-terminals.ts — scripted terminals as a process: HTTPS for tills, and a control port for tests.
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { createServer as createHttpsServer, type Server } from 'node:https'
import type { AddressInfo, Socket } from 'node:net'
import { answer, textOf } from '../../src/peers/nexo-terminal/answering.ts'
import { createAuthority } from '../../src/peers/nexo-terminal/certificates.ts'
import { type CloudOrder, serveCloud } from '../../src/peers/nexo-terminal/cloud.ts'
import { decryptedByLibrary, type LibraryKey } from '../../src/peers/nexo-terminal/encryption.ts'
import {
  createTerminal,
  type Header,
  type Members,
  type Script,
  type Terminal,
} from '../../src/peers/nexo-terminal/terminal.ts'
import { freePort } from './free-port.ts'

/** A terminal to be made. */
export interface TerminalOrder {
  readonly poiId: string
  readonly key: LibraryKey
  /** Of its certificate. Default: that of a test terminal with its id. */
  readonly commonName?: string
  readonly isExpired?: boolean
  /** It is reached through the provider's cloud, with this key. */
  readonly cloud?: CloudOrder
}

interface Made {
  readonly terminal: Terminal
  /** Opens its port, the same each time. */
  plugIn(): Promise<number>
  /** @param isOutage only the network is gone: what runs goes on */
  unplug(isOutage: boolean): Promise<void>
  /** Breaks the connections that are open. */
  cut(): void
}

const LONG_AGO = { from: 0, to: 86_400_000 }
const authority = createAuthority({ now: Date.now, random: randomBytes })
const terminals = new Map<string, Made>()

function make({ poiId, key, commonName, isExpired = false, cloud }: TerminalOrder): Made {
  const terminal = createTerminal()
  const name = commonName ?? (cloud === undefined ? `${poiId}.test.terminal.adyen.com` : 'localhost')
  const certificate = authority.issue(name, isExpired ? LONG_AGO : undefined)
  const sockets = new Set<Socket>()
  let port = 0
  let server: Server | null = null
  let isOn = false
  const take = (request: IncomingMessage, response: ServerResponse) =>
    cloud === undefined
      ? serve(terminal, key, request, response)
      : serveCloud({ terminal, poiId, key, isOn }, cloud, request, response)
  return {
    terminal,
    async plugIn() {
      isOn = true
      if (server !== null) return port
      server = createHttpsServer(certificate, (request, response) => void take(request, response))
      server.on('connection', (socket: Socket) => {
        sockets.add(socket)
        socket.on('close', () => sockets.delete(socket))
      })
      if (port === 0) port = await freePort()
      server.listen(port, '127.0.0.1')
      await once(server, 'listening')
      return port
    },
    cut() {
      for (const socket of sockets) socket.destroy()
    },
    async unplug(isOutage) {
      isOn = false
      if (!isOutage) terminal.restart()
      // The cloud stays when the terminal goes.
      if (cloud !== undefined) return
      const closing = server
      server = null
      closing?.close()
      for (const socket of sockets) socket.destroy()
    },
  }
}

async function serve(
  terminal: Terminal,
  key: LibraryKey,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const text = await textOf(request)
  let plain: { readonly SaleToPOIRequest: Members }
  try {
    plain = decryptedByLibrary(text, key) as typeof plain
  } catch {
    response.statusCode = 500
    return void response.end('{"errors":["Nexo Service: crypto error (3)"],"ServiceID":"-NULL-"}')
  }
  const { MessageHeader, ...body } = plain.SaleToPOIRequest
  const header = MessageHeader as Header
  response.on('close', () => terminal.hungUp(header.ServiceID))
  answer(header, await terminal.take(header, body), key, response)
}

/** Orders of tests, by the name of the order. All but `make` and `state` name a terminal. */
const ORDERS: Readonly<Record<string, (order: never) => unknown>> = {
  async make(order: TerminalOrder) {
    const made = make(order)
    terminals.set(order.poiId, made)
    return { port: await made.plugIn(), root: authority.root }
  },
  state: () => ({ held: [...terminals.values()].reduce((sum, { terminal }) => sum + terminal.held, 0) }),
  script: ({ poiId, ...script }: Script & { poiId: string }) => made(poiId).terminal.follow(script),
  finish: ({ poiId, result }: { poiId: string; result: Members }) => made(poiId).terminal.finish(result),
  received: ({ poiId }: { poiId: string }) => made(poiId).terminal.received,
  forget: ({ poiId }: { poiId: string }) => made(poiId).terminal.forget(),
  unplug: ({ poiId, isOutage }: { poiId: string; isOutage: boolean }) => made(poiId).unplug(isOutage),
  cut: ({ poiId }: { poiId: string }) => made(poiId).cut(),
  plugIn: ({ poiId }: { poiId: string }) => made(poiId).plugIn(),
}

function made(poiId: string): Made {
  const found = terminals.get(poiId)
  if (found === undefined) throw new Error(`no terminal ${poiId}`)
  return found
}

const control = createServer((request, response) => {
  const run = async () => ORDERS[request.url?.slice(1) ?? '']?.(JSON.parse(await textOf(request)) as never)
  run().then(
    result => response.end(JSON.stringify(result ?? null)),
    error => {
      response.statusCode = 500
      response.end(String(error))
    },
  )
})
control.listen(0, '127.0.0.1', () => process.stdout.write(`${(control.address() as AddressInfo).port}\n`))
// The test that started it is gone.
process.stdin.on('end', () => process.exit(0)).resume()

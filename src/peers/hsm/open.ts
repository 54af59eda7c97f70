// src/peers/hsm/open.ts — opens a stand-in for a security module: lines of JSON over TCP or TLS, with test keys of a file.
import { once } from 'node:events'
import { type AddressInfo, createServer as createTcpServer, type Socket } from 'node:net'
import { createServer as createTlsServer } from 'node:tls'
import { requestsWith } from './requests.ts'

/** Longest line, in characters: a message of 16 KiB in hexadecimal. */
const LONGEST_LINE = 65_536
/** More gateways than one module serves. */
const MOST_CONNECTIONS = 200

export interface HsmOptions {
  /** Makes so many random bytes, to fill PIN blocks. */
  readonly random: (bytes: number) => Uint8Array
  /** Parsed file of the keys. */
  readonly keys: unknown
  readonly host: string
  /** 0 for any free port. */
  readonly port: number
  /** PEM. With `ca` it asks clients for a certificate of that authority. Null for TCP without TLS. */
  readonly tls: { readonly cert: string; readonly key: string; readonly ca?: string } | null
}

export interface Hsm {
  readonly port: number
  close(): Promise<void>
}

/** Opens it. @throws Error when the keys are not in order, or the port is taken */
export async function openHsm({ keys, host, port, tls, random }: HsmOptions): Promise<Hsm> {
  const requests = requestsWith(keys, bytes => Buffer.from(random(bytes)))
  const sockets = new Set<Socket>()
  const serve = (socket: Socket) => {
    sockets.add(socket)
    let rest = ''
    socket.setEncoding('utf8').on('data', (text: string) => {
      const lines = (rest + text).split('\n')
      rest = lines.pop() ?? ''
      const answers = lines.map(requests.answer)
      if (rest.length > LONGEST_LINE || answers.includes(null)) return void socket.destroy()
      for (const answer of answers) socket.write(`${answer}\n`)
    })
    socket.on('error', () => {})
    socket.on('close', () => sockets.delete(socket))
  }
  const server =
    tls === null
      ? createTcpServer(serve)
      : createTlsServer({ ...tls, requestCert: tls.ca !== undefined, rejectUnauthorized: tls.ca !== undefined }, serve)
  server.maxConnections = MOST_CONNECTIONS
  server.on('tlsClientError', () => {})
  server.listen(port, host)
  await once(server, 'listening')
  return {
    port: (server.address() as AddressInfo).port,
    async close() {
      for (const socket of sockets) socket.destroy()
      server.close()
    },
  }
}

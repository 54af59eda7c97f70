// src/platform/closable-server.ts — listens and closes for a TLS server that other machines call, such as nodes.
import type { Server } from 'node:https'
import type { AddressInfo, Socket } from 'node:net'

export interface ClosableServer {
  /** @returns the port, which is another one than given when that was 0. Rejects when it cannot listen */
  listen(host: string, port: number): Promise<number>
  /** Ends all connections at once. */
  close(): Promise<void>
}

/** @param onFault called for faults of the server while it listens */
export function closableServer(server: Server, onFault: (error: Error) => void): ClosableServer {
  /** Also those in the handshake, which the HTTP server does not know. */
  const sockets = new Set<Socket>()
  server.on('connection', (socket: Socket) => {
    sockets.add(socket)
    socket.once('close', () => sockets.delete(socket))
  })
  return {
    listen: (host, port) =>
      new Promise((resolve, reject) => {
        server.once('error', reject)
        server.listen(port, host, () => {
          server.off('error', reject)
          server.on('error', onFault)
          resolve((server.address() as AddressInfo).port)
        })
      }),
    async close() {
      const closed = new Promise<void>(resolve => server.close(() => resolve()))
      for (const socket of sockets) socket.destroy()
      await closed
    },
  }
}

// test/nodes/park-server.ts — offers a terminal park to nodes in other processes.
import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import type { Acquirer } from '../../src/engine/ports/acquirer.ts'
import type { TerminalDriver, TerminalSink } from '../../src/engine/ports/terminal.ts'
import type { TerminalPark } from '../support/terminal-park.ts'
import { createPeer } from './park-peer.ts'

/** Calls of a node to its terminals and the acquirer. */
const TO_TERMINALS = [
  'start',
  'cancel',
  'answerSignature',
  'answerAuthorisation',
  'runReport',
  'lastTransaction',
] as const
const TO_ACQUIRER = ['authorise', 'capture', 'refund', 'verify', 'reverse'] as const

/** Listens on any free port. Returns it, and a function that ends all connections. */
export async function openParkServer(park: TerminalPark): Promise<{ readonly port: number; close(): void }> {
  const sockets = new Set<{ destroy(): void }>()
  const server = createServer(socket => {
    sockets.add(socket)
    let served: ReadonlySet<string> = new Set()
    let driver: TerminalDriver | null = null
    const calls = (names: readonly string[], of: () => TerminalDriver | Acquirer | null) =>
      names.map(name => [
        name,
        (...args: never[]) => (of() as unknown as Record<string, (...args: never[]) => unknown>)[name]!(...args),
      ])
    const peer = createPeer(socket, {
      async serves(node: string, accounts: readonly string[]) {
        served = new Set(accounts)
        if (driver !== null) return driver.servesOthers?.()
        driver = park.driverFor(node)
        await driver.listen(sink, account => served.has(account))
      },
      ...Object.fromEntries(calls(TO_TERMINALS, () => driver)),
      ...Object.fromEntries(calls(TO_ACQUIRER, () => park.acquirer)),
    })
    const sink: TerminalSink = {
      report: delivery => peer.call('report', [delivery]),
      reportProgress: delivery => peer.call('reportProgress', [delivery]),
      reconnected: (account, tid) => peer.call('reconnected', [account, tid]),
      atTable: (account, by, question) => peer.call('atTable', [account, by, question]),
    }
    socket.on('close', () => {
      sockets.delete(socket)
      void driver?.close()
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    port: (server.address() as AddressInfo).port,
    close() {
      server.close()
      for (const socket of sockets) socket.destroy()
    },
  }
}

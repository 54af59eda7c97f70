// test/nodes/park-driver.ts — driver and acquirer of a node, for a terminal park in another process.
import { once } from 'node:events'
import { connect } from 'node:net'
import type { Acquirer } from '../../src/engine/ports/acquirer.ts'
import type { TerminalDriver, TerminalSink } from '../../src/engine/ports/terminal.ts'
import { createPeer } from './park-peer.ts'

/** Name of the driver and of the acquirer. */
export const PARK = 'park'

/** Connects to a park. @param accounts all accounts with terminals there */
export async function connectToPark(port: number, node: string, accounts: readonly string[]) {
  const socket = connect(port, '127.0.0.1')
  await once(socket, 'connect')
  let sink: TerminalSink | null = null
  let serves = (_account: string): boolean => false
  const peer = createPeer(socket, {
    report: (...args: Parameters<TerminalSink['report']>) => sink?.report(...args),
    reportProgress: (...args: Parameters<TerminalSink['reportProgress']>) => sink?.reportProgress(...args),
    reconnected: (...args: Parameters<TerminalSink['reconnected']>) => sink?.reconnected(...args),
    atTable: (...args: Parameters<TerminalSink['atTable']>) => sink?.atTable(...args),
  })
  const tellServed = () => peer.call<void>('serves', [node, accounts.filter(account => serves(account))])
  const driver: TerminalDriver = {
    name: PARK,
    authorisedBy: 'gateway',
    presence: () => ({ paperOut: false }),
    start: call => peer.call('start', [call]),
    cancel: call => peer.call('cancel', [call]),
    answerSignature: (...args) => peer.call('answerSignature', args),
    answerAuthorisation: (...args) => peer.call('answerAuthorisation', args),
    runReport: call => peer.call('runReport', [call]),
    lastTransaction: (...args) => peer.call('lastTransaction', args),
    async listen(given, isServed = () => true) {
      sink = given
      serves = isServed
      await tellServed()
    },
    servesOthers: tellServed,
    async close() {
      socket.destroy()
    },
  }
  const acquirer: Acquirer = {
    name: PARK,
    authorise: (...args) => peer.call('authorise', args),
    capture: order => peer.call('capture', [order]),
    refund: order => peer.call('refund', [order]),
    verify: order => peer.call('verify', [order]),
    reverse: reversal => peer.call('reverse', [reversal]),
  }
  return { driver, acquirer }
}

// src/simulator/memory/held-ports.ts — wraps the simulated ports so that each call waits for the documents of its account.
import type { Acquirer } from '../../engine/ports/acquirer.ts'
import type { TerminalDriver } from '../../engine/ports/terminal.ts'
import type { DirectoryServer } from '../../engine/ports/three-d-secure.ts'
import type { NodesOfMemory } from './memory.ts'

interface Ports {
  readonly driver: TerminalDriver
  readonly acquirer: Acquirer
  readonly directoryServer: DirectoryServer
}

/** The same ports. A call fails with Fault `lease_lost` when another node has the account: its lane is on its way there. */
export function heldPorts({ driver, acquirer, directoryServer }: Ports, { held }: Pick<NodesOfMemory, 'held'>): Ports {
  const after = async <Result>(account: string, call: () => Promise<Result>): Promise<Result> => {
    await held(account)
    return call()
  }
  return {
    driver: {
      ...driver,
      start: call => after(call.terminal.merchantAccount, () => driver.start(call)),
      cancel: call => after(call.terminal.merchantAccount, () => driver.cancel(call)),
      answerSignature: (call, answer) =>
        after(call.terminal.merchantAccount, () => driver.answerSignature(call, answer)),
      answerAuthorisation: (call, answer) =>
        after(call.terminal.merchantAccount, () => driver.answerAuthorisation(call, answer)),
      runReport: call => after(call.terminal.merchantAccount, () => driver.runReport(call)),
      lastTransaction: (terminal, requestId) =>
        after(terminal.merchantAccount, () => driver.lastTransaction(terminal, requestId)),
    },
    acquirer: {
      ...acquirer,
      authorise: (order, purpose) => after(order.account, () => acquirer.authorise(order, purpose)),
      capture: order => after(order.account, () => acquirer.capture(order)),
      refund: order => after(order.account, () => acquirer.refund(order)),
      verify: order => after(order.account, () => acquirer.verify(order)),
      reverse: reversal => after(reversal.account, () => acquirer.reverse(reversal)),
    },
    directoryServer: { ...directoryServer, lookUp: order => after(order.account, () => directoryServer.lookUp(order)) },
  }
}

// test/support/nexo-terminals.ts — many nexo terminals as one process, with a control port for tests.
import { randomBytes } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { bodyText } from '../../src/peers/body-text.ts'
import { createAuthority } from '../../src/peers/certificates.ts'
import type { Cloud } from '../../src/peers/nexo-terminal/cloud.ts'
import type { LibraryKey } from '../../src/peers/nexo-terminal/encryption.ts'
import type { Members } from '../../src/peers/nexo-terminal/messages.ts'
import { ended } from '../../src/peers/nexo-terminal/outcomes.ts'
import { createTerminalServer, type TerminalServer } from '../../src/peers/nexo-terminal/server.ts'
import { createTerminal, type Terminal } from '../../src/peers/nexo-terminal/terminal.ts'
import { systemClock } from '../../src/platform/clock.ts'
import { freePort } from './free-port.ts'
import { createScript, type Script } from './nexo-script.ts'

/** A terminal to be made. */
export interface TerminalOrder {
  readonly poiId: string
  readonly key: LibraryKey
  /** Of its certificate. Default: that of a test terminal with its id. */
  readonly commonName?: string
  readonly isExpired?: boolean
  /** It is reached through the provider's cloud, with this key. */
  readonly cloud?: Cloud & {
    /** Whether messages are encrypted with the key of the terminal. */
    readonly isEncrypted: boolean
  }
}

interface Made {
  readonly terminal: Terminal
  readonly server: TerminalServer
  readonly script: ReturnType<typeof createScript>
}

const LONGEST_ORDER = 1_048_576
const LONG_AGO = { from: 0, to: 86_400_000 }
const clock = systemClock()
const authority = createAuthority({ now: () => clock.now(), random: randomBytes, name: 'Test Terminal Root' })
const terminals = new Map<string, Made>()

async function make({ poiId, key, commonName, isExpired = false, cloud }: TerminalOrder): Promise<Made> {
  const script = createScript()
  const terminal = createTerminal({ behaviours: script, time: clock, onLine: () => {} })
  const name = commonName ?? (cloud === undefined ? `${poiId}.test.terminal.adyen.com` : 'localhost')
  const server = createTerminalServer({
    ...{ terminal, poiId, cloud: cloud ?? null, key: cloud?.isEncrypted === false ? null : key },
    certificate: authority.issue(name, isExpired ? LONG_AGO : undefined),
    ...{ host: '127.0.0.1', port: await freePort(), time: clock },
  })
  return { terminal, server, script }
}

/** Orders of tests, by the name of the order. All but `make` and `state` name a terminal. */
const ORDERS: Readonly<Record<string, (order: never) => unknown>> = {
  async make(order: TerminalOrder) {
    const made = await make(order)
    terminals.set(order.poiId, made)
    return { port: await made.server.plugIn(), root: authority.root }
  },
  state: () => ({ held: [...terminals.values()].reduce((sum, { terminal }) => sum + terminal.held, 0) }),
  script({ poiId, ...script }: Script & { poiId: string }) {
    made(poiId).script.follow(script)
    if (script.status !== undefined) made(poiId).terminal.setHealth(script.status)
  },
  finish: ({ poiId, result }: { poiId: string; result: Members }) => made(poiId).terminal.finish(ended(result)),
  received: ({ poiId }: { poiId: string }) => made(poiId).terminal.received,
  entries: ({ poiId }: { poiId: string }) => made(poiId).terminal.ledger.entries(),
  unplug({ poiId, isOutage }: { poiId: string; isOutage: boolean }) {
    const { terminal, server } = made(poiId)
    if (!isOutage) terminal.restart()
    server.unplug()
  },
  cut: ({ poiId }: { poiId: string }) => made(poiId).server.cut(),
  plugIn: ({ poiId }: { poiId: string }) => made(poiId).server.plugIn(),
}

function made(poiId: string): Made {
  const found = terminals.get(poiId)
  if (found === undefined) throw new Error(`no terminal ${poiId}`)
  return found
}

const control = createServer((request, response) => {
  const run = async () =>
    ORDERS[request.url?.slice(1) ?? '']?.(JSON.parse((await bodyText(request, LONGEST_ORDER)) ?? '') as never)
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

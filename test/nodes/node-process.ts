// test/nodes/node-process.ts — a node of a gateway in live mode as a process: the program with the terminals and the acquirer of
// a park, and with a clock that is wrong on demand.
import { openContext } from '../../src/cli/context.ts'
import { openParts } from '../../src/cli/parts.ts'
import { readConfig } from '../../src/config.ts'
import { connectToPark, PARK } from './park-driver.ts'

/** Start parameters, in the environment variable `NODE_ORDER`. */
export interface NodeOrder {
  readonly name: string
  readonly parkPort: number
  /** Accounts with their terminals; the first node opens those that are missing. The API key of an account is `key-` and its id. */
  readonly accounts: readonly { readonly id: string; readonly terminals: readonly string[] }[]
  /** By how much the clock of this machine is wrong, in milliseconds. */
  readonly clockOffsetMs: number
}

const order = JSON.parse(process.env['NODE_ORDER'] ?? '') as NodeOrder
const realNow = Date.now
Date.now = () => realNow() + order.clockOffsetMs

const result = readConfig(process.env as Readonly<Record<string, string>>)
if ('problems' in result) throw new Error(result.problems.join('\n'))
const fail = (error: Error): never => {
  process.stderr.write(`${error.message}\n`)
  process.exit(1)
}
const ids = order.accounts.map(({ id }) => id)
const open = await openParts(result.config, process.stderr, fail).catch(fail)
const { driver, acquirer } = await connectToPark(order.parkPort, order.name, ids)
const parts = { ...open.parts, simulated: null, drivers: [driver], acquirers: [acquirer] }
const context = await openContext(result.config, { ...open, parts }).catch(fail)
for (const { id, terminals } of order.accounts)
  await context.gateway.provisioning.openAccount({
    ...{ id, keyLabel: 'till', secret: `key-${id}`, driver: PARK, terminals },
    profile: {
      ...{ name: id, address: '1 Harbour Street', merchantNumber: '21249872', currency: 'GBP' },
      ...{ timeZone: 'Europe/London', public: false, merchantHosts: [] },
    },
  })
process.once('SIGTERM', () => void context.close(result.config.drainMs).then(() => process.exit(0), fail))
process.stdout.write(`${JSON.stringify({ url: context.url })}\n`)

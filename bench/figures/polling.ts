// bench/figures/polling.ts — polls of a running transaction, the most frequent request.
import { cpSync } from 'node:fs'
import { join } from 'node:path'
import { type Bar, type Bench, type Figure, type Row, ratioRow } from '../figure.ts'
import { openLoad } from '../load.ts'
import { polled, pollOf, startedSale } from '../requests.ts'
import { interleave, inWords, ratios, type Side } from '../rounds.ts'
import { type ServerProcess, startProgram, startScript } from '../server-process.ts'
import type { BareOrder } from '../servers/bare-node.ts'
import type { GatewayOrder } from '../servers/gateway.ts'
import { prepareDirectory, terminalId } from '../terminals.ts'

const CONNECTIONS = 64
/** Longer than one comparison takes, so that the terminal does not proceed meanwhile. */
const PACE = '60000'

/** A server and the poll that is sent to it. */
interface Polled {
  readonly name: string
  readonly server: ServerProcess
  readonly path: string
  readonly etag: string
}

export const polling: Figure = {
  name: 'polling',
  conditions:
    `polling: ${CONNECTIONS} connections. Gateway: without the simulator, as in ` +
    'live mode; log level info, which leaves no line for a poll. As shipped: the sandbox, whose recorder notes polls. ' +
    'Bare `node:http` logs nothing.',
  async run(bench) {
    const gateways = await startGateways(bench)
    const what = 'GET of a running transaction, authenticated ÷ bare `node:http` with the same bytes'
    const rows = [
      await compared(bench, gateways, 0, 200, what, { atLeast: 0.65 }),
      await compared(bench, gateways, 1, 304, 'the same with `If-None-Match`, answered 304', { atLeast: 0.7 }),
    ]
    await Promise.all(Object.values(gateways).map(server => server.stop()))
    return rows
  },
}

type Gateways = Readonly<Record<'gateway' | 'as shipped', ServerProcess>>

async function startGateways({ directory }: Bench): Promise<Gateways> {
  const alone = join(directory, 'polling')
  const shipped = join(directory, 'polling-as-shipped')
  await prepareDirectory(alone, 2)
  cpSync(alone, shipped, { recursive: true })
  const environment = { PORT: '0', TOLLGATE_DATA: alone }
  const order: GatewayOrder = { environment, store: 'disk', terminals: 'silent', count: 0 }
  return {
    gateway: await startScript('gateway', order),
    'as shipped': await startProgram({ dataDirectory: shipped, environment: { TOLLGATE_PACE: PACE } }),
  }
}

/** Compares with the bare server, on a new sale on terminal number `terminal`. */
async function compared(
  { quick }: Bench,
  gateways: Gateways,
  terminal: number,
  status: 200 | 304,
  what: string,
  bar: Bar,
): Promise<Row> {
  const gateway = await polledOn('gateway', gateways.gateway, terminal)
  const { server, path, etag } = gateway
  const read = await polled(server.port, path)
  const bare = await startScript('bare-node', {
    read,
    write: read,
    notModified: await polled(server.port, path, etag),
  } satisfies BareOrder)
  const all = [
    gateway,
    { ...gateway, name: 'bare', server: bare },
    await polledOn('as shipped', gateways['as shipped'], terminal),
  ]
  const sides = await Promise.all(all.map(each => sideOf(each, status)))
  const rounds = quick
    ? { count: 7, limitMs: 200, warmUp: 2, pauseMs: 20 }
    : { count: 31, limitMs: 300, warmUp: 4, pauseMs: 20 }
  const measured = await interleave(sides, rounds)
  for (const { load } of sides) load.close()
  await bare.stop()
  const [ours, yardstick] = measured
  return ratioRow(what, ratios(ours, yardstick), bar, measured.map(inWords).join(', '))
}

async function polledOn(name: string, server: ServerProcess, terminal: number): Promise<Polled> {
  const { path } = await startedSale(server.port, terminalId(terminal))
  const { headers } = await polled(server.port, path)
  return { name, server, path, etag: headers['etag'] ?? '' }
}

async function sideOf({ name, server, path, etag }: Polled, status: 200 | 304): Promise<Side> {
  const request = pollOf(server.port, path, status === 304 ? etag : undefined)
  const load = await openLoad(server.port, CONNECTIONS, true)
  return { name, server, load, order: { next: () => request, status } }
}

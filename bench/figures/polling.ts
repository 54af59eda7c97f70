// bench/figures/polling.ts — what a till asks most: how a running transaction stands.
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
const TERMINAL = terminalId(0)
/** Longer than the figure takes: the terminal does not move meanwhile. */
const PACE = '60000'

/** A server, and how a till asks it. */
interface Polled {
  readonly name: string
  readonly server: ServerProcess
  readonly path: string
  readonly etag: string
}

export const polling: Figure = {
  name: 'polling',
  conditions:
    `polling: ${CONNECTIONS} connections; the load does not sleep during a round. Gateway: without the simulator, as in ` +
    'live mode; log level info, which leaves no line for a poll. As shipped: the sandbox, whose recorder notes polls. ' +
    'Bare `node:http` logs nothing.',
  async run(bench) {
    const gateways = await startGateways(bench)
    const [first] = gateways
    if (first === undefined) throw new Error('there is no gateway')
    const { server, path, etag } = first
    const read = await polled(server.port, path)
    const notModified = await polled(server.port, path, etag)
    const bare = await startScript('bare-node', { read, write: read, notModified } satisfies BareOrder)
    const all = [...gateways, { ...first, name: 'bare', server: bare }]
    const rows = [
      await compared(
        bench,
        all,
        false,
        'GET of a running transaction, authenticated ÷ bare `node:http` with the same bytes',
        {
          first: 0.65,
          goal: 0.8,
        },
      ),
      await compared(bench, all, true, 'the same with `If-None-Match`, answered 304', { first: 0.75, goal: 0.9 }),
    ]
    await Promise.all(all.map(each => each.server.stop()))
    return rows
  },
}

async function startGateways({ directory }: Bench): Promise<readonly Polled[]> {
  const alone = join(directory, 'polling')
  const shipped = join(directory, 'polling-as-shipped')
  await prepareDirectory(alone, 1)
  cpSync(alone, shipped, { recursive: true })
  const environment = { PORT: '0', TOLLGATE_DATA: alone }
  const order: GatewayOrder = { environment, store: 'disk', terminals: 'silent', count: 0 }
  return [
    await polledOn('gateway', await startScript('gateway', order)),
    await polledOn('as shipped', await startProgram({ dataDirectory: shipped, environment: { TOLLGATE_PACE: PACE } })),
  ]
}

async function polledOn(name: string, server: ServerProcess): Promise<Polled> {
  const { path } = await startedSale(server.port, TERMINAL)
  const { headers } = await polled(server.port, path)
  return { name, server, path, etag: headers['etag'] ?? '' }
}

async function compared(
  { quick }: Bench,
  all: readonly Polled[],
  known: boolean,
  what: string,
  bar: Bar,
): Promise<Row> {
  const sides = await Promise.all(
    all.map(async ({ name, server, path, etag }): Promise<Side> => {
      const request = pollOf(server.port, path, known ? etag : undefined)
      const load = await openLoad(server.port, CONNECTIONS, true)
      return { name, server, load, order: { next: () => request, status: known ? 304 : 200 } }
    }),
  )
  const rounds = quick
    ? { count: 7, limitMs: 200, warmUp: 2, pauseMs: 20 }
    : { count: 31, limitMs: 300, warmUp: 4, pauseMs: 20 }
  const measured = await interleave(sides, rounds)
  for (const { load } of sides) load.close()
  return ratioRow(what, ratios(measured[0], measured[2]), bar, measured.map(inWords).join(', '))
}

// bench/figures/stored.ts — sales and polls with few and with many stored transactions: stored data must not slow them down.
import { cpSync } from 'node:fs'
import { join } from 'node:path'
import { type Bench, type Figure, type Row, ratioRow } from '../figure.ts'
import { openLoad } from '../load.ts'
import { lookAtTerminals } from '../look.ts'
import { pollOf, saleOn, startedSale } from '../requests.ts'
import { interleave, inWords, ratios, type Side } from '../rounds.ts'
import { type ServerProcess, startScript } from '../server-process.ts'
import type { GatewayOrder } from '../servers/gateway.ts'
import { fill } from '../stored.ts'
import { prepareDirectory, terminalId } from '../terminals.ts'

const FEW = 1_000
const CONNECTIONS = 64
const TERMINALS = { full: 80_000, quick: 10_000 }
/** Terminal of the polled sale; no other sale uses it. */
const POLLED = terminalId(0)
const BAR = { atMost: 1.15 }

interface Servers {
  readonly many: ServerProcess
  readonly few: ServerProcess
}

export const stored: Figure = {
  name: 'stored',
  conditions:
    `stored: ${CONNECTIONS} connections; each stored transaction is a record and an event as a sale writes them, under ` +
    'an id of its own. Silent terminals that their tills have looked at before, log level warn.',
  async run(bench) {
    const terminals = bench.quick ? TERMINALS.quick : TERMINALS.full
    const few = join(bench.directory, 'few')
    const many = join(bench.directory, 'many')
    await prepareDirectory(few, terminals)
    await leaveOneSale(few)
    cpSync(few, many, { recursive: true })
    const startedAt = performance.now()
    fill(few, FEW, terminals, () => {})
    const bytes = fill(many, bench.stored, terminals, bench.say)
    const seconds = Math.round((performance.now() - startedAt) / 1_000)
    bench.say(`filled in ${seconds} s`)
    const servers = { many: await gatewayOn(many), few: await gatewayOn(few) }
    for (const { port } of Object.values(servers)) await lookAtTerminals(port, terminals)
    const size = `${(bytes / 1e9).toFixed(1)} GB, filled in ${seconds} s`
    const rows = [await sales(bench, servers, size), await polls(bench, servers)]
    await Promise.all(Object.values(servers).map(server => server.stop()))
    return rows
  },
}

function gatewayOn(directory: string): Promise<ServerProcess> {
  const environment = { PORT: '0', TOLLGATE_DATA: directory, TOLLGATE_LOG_LEVEL: 'warn' }
  return startScript('gateway', { environment, store: 'disk', terminals: 'silent', count: 0 } satisfies GatewayOrder)
}

/** Creates the sale that is copied. */
async function leaveOneSale(directory: string): Promise<void> {
  const gateway = await gatewayOn(directory)
  await startedSale(gateway.port, terminalId(1))
  await gateway.stop()
}

async function sales({ quick, stored: count }: Bench, servers: Servers, size: string): Promise<Row> {
  const sides = await sidesOf(servers, port => {
    let terminal = 1
    const next = (): string => {
      terminal += 1
      return saleOn(port, terminalId(terminal))
    }
    return { next, status: 201 }
  })
  const rounds = quick
    ? { count: 5, limitMs: 250, warmUp: 1, pauseMs: 100 }
    : { count: 17, limitMs: 250, warmUp: 3, pauseMs: 100 }
  return rowOf(
    `POST sale: with ${count.toLocaleString('en')} stored transactions, how many times slower`,
    sides,
    rounds,
    size,
  )
}

async function polls({ quick, stored: count }: Bench, servers: Servers): Promise<Row> {
  const paths = new Map<number, string>()
  for (const { port } of Object.values(servers)) {
    const { path } = await startedSale(port, POLLED)
    paths.set(port, path)
  }
  const sides = await sidesOf(servers, port => {
    const request = pollOf(port, paths.get(port) ?? '')
    return { next: () => request, status: 200 }
  })
  const rounds = quick
    ? { count: 5, limitMs: 200, warmUp: 1, pauseMs: 20 }
    : { count: 15, limitMs: 300, warmUp: 2, pauseMs: 20 }
  return rowOf(`GET of a running transaction: the same`, sides, rounds, `${count.toLocaleString('en')} stored`)
}

async function sidesOf(
  servers: Servers,

  orderFor: (port: number) => Side['order'],
): Promise<readonly Side[]> {
  return Promise.all(
    Object.entries(servers).map(async ([name, server]) => {
      const load = await openLoad(server.port, CONNECTIONS, false)
      return { name, server, load, order: orderFor(server.port) }
    }),
  )
}

async function rowOf(
  what: string,
  sides: readonly Side[],
  rounds: Parameters<typeof interleave>[1],
  note: string,
): Promise<Row> {
  const measured = await interleave(sides, rounds)
  for (const { load } of sides) load.close()
  const [many, few] = measured
  return ratioRow(what, ratios(few, many), BAR, `${measured.map(inWords).join(', ')}; ${note}`)
}

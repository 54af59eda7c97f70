// test/nodes/storm.ts — three nodes under sales, while one after the other is killed, stopped, cut off, or wrong about the time.
import { deepEqual, equal } from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { systemClock } from '../../src/platform/clock.ts'
import { createDatabase } from '../support/postgres-server.ts'
import { runAt } from '../support/postgres-store.ts'
import { SeededRandom } from '../support/seeded-random.ts'
import { createTerminalPark } from '../support/terminal-park.ts'
import { openParkServer } from './park-server.ts'
import { builtNode, createNode, type RunningNode } from './running-node.ts'
import { createStormTill, type Sale } from './storm-till.ts'

const ACCOUNTS = Array.from({ length: 6 }, (_, index) => ({
  id: `shop-${index}`,
  terminals: [`VCMS${index}AASIP0`, `VCMS${index}BBSIP0`],
}))
/** Milliseconds of a step of a terminal. */
const PACE_MS = 40
/** How long the gateway has to finish everything once nothing is broken, in milliseconds. */
const REST_MS = 120_000

const wait = (ms: number) => new Promise<void>(resolve => setTimeout(resolve, ms))

/** Breaks a node and mends it again. */
const FAULTS = {
  async killed(node: RunningNode) {
    await node.kill()
    await node.start()
  },
  async stopped(node: RunningNode, random: () => number) {
    node.signal('SIGSTOP')
    await wait(1_000 + random() * 5_000)
    node.signal('SIGCONT')
  },
  async cutOff(node: RunningNode, random: () => number) {
    await node.proxy.refuse()
    await wait(500 + random() * 4_000)
    await node.proxy.listen()
  },
  async silent(node: RunningNode, random: () => number) {
    node.proxy.stall()
    await wait(500 + random() * 5_000)
    node.proxy.resume()
  },
  async wrongClock(node: RunningNode, random: () => number) {
    await node.kill()
    await node.start(random() < 0.5 ? 90_000 : -90_000)
  },
  async restarted(node: RunningNode) {
    await node.stop()
    await node.start()
  },
} as const satisfies Readonly<Record<string, (node: RunningNode, random: () => number) => Promise<void>>>

export interface StormReport {
  readonly sales: number
  readonly faults: Readonly<Record<string, number>>
  readonly answers: Readonly<Record<string, number>>
  readonly seconds: number
}

/**
 * Runs a storm.
 * @param times how often each fault happens
 * @throws AssertionError when anything acknowledged is lost, charged twice, or shown otherwise by another node
 */
export async function storm(times: number, seed: number): Promise<StormReport> {
  const begun = performance.now()
  const bytes = new SeededRandom(seed)
  const random = () => Buffer.from(bytes.bytes(4)).readUInt32BE(0) / 2 ** 32
  const url = await createDatabase()
  const park = createTerminalPark(systemClock(), PACE_MS)
  const server = await openParkServer(park)
  const directory = mkdtempSync(join(tmpdir(), 'tollgate-nodes-'))
  const program = await builtNode()
  const nodes = await Promise.all(
    ['n1', 'n2', 'n3'].map(name =>
      createNode({
        ...{
          program,
          name,
          databaseUrl: url,
          directory: join(directory, name),
          parkPort: server.port,
          accounts: ACCOUNTS,
        },
      }),
    ),
  )
  try {
    // The first opens the accounts.
    for (const node of nodes) await node.start()
    const answers = new Map<string, number>()
    const count = (what: string) => void answers.set(what, (answers.get(what) ?? 0) + 1)
    const anyUrl = () => nodes[Math.floor(random() * nodes.length)]?.url ?? null
    const tills = ACCOUNTS.flatMap(({ id, terminals }) =>
      terminals.map(tid => createStormTill({ account: id, tid, anyUrl, random, count })),
    )
    const sales: Sale[] = []
    let over = false
    const selling = Promise.all(
      tills.map(async till => {
        while (!over) sales.push(await till.sale())
      }),
    )
    const broken = breakNodes(nodes, times, random)
    await Promise.race([broken, selling])
    const faults = await broken
    over = true
    await selling
    await restOf(url)
    await check(nodes, sales)
    for (const { id } of ACCOUNTS) {
      const taken = sales.filter(({ account, result }) => account === id && result === 'SUCCESSFUL')
      equal(
        park.moneyOf(id),
        taken.reduce((sum, { amount }) => sum + amount, 0),
        `money of ${id}`,
      )
    }
    for (const node of nodes) await node.stop()
    const seconds = Math.round((performance.now() - begun) / 1_000)
    return { sales: sales.length, faults, answers: Object.fromEntries(answers), seconds }
  } finally {
    for (const node of nodes) await node.close()
    server.close()
    rmSync(directory, { recursive: true, force: true })
  }
}

/** Breaks one node after the other, in random order, with a second in between. */
async function breakNodes(nodes: readonly RunningNode[], times: number, random: () => number) {
  const names = Object.keys(FAULTS) as (keyof typeof FAULTS)[]
  const order = names
    .flatMap(name => Array.from({ length: times }, () => ({ name, rank: random() })))
    .toSorted((one, other) => one.rank - other.rank)
  const done: Record<string, number> = {}
  for (const { name } of order) {
    const node = nodes[Math.floor(random() * nodes.length)]
    if (node === undefined) throw new Error('no node')
    await wait(500 + random() * 1_000)
    await FAULTS[name](node, random)
    done[name] = (done[name] ?? 0) + 1
  }
  return done
}

/** Waits until no effect is left and no transaction runs. */
async function restOf(url: string): Promise<void> {
  const left = () =>
    runAt<{ effects: number; live: number }>(
      url,
      `SELECT (SELECT count(*)::int FROM effects) AS effects,
        (SELECT count(*)::int FROM records WHERE kind = 'terminal-transaction' AND live) AS live`,
    )
  for (const until = performance.now() + REST_MS; ; await wait(250)) {
    const [found] = await left()
    if (found?.effects === 0 && found.live === 0) return
    if (performance.now() > until) deepEqual(found, { effects: 0, live: 0 }, 'what is left undone')
  }
}

/** Every node shows each sale as its till has seen it last, and each key has started one transaction. */
async function check(nodes: readonly RunningNode[], sales: readonly Sale[]): Promise<void> {
  equal(new Set(sales.map(({ requestId }) => requestId)).size, sales.length)
  for (const node of nodes)
    for (const { path, account, result } of sales.slice(-50)) {
      const headers = { authorization: `Basic ${Buffer.from(`till:key-${account}`).toString('base64')}` }
      const body = (await (await fetch(`${node.url}${path}`, { headers })).json()) as {
        readonly transactionResult: string
      }
      equal(body.transactionResult, result, `${path} on ${node.name}`)
    }
}

// test/nodes/site.ts — nodes as processes, a terminal park, and tills that sell without end and check what they see.
import { deepEqual, equal } from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { systemClock } from '../../src/platform/clock.ts'
import { SeededRandom } from '../support/seeded-random.ts'
import { createTerminalPark } from '../support/terminal-park.ts'
import { openParkServer } from './park-server.ts'
import { builtNode, createNode, type RunningNode } from './running-node.ts'
import { createStormTill, type Sale } from './storm-till.ts'

const ACCOUNTS = Array.from({ length: 6 }, (_, index) => ({
  id: `shop-${index}`,
  terminals: [`VCMS${index}AASIP0`, `VCMS${index}BBSIP0`],
}))
/** An account at whose terminal no till sells. */
export const IDLE = { id: 'idle', terminals: ['VCMS9AASIP0'] } as const
/** Milliseconds of a step of a terminal. */
const PACE_MS = 40
/** How long the gateway has to finish everything once nothing is broken, in milliseconds. */
const REST_MS = 120_000

/** Runs SQL on the database. */
type Run = (sql: string) => Promise<readonly Record<string, unknown>[]>

export interface Site {
  readonly nodes: readonly RunningNode[]
  /** A number from 0 to 1. */
  readonly random: () => number
  /** Finished sales, in order of their ends. */
  readonly sales: readonly Sale[]
  /** Answers of the nodes by what they were, with their numbers. */
  readonly answers: ReadonlyMap<string, number>
  /** Has one more node, which is not started. */
  join(name: string): Promise<RunningNode>
  /** Starts the tills. Rejects when one of them is shown something wrong; resolves after `stopSelling`. */
  sell(): Promise<void>
  stopSelling(): void
  /**
   * Waits until nothing is left to do, and compares: each node with what the tills were shown, and the acquirer's book with the sales.
   * @throws AssertionError when anything acknowledged is lost, charged twice, or shown otherwise
   */
  check(run: Run): Promise<void>
  close(): Promise<void>
}

/** Opens a site. Its nodes are not started; the first one that is opens the accounts. */
export async function openSite(databaseUrl: string, names: readonly string[], seed: number): Promise<Site> {
  const bytes = new SeededRandom(seed)
  const random = () => Buffer.from(bytes.bytes(4)).readUInt32BE(0) / 2 ** 32
  const park = createTerminalPark(systemClock(), PACE_MS)
  const server = await openParkServer(park)
  const directory = mkdtempSync(join(tmpdir(), 'tollgate-nodes-'))
  const program = await builtNode()
  const nodes: RunningNode[] = []
  const sales: Sale[] = []
  const answers = new Map<string, number>()
  const count = (what: string) => void answers.set(what, (answers.get(what) ?? 0) + 1)
  const anyUrl = () => nodes[Math.floor(random() * nodes.length)]?.url ?? null
  let over = false

  async function joined(name: string): Promise<RunningNode> {
    const order = { name, parkPort: server.port, accounts: [...ACCOUNTS, IDLE] }
    const node = await createNode({ ...order, program, databaseUrl, directory: join(directory, name) })
    nodes.push(node)
    return node
  }
  for (const name of names) await joined(name)

  return {
    ...{ nodes, random, sales, answers, join: joined },
    async sell() {
      const tills = ACCOUNTS.flatMap(({ id, terminals }) =>
        terminals.map(tid => createStormTill({ account: id, tid, anyUrl, random, count })),
      )
      await Promise.all(
        tills.map(async till => {
          while (!over) sales.push(await till.sale())
        }),
      )
    },
    stopSelling() {
      over = true
    },
    async check(run) {
      await restOf(run)
      await checkNodes(nodes, sales)
      for (const { id } of ACCOUNTS) {
        const taken = sales.filter(({ account, result }) => account === id && result === 'SUCCESSFUL')
        equal(
          park.moneyOf(id),
          taken.reduce((sum, { amount }) => sum + amount, 0),
          `money of ${id}`,
        )
      }
    },
    async close() {
      for (const node of nodes) await node.close()
      server.close()
      rmSync(directory, { recursive: true, force: true })
    },
  }
}

/** Headers of the till of an account. */
export function headersOf(account: string): Readonly<Record<string, string>> {
  return {
    authorization: `Basic ${Buffer.from(`till:key-${account}`).toString('base64')}`,
    'content-type': 'application/json',
  }
}

/** Waits until no effect is left and no transaction runs. */
async function restOf(run: Run): Promise<void> {
  for (const until = performance.now() + REST_MS; ; await new Promise<void>(resolve => setTimeout(resolve, 250))) {
    const [found] = await run(`SELECT (SELECT count(*)::int FROM effects) AS effects,
      (SELECT count(*)::int FROM records WHERE kind = 'terminal-transaction' AND live) AS live`)
    if (found?.['effects'] === 0 && found['live'] === 0) return
    if (performance.now() > until) deepEqual(found, { effects: 0, live: 0 }, 'what is left undone')
  }
}

/** Every node that runs shows each sale as its till has seen it last, and each key has started one transaction. */
async function checkNodes(nodes: readonly RunningNode[], sales: readonly Sale[]): Promise<void> {
  equal(new Set(sales.map(({ requestId }) => requestId)).size, sales.length)
  for (const { name, url } of nodes)
    for (const { path, account, result } of url === null ? [] : sales.slice(-50)) {
      const body = (await (await fetch(`${url}${path}`, { headers: headersOf(account) })).json()) as {
        readonly transactionResult: string
      }
      equal(body.transactionResult, result, `${path} on ${name}`)
    }
}

// test/nodes/storm.ts — three nodes under sales, while one after the other is killed, stopped, cut off, or wrong about the time.
import { createDatabase } from '../support/postgres-server.ts'
import { runAt } from '../support/postgres-store.ts'
import type { RunningNode } from './running-node.ts'
import { openSite } from './site.ts'

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
  const url = await createDatabase()
  const site = await openSite(url, ['n1', 'n2', 'n3'], seed)
  const { nodes, sales, answers, random } = site
  try {
    // The first opens the accounts.
    for (const node of nodes) await node.start()
    const selling = site.sell()
    const broken = breakNodes(nodes, times, random)
    await Promise.race([broken, selling])
    const faults = await broken
    site.stopSelling()
    await selling
    await site.check(sql => runAt(url, sql))
    for (const node of nodes) await node.stop()
    const seconds = Math.round((performance.now() - begun) / 1_000)
    return { sales: sales.length, faults, answers: Object.fromEntries(answers), seconds }
  } finally {
    await site.close()
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

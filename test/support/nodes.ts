// test/support/nodes.ts — several nodes of one gateway in live mode, in this process, over one Postgres database.
import { onTestFinished } from 'vitest'
import { type Api, createApi } from '../../src/api/api.ts'
import type { Clock } from '../../src/engine/ports/clock.ts'
import type { Store } from '../../src/engine/ports/store.ts'
import { lookAtCard } from '../../src/platform/card-rules.ts'
import { systemClock } from '../../src/platform/clock.ts'
import { systemRandom } from '../../src/platform/random.ts'
import { seedSandbox } from '../../src/simulator/seed.ts'
import { type Gateway, wire } from '../../src/wire.ts'
import { createMemoryVault } from './memory-vault.ts'
import { GATEWAY_KEYS, GATEWAY_KID } from './merchant-jwts.ts'
import { emptyDatabase, openPostgresAt } from './postgres-store.ts'
import { SHOP_SETTINGS } from './shop.ts'
import { keepingLog } from './silent-log.ts'
import { silentMeters } from './silent-meters.ts'
import { createTerminalPark, type TerminalPark } from './terminal-park.ts'
import { createTill, type Till } from './till.ts'

export interface TestNode {
  readonly name: string
  readonly api: Api
  readonly gateway: Gateway
  readonly store: Store
  readonly log: ReturnType<typeof keepingLog>
  /** A till at this node. Default: of account `demo`, at a terminal that approves. */
  till(tid?: string): Till
  /** The lanes whose work it performs. */
  readonly lanes: readonly number[]
  /** From now on it neither renews its leases nor performs work, as if its process had been stopped. */
  freeze(): void
  /** Ends it in order. */
  stop(): Promise<void>
}

export interface Nodes {
  readonly url: string
  readonly nodes: readonly [TestNode, TestNode, ...TestNode[]]
  readonly park: TerminalPark
  /** Opens one more. */
  join(): Promise<TestNode>
}

/** Opens nodes, whose accounts are those of the sandbox, and waits until each has its share of the lanes. */
export async function openNodes(count = 2, paceMs = 5): Promise<Nodes> {
  const url = await emptyDatabase()
  const clock = systemClock()
  const park = createTerminalPark(clock, paceMs)
  const vault = createMemoryVault()
  const nodes: TestNode[] = []
  async function join(): Promise<TestNode> {
    const node = await openNode({ url, clock, park, vault, name: `n${nodes.length + 1}` })
    nodes.push(node)
    return node
  }
  for (let number = 0; number < count; number += 1) {
    const node = await join()
    if (number === 0) await seedSandbox(node.gateway.provisioning, 'Europe/London')
  }
  return { url, nodes: [...nodes] as unknown as Nodes['nodes'], park, join }
}

interface NodeParts {
  readonly url: string
  readonly clock: Clock
  readonly park: TerminalPark
  readonly vault: ReturnType<typeof createMemoryVault>
  readonly name: string
}

async function openNode({ url, clock, park, vault, name }: NodeParts): Promise<TestNode> {
  let frozen = false
  let end = (): void => {}
  const over = new Promise<void>(resolve => (end = resolve))
  const opened = await openPostgresAt(url, { node: { name, version: '0', address: null } })
  const store: Store = {
    ...opened,
    claimLanes: () => (frozen ? over.then(() => Promise.reject(new Error('frozen'))) : opened.claimLanes()),
  }
  const log = keepingLog()
  const random = systemRandom()
  const gateway = wire({
    ...{ clock, random, log, meters: silentMeters, store, vault, simulated: null },
    webhookSender: { post: async () => ({ outcome: 'answered', status: 200 }) },
    drivers: [park.driverFor(name)],
    acquirers: [park.acquirer],
    limits: { transactionMs: 200_000, keyedMs: 400_000, signatureMs: 80_000, reportMs: 120_000, tableLeaseMs: 900_000 },
    cachedRecords: 1_000,
    followsOthers: true,
  })
  await gateway.start()
  const { engine, feed, transactions, reports, posConnections, tables, online, webhooks, interceptor } = gateway
  const api = createApi(
    {
      ...{ clocks: gateway.clocks, engine, store, feed, clock, random, log, transactions, reports, posConnections },
      ...{ tables, online, vault, webhooks, interceptor, wallets: gateway.wallets, cardRules: lookAtCard },
      gatewayKeys: [{ kid: GATEWAY_KID, key: GATEWAY_KEYS.publicKey }],
      metrics: {
        ...{ refused: () => {}, observe: () => {}, refusalLineDropped: () => {} },
        ...{ text: async () => '', contentType: 'text/plain' },
      },
      ...{ tracing: null, openTestAccount: null, ready: () => [] },
      settings: { ...SHOP_SETTINGS, mode: 'live' },
    },
    { tls: null, limits: {}, operations: [] },
  )
  let stopped: Promise<void> | null = null
  const stop = () => {
    end()
    stopped ??= api.close().then(() => gateway.stop())
    return stopped
  }
  onTestFinished(stop)
  return {
    ...{ name, api, gateway, store, log, stop },
    till: (tid = 'VCMDEMOSIP0') => createTill(api.inject, { tid, key: 'demo-api-key', currency: 'GBP' }),
    get lanes() {
      return gateway.lanes
    },
    freeze() {
      frozen = true
    },
  }
}

// test/support/sandbox-nodes.ts — several nodes of one gateway over one Postgres database. A test says which of them may have lanes.
import { equal } from 'node:assert/strict'
import { onTestFinished } from 'vitest'
import type { AccountImages } from '../../src/engine/ports/account-images.ts'
import type { Documents } from '../../src/engine/ports/documents.ts'
import type { CallHandler, NodeLink } from '../../src/engine/ports/node-link.ts'
import type { Lease, Store } from '../../src/engine/ports/store.ts'
import { laneOf } from '../../src/engine/work-leases.ts'
import { systemClock } from '../../src/platform/clock.ts'
import { createSharedMemory, type SharedMemory } from '../../src/simulator/memory/shared-memory.ts'
import { openConnections } from '../../src/store/postgres/connections.ts'
import { createDocuments } from '../../src/store/postgres/documents.ts'
import { LANES } from '../../src/store/postgres/lanes.ts'
import { createMemoryVault } from './memory-vault.ts'
import { addressOf } from './postgres-server.ts'
import { emptyDatabase, NODE, openPostgresAt, runAt } from './postgres-store.ts'
import { openShop, type Shop, type ShopOptions } from './shop.ts'

/** More than the time between two renewals of leases. */
const RENEWAL_MS = 1_000

/** Looks at the database until a condition holds. Each look is a round trip, which takes the time that the nodes need. */
const MOST_LOOKS = 2_000

export interface Node extends Shop {
  readonly memory: SharedMemory
  /** Whether it has the documents of the account `demo`. */
  holds(): boolean
}

export interface Nodes {
  readonly url: string
  readonly nodes: readonly Node[]
  /** Gives all lanes from the node that has them to another one, in order. */
  handOver(from: Node, to: Node): Promise<void>
  /** Lets the database give all lanes to `to`, as after the death of the other nodes, which do not learn of it. */
  takeOver(to: Node): Promise<void>
}

/** Documents over connections of their own, closed after the test. */
export function openDocumentsAt(url: string): Documents {
  const connections = openConnections({ address: addressOf(url), clock: systemClock(), size: 4 })
  onTestFinished(() => connections.close())
  return createDocuments(connections)
}

/** A memory that has taken over all lanes of the database. */
export async function openSharedMemoryAt(url: string, now: () => number = () => 0): Promise<SharedMemory> {
  const memory = createSharedMemory({ documents: openDocumentsAt(url), lanes: LANES, now })
  const leases = await runAt<Lease>(url, 'UPDATE leases SET fence = fence + 1 RETURNING lane, fence::int')
  const leaseOf = (lane: number) => leases.find(lease => lease.lane === lane) ?? null
  memory.nodes.attach({ isOurs: () => true, of: account => leaseOf(laneOf(account, LANES)), leaseOf, refused() {} })
  await memory.nodes.gained(leases.map(({ lane }) => lane))
  return memory
}

/** Links between nodes of this process, by address. What goes over them is JSON. */
function createLinks(): (address: string) => NodeLink {
  const nodes = new Map<string, Map<string, CallHandler>>()
  return address => {
    const handlers = new Map<string, CallHandler>()
    nodes.set(address, handlers)
    return {
      get others() {
        return [...nodes.keys()].filter(other => other !== address)
      },
      know() {},
      handle(name, handler) {
        // The link puts it into an address.
        equal(name, encodeURIComponent(name))
        handlers.set(name, handler)
      },
      async call(to, name, body) {
        const handler = nodes.get(to)?.get(name)
        if (handler === undefined) return { outcome: 'not_sent' }
        try {
          const answer = await handler(JSON.parse(JSON.stringify(body)), address, null)
          return { outcome: 'answered', body: JSON.parse(JSON.stringify(answer ?? null)) }
        } catch {
          return { outcome: 'lost' }
        }
      },
    }
  }
}

type WholeStore = Store & AccountImages

/**
 * Opens nodes. The first one has all lanes.
 * @param between wraps the store of a node
 */
export async function openNodes(
  count: number,
  options: (index: number) => ShopOptions = () => ({}),
  between: (store: WholeStore, index: number) => WholeStore = store => store,
): Promise<Nodes> {
  const url = await emptyDatabase()
  const vault = createMemoryVault()
  const linkOf = createLinks()
  const mayHaveLanes = new Set<Store>()
  const nodes: Node[] = []
  const opened = new Map<Node, WholeStore>()
  for (let index = 0; index < count; index += 1) {
    const store = between(await openPostgresAt(url, { node: NODE }), index)
    if (index === 0) mayHaveLanes.add(store)
    const memory: SharedMemory = createSharedMemory({
      ...{ documents: openDocumentsAt(url), lanes: LANES },
      now: () => shop?.clock.now() ?? 0,
    })
    let shop: Shop | null = null
    shop = await openShop({
      store: () => withChosenLanes(store, () => mayHaveLanes.has(store)),
      images: () => store,
      memory: () => memory,
      vault: async () => vault,
      link: linkOf(`n${index + 1}`),
      seed: index + 1,
      ...options(index),
    })
    const node = { ...shop, memory, holds: () => memory.nodes.holds('demo') }
    nodes.push(node)
    opened.set(node, store)
  }
  const until = async (isSo: () => boolean, look: () => Promise<void>) => {
    for (let looks = 0; looks < MOST_LOOKS; looks += 1) {
      if (isSo()) return
      await look()
      await runAt(url, 'SELECT 1')
    }
    throw new Error('the lanes have not changed hands')
  }
  const give = async (to: Node) => {
    const store = opened.get(to)
    if (store !== undefined) mayHaveLanes.add(store)
    await until(to.holds, () => to.clock.advance(RENEWAL_MS))
  }
  return {
    url,
    nodes,
    async handOver(from, to) {
      const store = opened.get(from)
      if (store !== undefined) mayHaveLanes.delete(store)
      await until(
        () => !from.holds(),
        () => from.clock.advance(RENEWAL_MS),
      )
      await runAt(url, 'UPDATE nodes SET leaving = TRUE')
      await give(to)
    },
    async takeOver(to) {
      mayHaveLanes.clear()
      await runAt(url, "UPDATE nodes SET leaving = TRUE; UPDATE leases SET expires_at = 'epoch'")
      await give(to)
    },
  }
}

/** A node that may have no lanes gives back those it has. */
function withChosenLanes(store: WholeStore, mayHave: () => boolean): WholeStore {
  let held = 0
  return {
    ...store,
    async claimLanes() {
      if (!mayHave() && held === 0) return { leases: [], surplus: 0, others: [] }
      const claim = await store.claimLanes()
      held = claim.leases.length
      return { ...claim, surplus: mayHave() ? claim.surplus : held }
    },
    async releaseLanes(lanes) {
      await store.releaseLanes(lanes)
      held -= lanes.length
    },
  }
}

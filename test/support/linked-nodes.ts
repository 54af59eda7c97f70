// test/support/linked-nodes.ts — gateways on one Postgres with links between them: nodes of one gateway, each on a clock of its own.
import { expect, onTestFinished } from 'vitest'
import type { Acquirer, AcquirerAnswer, AcquirerOrder } from '../../src/engine/ports/acquirer.ts'
import type { Store } from '../../src/engine/ports/store.ts'
import type { TerminalSink } from '../../src/engine/ports/terminal.ts'
import type { Tracing } from '../../src/engine/ports/tracing.ts'
import { type OpenNodeLink, openNodeLink } from '../../src/platform/cluster/node-link.ts'
import { fixedRing } from '../../src/platform/vault/key-ring.ts'
import { openVault } from '../../src/platform/vault/vault.ts'
import { type Gateway, wire } from '../../src/wire.ts'
import { type ChipMemory, createChipTerminals } from './chip-terminals.ts'
import { emptyDatabase, NODE, openPostgresAt, runAt } from './postgres-store.ts'
import { SeededRandom } from './seeded-random.ts'
import { keepingLog } from './silent-log.ts'
import { silentMeters } from './silent-meters.ts'
import { TestClock } from './test-clock.ts'

/** An account whose lane stays with the first node when another one takes half of them. */
export const ACCOUNT = 'cafe'
export const TID = 'T1'

const RING = fixedRing([Buffer.alloc(32, 7)])
/** Time between two claims of lanes. */
const CLAIM_MS = 750
const APPROVED: AcquirerAnswer = { answer: 'approved', authCode: 'AB12C3', reference: '1' }

export interface Node {
  readonly gateway: Gateway
  readonly link: OpenNodeLink
  readonly clock: TestClock
  readonly store: Store
  readonly log: ReturnType<typeof keepingLog>
  /** Orders that this node has sent to the acquirer. */
  readonly orders: AcquirerOrder[]
  /** Order ids that this node has had reversed. */
  readonly reversals: string[]
  /** What the terminals of this node report to. */
  sink(): TerminalSink
  /** The node to which the terminals of this one deliver. Default: itself. */
  reportsTo: Node
  /** Answers orders instead of an approval. */
  answer: (order: AcquirerOrder) => Promise<AcquirerAnswer>
  /** Ends it without a trace: its connections break, and it neither reads nor writes any more. */
  die: () => Promise<void>
}

export interface Nodes {
  /** It performs the work of the account, and its terminals report to it. */
  readonly first: Node
  readonly second: Node
  /** Waits until this is so, while the clocks of the nodes that live go on. */
  until(isSo: () => boolean | Promise<boolean>): Promise<void>
  /** Makes it look as if a node had not been seen for a minute. */
  silence(node: Node): Promise<void>
  /** Waits until a node has claimed lanes again, and knows what it read with a claim that began after this call. */
  claim(node: Node): Promise<void>
  /** Lets the first node take note that the second, which has died, is not seen any more. */
  forgetDead(): Promise<void>
}

/** Traces a node, whose clock it gets. */
export type TracingOf = (clock: TestClock) => Tracing | null

/** Opens two nodes that know each other, with the account on both. Stopped after the test. Default: neither is traced. */
export async function openNodes(tracingOf: TracingOf = () => null): Promise<Nodes> {
  const url = await emptyDatabase()
  /** What the terminals know, on whatever node they are. */
  const terminals: ChipMemory = new Map()
  const first = await openNode(url, terminals, 1, tracingOf)
  await openAccount(first.gateway)
  await first.gateway.start()
  const second = await openNode(url, terminals, 2, tracingOf)
  await second.gateway.start()
  const dead = new Set<Node>()
  const live = () => [first, second].filter(node => !dead.has(node))
  const until: Nodes['until'] = isSo =>
    expect
      .poll(
        async () => {
          for (const { clock } of live()) await clock.advance(CLAIM_MS)
          return isSo()
        },
        { timeout: 20_000 },
      )
      .toBe(true)
  const nodes = [first, second] as const
  for (const [index, node] of nodes.entries()) {
    const { die } = node
    node.die = async () => {
      dead.add(node)
      await die()
    }
    const other = nodes[1 - index]
    if (other !== undefined) await until(() => node.link.others.includes(other.link.address))
  }
  const silence = async ({ link }: Node) => {
    await runAt(url, `UPDATE nodes SET seen_at = seen_at - interval '1 minute' WHERE address = '${link.address}'`)
  }
  const seenAt = async ({ link }: Node) => {
    const [row] = await runAt<{ at: string }>(
      url,
      `SELECT seen_at::text AS at FROM nodes WHERE address = '${link.address}'`,
    )
    return row?.at
  }
  const claim = async (node: Node) => {
    // The first may have begun before, and what the second has read may not be known yet when it is seen.
    for (let claims = 0; claims < 3; claims += 1) {
      const before = await seenAt(node)
      await until(async () => (await seenAt(node)) !== before)
    }
  }
  return {
    ...{ first, second, until, silence, claim },
    async forgetDead() {
      await silence(second)
      await until(() => first.link.others.length === 0)
    },
  }
}

async function openNode(url: string, terminals: ChipMemory, seed: number, tracingOf: TracingOf): Promise<Node> {
  const clock = new TestClock()
  const log = keepingLog()
  const random = new SeededRandom(seed)
  const link = await openNodeLink({ ring: RING, clock, log }, { host: '127.0.0.1', port: 0 })
  onTestFinished(() => link.close())
  const life = { over: false }
  const store = mortal(await openPostgresAt(url, { node: { ...NODE, address: link.address } }), life)
  const orders: AcquirerOrder[] = []
  const reversals: string[] = []
  const ask = (order: AcquirerOrder) => {
    orders.push(order)
    return node.answer(order)
  }
  const acquirer: Acquirer = {
    ...{ name: 'harbour', authorise: ask, capture: ask, refund: ask, verify: ask },
    async reverse({ orderId }) {
      reversals.push(orderId)
      return 'reversed'
    },
  }
  let sink: TerminalSink | null = null
  let reportsTo: Node | null = null
  const driver = createChipTerminals(clock, terminals)
  const gateway = wire({
    ...{ clock, random, log, store, link, simulated: null, cachedRecords: 100, meters: silentMeters },
    vault: await openVault({ store, ring: RING, random, clock }),
    webhookSender: { post: async () => ({ outcome: 'answered', status: 200 }) },
    limits: { transactionMs: 200_000, keyedMs: 400_000, signatureMs: 80_000, reportMs: 120_000 },
    followsOthers: true,
    tracing: tracingOf(clock),
    drivers: [
      {
        ...driver,
        listen(given) {
          sink = given
          return driver.listen({ ...given, report: delivery => node.reportsTo.sink().report(delivery) })
        },
      },
    ],
    acquirers: [acquirer],
  })
  const node: Node = {
    ...{ gateway, link, clock, store, log, orders, reversals },
    get reportsTo() {
      return reportsTo ?? node
    },
    set reportsTo(other) {
      reportsTo = other
    },
    answer: async () => APPROVED,
    sink() {
      if (sink === null) throw new Error('the node has not started')
      return sink
    },
    async die() {
      life.over = true
      await link.close()
    },
  }
  onTestFinished(async () => {
    if (!life.over) await gateway.stop()
  })
  return node
}

/** A store that does nothing once its node is dead, and resolves nothing that it was asked. */
function mortal(store: Store, life: { readonly over: boolean }): Store {
  const mortalised = Object.entries(store).map(([name, value]) => {
    if (typeof value !== 'function' || name === 'close' || name === 'leaveLanes') return [name, value]
    const call = (...given: unknown[]) => (life.over ? new Promise<never>(() => {}) : value(...given))
    return [name, call]
  })
  return Object.fromEntries(mortalised) as Store
}

async function openAccount({ provisioning }: Gateway): Promise<void> {
  const profile = { name: 'Harbour Café', address: '', merchantNumber: '21249872', currency: 'GBP' } as const
  const opened = await provisioning.openAccount({
    ...{ id: ACCOUNT, keyLabel: 'first', terminals: [TID] },
    profile: { ...profile, timeZone: 'UTC', public: false, acquirer: 'harbour' },
  })
  if ('refused' in opened) throw new Error(opened.refused.code)
}

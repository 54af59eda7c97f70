// test/unit/services/pos-connections.test.ts — tills that are connected to other nodes, over real links between them.
import { deepEqual, equal, ok } from 'node:assert/strict'
import { onTestFinished, test } from 'vitest'
import type { TillMessage } from '../../../src/domain/tables/pos-message.ts'
import type { CallOutcome, NodeLink } from '../../../src/engine/ports/node-link.ts'
import { openNodeLink } from '../../../src/platform/cluster/node-link.ts'
import { fixedRing } from '../../../src/platform/vault/key-ring.ts'
import type { PosConnection, TillAnswer, TillLock } from '../../../src/services/tables/pos-connections.ts'
import { createPosConnections } from '../../../src/services/tables/pos-connections-of-nodes.ts'
import { SeededRandom } from '../../support/seeded-random.ts'
import { silentLog } from '../../support/silent-log.ts'
import { TestClock } from '../../support/test-clock.ts'

const RING = fixedRing([Buffer.alloc(32, 1)])
const WHO = { tid: 'T1', waiterId: '7' }
const CONFIRMED: TillAnswer<TillLock> = {
  answer: 'given',
  value: { confirmed: true, amountMinor: 3_000, currency: 'GBP' },
}
const NONE = { answer: 'none', says: null }
const UNLOCK: TillMessage = { type: 'unlock', tid: 'T1', table: 'Bar' }

/** A node with its link. `wrap` changes what it calls. */
async function openNode(clock: TestClock, wrap: (link: NodeLink) => NodeLink = link => link) {
  const link = await openNodeLink({ ring: RING, clock, log: silentLog }, { host: '127.0.0.1', port: 0 })
  onTestFinished(() => link.close())
  // By its address, so that no two nodes make the same ids.
  const random = new SeededRandom(Number(link.address.split(':')[1]))
  const heard: string[] = []
  const wrapped = wrap(link)
  const connections = createPosConnections({ link: wrapped, clock, random })
  connections.attach({
    connected: account => void heard.push(`connected ${account}`),
    replaced: async account => void heard.push(`replaced ${account}`),
  })
  return { link, connections, heard }
}

/** Nodes that know each other. */
async function openNodes(wrapFirst?: (link: NodeLink) => NodeLink) {
  const clock = new TestClock()
  const nodes = [await openNode(clock, wrapFirst), await openNode(clock), await openNode(clock)] as const
  for (const { link } of nodes) link.know(nodes.map(each => each.link.address))
  return { clock, nodes }
}

/** A till whose lock requests are answered by the test. */
function aTill(name = 'Bar') {
  const asked: { readonly answer: (answer: TillAnswer<TillLock>) => void; readonly tooLate: () => void }[] = []
  const messages: TillMessage[] = []
  let arrived = (): void => {}
  const connection: PosConnection = {
    wantsFinalBill: true,
    tables: async who => ({ answer: 'given', value: { names: [name, who.tid], currency: 'GBP' } }),
    bill: async (_, table, which) => ({ answer: 'given', value: [{ value: `${table} ${which}`, type: 'TEXT' }] }),
    lock: (_who, _table, tooLate) =>
      new Promise(resolve => {
        asked.push({ answer: resolve, tooLate })
        arrived()
      }),
    notify: message => messages.push(message) > 0,
  }
  const nextLock = () => new Promise<void>(resolve => (arrived = resolve))
  return { connection, asked, messages, nextLock }
}

async function connectionAt({ connections }: Awaited<ReturnType<typeof openNode>>, account = 'cafe') {
  const { connection } = await connections.find(account)
  ok(connection !== null)
  return connection
}

/** Resolves with the first call of a function. */
function called(): { readonly call: () => void; readonly done: Promise<void>; count: number } {
  let resolve = (): void => {}
  const done = new Promise<void>(given => (resolve = given))
  const state = {
    ...{ done, count: 0 },
    call() {
      state.count += 1
      resolve()
    },
  }
  return state
}

test('requests and messages reach a till on another node, and its answers come back', async () => {
  const { nodes } = await openNodes()
  const [one, two] = nodes
  const till = aTill()
  two.connections.connect('cafe', till.connection)
  const found = await one.connections.find('cafe')
  ok(found.connection !== null)
  equal(found.node, two.link.address)
  equal(found.connection.wantsFinalBill, true)
  deepEqual(await found.connection.tables(WHO), {
    answer: 'given',
    value: { names: ['Bar', 'T1'], currency: 'GBP' },
  })
  deepEqual(await found.connection.bill(WHO, 'Bar', 'final'), {
    answer: 'given',
    value: [{ value: 'Bar final', type: 'TEXT' }],
  })
  equal(await found.connection.notify(UNLOCK), true)
  deepEqual(till.messages, [UNLOCK])
  const asked = till.nextLock()
  const locking = found.connection.lock(WHO, 'Bar', () => {})
  await asked
  till.asked[0]!.answer(CONFIRMED)
  deepEqual(await locking, CONFIRMED)
})

test('a till of another account is not found, and a node without others asks nobody', async () => {
  const { nodes } = await openNodes()
  nodes[1].connections.connect('cafe', aTill().connection)
  deepEqual(await nodes[0].connections.find('inn'), { connection: null, sure: true })
  nodes[0].link.know([])
  deepEqual(await nodes[0].connections.find('cafe'), { connection: null, sure: true })
})

test('the latest connection of an account replaces an older one on another node', async () => {
  const { nodes } = await openNodes()
  const [one, two, three] = nodes
  const [old, fresh] = [aTill('old'), aTill('fresh')]
  one.connections.connect('cafe', old.connection)
  await one.connections.announced('cafe')
  // In the same millisecond of a clock that stands still, so by its own count.
  three.connections.connect('inn', aTill().connection)
  three.connections.connect('cafe', fresh.connection)
  await three.connections.announced('cafe')
  equal(one.connections.of('cafe'), null)
  ok(one.heard.includes('replaced cafe'))
  for (const node of nodes)
    deepEqual(await (await connectionAt(node)).tables(WHO), {
      answer: 'given',
      value: { names: ['fresh', 'T1'], currency: 'GBP' },
    })
  // The end of the old one takes nothing away; that of the new one does.
  one.connections.disconnect('cafe', old.connection)
  equal((await two.connections.find('cafe')).connection !== null, true)
  three.connections.disconnect('cafe', fresh.connection)
  deepEqual(await two.connections.find('cafe'), { connection: null, sure: true })
})

test('an older connection does not replace a later one, whatever the order of the news', async () => {
  const { clock, nodes } = await openNodes()
  const [one, two] = nodes
  await clock.advance(5_000)
  const later = aTill('later')
  two.connections.connect('cafe', later.connection)
  await two.connections.announced('cafe')
  const { outcome } = await one.link.call(two.link.address, 'pos.connected', { account: 'cafe', since: 1 }, 1_000)
  equal(outcome, 'answered')
  equal(two.connections.of('cafe'), later.connection)
})

test('a node that was not reached hears of a connection later, and until then the latest counts', async () => {
  let reaches = false
  const deaf = (link: NodeLink): NodeLink =>
    calling(link, (node, name, body, limitMs) =>
      name !== 'pos.connected' || reaches
        ? link.call(node, name, body, limitMs)
        : Promise.resolve({ outcome: 'not_sent' }),
    )
  const { clock, nodes } = await openNodes(deaf)
  const [one, two, three] = nodes
  two.connections.connect('cafe', aTill('old').connection)
  await two.connections.announced('cafe')
  await clock.advance(10)
  one.connections.connect('cafe', aTill('fresh').connection)
  await one.connections.announced('cafe')
  ok(two.connections.of('cafe') !== null)
  const tables = await (await connectionAt(three)).tables(WHO)
  ok(tables.answer === 'given')
  equal(tables.value.names[0], 'fresh')
  reaches = true
  const replaced = called()
  two.connections.attach({ connected() {}, replaced: async () => replaced.call() })
  await clock.advance(1_000)
  await replaced.done
  equal(two.connections.of('cafe'), null)
})

test('a confirmation after the time limit comes back to the node that asked', async () => {
  const { nodes } = await openNodes()
  const [one, two] = nodes
  const till = aTill()
  two.connections.connect('cafe', till.connection)
  const late = called()
  const connection = await connectionAt(one)
  const asked = till.nextLock()
  const locking = connection.lock(WHO, 'Bar', late.call)
  await asked
  till.asked[0]!.answer({ answer: 'none', says: 'Busy' })
  deepEqual(await locking, { answer: 'none', says: 'Busy' })
  till.asked[0]!.tooLate()
  await late.done
  equal(late.count, 1)
})

test('a lock that was granted while its answer was lost is released as one that came too late', async () => {
  const lost = losing('pos.lock', 'answer')
  const { clock, nodes } = await openNodes(lost.wrap)
  const [one, two] = nodes
  const till = aTill()
  two.connections.connect('cafe', till.connection)
  const late = called()
  const connection = await connectionAt(one)
  const asked = till.nextLock()
  const locking = connection.lock(WHO, 'Bar', late.call)
  await asked
  till.asked[0]!.answer(CONFIRMED)
  deepEqual(await locking, NONE)
  equal(late.count, 0)
  await clock.advance(1_000)
  await late.done
  equal(till.asked.length, 1, 'the till was asked once')
})

test('a lock request that arrives after its node has given it up is not passed to the till', async () => {
  const lost = losing('pos.lock', 'request')
  const { clock, nodes } = await openNodes(lost.wrap)
  const [one, two] = nodes
  const till = aTill()
  two.connections.connect('cafe', till.connection)
  const late = called()
  deepEqual(await (await connectionAt(one)).lock(WHO, 'Bar', late.call), NONE)
  const outcome = lost.next('pos.lock_outcome')
  await clock.advance(1_000)
  await outcome
  deepEqual(await lost.deliver(), { outcome: 'answered', body: NONE })
  deepEqual([till.asked.length, late.count], [0, 0])
})

test('a till whose node has died counts as not connected, surely once the node is known to be gone', async () => {
  const { nodes } = await openNodes()
  const [one, two, three] = nodes
  two.connections.connect('cafe', aTill().connection)
  const connection = await connectionAt(one)
  await two.link.close()
  deepEqual(await connection.tables(WHO), NONE)
  deepEqual(await connection.lock(WHO, 'Bar', () => {}), NONE)
  equal(await connection.notify(UNLOCK), false)
  deepEqual(await one.connections.find('cafe'), { connection: null, sure: false })
  one.link.know([three.link.address])
  deepEqual(await one.connections.find('cafe'), { connection: null, sure: true })
})

/** The same link with other calls. A spread would copy the value of the getter. */
function calling(link: NodeLink, call: NodeLink['call']): NodeLink {
  return {
    ...{ call, handle: link.handle, know: link.know },
    get others() {
      return link.others
    },
  }
}

/** Loses the first call of this name: on its way, or its answer. */
function losing(lostName: string, what: 'request' | 'answer') {
  let isLost = false
  let deliver: () => Promise<CallOutcome> = () => Promise.reject(new Error('nothing was lost'))
  const waiting = new Map<string, () => void>()
  const wrap = (link: NodeLink): NodeLink =>
    calling(link, async (node, name, body, limitMs) => {
      if (name === lostName && !isLost) {
        isLost = true
        deliver = () => link.call(node, name, body, limitMs)
        if (what === 'answer') await deliver()
        return { outcome: 'lost' }
      }
      const answered = await link.call(node, name, body, limitMs)
      waiting.get(name)?.()
      return answered
    })
  return {
    wrap,
    /** Lets the lost call arrive after all. */
    deliver: () => deliver(),
    /** Resolves when a call of this name was answered. */
    next: (name: string) => new Promise<void>(resolve => waiting.set(name, resolve)),
  }
}

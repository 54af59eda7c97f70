// test/contract/simulated-world.test.ts — one simulated world for several nodes on one Postgres. ADR 71.
import { deepEqual, equal, ok, rejects } from 'node:assert/strict'
import { test } from 'vitest'
import { TERMINAL_TRANSACTION } from '../../src/engine/machines.ts'
import { PASSWORD, peopleOf } from '../support/console-user.ts'
import { runAt } from '../support/postgres-store.ts'
import { type Node, openNodes } from '../support/sandbox-nodes.ts'
import { basic, type Started } from '../support/till.ts'

const clockOf = async (node: Node, order?: object) => {
  const reply = await (order === undefined
    ? node.till.ask('GET', '/sandbox/clock')
    : node.till.ask('POST', '/sandbox/clock', { body: order }))
  equal(reply.status, 200, reply.text)
  return reply.json as { readonly nowMs: number; readonly frozen: boolean }
}
const advance = (node: Node, ms: number) => clockOf(node, { do: 'advance', ms })

test('a sale that is started on one node runs on the node with the lane, and is polled on a third', async () => {
  const { nodes } = await openNodes(3)
  const [lane, till, poll] = nodes as [Node, Node, Node]
  const sale = await till.till.sale(2599)
  await advance(lane, 10_000)
  const { transactionResult, notifications } = await poll.till.look(sale)
  equal(transactionResult, 'SUCCESSFUL')
  equal(notifications.length, 8)
})

test('a terminal goes on where it was when its lane is given to another node', async () => {
  const { nodes, handOver } = await openNodes(2)
  const [first, second] = nodes as [Node, Node]
  await clockOf(first, { do: 'freeze' })
  const sale = await first.till.sale(2599)
  await advance(first, 1_500)
  const before = (await second.till.look(sale)).notifications
  equal(before[0], 'PIN_ENTRY')
  await handOver(first, second)
  await advance(second, 10_000)
  const { transactionResult, notifications } = await first.till.look(sale)
  equal(transactionResult, 'SUCCESSFUL')
  deepEqual([notifications.length, notifications.slice(-before.length)], [8, before])
})

test('a terminal goes on after the death of its node, and what that node still writes is refused', async () => {
  const { nodes, takeOver, url } = await openNodes(2)
  const [dead, heir] = nodes as [Node, Node]
  await clockOf(dead, { do: 'freeze' })
  const sale = await dead.till.sale(2599)
  await advance(dead, 1_500)
  await takeOver(heir)
  equal(dead.holds(), true, 'it has not learned of it')
  dead.memory.write([{ collection: 'clock', key: 'demo', parent: 'demo', body: '{"offsetMs":5,"frozenAt":null}' }])
  await rejects(dead.memory.written(), { code: 'lease_lost' })
  equal(dead.holds(), false)
  await advance(heir, 10_000)
  equal((await dead.till.look(sale)).transactionResult, 'SUCCESSFUL')
  const orders = await runAt(url, "SELECT key FROM documents WHERE collection = 'order'")
  equal(orders.length, 1, 'one charge')
})

test('a clock that is set on one node holds on the others with the next request', async () => {
  const { nodes } = await openNodes(2)
  const [lane, other] = nodes as [Node, Node]
  const { nowMs } = await clockOf(lane, { do: 'freeze' })
  await clockOf(lane, { do: 'set', to: new Date(nowMs + 86_400_000).toISOString() })
  deepEqual(await clockOf(other), await clockOf(lane))
  const sale = await other.till.sale(100)
  const { events } = (await lane.till.ask('GET', `/api/transactions/${sale.requestId}/events`)).json as {
    readonly events: readonly { readonly at: string }[]
  }
  equal(Date.parse(events[0]?.at ?? ''), nowMs + 86_400_000)
})

test('a wallet token that was made on one node pays on another', async () => {
  const { nodes } = await openNodes(2)
  const [lane, other] = nodes as [Node, Node]
  const card = { cardNumber: '5200 0000 0000 0056', expiryDate: '12/30', amount: 2599, currencyCode: '826' }
  for (const wallet of ['APPLE_PAY', 'GOOGLE_PAY'] as const) {
    const { json } = await lane.till.ask('POST', '/sandbox/wallet-tokens', { body: { ...card, wallet } })
    const amount = { minor: 2599, currencyNumeric: '826' }
    const order = { account: 'demo', token: json['token'], paymentId: wallet, amount }
    const opened = await other.gateway.wallets.open(wallet, order)
    ok('card' in opened, JSON.stringify(opened))
    equal(opened.card.number.reveal(), '5200000000000056')
  }
})

test('a terminal that is unplugged on one node is not connected on the others', async () => {
  const { nodes } = await openNodes(2)
  const [lane, other] = nodes as [Node, Node]
  const press = (key: string) => lane.till.ask('POST', '/sandbox/terminals/22160001/keys', { body: { key } })
  const connected = async () => {
    const { json } = await other.till.ask('GET', '/api/terminals')
    const { terminals } = json as {
      readonly terminals: readonly { readonly tid: string; readonly connected: boolean }[]
    }
    return terminals.find(({ tid }) => tid === '22160001')?.connected
  }
  equal(await connected(), true)
  equal((await press('unplug')).status, 200)
  equal(await connected(), false)
  equal((await press('plug_in')).status, 200)
  equal(await connected(), true)
})

test('operations of the sandbox are done by the node with the lane, whatever node gets the request', async () => {
  const { nodes } = await openNodes(2)
  const [lane, other] = nodes as [Node, Node]
  equal((await clockOf(other, { do: 'freeze' })).frozen, true)
  const sale = await lane.till.sale(2599)
  const moved = await clockOf(other, { do: 'advance', ms: 10_000 })
  deepEqual(await clockOf(lane), await clockOf(other))
  ok((moved as { readonly fired?: number }).fired ?? 0 >= 7)
  equal((await other.till.look(sale)).transactionResult, 'SUCCESSFUL')
  const refused = await other.till.ask('POST', '/sandbox/clock', { body: { do: 'jump' } })
  equal(refused.status, 422, refused.text)
})

test('a fault that is armed for two requests hits exactly two, on whatever nodes they arrive', async () => {
  const { nodes } = await openNodes(3)
  const [lane, one, two] = nodes as [Node, Node, Node]
  const body = { fault: 'http_503', method: 'GET', path: '/pac/terminals', times: 2 }
  equal((await one.till.ask('POST', '/sandbox/faults', { body })).status, 201)
  const list = async (node: Node) => (await node.till.ask('GET', '/pac/terminals')).status
  const statuses = await Promise.all([two, lane, one, two, one, lane].map(list))
  deepEqual(statuses.toSorted(), [200, 200, 200, 200, 503, 503])
  deepEqual((await two.till.ask('GET', '/sandbox/faults')).json['armed'], [])
})

test('a chosen scenario and a fault of the terminal hit a sale that is started on another node', async () => {
  const { nodes } = await openNodes(2)
  const [lane, other] = nodes as [Node, Node]
  await clockOf(lane, { do: 'freeze' })
  const start = (headers: Readonly<Record<string, string>>) =>
    other.till.start({ transactionType: 'SALE', amount: 2599, currency: 'GBP' }, { headers })
  const chosen = await start({ 'tollgate-scenario': 'declined' })
  equal(chosen.status, 201, chosen.text)
  await advance(other, 10_000)
  equal((await other.till.look(chosen.json as unknown as Started)).transactionResult, 'DECLINED')
  const body = { fault: 'connection_dropped', method: 'POST', path: '/pac/terminals/*/transactions' }
  equal((await other.till.ask('POST', '/sandbox/faults', { body })).status, 201)
  await rejects(start({}))
  equal((await start({})).status, 201)
})

test('a queued scenario whose fault prevents a start counts as played when the start comes to another node', async () => {
  const { nodes } = await openNodes(2)
  const [lane, other] = nodes as [Node, Node]
  const path = '/sandbox/terminals/VCMDEMOSIP0/scenarios'
  const next = ['approved+http_503', 'declined']
  const set = await other.till.ask('POST', path, { body: { next } })
  equal(set.status, 200, set.text)
  const body = { transactionType: 'SALE', amount: 2599, currency: 'GBP' }
  equal((await other.till.start(body)).status, 503)
  deepEqual((await lane.till.ask('GET', path)).json['next'], [{ scenario: 'declined', times: 1 }])
})

test('a restore waits for a command of another node, and a later one waits for the restore', async () => {
  const order: string[] = []
  const held = { commit: openGate(), image: openGate() }
  let isHolding = false
  const { nodes, url } = await openNodes(2, undefined, (store, index) =>
    index === 0
      ? {
          ...store,
          async putImage(...given) {
            order.push('restore')
            await held.image.opened
            await store.putImage(...given)
            order.push('restored')
          },
        }
      : {
          ...store,
          async commit(commit) {
            if (isHolding) {
              held.commit.arrive()
              await held.commit.opened
            }
            const result = await store.commit(commit)
            if (commit.kind === TERMINAL_TRANSACTION.kind) order.push('sale')
            return result
          },
        },
  )
  const [lane, other] = nodes as [Node, Node]
  const pass = async () => {
    for (let looks = 0; looks < 30; looks += 1) await runAt(url, 'SELECT 1')
  }
  equal((await lane.till.ask('POST', '/sandbox/snapshots', { body: { name: 'clean' } })).status, 201)
  isHolding = true
  const before = other.till.sale(100)
  await held.commit.arrived
  const restored = lane.till.ask('POST', '/sandbox/snapshots/clean/restore')
  await pass()
  equal(order.length, 0)
  isHolding = false
  held.commit.open()
  const gone = await before
  while (!order.includes('restore')) await pass()
  const after = other.till.sale(200)
  await pass()
  deepEqual(order, ['sale', 'restore'])
  held.image.open()
  equal((await restored).status, 204)
  const kept = await after
  deepEqual(order, ['sale', 'restore', 'restored', 'sale'])
  for (const node of nodes) {
    equal((await node.till.read(gone)).status, 404)
    equal((await node.till.read(kept)).status, 200)
  }
})

/** Somebody arrives at it, and waits until it is opened. */
function openGate() {
  let [arrive, open] = [() => {}, () => {}]
  const arrived = new Promise<void>(resolve => (arrive = resolve))
  const opened = new Promise<void>(resolve => (open = resolve))
  return { arrive: () => arrive(), arrived, open: () => open(), opened }
}

test('a snapshot that was taken on one node is restored on another', async () => {
  const { nodes } = await openNodes(2)
  const [lane, other] = nodes as [Node, Node]
  await clockOf(lane, { do: 'freeze' })
  const sale = await other.till.sale(2599)
  await advance(lane, 1_500)
  equal((await lane.till.ask('POST', '/sandbox/snapshots', { body: { name: 'pin' } })).status, 201)
  await advance(other, 10_000)
  equal((await other.till.look(sale)).transactionResult, 'SUCCESSFUL')
  equal((await other.till.ask('POST', '/sandbox/snapshots/pin/restore')).status, 204)
  for (const node of nodes) equal((await node.till.look(sale)).notifications[0], 'PIN_ENTRY')
  await advance(other, 10_000)
  for (const node of nodes) equal((await node.till.look(sale)).transactionResult, 'SUCCESSFUL')
})

test('a link to a terminal opens it on each node, and ends on all of them', async () => {
  const { nodes, handOver } = await openNodes(2)
  const [lane, other] = nodes as [Node, Node]
  const links = '/sandbox/terminals/22160001/links'
  const opened = await other.till.ask('POST', links)
  equal(opened.status, 201, opened.text)
  const authorization = `Bearer ${String(opened.json['url']).split('#')[1]}`
  const look = ({ till }: Node, bearer = authorization) =>
    till.ask('GET', '/sandbox/terminals/22160001', { headers: { authorization: bearer } })
  for (const node of nodes) equal((await look(node)).status, 200)
  for (const node of nodes) equal((await look(node, `${authorization.slice(0, -43)}${'A'.repeat(43)}`)).status, 401)
  for (const node of nodes) equal((await look(node, 'Bearer AA.AA.'.concat('A'.repeat(43)))).status, 401)
  await handOver(lane, other)
  for (const node of nodes) equal((await look(node)).status, 200)
  equal((await lane.till.ask('DELETE', links)).status, 204)
  for (const node of nodes) equal((await look(node)).json['code'], 'link_ended')
})

test('a link of a user stops on each node when one of them ends the user', async () => {
  const { nodes } = await openNodes(2)
  const [lane, other] = nodes as [Node, Node]
  const { users } = peopleOf(other)
  const user = { user: 'ann', name: 'Ann', role: 'till_staff', password: PASSWORD } as const
  ok('record' in (await users.add('demo', user)))
  const made = await other.gateway.provisioning.createKey('demo', 'of Ann', { user: 'ann' })
  ok('secret' in made)
  const opened = await other.till.ask('POST', '/sandbox/terminals/22160001/links', {
    headers: { authorization: basic(made.secret) },
  })
  equal(opened.status, 201, opened.text)
  const headers = { authorization: `Bearer ${String(opened.json['url']).split('#')[1]}` }
  const look = ({ till }: Node) => till.ask('GET', '/sandbox/terminals/22160001', { headers })
  for (const node of nodes) equal((await look(node)).status, 200)
  ok('record' in (await users.end('demo', 'ann', false)))
  for (const node of [lane, other]) equal((await look(node)).json['code'], 'link_ended')
})

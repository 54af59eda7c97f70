// test/nodes/nodes.test.ts — several nodes on one database: work is done by one, and what one has answered no other denies.
import { deepEqual, equal, ok } from 'node:assert/strict'
import { expect, test } from 'vitest'
import type { TransactionBody } from '../../src/api/transaction-body.ts'
import { laneOf } from '../../src/engine/work-leases.ts'
import { openNodes, type TestNode } from '../support/nodes.ts'
import type { Started, Till } from '../support/till.ts'

/** Which of them has the lane of the account. */
function holderOf(nodes: readonly TestNode[], account = 'demo'): TestNode | undefined {
  return nodes.find(({ lanes }) => lanes.includes(laneOf(account, 64)))
}

/** Waits until lanes are shared out evenly. */
async function shared(nodes: readonly TestNode[]): Promise<void> {
  const share = Math.ceil(64 / nodes.length)
  await expect
    .poll(() => nodes.map(({ lanes }) => lanes.length).toSorted((one, other) => one - other), { timeout: 15_000 })
    .toEqual(nodes.map((_, index) => (index === 0 ? 64 - share * (nodes.length - 1) : share)))
}

async function finished(till: Till, transaction: Started): Promise<TransactionBody> {
  await expect
    .poll(async () => (await till.look(transaction)).notifications[0], { timeout: 15_000, interval: 5 })
    .toBe('TRANSACTION_FINISHED')
  return till.look(transaction)
}

test('a sale started on either node is done by the one with the lane, once, and both show it', async () => {
  const { nodes, park } = await openNodes(2)
  await shared(nodes)
  const holder = holderOf(nodes)
  ok(holder !== undefined)
  for (const node of nodes) {
    const [here, there] = nodes[0] === node ? nodes : [nodes[1], nodes[0]]
    const sale = await here.till().sale(1_000)
    // The other one knows it at once.
    ok((await there.till().look(sale)).notifications.length > 0)
    const [one, other] = [await finished(here.till(), sale), await finished(there.till(), sale)]
    deepEqual(one, other)
    equal(one.transactionResult, 'SUCCESSFUL')
  }
  equal(park.calls.length, 2)
  ok(
    park.calls.every(call => call.startsWith(`${holder.name} start`)),
    park.calls.join('\n'),
  )
  equal(park.moneyOf('demo'), 2_000)
  deepEqual(
    nodes.flatMap(({ log }) => log.lines.filter(({ level }) => level === 'error')),
    [],
  )
})

test('a till that polls one node after the other never sees a sale go back', async () => {
  const { nodes, park } = await openNodes(3, 15)
  const sale = await nodes[0].till().sale(2_500)
  let seen = 0
  let turn = 0
  for (let state = ''; state !== 'TRANSACTION_FINISHED'; ) {
    const { notifications } = await nodes[turn++ % 3]!.till().look(sale)
    ok(notifications.length >= seen, `${notifications.join(' ')} after ${seen} notifications`)
    seen = notifications.length
    state = notifications[0] ?? ''
  }
  ok(seen > 3)
  equal(park.moneyOf('demo'), 2_500)
})

test('one transaction per terminal and one per idempotency key, whichever nodes are asked at the same time', async () => {
  const { nodes } = await openNodes(2, 500)
  const body = { transactionType: 'SALE', amount: 100, currency: 'GBP' }
  const rivals = await Promise.all(
    Array.from({ length: 6 }, (_, index) => nodes[index % 2 === 0 ? 0 : 1].till().start(body)),
  )
  const statuses = rivals.map(({ status }) => status).toSorted()
  deepEqual(statuses, [201, 422, 422, 422, 422, 422])
  const headers = { 'idempotency-key': 'k1' }
  const repeated = await Promise.all(nodes.map(node => node.till('VCMDEMODIP0').start(body, { headers })))
  const answered = repeated.filter(({ status }) => status === 201).map(({ json }) => json['requestId'])
  ok(answered.length >= 1, repeated.map(({ text }) => text).join('\n'))
  equal(new Set(answered).size, 1)
})

test('a long poll on one node is answered when the other learns the result', async () => {
  const { nodes } = await openNodes(2, 20)
  const sale = await nodes[0].till().sale(700)
  let etag = ''
  let body: TransactionBody | null = null
  while (body?.notifications[0] !== 'TRANSACTION_FINISHED') {
    const reply = await nodes[1].till().read(sale, { headers: { prefer: 'wait=10', 'if-none-match': etag } })
    equal(reply.status, 200, 'a change ends the wait')
    etag = reply.headers['etag'] ?? ''
    body = reply.json as unknown as TransactionBody
  }
  equal(body.transactionResult, 'SUCCESSFUL')
})

test('a sale goes on when the node that performs its work stops answering', async () => {
  const { nodes, park } = await openNodes(2, 300)
  await shared(nodes)
  const holder = holderOf(nodes)
  const other = nodes.find(node => node !== holder)
  ok(holder !== undefined && other !== undefined)
  const sale = await other.till().sale(900)
  await expect.poll(() => park.calls.length).toBe(1)
  holder.freeze()
  await expect.poll(() => holderOf([other]), { timeout: 10_000 }).toBe(other)
  equal((await finished(other.till(), sale)).transactionResult, 'SUCCESSFUL')
  equal(park.moneyOf('demo'), 900)
})

test('a node that joins gets its share, and one that leaves gives all back', async () => {
  const { nodes, join, park } = await openNodes(2)
  await shared(nodes)
  const third = await join()
  await shared([...nodes, third])
  await third.stop()
  await shared(nodes)
  const sale = await nodes[1].till().sale(300)
  equal((await finished(nodes[0].till(), sale)).transactionResult, 'SUCCESSFUL')
  equal(park.moneyOf('demo'), 300)
})

// test/api/nodes/tables.test.ts — a till that stores its own tables is connected to one node, and the terminals of its account
// to another. Two gateways on one Postgres. ADR 70.
import { deepEqual, equal, match, ok, rejects } from 'node:assert/strict'
import { test } from 'vitest'
import type { TillMessage } from '../../../src/domain/tables/pos-message.ts'
import { TABLE, TILL_MESSAGE } from '../../../src/engine/machines.ts'
import { recordsOf } from '../../../src/engine/pages.ts'
import type { PayAtTableReply, PayAtTableRequest } from '../../../src/engine/ports/pay-at-table.ts'
import { laneOf } from '../../../src/engine/work-leases.ts'
import type { PosConnection, TillAnswer, TillLock } from '../../../src/services/tables/pos-connections.ts'
import { LANES } from '../../../src/store/postgres/lanes.ts'
import { ACCOUNT, type Node, type Nodes, openNodes, TID } from '../../support/linked-nodes.ts'

const NONE: TillAnswer<never> = { answer: 'none', says: null }
const LOCKED: TillAnswer<TillLock> = {
  ...{ answer: 'given', value: { confirmed: true, amountMinor: 3_000, currency: 'GBP' } },
}

/** A till with the table `Bar`, of which 30.00 is due. */
function aTill() {
  const messages: TillMessage[] = []
  const lates: (() => void)[] = []
  let confirms = true
  let locks: (() => Promise<TillAnswer<TillLock>>) | null = null
  let receives: () => boolean | Promise<boolean> = () => true
  const connection: PosConnection = {
    wantsFinalBill: true,
    tables: async () => ({ answer: 'given', value: { names: ['Bar'], currency: 'GBP' } }),
    bill: async (_, table, which) => ({ answer: 'given', value: [{ value: `${table} ${which}`, type: 'TEXT' }] }),
    async lock(_who, _table, tooLate): Promise<TillAnswer<TillLock>> {
      lates.push(tooLate)
      if (locks !== null) return locks()
      return confirms ? LOCKED : NONE
    },
    async notify(message) {
      const received = await receives()
      if (received) messages.push(message)
      return received
    },
  }
  return {
    ...{ connection, messages, lates },
    /** What it does with lock requests, and with messages. */
    be(next: { readonly confirms?: boolean; readonly locks?: typeof locks; readonly receives?: typeof receives }) {
      locks = next.locks ?? locks
      confirms = next.confirms ?? confirms
      receives = next.receives ?? receives
    },
  }
}

/** Two nodes: the terminals report to the first, the till is connected to the second. */
async function openBar() {
  const nodes = await openNodes()
  const till = aTill()
  const { posConnections } = nodes.second.gateway
  posConnections.connect(ACCOUNT, till.connection)
  await posConnections.announced(ACCOUNT)
  return { nodes, till }
}

/** A request of the waiter at the terminal. */
const ask = ({ first }: Nodes, request: PayAtTableRequest) =>
  first.sink().atTable(ACCOUNT, { tid: TID, waiterId: '7' }, request)

function held(reply: PayAtTableReply): string {
  ok(reply.reply === 'held', JSON.stringify(reply))
  equal(reply.held.openMinor, 3_000)
  return reply.held.tableId
}

const typesOf = (messages: readonly TillMessage[]) => messages.map(({ type }) => type)
const waiting = ({ store }: Node) => recordsOf(store, ACCOUNT, TILL_MESSAGE, { live: true })

test('a waiter pays a table of a till whose socket is on another node, and the till gets everything once', async () => {
  const { nodes, till } = await openBar()
  deepEqual(await ask(nodes, { ask: 'tables' }), { reply: 'tables', names: ['Bar'] })
  const tableId = held(await ask(nodes, { ask: 'hold', table: 'Bar' }))
  deepEqual(await ask(nodes, { ask: 'bill', tableId, which: 'before' }), {
    reply: 'bill',
    lines: [{ value: 'Bar before', type: 'TEXT' }],
  })
  const paid = await ask(nodes, { ask: 'pay', tableId, paymentId: 'p1', amountMinor: 3_000, gratuityMinor: 0 })
  equal(paid.reply, 'started')
  await nodes.until(async () => (await ask(nodes, { ask: 'look', tableId, paymentId: 'p1' })).reply === 'settled')
  deepEqual(await ask(nodes, { ask: 'bill', tableId, which: 'final' }), {
    reply: 'bill',
    lines: [{ value: 'Bar final', type: 'TEXT' }],
  })
  deepEqual(typesOf(till.messages), ['payments'], 'before the final bill')
  deepEqual(await ask(nodes, { ask: 'let_go', tableId }), { reply: 'done' })
  await nodes.until(() => till.messages.length > 1)
  deepEqual(typesOf(till.messages), ['payments', 'unlock'])
  await nodes.until(async () => (await waiting(nodes.first)).length === 0)
  equal(till.messages.length, 2)
})

test('a lock that the till confirms too late is released by the node that has asked', async () => {
  const { nodes, till } = await openBar()
  till.be({ confirms: false })
  const refused = await ask(nodes, { ask: 'hold', table: 'Bar' })
  ok(refused.reply === 'refused')
  match(refused.says, /does not answer/)
  till.lates[0]!()
  await nodes.until(() => till.messages.length > 0)
  deepEqual(till.messages, [{ type: 'unlock', tid: TID, table: 'Bar' }])
})

test.each([
  ['before', [0, 1]],
  ['after', [1, 0]],
] as const)(
  'a lock that the till grants a node without the lane any more, %s the node that has it, opens no session',
  async (_, order) => {
    const { nodes, till } = await openBar()
    const { first, second } = nodes
    const grants: (() => void)[] = []
    till.be({ locks: () => new Promise(resolve => grants.push(() => resolve(LOCKED))) })
    const lost = rejects(ask(nodes, { ask: 'hold', table: 'Bar' }), { code: 'lease_lost' })
    await nodes.until(() => grants.length === 1)
    await first.gateway.leave()
    await nodes.until(() => second.gateway.lanes.includes(laneOf(ACCOUNT, LANES)))
    // The terminal is with the other node now, and asks again.
    const again = second.sink().atTable(ACCOUNT, { tid: TID, waiterId: '7' }, { ask: 'hold', table: 'Bar' })
    await nodes.until(() => grants.length === 2)
    const ends = [lost, again.then(held)] as const
    for (const index of order) {
      grants[index]!()
      await ends[index]
    }
    const sessions = await recordsOf(second.store, ACCOUNT, TABLE, { parent: 'till', live: true })
    deepEqual(
      sessions.map(({ tableId }) => tableId),
      [await ends[1]],
    )
    deepEqual(till.messages, [], 'the table is locked at the till')
  },
)

test('messages wait while the till is connected nowhere, and go out where it connects', async () => {
  const { nodes, till } = await openBar()
  const tableId = held(await ask(nodes, { ask: 'hold', table: 'Bar' }))
  nodes.second.gateway.posConnections.disconnect(ACCOUNT, till.connection)
  deepEqual(await ask(nodes, { ask: 'let_go', tableId }), { reply: 'done' })
  await nodes.until(async () => (await waiting(nodes.first)).length === 1)
  deepEqual(till.messages, [])
  deepEqual(await ask(nodes, { ask: 'tables' }), { reply: 'tables', names: [] })
  nodes.second.gateway.posConnections.connect(ACCOUNT, till.connection)
  await nodes.until(() => till.messages.length === 1)
  deepEqual(typesOf(till.messages), ['unlock'])
})

test('a till that moves to another node gets a message only after the old node has finished with it', async () => {
  const { nodes, till } = await openBar()
  const tableId = held(await ask(nodes, { ask: 'hold', table: 'Bar' }))
  // The old node is in the middle of sending when the till connects to the other one.
  let end = (_: boolean): void => {}
  const sending = new Promise<void>(resolve =>
    till.be({
      receives: () => {
        resolve()
        return new Promise<boolean>(done => (end = done))
      },
    }),
  )
  const letGo = ask(nodes, { ask: 'let_go', tableId })
  await nodes.until(async () => (await waiting(nodes.first)).length === 1)
  await sending
  const moved = aTill()
  const { posConnections } = nodes.first.gateway
  posConnections.connect(ACCOUNT, moved.connection)
  let announced = false
  const announcing = posConnections.announced(ACCOUNT).then(() => (announced = true))
  await nodes.first.clock.advance(0)
  equal(announced, false)
  deepEqual(moved.messages, [])
  end(true)
  await announcing
  await letGo
  equal(nodes.second.gateway.posConnections.of(ACCOUNT), null)
  await nodes.until(async () => (await waiting(nodes.first)).length === 0)
  deepEqual([typesOf(till.messages), typesOf(moved.messages)], [['unlock'], []])
})

test('a message to a till whose node does not answer is sent once the node is back in reach, or the till on another one', async () => {
  const { nodes, till } = await openBar()
  const tableId = held(await ask(nodes, { ask: 'hold', table: 'Bar' }))
  await nodes.second.die()
  deepEqual(await ask(nodes, { ask: 'let_go', tableId }), { reply: 'done' })
  await nodes.until(async () => (await waiting(nodes.first)).length === 1)
  ok(nodes.first.log.lines.some(({ message }) => message === 'effect failed'))
  await nodes.forgetDead()
  deepEqual(await ask(nodes, { ask: 'tables' }), { reply: 'tables', names: [] })
  nodes.first.gateway.posConnections.connect(ACCOUNT, till.connection)
  await nodes.until(() => till.messages.length > 0)
  await nodes.until(async () => (await waiting(nodes.first)).length === 0)
  deepEqual(typesOf(till.messages), ['unlock'])
})

// test/api/closing-accounts.test.ts — a test account that is closed: nothing new begins, what runs ends, and its documents go.
import { deepEqual, equal, ok } from 'node:assert/strict'
import { test } from 'vitest'
import { MERCHANT_ACCOUNT, TERMINAL_TRANSACTION } from '../../src/engine/machines.ts'
import { freshSettings } from '../../src/services/provisioning/provisioning.ts'
import { createLedger } from '../../src/simulator/acquirer/ledger.ts'
import { COLLECTIONS } from '../../src/simulator/memory/memory.ts'
import { sandboxProfile } from '../../src/simulator/seed.ts'
import { moneyOfAccount } from '../support/acquirer-book.ts'
import type { Shop } from '../support/shop.ts'
import { connectTill, openSocketShop } from '../support/socket-till.ts'
import { basic, type Started, type Till } from '../support/till.ts'

const TID = 'VCMTESTSIP0'
const KEY = 'test-key'

async function openTown(tid = TID): Promise<{ readonly shop: Shop; readonly till: Till }> {
  const shop = await openSocketShop()
  const profile = sandboxProfile('Test Shop', 'GBP', 'Europe/London')
  const opened = await shop.gateway.provisioning.openAccount({
    ...{ id: 'test-town', profile, keyLabel: 'first', secret: KEY, terminals: [tid] },
  })
  ok('record' in opened)
  return { shop, till: shop.tillOf(KEY, tid) }
}

const close = (till: Till, id = 'test-town') => till.ask('DELETE', `/sandbox/accounts/${id}`)

const documents = ({ memory }: Shop) =>
  COLLECTIONS.flatMap(collection => memory.list(collection, { parent: 'test-town', limit: 99 }))

test('keys stop at once, also a cached one, and the id is never given again', async () => {
  const { shop, till } = await openTown()
  equal((await till.ask('GET', '/api/transactions')).status, 200)
  equal((await close(till)).status, 204)
  for (const [method, path] of [
    ['GET', '/api/transactions'],
    ['GET', '/sandbox/terminals'],
    ['DELETE', '/sandbox/accounts/test-town'],
  ] as const)
    equal((await till.ask(method, path)).status, 401, path)
  const again = await shop.gateway.provisioning.openAccount({
    ...{ id: 'test-town', keyLabel: 'x', terminals: [] },
    profile: sandboxProfile('Other', 'GBP', 'UTC'),
  })
  deepEqual('refused' in again && again.refused.code, 'already_exists')
})

test('an account closes itself only, and a shared one not at all', async () => {
  const { shop, till } = await openTown()
  equal((await close(till, 'demo')).json['code'], 'account_unknown')
  equal((await close(shop.till, 'test-town')).json['code'], 'account_unknown')
  const shared = await close(shop.till, 'demo')
  deepEqual([shared.status, shared.json['code']], [409, 'account_shared'])
  equal((await till.ask('GET', '/api/transactions')).status, 200)
})

test('open sockets are ended, those of other accounts are not', async () => {
  const { shop, till } = await openTown()
  const mine = await connectTill(shop, { key: KEY })
  const other = await connectTill(shop)
  equal((await close(till)).status, 204)
  const code = await mine.closed
  equal(code, 1008)
  await other.answerTo(other.request('connectedTerminals', {}))
})

test('a sale that waits for its card is cancelled, and no money moves', async () => {
  const { shop, till } = await openTown('22160077')
  const sale = await till.sale(2599)
  await shop.clock.advance(2_000)
  equal((await close(till)).status, 204)
  await shop.clock.advance(10_000)
  deepEqual(await ended(shop, sale), { result: 'CANCELLED', authorisation: 'none' })
  equal(moneyOfAccount(shop.memory, 'test-town'), 0)
})

for (const [scenario, expected, money] of [
  ['approved+slow_acquirer:5000', { result: 'SUCCESSFUL', authorisation: 'confirmed' }, 2599],
  ['approved+acquirer_silent', { result: 'TIMED_OUT', authorisation: 'reversed' }, 0],
] as const)
  test(`${scenario}: a sale at its acquirer is finished or reversed, and then its documents go`, async () => {
    const { shop, till } = await openTown()
    const body = { transactionType: 'SALE', amount: 2599, currency: 'GBP' }
    const sale = (await till.start(body, { headers: { 'Tollgate-Scenario': scenario } })).json as unknown as Started
    await shop.clock.advance(4_000)
    await till.ask('POST', '/sandbox/clock', { body: { do: 'freeze' } })
    equal((await close(till)).status, 204)
    for (let minutes = 0; minutes < 5; minutes += 1) await shop.clock.advance(60_000)
    deepEqual(await ended(shop, sale), expected)
    equal(moneyOfAccount(shop.memory, 'test-town'), money)
    ok(documents(shop).length > 0)
    for (let hours = 0; hours < 2; hours += 1) await shop.clock.advance(3_600_000)
    deepEqual(documents(shop), [])
    ok(createLedger(shop.memory).list('demo').length === 0)
    // The records stay.
    equal(
      (await shop.gateway.engine.read(MERCHANT_ACCOUNT, { account: 'test-town', id: 'test-town' }))?.record.status,
      'revoked',
    )
  })

test('a waiter at a terminal of a closed account begins nothing', async () => {
  const { shop, till } = await openTown()
  await till.ask('PUT', '/pat/tables', { body: { tableName: '7', amount: 2000, currency: 'GBP', waiterIds: ['1'] } })
  equal((await close(till)).status, 204)
  const asked = await shop.gateway.sandbox?.waiters.send(
    {
      ...{ tid: TID, merchantAccount: 'test-town', driver: 'simulated', status: 'installed', version: 1 },
      settings: freshSettings('GBP'),
    } as never,
    { script: 'pay_in_one', table: '7' },
  )
  equal(asked, 'begun')
  await shop.clock.advance(60_000)
  deepEqual(await shop.store.list('test-town', { kind: TERMINAL_TRANSACTION.kind, limit: 9 }), [])
  equal(moneyOfAccount(shop.memory, 'test-town'), 0)
})

test('event streams of a closed account end, those of others do not', async () => {
  const { shop, till } = await openTown()
  const { port } = await shop.api.listen({ host: '127.0.0.1', port: 0 })
  const stream = async (key: string) => {
    const headers = { accept: 'text/event-stream', authorization: basic(key) }
    const response = await fetch(`http://127.0.0.1:${port}/api/events`, { headers })
    return response.body!.getReader()
  }
  const [mine, other] = [await stream(KEY), await stream('demo-api-key')]
  equal((await close(till)).status, 204)
  for (let ended = false; !ended; ) ended = (await mine.read()).done
  equal((await other.read()).done, false)
  await other.cancel()
})

test('old orders of the simulator are deleted by the system’s time, open holds stay', async () => {
  const shop = await openSocketShop({ simulatorRetentionMs: 86_400_000 })
  for (const transactionType of ['SALE', 'PRE_AUTH']) {
    const body = { transactionType, amount: 2599, currency: 'GBP' }
    await shop.finished((await shop.till.start(body)).json as unknown as Started)
  }
  const states = () =>
    createLedger(shop.memory)
      .list('demo')
      .map(({ state }) => state)
  deepEqual(states().toSorted(), ['charged', 'held'])
  for (let days = 0; days < 4; days += 1) await shop.clock.advance(86_400_000)
  deepEqual(states(), ['held'])
})

async function ended(shop: Shop, { requestId }: Started) {
  const entry = await shop.gateway.engine.read(TERMINAL_TRANSACTION, { account: 'test-town', id: requestId })
  const { result, authorisation } = entry!.record
  return { result, authorisation }
}

// test/api/socket/duplicate.test.ts — `duplicate` asks the terminal each time, so its answer is current.
import { deepEqual, equal, notDeepEqual } from 'node:assert/strict'
import { test } from 'vitest'
import type { Shop } from '../../support/shop.ts'
import { connectTill, openSocketShop, type SocketTill } from '../../support/socket-till.ts'

const TID = 'VCMDEMOSIP0'
const SALE = { tid: TID, currency: 'GBP', amount: 1250 }

/** A till at a terminal without a printer, after one payment. */
async function paidOnce(): Promise<{ readonly shop: Shop; readonly till: SocketTill }> {
  const shop = await openSocketShop()
  await shop.gateway.provisioning.configureTerminal('demo', TID, { printing: false })
  const till = await connectTill(shop)
  equal((await till.answerTo(till.request('sale', SALE))).result?.['transactionResult'], 'SUCCESSFUL')
  return { shop, till }
}

/** Number of transactions. Each DUPLICATE at the terminal is one. */
async function count(shop: Shop): Promise<number> {
  return ((await shop.till.ask('GET', '/api/transactions')).json['transactions'] as object[]).length
}

const duplicate = (till: SocketTill) => till.answerTo(till.request('duplicate', { tid: TID }))

test('each duplicate asks the terminal again and gets the same answer', async () => {
  const { shop, till } = await paidOnce()
  const first = await duplicate(till)
  equal(await count(shop), 2)
  const other = await connectTill(shop)
  deepEqual((await duplicate(other)).result, first.result)
  deepEqual((await duplicate(till)).result, first.result)
  equal(await count(shop), 4)
})

test('a duplicate has the format of each version, and works over HTTP', async () => {
  const { shop, till } = await paidOnce()
  const first = await duplicate(till)
  const old = await connectTill(shop, { version: 'v0' })
  const { tid, ...facts } = first.result ?? {}
  for (let time = 0; time < 2; time += 1) {
    const { tpi, ...same } = (await old.answerTo(old.request('duplicate', { tpi: TID }))).result ?? {}
    equal(tpi, tid)
    deepEqual(same, { ...facts, transactionTime: `${String(facts['transactionTime'])}Z` })
  }
  const body = { jsonrpc: '2.0', id: 7, method: 'duplicate', params: { tid: TID } }
  const posted = shop.till.ask('POST', '/pac', { body })
  await shop.settle()
  await shop.clock.advance(5_000)
  deepEqual((await posted).json, { jsonrpc: '2.0', id: 7, result: first.result })
  equal(await count(shop), 5)
})

test('a terminal that prints the copy itself is asked each time, too', async () => {
  const { shop, till } = await paidOnce()
  await shop.gateway.provisioning.configureTerminal('demo', TID, { printing: true })
  await duplicate(till)
  await duplicate(till)
  equal(await count(shop), 3)
})

test('a duplicate of a removed terminal is refused', async () => {
  const { shop, till } = await paidOnce()
  await duplicate(till)
  await shop.gateway.provisioning.removeTerminal('demo', TID)
  equal((await duplicate(till)).error?.['code'], -32602)
})

for (const amount of [1250, 4200])
  test(`after another sale of ${amount} a duplicate repeats that sale`, async () => {
    const { shop, till } = await paidOnce()
    const first = await duplicate(till)
    const sale = await till.answerTo(till.request('sale', { ...SALE, amount }))
    const second = await duplicate(till)
    equal(await count(shop), 4)
    equal(second.result?.['transactionNumber'], sale.result?.['transactionNumber'])
    notDeepEqual(second.result, first.result)
  })

test('while a sale runs a duplicate is refused', async () => {
  const { till } = await paidOnce()
  await duplicate(till)
  till.request('sale', SALE)
  await till.settle()
  equal((await till.ask('duplicate', { tid: TID })).error?.code, -32071)
})

test('after a sale that the terminal has lost, a duplicate does not repeat the sale before', async () => {
  const shop = await openSocketShop()
  const tid = '22160001'
  const press = async (key: object) =>
    equal((await shop.till.ask('POST', `/sandbox/terminals/${tid}/keys`, { body: key })).status, 200)
  await shop.gateway.provisioning.configureTerminal('demo', tid, { printing: false })
  const till = await connectTill(shop)
  const pay = async (amount: number) => {
    const sale = till.request('sale', { tid, currency: 'GBP', amount })
    await shop.clock.advance(1_000)
    await press({ key: 'present_card', card: 'sim-visa-debit', how: 'tap' })
    return await till.answerTo(sale)
  }
  equal((await pay(500)).result?.['transactionResult'], 'SUCCESSFUL')
  const repeat = () => till.answerTo(till.request('duplicate', { tid }))
  const before = await repeat()
  deepEqual([before.result?.['amountTotal'], before.result?.['transactionResult']], [500, 'SUCCESSFUL'])
  equal(await count(shop), 2)
  // Disconnected during a sale, and connected again for the duplicate.
  const sale = till.request('sale', { tid, currency: 'GBP', amount: 700 })
  await till.settle()
  await press({ key: 'unplug' })
  equal((await till.answerTo(sale)).result?.['transactionResult'], 'TIMED_OUT')
  await press({ key: 'plug_in' })
  const asked = await repeat()
  equal(await count(shop), 4)
  // The terminal has lost the sale and repeats the one before. The gateway knows the last one. ADR 40.
  notDeepEqual(asked.result, before.result)
  const { amountBase, amountTotal, transactionResult } = asked.result ?? {}
  deepEqual([amountBase, amountTotal, transactionResult], [700, 0, 'UNSUCCESSFUL'])
})

test('a terminal that was reset has nothing to repeat', async () => {
  const { shop, till } = await paidOnce()
  await duplicate(till)
  await shop.till.ask('POST', `/sandbox/terminals/${TID}/reset`)
  equal((await duplicate(till)).error?.code, -32074)
})

test('after a lost connection the terminal is asked again', async () => {
  const { shop, till } = await paidOnce()
  const first = await duplicate(till)
  for (const key of ['unplug', 'plug_in'])
    await shop.till.ask('POST', `/sandbox/terminals/${TID}/keys`, { body: { key } })
  deepEqual((await duplicate(till)).result, first.result)
  equal(await count(shop), 3)
})

test('a queued scenario does not apply to a duplicate: the next payment plays it', async () => {
  const { shop, till } = await paidOnce()
  const queued = await shop.till.ask('POST', `/sandbox/terminals/${TID}/scenarios`, { body: { next: ['declined'] } })
  equal(queued.status, 200)
  equal((await duplicate(till)).result?.['transactionResult'], 'SUCCESSFUL')
  equal(await count(shop), 2)
  equal((await till.answerTo(till.request('sale', SALE))).result?.['transactionResult'], 'DECLINED')
})

test('after a restored snapshot the terminal is asked again', async () => {
  const { shop, till } = await paidOnce()
  await shop.till.ask('POST', '/sandbox/snapshots', { body: { name: 'paid' } })
  await duplicate(till)
  equal(await count(shop), 2)
  await shop.till.ask('POST', '/sandbox/snapshots/paid/restore')
  equal(await count(shop), 1)
  await duplicate(till)
  equal(await count(shop), 2)
})

// test/api/socket/resets.test.ts — resets and restored snapshots while tills wait: every request is answered, and none
// stays open on a connection.
import { deepEqual, equal } from 'node:assert/strict'
import { test } from 'vitest'
import type { AccountImages } from '../../../src/engine/ports/account-images.ts'
import type { Shop } from '../../support/shop.ts'
import { connectTill, openSocketShop, type SocketTill } from '../../support/socket-till.ts'

const BY_HAND = '22160001'
const SIGNING = 'VCMDEMOSIS0'
const sale = (tid: string) => ({ tid, currency: 'GBP', amount: 1250 })

const reset = async (shop: Shop) => equal((await shop.till.ask('POST', '/sandbox/reset')).status, 204)

async function keepState(shop: Shop): Promise<() => Promise<void>> {
  equal((await shop.till.ask('POST', '/sandbox/snapshots', { body: { name: 'clean' } })).status, 201)
  return async () => equal((await shop.till.ask('POST', '/sandbox/snapshots/clean/restore')).status, 204)
}

/** Advances time until the till has got so many signature requests. */
async function askedTimes(shop: Shop, till: SocketTill, times: number): Promise<void> {
  for (let second = 0; second < 60 && till.questions().length < times; second += 1) {
    await shop.clock.advance(1_000)
    await till.settle()
  }
  equal(till.questions().length, times)
}

test('a running sale is answered with an error at a reset, and frees its place', async () => {
  const shop = await openSocketShop({ limits: { openRequests: 1 } })
  const till = await connectTill(shop)
  for (let time = 0; time < 3; time += 1) {
    const id = till.request('sale', sale(BY_HAND))
    await till.settle()
    await reset(shop)
    equal((await till.answerTo(id)).error?.code, -32073)
  }
  equal((await till.ask('terminalDetails', { tid: BY_HAND })).error, undefined)
})

test('a sale that also runs in the restored state is followed to its end', async () => {
  const shop = await openSocketShop()
  const till = await connectTill(shop)
  const id = till.request('sale', sale(SIGNING))
  await till.until('PRESENT_CARD')
  await (await keepState(shop))()
  equal((await till.answerTo(id)).result?.['transactionResult'], 'SUCCESSFUL')
})

test('the signature request of a removed sale is closed: an answer belongs to the next one', async () => {
  const shop = await openSocketShop()
  const till = await connectTill(shop)
  const putBack = await keepState(shop)
  till.request('sale', sale(SIGNING))
  await askedTimes(shop, till, 1)
  await putBack()
  const id = till.request('sale', sale(SIGNING), 500)
  await askedTimes(shop, till, 2)
  till.say({ jsonrpc: '2.0', id: 500, result: { accepted: false } })
  equal((await till.answerTo(id)).result?.['transactionResult'], 'VOID')
})

test('callers that wait over HTTP are answered at a reset', async () => {
  const shop = await openSocketShop()
  const body = { jsonrpc: '2.0', id: 7, method: 'reportXBalance', params: { tid: BY_HAND } }
  const calling = shop.till.ask('POST', '/pac', { body })
  const started = await shop.till.sale(1250)
  const first = await shop.till.read(started)
  const headers = { prefer: 'wait=60', 'if-none-match': String(first.headers['etag']) }
  const waiting = shop.till.read(started, { headers })
  await shop.settle()
  await reset(shop)
  deepEqual([(await calling).json['error'] !== undefined, (await waiting).status], [true, 404])
})

test('a report over HTTP that also runs in the restored state is answered', async () => {
  const shop = await openSocketShop()
  const body = { jsonrpc: '2.0', id: 7, method: 'reportXBalance', params: { tid: BY_HAND } }
  const calling = shop.till.ask('POST', '/pac', { body })
  await shop.settle()
  await (await keepState(shop))()
  await shop.clock.advance(60_000)
  equal(((await calling).json['result'] as { readonly reportResult: string }).reportResult, 'COMPLETE')
})

test('a sale that is restored to before its signature request is answered with an error', async () => {
  const shop = await openSocketShop()
  const till = await connectTill(shop)
  const id = till.request('sale', sale(SIGNING))
  await till.until('PRESENT_CARD')
  const putBack = await keepState(shop)
  await askedTimes(shop, till, 1)
  await putBack()
  equal((await till.answerTo(id)).error?.code, -32073)
})

test('a sale during a reset starts in the new state and is followed to its end', async () => {
  let wait: Promise<void> | null = null
  let entered = (): void => {}
  const inside = new Promise<void>(resolve => {
    entered = resolve
  })
  const images = (real: AccountImages): AccountImages => ({
    imageOf: (...given) => real.imageOf(...given),
    async putImage(...given) {
      entered()
      await wait
      return real.putImage(...given)
    },
  })
  const shop = await openSocketShop({ images })
  const till = await connectTill(shop)
  let goOn = (): void => {}
  wait = new Promise(resolve => {
    goOn = resolve
  })
  const resetting = reset(shop)
  await inside
  const id = till.request('sale', sale(SIGNING))
  await till.settle()
  goOn()
  await resetting
  equal((await till.answerTo(id)).result?.['transactionResult'], 'SUCCESSFUL')
})

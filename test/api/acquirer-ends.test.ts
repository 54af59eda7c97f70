// test/api/acquirer-ends.test.ts — an order without an answer is asked again as soon as its acquirer knows the end, without a wait. ADR 96.
import { deepEqual, equal, ok } from 'node:assert/strict'
import { test } from 'vitest'
import type { Acquirer } from '../../src/engine/ports/acquirer.ts'
import { openShop } from '../support/shop.ts'
import { openWebShop } from '../support/web-shop.ts'

/** By now the next try by the clock is far away. */
const LATER_MS = 60_000

/** An acquirer that loses the answers to one kind of order until it is told to know them. */
function forgetful(lost: 'authorise' | 'reverse') {
  const told: (() => void)[] = []
  const waitedFor = new Set<string>()
  let knows = false
  return {
    waitedFor,
    over: (real: Acquirer): Acquirer => ({
      ...real,
      authorise: async (order, purpose) =>
        lost === 'authorise' && !knows ? { answer: 'unknown' } : real.authorise(order, purpose),
      reverse: async reversal => (lost === 'reverse' && !knows ? 'unknown' : real.reverse(reversal)),
      awaitEnd({ orderId }) {
        waitedFor.add(orderId)
        return new Promise(resolve => told.push(resolve))
      },
    }),
    know() {
      knows = true
      for (const tell of told) tell()
    },
  }
}

test('a sale at the counter', async () => {
  const acquirer = forgetful('authorise')
  const shop = await openShop({ acquirer: acquirer.over })
  const sale = await shop.till.sale(2599)
  await shop.clock.advance(LATER_MS)
  equal(acquirer.waitedFor.size, 1)
  acquirer.know()
  await shop.settle()
  const { json } = await shop.till.ask('GET', `/api/transactions/${sale.requestId}/events`)
  ok(JSON.stringify(json).includes('authorisation_approved'), JSON.stringify(json))
})

test('a reversal at the counter', async () => {
  const acquirer = forgetful('reverse')
  const shop = await openShop({ terminal: 'VCMDEMOSIS0', acquirer: acquirer.over })
  const sale = await shop.till.sale(2599)
  await shop.until(sale, 'SIGNATURE_VERIFICATION')
  equal((await shop.till.sign(sale, false)).status, 202)
  await shop.clock.advance(LATER_MS)
  equal(acquirer.waitedFor.size, 1)
  acquirer.know()
  await shop.settle()
  const { json } = await shop.till.ask('GET', `/api/transactions/${sale.requestId}`)
  deepEqual((json['verdict'] as Record<string, unknown>)['moneyTaken'], 'no')
})

test('a payment online', async () => {
  const acquirer = forgetful('authorise')
  const web = await openWebShop({ acquirer: acquirer.over })
  const token = await web.token()
  const paying = web.pay(token)
  await web.shop.clock.advance(LATER_MS)
  await paying
  equal((await web.payment(token))['statusCode'], 40)
  equal(acquirer.waitedFor.size, 1)
  acquirer.know()
  await web.shop.settle()
  equal((await web.payment(token))['statusCode'], 0)
})

test('a void waits for the end of the payment that it undoes', async () => {
  const acquirer = forgetful('reverse')
  const web = await openWebShop({ acquirer: acquirer.over })
  const sale = await web.token()
  await web.pay(sale)
  const crossReference = await web.referenceOf(sale)
  const token = await web.token({ transactionType: 'VOID', crossReference })
  const voiding = web.call('POST', `/v1/cross-reference-payments/${token}`, { crossReference })
  await web.shop.clock.advance(LATER_MS)
  equal((await voiding).status, 500)
  equal(acquirer.waitedFor.size, 1)
  acquirer.know()
  await web.shop.settle()
  equal((await web.payment(token))['statusCode'], 0)
})

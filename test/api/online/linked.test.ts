// test/api/online/linked.test.ts — collections, refunds, voids and repeat payments: order and limits.

import { deepEqual, equal, match } from 'node:assert/strict'
import { test } from 'vitest'
import { moneyOfAccount } from '../../support/acquirer-book.ts'
import { refusedFieldIn } from '../../support/refused-field.ts'
import { openWebShop, PLAIN_CARD, type WebShop } from '../../support/web-shop.ts'

/** Cross reference of a finished payment. */
async function paid(web: WebShop, changes: Readonly<Record<string, unknown>> = {}): Promise<string> {
  const token = await web.token(changes)
  equal((await web.pay(token))['statusCode'], 0)
  return web.referenceOf(token)
}

test('pre-authorise, collect a part, refund the part in parts: the money adds up', async () => {
  const web = await openWebShop()
  const hold = await paid(web, { transactionType: 'PREAUTH', amount: '5000' })
  equal(moneyOfAccount(web.shop.memory, 'demo'), 0)
  const collected = await web.linked('COLLECTION', hold, { amount: '3000' })
  equal(collected['statusCode'], 0)
  match(String(collected['message']), /^AuthCode: /)
  equal(moneyOfAccount(web.shop.memory, 'demo'), 3_000)
  const capture = await web.referenceOf(String(collected['token']))
  equal((await web.linked('REFUND', capture, { amount: '1000' }))['statusCode'], 0)
  equal((await web.linked('REFUND', capture, { amount: '2000' }))['statusCode'], 0)
  const over = await web.linked('REFUND', capture, { amount: '1' })
  deepEqual([over['http'], over['statusCode']], [200, 30])
  equal(over['message'], 'More than was captured cannot be refunded')
  equal(moneyOfAccount(web.shop.memory, 'demo'), 0)
})

test('a pre-authorisation is collected once, and for no more than was authorised', async () => {
  const web = await openWebShop()
  const hold = await paid(web, { transactionType: 'PRE_AUTH', amount: '5000' })
  equal(
    (await web.linked('COLLECTION', hold, { amount: '5001' }))['message'],
    'More than was authorised cannot be collected',
  )
  equal((await web.linked('COMPLETION', hold, { amount: '100' }))['statusCode'], 0)
  equal(
    (await web.linked('COLLECTION', hold, { amount: '100' }))['message'],
    'The referenced payment was collected already',
  )
  equal(moneyOfAccount(web.shop.memory, 'demo'), 100)
})

test('two pre-authorisations on one card are collected independently', async () => {
  const web = await openWebShop()
  const first = await paid(web, { transactionType: 'PREAUTH', amount: '1000' })
  const second = await paid(web, { transactionType: 'PREAUTH', amount: '2000' })
  equal((await web.linked('COLLECTION', first, { amount: '1000' }))['statusCode'], 0)
  equal((await web.linked('COLLECTION', second, { amount: '2000' }))['statusCode'], 0)
  equal(moneyOfAccount(web.shop.memory, 'demo'), 3_000)
})

test('of a hundred concurrent refunds of 1.00 of 19.99 nineteen succeed', async () => {
  const web = await openWebShop()
  const sale = await paid(web)
  const tokens = await Promise.all(
    Array.from({ length: 100 }, () => web.token({ transactionType: 'REFUND', crossReference: sale, amount: '100' })),
  )
  const answers = await Promise.all(
    tokens.map(token => web.call('POST', `/v1/cross-reference-payments/${token}`, { crossReference: sale })),
  )
  const codes = answers.map(answer => answer.json['statusCode'])
  equal(codes.filter(code => code === 0).length, 19)
  equal(codes.filter(code => code === 30).length, 81)
  equal(moneyOfAccount(web.shop.memory, 'demo'), 99)
})

test('of a hundred concurrent collections or voids one succeeds', async () => {
  const web = await openWebShop()
  for (const [type, target, left] of [
    ['COLLECTION', { transactionType: 'PREAUTH' }, 1_999],
    ['VOID', {}, 1_999],
  ] as const) {
    const reference = await paid(web, target)
    const tokens = await Promise.all(
      Array.from({ length: 100 }, () => web.token({ transactionType: type, crossReference: reference })),
    )
    const answers = await Promise.all(
      tokens.map(token => web.call('POST', `/v1/cross-reference-payments/${token}`, { crossReference: reference })),
    )
    equal(answers.filter(answer => answer.json['statusCode'] === 0).length, 1, type)
    equal(moneyOfAccount(web.shop.memory, 'demo'), left, type)
  }
})

test('a void reverses a sale of the same day, completely and once; nothing can follow it', async () => {
  const web = await openWebShop()
  const sale = await paid(web)
  const voided = await web.linked('VOID', sale, { amount: '0' })
  deepEqual([voided['statusCode'], voided['authCode']], [0, ''])
  equal(moneyOfAccount(web.shop.memory, 'demo'), 0)
  equal((await web.linked('VOID', sale))['message'], 'The referenced payment was voided')
  equal((await web.linked('REFUND', sale, { amount: '1' }))['message'], 'The referenced payment was voided')
})

test('a void without an answer is retried until it has one, and reverses the order once', async () => {
  let answering = false
  const undone: string[] = []
  const web = await openWebShop({
    acquirer: real => ({
      ...real,
      async reverse(reversal) {
        undone.push(reversal.orderId)
        return answering ? real.reverse(reversal) : 'unknown'
      },
    }),
  })
  const sale = await web.token()
  await web.pay(sale)
  const crossReference = await web.referenceOf(sale)
  const token = await web.token({ transactionType: 'VOID', crossReference })
  const voiding = web.call('POST', `/v1/cross-reference-payments/${token}`, { crossReference })
  await web.shop.clock.advance(25_000)
  equal((await voiding).status, 500)
  await web.shop.clock.advance(20 * 60_000)
  equal((await web.payment(token))['statusCode'], 40)
  equal((await web.linked('REFUND', crossReference))['message'], 'The referenced payment was voided')
  answering = true
  await web.shop.clock.advance(60_000)
  equal((await web.payment(token))['statusCode'], 0)
  equal(moneyOfAccount(web.shop.memory, 'demo'), 0)
  deepEqual([...new Set(undone)], [(await web.record(sale)).authorisationId])
  deepEqual(
    (await web.record(sale)).entries.map(({ state }) => state),
    ['settled'],
  )
  equal((await web.linked('REFUND', crossReference))['message'], 'The referenced payment was voided')
})

test('collections, refunds and voids ignore a security code and do not hold it', async () => {
  const web = await openWebShop()
  for (const [type, target] of [
    ['COLLECTION', { transactionType: 'PREAUTH' }],
    ['REFUND', {}],
    ['VOID', {}],
  ] as const) {
    const crossReference = await paid(web, target)
    const token = await web.token({ transactionType: type, crossReference })
    const body = { crossReference, cv2: '1' }
    equal((await web.call('POST', `/v1/cross-reference-payments/${token}`, body)).json['statusCode'], 0, type)
    equal((await web.record(token)).submission?.securityCodeGiven, false)
    equal(web.shop.gateway.online.codes.count, 0)
  }
})

test('a pre-authorisation can be collected or voided after its collection was voided', async () => {
  const web = await openWebShop()
  const hold = await paid(web, { transactionType: 'PREAUTH', amount: '5000' })
  const voided = async () => {
    const collected = await web.linked('COLLECTION', hold, { amount: '3000' })
    equal(collected['statusCode'], 0)
    equal(moneyOfAccount(web.shop.memory, 'demo'), 3_000)
    equal((await web.linked('VOID', hold))['message'], 'The referenced payment was collected already')
    equal((await web.linked('VOID', await web.referenceOf(String(collected['token']))))['statusCode'], 0)
    equal(moneyOfAccount(web.shop.memory, 'demo'), 0)
    await web.shop.settle()
    await web.shop.clock.advance(60_000)
  }
  await voided()
  await voided()
  equal((await web.linked('VOID', hold))['statusCode'], 0)
  equal((await web.linked('COLLECTION', hold))['message'], 'The referenced payment was voided')
  const open = web.shop.memory.list('hold', { limit: 10 }).map(({ body }) => JSON.parse(body).orderIds)
  deepEqual(open, [[]])
})

test('a refunded sale or one of an earlier day cannot be voided; a pre-authorisation can for seven days', async () => {
  const web = await openWebShop()
  const refunded = await paid(web)
  equal((await web.linked('REFUND', refunded, { amount: '1' }))['statusCode'], 0)
  equal((await web.linked('VOID', refunded))['message'], 'The referenced payment was refunded already')
  const sale = await paid(web)
  const [hold, old] = [await paid(web, { transactionType: 'PREAUTH' }), await paid(web, { transactionType: 'PREAUTH' })]
  await web.shop.clock.advance(6 * 86_400_000)
  equal((await web.linked('VOID', sale))['message'], 'It is too late to void the referenced payment')
  equal((await web.linked('VOID', hold))['statusCode'], 0)
  await web.shop.clock.advance(86_400_001)
  equal((await web.linked('VOID', old))['message'], 'It is too late to void the referenced payment')
})

test('an invalid follow-up ends with 30 and a reason', async () => {
  const web = await openWebShop()
  const hold = await paid(web, { transactionType: 'PREAUTH' })
  const sale = await paid(web)
  const check = await paid(web, { transactionType: 'ACCOUNT_VERIFICATION', amount: '0' })
  equal((await web.linked('REFUND', hold))['message'], 'Only a SALE or a COLLECTION can be refunded')
  equal((await web.linked('COLLECTION', sale))['message'], 'Only a PREAUTH can be collected')
  equal((await web.linked('VOID', check))['message'], 'The referenced payment cannot be voided')
  const euros = await web.linked('REFUND', sale, { currencyCode: '978' })
  equal(euros['message'], 'The currency differs from that of the referenced payment')
})

test('a cross reference that is unknown or not that of the token is 400', async () => {
  const web = await openWebShop()
  const sale = await paid(web)
  const other = await paid(web)
  equal((await web.linked('REFUND', '6100000000000000000001'))['http'], 400)
  const token = await web.token({ transactionType: 'REFUND', crossReference: sale })
  const differs = await web.call('POST', `/v1/cross-reference-payments/${token}`, { crossReference: other })
  deepEqual([differs.status, refusedFieldIn(differs.text)], [400, 'crossReference'])
  const missing = await web.call('POST', `/v1/cross-reference-payments/${token}`, {})
  deepEqual([missing.status, refusedFieldIn(missing.text)], [400, 'crossReference'])
  equal((await web.call('POST', `/v1/cross-reference-payments/${token}`, { crossReference: sale })).status, 200)
  const used = await web.call('POST', `/v1/cross-reference-payments/${token}`, { crossReference: sale })
  equal(used.status, 400)
})

test('browsers cannot make collections, refunds and voids', async () => {
  const web = await openWebShop()
  const sale = await paid(web)
  for (const type of ['COLLECTION', 'REFUND', 'VOID']) {
    const token = await web.token({ transactionType: type, crossReference: sale })
    const answer = await web.browse(`/api/payments/${token}`, PLAIN_CARD)
    deepEqual([answer.status, answer.json['statusCode']], [400, 400], type)
  }
})

test('a repeat charge without the payer uses the stored card, and the address of the token', async () => {
  const web = await openWebShop()
  const first = await web.token({ userAddress1: '1 Old Street', userCity: 'Leeds' })
  await web.pay(first)
  const reference = await web.referenceOf(first)
  const again = await web.linked('SALE', reference, { amount: '500' })
  equal(again['statusCode'], 0)
  const payment = await web.payment(String(again['token']))
  equal(payment['cardNumber'], '520000******0056')
  deepEqual(
    [
      (payment['billingAddress'] as Record<string, string>)['address1'],
      (payment['billingAddress'] as Record<string, string>)['city'],
    ],
    ['1 Old Street', 'Leeds'],
  )
  const moved = await web.linked('SALE', reference, { amount: '501', userCity: 'York' })
  const address = (await web.payment(String(moved['token'])))['billingAddress'] as Record<string, string>
  deepEqual([address['address1'], address['city']], ['', 'York'])
  const fresh = await web.linked('SALE', reference, { amount: '502', newTransaction: true })
  equal(((await web.payment(String(fresh['token'])))['billingAddress'] as Record<string, string>)['city'], '')
  equal(moneyOfAccount(web.shop.memory, 'demo'), 1_999 + 500 + 501 + 502)
})

test('a repeat charge with a wrong cv2 is declined, and with a cv2 of the wrong length 400', async () => {
  const web = await openWebShop()
  const reference = await paid(web)
  const call = async (cv2: string) => {
    const token = await web.token({ crossReference: reference })
    return web.call('POST', `/v1/cross-reference-payments/${token}`, { crossReference: reference, cv2 })
  }
  equal((await call('341')).json['statusCode'], 0)
  equal((await call('342')).json['statusCode'], 5)
  const long = await call('3412')
  deepEqual([long.status, refusedFieldIn(long.text)], [400, 'cv2'])
})

test('the same order within a minute is a duplicate, and later it is not', async () => {
  const web = await openWebShop()
  equal((await web.pay(await web.token({ orderId: 'A-1' })))['statusCode'], 0)
  const again = await web.pay(await web.token({ orderId: 'A-1' }))
  deepEqual([again['statusCode'], again['message']], [20, 'Duplicate Transaction'])
  for (const changes of [{ amount: '2000' }, { currencyCode: '978' }, { transactionType: 'PREAUTH' }])
    equal((await web.pay(await web.token({ orderId: 'A-1', ...changes })))['statusCode'], 0)
  equal(
    (await web.pay(await web.token({ orderId: 'A-1' }), { cardNumber: '5555555555555599', cV2: '123' }))['statusCode'],
    0,
  )
  await web.shop.clock.advance(60_000)
  equal((await web.pay(await web.token({ orderId: 'A-1' })))['statusCode'], 0)
})

test('the same order in a hundred concurrent payments is charged once', async () => {
  const web = await openWebShop()
  const tokens = await Promise.all(Array.from({ length: 100 }, () => web.token({ orderId: 'TABS' })))
  const answers = await Promise.all(tokens.map(token => web.pay(token)))
  equal(answers.filter(answer => answer['statusCode'] === 0).length, 1)
  equal(answers.filter(answer => answer['statusCode'] === 20).length, 99)
  equal(moneyOfAccount(web.shop.memory, 'demo'), 1_999)
})

test('a declined attempt is no duplicate', async () => {
  const web = await openWebShop()
  equal((await web.pay(await web.token({ orderId: 'B-1' }), { cV2: '111' }))['statusCode'], 5)
  equal((await web.pay(await web.token({ orderId: 'B-1' })))['statusCode'], 0)
})

test('the same refund within a minute is a duplicate, and does not count towards the limit', async () => {
  const web = await openWebShop()
  const sale = await paid(web)
  const refund = (orderId: string) => web.linked('REFUND', sale, { amount: '1000', orderId })
  equal((await refund('R-1'))['statusCode'], 0)
  equal((await refund('R-1'))['statusCode'], 30, 'it is over the limit before it is a duplicate')
  const small = (orderId: string) => web.linked('REFUND', sale, { amount: '400', orderId })
  equal((await small('R-2'))['statusCode'], 0)
  equal((await small('R-2'))['statusCode'], 20)
  equal((await small('R-3'))['statusCode'], 0)
})

// test/api/online/payment-operations.test.ts — refunds, collections and voids of online payments over the management API.
import { deepEqual, equal, match, ok } from 'node:assert/strict'
import { describe, test } from 'vitest'
import { moneyOfAccount } from '../../support/acquirer-book.ts'
import { openWebShop, type WebShop } from '../../support/web-shop.ts'

const OTHER = '/api/payments/nobody/operations'

async function paid(web: WebShop, changes: Readonly<Record<string, unknown>> = {}): Promise<string> {
  const token = await web.token(changes)
  equal((await web.pay(token))['statusCode'], 0)
  return (await web.record(token)).id
}

const operate = ({ shop }: WebShop, id: string, body: object) =>
  shop.till.ask('POST', `/api/payments/${id}/operations`, { body })

const read = async ({ shop }: WebShop, id: string) => (await shop.till.ask('GET', `/api/payments/${id}`)).json

test('a refund in parts, by id or by token, moves the money and is listed at the payment', async () => {
  const web = await openWebShop()
  const token = await web.token({ webHookUrl: 'https://shop.example/hook', orderId: 'A-7' })
  equal((await web.pay(token))['statusCode'], 0)
  const { id, crossReference } = await web.record(token)
  const first = await operate(web, id, { transactionType: 'REFUND', amountMinor: 500, merchantTransactionId: 'r1' })
  equal(first.status, 200, first.text)
  deepEqual(
    [first.json['transactionType'], first.json['amountMinor'], first.json['statusCode'], first.json['orderId']],
    ['REFUND', 500, 0, 'A-7'],
  )
  const rest = await operate(web, token, { transactionType: 'REFUND', amountMinor: 1_499, merchantTransactionId: 'r2' })
  equal(rest.json['statusCode'], 0)
  equal(moneyOfAccount(web.shop.memory, 'demo'), 0)
  const { operations } = (await read(web, id)) as { readonly operations: readonly Record<string, unknown>[] }
  deepEqual(
    operations.map(({ payment, amountMinor, state }) => [payment, amountMinor, state]),
    [
      [first.json['id'], 500, 'settled'],
      [rest.json['id'], 1_499, 'settled'],
    ],
  )
  // The shop hears of it at the address of the first token.
  const webhooks = await web.shop.till.ask('GET', `/api/webhooks?subject=${first.json['id']}`)
  deepEqual(
    (webhooks.json['deliveries'] as readonly Record<string, unknown>[]).map(({ url }) => url),
    ['https://shop.example/hook'],
  )
  const { order } = await web.record(token)
  equal(order.merchantTransactionId, null)
  match(crossReference, /^\d+$/)
})

test('a pre-authorisation is collected in part, and the collection refunded', async () => {
  const web = await openWebShop()
  const id = await paid(web, { transactionType: 'PREAUTH', amount: '5000' })
  const collected = await operate(web, id, {
    transactionType: 'COLLECTION',
    amountMinor: 3_000,
    merchantTransactionId: 'c1',
  })
  deepEqual([collected.json['statusCode'], collected.json['amountMinor']], [0, 3_000])
  equal(moneyOfAccount(web.shop.memory, 'demo'), 3_000)
  const back = await operate(web, String(collected.json['id']), {
    transactionType: 'REFUND',
    amountMinor: 3_000,
    merchantTransactionId: 'r1',
  })
  deepEqual([back.json['statusCode'], back.json['amountMinor']], [0, 3_000])
  equal(moneyOfAccount(web.shop.memory, 'demo'), 0)
})

test('a void undoes a sale of the day', async () => {
  const web = await openWebShop()
  const id = await paid(web)
  const undone = await operate(web, id, { transactionType: 'VOID', merchantTransactionId: 'v1' })
  deepEqual([undone.json['statusCode'], undone.json['amountMinor']], [0, 1_999])
  equal(moneyOfAccount(web.shop.memory, 'demo'), 0)
  const again = await operate(web, id, { transactionType: 'VOID', merchantTransactionId: 'v2' })
  deepEqual([again.json['statusCode'], again.json['message']], [30, 'The referenced payment was voided'])
})

test('a repeated request refunds once, also at the same time, and has the same answer', async () => {
  const web = await openWebShop()
  const id = await paid(web)
  const body = { transactionType: 'REFUND', amountMinor: 500, merchantTransactionId: 'r1' }
  const answers = await Promise.all([1, 2, 3].map(() => operate(web, id, body)))
  answers.push(await operate(web, id, body))
  deepEqual(
    answers.map(({ status, json }) => [status, json['id'], json['statusCode']]),
    Array.from({ length: 4 }, () => [200, answers[0]?.json['id'], 0]),
  )
  equal(moneyOfAccount(web.shop.memory, 'demo'), 1_499)
  const other = await paid(web)
  for (const [payment, changed] of [
    [id, { ...body, amountMinor: 501 }],
    [id, { ...body, transactionType: 'VOID', amountMinor: undefined }],
    [other, body],
  ] as const) {
    const taken = await operate(web, payment, changed)
    deepEqual([taken.status, taken.json['code']], [400, 'merchant_transaction_taken'])
  }
  equal(moneyOfAccount(web.shop.memory, 'demo'), 1_499 + 1_999)
})

test('a request goes on with the token that one before it has left unused', async () => {
  const web = await openWebShop()
  const token = await web.token()
  await web.pay(token)
  const { id, crossReference } = await web.record(token)
  const left = await web.token({
    transactionType: 'REFUND',
    amount: '500',
    crossReference,
    merchantTransactionId: 'r1',
  })
  const body = { transactionType: 'REFUND', amountMinor: 500, merchantTransactionId: 'r1' }
  const answer = await operate(web, id, body)
  deepEqual([answer.json['id'], answer.json['statusCode']], [(await web.record(left)).id, 0])
  equal(moneyOfAccount(web.shop.memory, 'demo'), 1_499)
})

test('of many refunds at the same time no more succeed than the payment has', async () => {
  const web = await openWebShop()
  const id = await paid(web)
  const answers = await Promise.all(
    Array.from({ length: 6 }, (_, index) =>
      operate(web, id, { transactionType: 'REFUND', amountMinor: 500 + index, merchantTransactionId: `r${index}` }),
    ),
  )
  deepEqual(answers.map(({ json }) => json['statusCode']).toSorted(), [0, 0, 0, 30, 30, 30])
  const refunded = answers.flatMap(({ json }) => (json['statusCode'] === 0 ? [Number(json['amountMinor'])] : []))
  const left = 1_999 - refunded.reduce((sum, each) => sum + each, 0)
  ok(left >= 0)
  equal(moneyOfAccount(web.shop.memory, 'demo'), left)
})

describe('refusals change nothing', () => {
  test('of payments that are unknown, or have not ended with success', async () => {
    const web = await openWebShop()
    const body = { transactionType: 'REFUND', amountMinor: 1, merchantTransactionId: 'r1' }
    const unknown = await web.shop.till.ask('POST', OTHER, { body })
    deepEqual([unknown.status, unknown.json['code']], [404, 'payment_unknown'])
    const fresh = await web.token()
    const declined = await web.token()
    await web.pay(declined, { cardNumber: '4921810000009076', cV2: '875' })
    for (const token of [fresh, declined]) {
      const refused = await operate(web, token, body)
      deepEqual([refused.status, refused.json['code']], [409, 'payment_not_successful'])
    }
    equal((await web.record(fresh)).token, 'issued')
  })

  test.each([
    [{ transactionType: 'SALE', merchantTransactionId: 'x' }, 'transactionType'],
    [{ transactionType: 'REFUND', merchantTransactionId: 'x', amountMinor: 0 }, 'amountMinor'],
    [{ transactionType: 'REFUND', merchantTransactionId: 'x', amountMinor: 1.5 }, 'amountMinor'],
    [{ transactionType: 'REFUND', merchantTransactionId: 'x', amountMinor: '5,00' }, 'amountMinor'],
    [{ transactionType: 'REFUND', merchantTransactionId: 'x' }, 'amountMinor'],
    [{ transactionType: 'COLLECTION', merchantTransactionId: 'x' }, 'amountMinor'],
    [{ transactionType: 'VOID', merchantTransactionId: 'x', amountMinor: 1_999 }, 'amountMinor'],
    [{ transactionType: 'REFUND', amountMinor: 1 }, 'merchantTransactionId'],
    [{ transactionType: 'REFUND', amountMinor: 1, merchantTransactionId: '' }, 'merchantTransactionId'],
    [{ transactionType: 'REFUND', amountMinor: 1, merchantTransactionId: '4111111111111111' }, 'merchantTransactionId'],
  ])('of the body %j', async (body, field) => {
    const web = await openWebShop()
    const id = await paid(web)
    const refused = await operate(web, id, body)
    equal(refused.status, 422, refused.text)
    match(refused.text, new RegExp(field))
    deepEqual((await read(web, id))['operations'], [])
    equal(moneyOfAccount(web.shop.memory, 'demo'), 1_999)
  })

  test('of another account', async () => {
    const web = await openWebShop()
    const id = await paid(web)
    const body = { transactionType: 'REFUND', amountMinor: 1, merchantTransactionId: 'r1' }
    const headers = { authorization: `Basic ${Buffer.from('till:demo-eur-api-key').toString('base64')}` }
    const refused = await web.shop.till.ask('POST', `/api/payments/${id}/operations`, { body, headers })
    deepEqual([refused.status, refused.json['code']], [404, 'payment_unknown'])
  })
})

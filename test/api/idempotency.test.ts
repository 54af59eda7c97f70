// test/api/idempotency.test.ts — Idempotency-Key: a repeated request gets the first answer and charges once.
import { deepEqual, equal, notEqual } from 'node:assert/strict'
import { describe, test } from 'vitest'
import { openShop } from '../support/shop.ts'
import type { Reply, Till } from '../support/till.ts'

const SALE = { transactionType: 'SALE', amount: 2599, currency: 'GBP' }

function withKey(till: Till, key: string, body: unknown = SALE): Promise<Reply> {
  return till.start(body, { headers: { 'idempotency-key': key } })
}

async function transactionsOf(till: Till): Promise<number> {
  const reply = await till.ask('GET', '/api/transactions')
  return (reply.json['transactions'] as unknown[]).length
}

describe.each([0, 1_000])('with %s records kept in memory', cachedRecords => {
  test('the same request with the same key gets the first answer, also after the transaction has ended', async () => {
    const shop = await openShop({ cachedRecords })
    const first = await withKey(shop.till, 'order-1')
    deepEqual([first.status, first.headers['idempotency-replayed']], [201, undefined])
    for (const finish of [false, true]) {
      if (finish) await shop.finished(first.json as never)
      const again = await withKey(shop.till, 'order-1')
      deepEqual([again.status, again.headers['idempotency-replayed']], [201, 'true'])
      deepEqual(again.json, first.json)
      equal(again.headers['location'], first.headers['location'])
    }
    equal(await transactionsOf(shop.till), 1)
  })

  test('fifty concurrent requests with one key start one transaction, and all get its answer', async () => {
    const shop = await openShop({ cachedRecords })
    const replies = await Promise.all(Array.from({ length: 50 }, () => withKey(shop.till, 'order-1')))
    deepEqual([...new Set(replies.map(({ status }) => status))], [201])
    equal(new Set(replies.map(({ text }) => text)).size, 1)
    equal(replies.filter(({ headers }) => headers['idempotency-replayed'] === undefined).length, 1)
    equal(await transactionsOf(shop.till), 1)
  })
})

test('fifty concurrent requests without a key start one transaction, and the others are refused as busy', async () => {
  const shop = await openShop()
  const replies = await Promise.all(Array.from({ length: 50 }, () => shop.till.start(SALE)))
  equal(replies.filter(({ status }) => status === 201).length, 1)
  equal(replies.filter(({ status }) => status === 422).length, 49)
  equal(await transactionsOf(shop.till), 1)
})

test('another request under the same key is refused', async () => {
  const shop = await openShop()
  await withKey(shop.till, 'order-1')
  for (const [till, body] of [
    [shop.till, { ...SALE, amount: 2600 }],
    [shop.till, { ...SALE, transactionType: 'REFUND' }],
    [shop.till.at('VCMDEMODIP0'), SALE],
  ] as const) {
    const reply = await withKey(till, 'order-1', body)
    equal(reply.status, 422)
    equal(reply.json['userMessage'], 'This Idempotency-Key was used with a different request.')
  }
  equal(await transactionsOf(shop.till), 1)
})

test('a request that differs only in spelling is the same request', async () => {
  const shop = await openShop()
  const first = await withKey(shop.till, 'order-1')
  const body = '{ "currency": "GBP", "amount": 2599.0, "authCode": "", "extra": 1, "transactionType": "SALE" }'
  const again = await withKey(shop.till, 'order-1', body)
  deepEqual(again.json, first.json)
})

test('a refusal is not stored: the key is free for the next attempt', async () => {
  const shop = await openShop()
  const other = await shop.till.sale(100)
  equal((await withKey(shop.till, 'order-1')).status, 422)
  await shop.finished(other)
  const reply = await withKey(shop.till, 'order-1')
  deepEqual([reply.status, reply.headers['idempotency-replayed']], [201, undefined])
})

test('the first answer is repeated even after the terminal was unplugged', async () => {
  const shop = await openShop({ terminal: '22160001' })
  const first = await withKey(shop.till, 'order-1')
  await shop.till.ask('POST', '/sandbox/terminals/22160001/keys', { body: { key: 'unplug' } })
  const again = await withKey(shop.till, 'order-1')
  equal(again.status, 201)
  deepEqual(again.json, first.json)
  equal((await withKey(shop.till, 'order-2')).status, 404)
  equal((await withKey(shop.till, 'order-1', 'nonsense')).status, 404)
})

test('keys belong to an account and expire after a week', async () => {
  const shop = await openShop()
  const stranger = shop.tillOf('demo-eur-api-key', 'VCMEUROSIP0', 'EUR')
  const first = await withKey(shop.till, 'order-1')
  const theirs = await withKey(stranger, 'order-1', { ...SALE, currency: 'EUR' })
  deepEqual([theirs.status, theirs.headers['idempotency-replayed']], [201, undefined])
  await shop.clock.advance(7 * 24 * 60 * 60 * 1_000)
  const later = await withKey(shop.till, 'order-1')
  deepEqual([later.status, later.headers['idempotency-replayed']], [201, undefined])
  notEqual(later.json['requestId'], first.json['requestId'])
})

test('a key is 1 to 255 visible characters', async () => {
  const shop = await openShop()
  for (const key of ['', ' ', 'a b', 'é', 'x'.repeat(256), 'a, a']) {
    const reply = await withKey(shop.till, key)
    equal(reply.status, 422, key)
    equal(
      reply.json['userMessage'],
      'The header Idempotency-Key is not valid. It must be 1 to 255 visible ASCII characters.',
    )
  }
  equal(await transactionsOf(shop.till), 0)
  equal((await withKey(shop.till, `!${'~'.repeat(254)}`)).status, 201)
})

// test/api/online/rate.test.ts — rate limit of a web shop's requests.
import { deepEqual, equal, ok } from 'node:assert/strict'
import fc from 'fast-check'
import { test } from 'vitest'
import { createRateLimiter } from '../../../src/api/rate-limiter.ts'
import { jwtFor } from '../../support/merchant-jwts.ts'
import { TestClock } from '../../support/test-clock.ts'
import { aTokenRequest, openWebShop, PLAIN_CARD } from '../../support/web-shop.ts'

test('the twenty-first request at once is 429 with Retry-After, and starts nothing', async () => {
  const { call, shop } = await openWebShop({ settings: { shopCallsPerSecond: 20 } })
  const order = (merchantTransactionId: string) => ({
    ...{ merchantUrl: 'shop.example', currencyCode: '826', amount: '1', transactionType: 'SALE', orderId: 'A' },
    merchantTransactionId,
  })
  for (let number = 1; number <= 20; number += 1)
    equal((await call('POST', '/v1/access-tokens', order(`M-${number}`))).status, 200)
  const refused = await call('POST', '/v1/access-tokens', order('M-21'))
  deepEqual(
    [refused.status, refused.headers['retry-after'], refused.text],
    [429, '1', 'Too many requests. Wait before you send more.'],
  )
  for (const path of ['/v1/payment-methods', '/v1/payments/unknown']) equal((await call('GET', path)).status, 429)
  await shop.clock.advance(1_000)
  equal((await call('POST', '/v1/access-tokens', order('M-21'))).status, 200)
})

test('the limit is per account, and browsers and tills are not counted', async () => {
  const { call, browse, token, shop, apiKeyId } = await openWebShop({ settings: { shopCallsPerSecond: 2 } })
  const given = await token()
  equal((await call('GET', '/v1/payment-methods')).status, 200)
  equal((await call('GET', '/v1/payment-methods')).status, 429)
  equal((await browse(`/api/payments/${given}`, PLAIN_CARD)).status, 200)
  for (let asked = 0; asked < 5; asked += 1)
    equal((await shop.api.inject({ method: 'GET', url: '/api/payments', headers: OWN })).statusCode, 200)
  const [key] = await shop.store.list('demo-eur', { kind: 'api-key', limit: 1 })
  ok(key !== undefined && key.id !== apiKeyId)
  const other = await call('GET', '/v1/payment-methods', undefined, { authorization: `Bearer ${jwtFor(key.id)}` })
  equal(other.status, 200)
  // A request without valid credentials is not counted.
  equal((await call('GET', '/v1/payment-methods', undefined, { authorization: 'Bearer none' })).status, 401)
})

test('the fault http_429 answers requests of a web shop with 429 as often as armed, and starts nothing', async () => {
  const { call, browse, token, shop } = await openWebShop()
  const given = await token()
  const arm = (order: object) => shop.till.ask('POST', '/sandbox/faults', { body: { fault: 'http_429', ...order } })
  equal((await arm({ path: '/v1/**', times: 2 })).status, 201)
  const order = { ...aTokenRequest('A-429'), merchantTransactionId: 'M-429' }
  for (const [method, path, body] of [
    ['POST', '/v1/access-tokens', order],
    ['GET', '/v1/payment-methods', undefined],
  ] as const) {
    const { status, headers, text } = await call(method, path, body)
    deepEqual([status, headers['retry-after'], text], [429, '1', 'Too many requests. Wait before you send more.'])
  }
  equal((await call('POST', '/v1/access-tokens', order)).status, 200)
  equal((await browse(`/api/payments/${given}`, PLAIN_CARD)).status, 200)
})

const OWN = { host: 'localhost', authorization: `Basic ${Buffer.from('till:demo-api-key').toString('base64')}` }

test('requests below the limit are not refused, and no second has more than twice the limit', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 50 }),
      fc.array(fc.integer({ min: 0, max: 400 }), { minLength: 1, maxLength: 300 }),
      (perSecond, waits) => {
        const clock = new TestClock()
        let at = clock.now()
        const mayCall = createRateLimiter(
          { now: () => at, alarm: clock.alarm.bind(clock), onSetBack() {} },
          { limit: perSecond, windowMs: 1_000 },
        )
        const asked: number[] = []
        const served: number[] = []
        for (const wait of waits) {
          at += wait
          asked.push(at)
          const within = (times: readonly number[]) => times.filter(time => time > at - 1_000).length
          const isSlow = asked.every(
            (time, index) => index < perSecond || time - (asked[index - perSecond] ?? 0) >= 1_000,
          )
          const may = mayCall('shop')
          if (may) served.push(at)
          if (isSlow) ok(may)
          ok(within(served) <= 2 * perSecond)
        }
      },
    ),
  )
})

test('without a limit, a thousand requests at once are served', () => {
  const mayCall = createRateLimiter(new TestClock(), { limit: 0, windowMs: 1_000 })
  ok(Array.from({ length: 1_000 }, () => mayCall('shop')).every(Boolean))
})

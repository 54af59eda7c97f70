// test/api/clock-set-back.test.ts — the machine's clock is set back an hour while the gateway works.
import { deepEqual, equal } from 'node:assert/strict'
import { test } from 'vitest'
import { createRateLimiter } from '../../src/api/rate-limiter.ts'
import { openShop } from '../support/shop.ts'
import { TestClock } from '../support/test-clock.ts'

const HOUR_MS = 3_600_000
const SALE = { transactionType: 'SALE', amount: 2599, currency: 'GBP' }

test('a running sale ends at its limit, counted from its start, and so does one that starts afterwards', async () => {
  const shop = await openShop({ headers: { 'tollgate-scenario': 'timed_out' } })
  const before = await shop.till.start(SALE)
  await shop.clock.advance(100_000)
  await shop.clock.setBack(HOUR_MS)
  await shop.clock.advance(99_000)
  const resultOf = async (location: string) => (await shop.till.ask('GET', location)).json['transactionResult']
  equal(await resultOf(String(before.json['location'])), undefined)
  await shop.clock.advance(1_000)
  equal(await resultOf(String(before.json['location'])), 'TIMED_OUT')

  const after = await shop.till.start(SALE)
  await shop.clock.advance(199_000)
  equal(await resultOf(String(after.json['location'])), undefined)
  await shop.clock.advance(1_000)
  equal(await resultOf(String(after.json['location'])), 'TIMED_OUT')
})

test('a terminal that is at work goes on, and a poll that waits is answered in time', async () => {
  const shop = await openShop()
  const { location } = (await shop.till.start(SALE)).json
  await shop.clock.setBack(HOUR_MS)
  await shop.clock.advance(60_000)
  equal((await shop.till.ask('GET', String(location))).json['transactionResult'], 'SUCCESSFUL')

  const sale = await shop.till.start(SALE)
  const first = await shop.till.ask('GET', String(sale.json['location']))
  const waiting = shop.till.ask('GET', String(sale.json['location']), {
    headers: { prefer: 'wait=20', 'if-none-match': String(first.headers['etag']) },
  })
  await shop.clock.setBack(HOUR_MS)
  await shop.clock.advance(20_000)
  equal((await waiting).status, 200)
})

test('a caller that has used up its calls may call again in a second, not in an hour', async () => {
  const clock = new TestClock()
  const mayCall = createRateLimiter(clock, { limit: 1, windowMs: 1_000 })
  deepEqual([mayCall('shop'), mayCall('shop')], [true, false])
  await clock.setBack(HOUR_MS)
  equal(mayCall('shop'), false)
  await clock.advance(1_000)
  equal(mayCall('shop'), true)
})

// test/unit/api/api-pieces.test.ts — pieces of the API without a gateway.
import { deepEqual, equal, match, notEqual, ok } from 'node:assert/strict'
import { describe, test } from 'vitest'
import { createRepresentations } from '../../../src/api/http/representation.ts'
import { waitSecondsOf } from '../../../src/api/http/waiting.ts'
import { localTimeOf, utcTimeOf } from '../../../src/api/local-time.ts'
import { createRateLimiter, TokenBucket } from '../../../src/api/rate-limiter.ts'
import { transactionBody } from '../../../src/api/transaction-body.ts'
import { API_VERSIONS, downgrade, upgrade } from '../../../src/api/versions/select.ts'
import { memoise } from '../../../src/engine/memoise.ts'
import { aTransaction } from '../../support/records.ts'
import { TestClock } from '../../support/test-clock.ts'

describe('local time', () => {
  test.each([
    ['2026-01-15T12:00:00Z', 'Europe/London', '2026-01-15T12:00:00'],
    ['2026-07-15T12:00:00Z', 'Europe/London', '2026-07-15T13:00:00'],
    ['2026-03-29T00:59:59Z', 'Europe/London', '2026-03-29T00:59:59'],
    ['2026-03-29T01:00:00Z', 'Europe/London', '2026-03-29T02:00:00'],
    ['2026-12-31T23:30:00Z', 'Asia/Kathmandu', '2027-01-01T05:15:00'],
    ['2026-01-01T00:00:00Z', 'UTC', '2026-01-01T00:00:00'],
  ])('of %s in %s is %s', (at, zone, local) => equal(localTimeOf(Date.parse(at), zone), local))

  test('is UTC for all other times', () => equal(utcTimeOf(0), '1970-01-01T00:00:00.000Z'))
})

test('a memoised function caches its results, up to a limit', () => {
  const made: string[] = []
  const upper = memoise(2, text => {
    made.push(text)
    return text === 'none' ? undefined : text.toUpperCase()
  })
  deepEqual(['a', 'a', 'none', 'none', 'b', 'a'].map(upper), ['A', 'A', undefined, undefined, 'B', 'A'])
  deepEqual(made, ['a', 'none', 'b', 'a'])
})

test('a representation is built once for each record version, API version and base URL', () => {
  const representations = createRepresentations()
  const entry = { record: {}, version: 1, answers: new Map<string, Uint8Array>() }
  let built = 0
  const build = () => ({ built: ++built })
  const about = { operation: 'getTransaction', apiVersion: API_VERSIONS[0], base: 'https://a' }
  const first = representations.of(entry, about, build)
  const again = representations.of(entry, about, build)
  equal(again.bytes, first.bytes)
  equal(again.etag, first.etag)
  notEqual(representations.of(entry, { ...about, base: 'https://b' }, build).etag, first.etag)
  equal(built, 2)
  match(first.etag, /^"[\w-]{22}"$/)
  for (let host = 0; host < 100; host += 1) representations.of(entry, { ...about, base: `https://${host}` }, build)
  ok(entry.answers.size < 10)
})

test('a token bucket refills evenly over its window, up to its limit', () => {
  const bucket = new TokenBucket({ limit: 2, windowMs: 1_000 }, 0)
  const takeAt = (...times: readonly number[]) => times.map(time => bucket.take(time))
  deepEqual(takeAt(0, 0, 0, 499, 500, 500), [true, true, false, false, true, false])
  deepEqual(takeAt(9_000, 9_000, 9_000), [true, true, false])
  // A clock that was set back: counting continues from its new time.
  deepEqual(takeAt(0, 499, 500, 500), [false, false, true, false])
})

test('the rate limiter counts admitted requests only, separately for each key', async () => {
  const clock = new TestClock()
  const mayCall = createRateLimiter(clock, { limit: 1, windowMs: 300 })
  deepEqual([mayCall('a'), mayCall('a'), mayCall('b')], [true, false, true])
  await clock.advance(299)
  equal(mayCall('a'), false)
  await clock.advance(1)
  deepEqual([mayCall('a'), mayCall('a')], [true, false])
})

test('the rate limiter tracks at most twenty thousand keys', () => {
  const mayCall = createRateLimiter(new TestClock(), { limit: 1, windowMs: 1_000 })
  for (let key = 0; key <= 20_000; key += 1) mayCall(String(key))
  deepEqual([mayCall('20000'), mayCall('0')], [false, true])
})

test('requests and answers of the newest API version are not converted', () => {
  const body = { a: 1 }
  equal(upgrade(API_VERSIONS[0], 'x', body), body)
  deepEqual(downgrade(API_VERSIONS[0], 'x', { status: 200, body }), { status: 200, body })
})

test('the first wait of several preferences counts', () => {
  equal(waitSecondsOf('wait=5, wait=9'), 5)
  equal(waitSecondsOf(['respond-async', 'wait=7']), 7)
  equal(waitSecondsOf('wait=99999999'), 60)
  equal(waitSecondsOf('x="wait=5'), 0)
  equal(waitSecondsOf(undefined), 0)
})

test('the body of a finished transaction does not change any more', () => {
  const finished = aTransaction({ progress: 'finished', finishedAt: 60_000, result: 'TIMED_OUT' })
  const body = transactionBody(finished, 'https://a/b', 'UTC')
  const late = transactionBody(
    { ...finished, version: 9, authorisation: 'reversed', acquirerReference: 'late', declineReason: 'expired_card' },
    'https://a/b',
    'UTC',
  )
  deepEqual(late, body)
  equal(body.transactionTime, '1970-01-01T00:01:00')
})

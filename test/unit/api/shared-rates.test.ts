// test/unit/api/shared-rates.test.ts — nodes that limit the same callers.
import { deepEqual, equal, ok } from 'node:assert/strict'
import { test } from 'vitest'
import { createRateLimiter } from '../../../src/api/rate-limiter.ts'
import { createSharedRates } from '../../../src/api/shared-rates.ts'
import type { CallHandler } from '../../../src/engine/ports/node-link.ts'
import { TestClock } from '../../support/test-clock.ts'

/** Nodes that hear each other at once. Each lets a caller make ten calls a second. */
function open(count: number) {
  const clock = new TestClock(0)
  const handlers = new Map<string, CallHandler>()
  const sent: string[] = []
  const names = Array.from({ length: count }, (_, index) => `n${index}`)
  const limiters = names.map(name => {
    const rates = createSharedRates(
      {
        others: names.filter(other => other !== name),
        handle: (call, handler) => void handlers.set(`${name} ${call}`, handler),
        async call(other, call, body) {
          sent.push(`${name} to ${other}`)
          // As over the network.
          await handlers.get(`${other} ${call}`)?.(JSON.parse(JSON.stringify(body)), name, null)
          return { outcome: 'answered', body: {} }
        },
      },
      clock,
    )
    return createRateLimiter(clock, { limit: 10, windowMs: 1_000, shared: { by: rates, name: 'calls' } })
  })
  /** Calls in tenths of a second, by turns to all nodes, as many as can be. Returns those that were served in each second. */
  const storm = async (seconds: number) => {
    const served: number[] = []
    for (let second = 0; second < seconds; second += 1) {
      let passed = 0
      for (let tenth = 0; tenth < 10; tenth += 1) {
        for (const mayCall of limiters) for (let call = 0; call < 5; call += 1) if (mayCall('shop')) passed += 1
        await clock.advance(100)
      }
      served.push(passed)
    }
    return served
  }
  return { clock, limiters, sent, storm }
}

test('a caller that one node limits makes no more calls at several of them, after the first second', async () => {
  const alone = await open(1).storm(20)
  const shared = await open(3).storm(20)
  const later = (served: readonly number[]) =>
    served.slice(3).reduce((sum, each) => sum + each, 0) / (served.length - 3)
  equal(later(alone), 10)
  // The bursts of the first second are paid for by the next ones.
  ok(later(shared) > 8 && later(shared) <= 10, `${later(shared)} a second`)
})

test('a caller below the limit is not refused, whichever nodes it calls', async () => {
  const { clock, limiters } = open(3)
  for (let call = 0; call < 90; call += 1) {
    equal(limiters[call % 3]!('shop'), true, `call ${call}`)
    await clock.advance(111)
  }
})

test('callers have rates of their own', async () => {
  const { limiters, clock } = open(2)
  for (let call = 0; call < 10; call += 1) limiters[0]!('busy')
  await clock.advance(1_000)
  equal(limiters[1]!('busy'), false)
  equal(limiters[1]!('quiet'), true)
})

test('nothing is sent while nobody calls, and nothing by a single node', async () => {
  const { clock, sent, limiters } = open(2)
  await clock.advance(10_000)
  deepEqual(sent, [])
  limiters[0]!('shop')
  await clock.advance(10_000)
  deepEqual(sent, ['n0 to n1'])
  const single = open(1)
  single.limiters[0]!('shop')
  await single.clock.advance(10_000)
  deepEqual(single.sent, [])
})

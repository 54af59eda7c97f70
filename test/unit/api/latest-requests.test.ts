// test/unit/api/latest-requests.test.ts — the latest requests of accounts, against a list that is searched each time.
import { deepEqual } from 'node:assert/strict'
import fc from 'fast-check'
import { test } from 'vitest'
import { createLatestRequests, type RecordedRequest } from '../../../src/api/requests/latest-requests.ts'
import { TestClock } from '../../support/test-clock.ts'

const LIMITS = { requestsPerAccount: 5, recordedRequests: 12, recordedRequestsMs: 1_000 }
const ACCOUNTS = ['first', 'second', 'third', 'fourth']

type Step =
  | { readonly type: 'add'; readonly account: string; readonly read: string | null }
  | { readonly type: 'again'; readonly account: string; readonly read: string }
  | { readonly type: 'wait'; readonly ms: number }

const account = fc.constantFrom(...ACCOUNTS)
const read = fc.constantFrom('a', 'b', 'c')
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 6, arbitrary: fc.record({ type: fc.constant('add'), account, read: fc.option(read) }) },
  { weight: 2, arbitrary: fc.record({ type: fc.constant('again'), account, read }) },
  { weight: 1, arbitrary: fc.record({ type: fc.constant('wait'), ms: fc.integer({ min: 1, max: 400 }) }) },
)

interface Expected {
  readonly account: string
  readonly read: string | null
  readonly position: number
  readonly at: number
  times: number
}

/** Keeps requests in one list, and applies each limit by counting. */
class Model {
  all: Expected[] = []
  #last = 0

  expire(now: number): void {
    this.all = this.all.filter(each => each.at > now - LIMITS.recordedRequestsMs)
  }

  add(account: string, read: string | null, now: number): void {
    this.expire(now)
    const own = this.all.filter(each => each.account === account)
    const full = this.all.length >= LIMITS.recordedRequests ? this.all[0] : undefined
    const dropped = own.length >= LIMITS.requestsPerAccount ? own[0] : full
    this.all = this.all.filter(each => each !== dropped)
    this.#last = Math.max(this.#last + 1, now * 1_000)
    this.all.push({ account, read, position: this.#last, at: now, times: 1 })
  }

  again(account: string, read: string): boolean {
    // A read that was added twice is counted with the later one.
    const found = this.all.findLast(each => each.account === account && each.read === read)
    if (found !== undefined) found.times += 1
    return found !== undefined
  }

  listOf(account: string): readonly (readonly [number, number])[] {
    const own = this.all.filter(each => each.account === account).toReversed()
    return own.map(each => [each.position, each.times])
  }
}

function request(at: number): RecordedRequest {
  const ids = { requestId: null, rpcId: null }
  return { at, transport: 'http', operation: 'op', route: 'GET /', apiVersion: null, params: {}, body: null, ...ids }
}

const OUTCOME = { status: 200, code: null, field: null, endedAt: null }

test('each account lists its latest requests, within the limits of accounts, of all, and of time', async () => {
  const property = fc.asyncProperty(fc.array(step, { minLength: 300, maxLength: 400 }), async steps => {
    const clock = new TestClock()
    const latest = createLatestRequests(clock, LIMITS)
    const model = new Model()
    for (const each of steps) {
      if (each.type === 'wait') {
        await clock.advance(each.ms)
        model.expire(clock.now())
      } else if (each.type === 'again')
        deepEqual(latest.again(each.account, each.read, clock.now()), model.again(each.account, each.read))
      else {
        latest.add(each.account, request(clock.now()), OUTCOME, each.read)
        model.add(each.account, each.read, clock.now())
      }
      for (const name of ACCOUNTS) {
        const { requests } = latest.list(name, { limit: 100 })
        deepEqual(
          requests.map(({ position, times }) => [position, times]),
          model.listOf(name),
        )
      }
    }
    latest.close()
  })
  await fc.assert(property, { numRuns: 15 })
})

test('a busy account leaves the oldest request of a quiet one, also when many of its own were dropped', async () => {
  const clock = new TestClock()
  const latest = createLatestRequests(clock, LIMITS)
  latest.add('quiet', request(clock.now()), OUTCOME, null)
  for (let count = 0; count < 2_000; count += 1) latest.add('busy', request(clock.now()), OUTCOME, null)
  // Of one moment: they count on from it.
  const first = clock.now() * 1_000
  const positions = (account: string) =>
    latest.list(account, { limit: 100 }).requests.map(each => each.position - first)
  deepEqual([positions('quiet'), positions('busy')], [[0], [2_000, 1_999, 1_998, 1_997, 1_996]])
  await clock.advance(LIMITS.recordedRequestsMs)
  deepEqual([positions('quiet'), positions('busy')], [[], []])
  latest.close()
})

// test/unit/api/requests-of-nodes.test.ts — the latest requests of several nodes are one list, with the pages of one.
import { deepEqual, equal } from 'node:assert/strict'
import fc from 'fast-check'
import { test } from 'vitest'
import {
  createLatestRequests,
  type LatestRequests,
  type ListedRequest,
  type RecordedRequest,
  type RequestFilter,
} from '../../../src/api/requests/latest-requests.ts'
import { listOnAllNodes } from '../../../src/api/requests/requests-of-nodes.ts'
import type { CallHandler } from '../../../src/engine/ports/node-link.ts'
import { keepingLog } from '../../support/silent-log.ts'
import { TestClock } from '../../support/test-clock.ts'

const LIMITS = { requestsPerAccount: 500, recordedRequests: 5_000, recordedRequestsMs: 3_600_000 }
const OUTCOME = { status: 200, code: null, field: null, endedAt: null }
const NODES = ['n1', 'n2', 'n3']

function openNodes() {
  const clock = new TestClock()
  const log = keepingLog()
  const handlers = new Map<string, CallHandler>()
  const silent = new Set<string>()
  const nodes = NODES.map(name => {
    const latest = createLatestRequests(clock, LIMITS)
    const link = {
      others: NODES.filter(other => other !== name),
      handle: (_: string, handler: CallHandler) => void handlers.set(name, handler),
      async call(to: string, _: string, body: unknown) {
        if (silent.has(to)) return { outcome: 'lost' } as const
        const answer = await handlers.get(to)?.(JSON.parse(JSON.stringify(body)), name, null)
        return { outcome: 'answered', body: JSON.parse(JSON.stringify(answer)) } as const
      },
    }
    return { name, latest, list: listOnAllNodes({ link, log, list: latest.list }) }
  })
  return { clock, log, silent, nodes }
}

function add(latest: LatestRequests, at: number, operation: string, body: RecordedRequest['body'] = null): void {
  const ids = { requestId: null, rpcId: null }
  const request = {
    at,
    transport: 'http',
    operation,
    route: 'GET /',
    apiVersion: null,
    params: {},
    body,
    ...ids,
  } as const
  latest.add('demo', request, OUTCOME, null)
}

type List = ReturnType<typeof openNodes>['nodes'][number]['list']

/** All requests, page by page. */
async function allOf(list: List, filter: RequestFilter): Promise<readonly ListedRequest[]> {
  const found: ListedRequest[] = []
  for (let before: number | undefined; ; ) {
    const { requests, next } = await list('demo', { ...filter, before })
    found.push(...requests)
    if (next === null) return found
    before = next
  }
}

const operationsOf = (requests: readonly ListedRequest[]) => requests.map(({ operation }) => operation)

const served = fc.record({ node: fc.nat(2), waitMs: fc.constantFrom(0, 0, 1, 20) })

test('the pages of each node have each request of all nodes once, newest first', async () => {
  const property = fc.asyncProperty(
    fc.array(served, { maxLength: 60 }),
    fc.integer({ min: 1, max: 9 }),
    async (all, limit) => {
      const { clock, nodes } = openNodes()
      for (const [index, { node, waitMs }] of all.entries()) {
        await clock.advance(waitMs)
        add(nodes[node]!.latest, clock.now(), `op${index}`)
      }
      const lists = await Promise.all(nodes.map(({ list }) => allOf(list, { limit })))
      for (const list of lists) {
        deepEqual(new Set(operationsOf(list)), new Set(all.map((_, index) => `op${index}`)))
        equal(list.length, all.length, 'each once')
        deepEqual(
          list.map(({ at }) => at),
          list.map(({ at }) => at).toSorted((one, other) => other - one),
        )
      }
    },
  )
  await fc.assert(property, { numRuns: 40 })
})

test('a page is as long as it is asked for, and filters hold on all nodes', async () => {
  const { clock, nodes } = openNodes()
  for (let index = 0; index < 12; index += 1) {
    await clock.advance(5)
    add(nodes[index % 3]!.latest, clock.now(), index % 2 === 0 ? 'even' : `odd${index}`)
  }
  const { requests, next } = await nodes[0]!.list('demo', { limit: 4 })
  deepEqual(operationsOf(requests), ['odd11', 'even', 'odd9', 'even'])
  equal(next, requests.at(-1)?.position)
  equal((await allOf(nodes[1]!.list, { limit: 4, operation: 'even' })).length, 6)
  deepEqual(await nodes[2]!.list('other', { limit: 4 }), { requests: [], next: null })
})

test('a node with more than an answer holds leaves the rest to the next page', async () => {
  const { clock, nodes } = openNodes()
  const long = { text: 'x'.repeat(1_900) }
  for (let index = 0; index < 400; index += 1) {
    await clock.advance(1)
    add(nodes[index % 2]!.latest, clock.now(), `op${index}`, long)
  }
  const newest = Array.from({ length: 400 }, (_, index) => `op${399 - index}`)
  deepEqual(operationsOf(await allOf(nodes[2]!.list, { limit: 200 })), newest)
})

test('a node that does not answer is logged by its address, and the others are listed', async () => {
  const { clock, log, silent, nodes } = openNodes()
  for (const { name, latest } of nodes) {
    await clock.advance(1)
    add(latest, clock.now(), name)
  }
  silent.add('n2')
  deepEqual(operationsOf((await nodes[0]!.list('demo', { limit: 9 })).requests), ['n3', 'n1'])
  deepEqual(
    log.lines.map(({ level, fields }) => [level, fields['node']]),
    [['warn', 'n2']],
  )
})

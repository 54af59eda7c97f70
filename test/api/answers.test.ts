// test/api/answers.test.ts — format and precedence of error answers.
import { deepEqual, equal, match, notEqual, ok } from 'node:assert/strict'
import { describe, test } from 'vitest'
import { ANSWERS, connectError, problem } from '../../src/api/answers.ts'
import { REFUSALS, type Refusal, type RefusalCode } from '../../src/domain/refusals.ts'
import { Fault } from '../../src/engine/fault.ts'
import type { Store } from '../../src/engine/ports/store.ts'
import { openShop } from '../support/shop.ts'
import { connectTill, openSocketShop } from '../support/socket-till.ts'
import { basic, send } from '../support/till.ts'
import { aTokenRequest, openWebShop } from '../support/web-shop.ts'

const CODES = Object.keys(REFUSALS) as RefusalCode[]

/** Error codes of the JSON-RPC interface, as docs/websocket.md lists them. */
const RPC_CODES = new Set([
  -32700, -32600, -32601, -32602, -32603, -32070, -32071, -32072, -32073, -32074, -32075, -32076,
])

describe.each(CODES)('%s', code => {
  test('has an HTTP status, a published JSON-RPC code, and Retry-After exactly when a retry may help', () => {
    const { status, rpcCode, retryAfterSeconds } = ANSWERS[code]
    ok(status >= 400 && status < 600 && status !== 500)
    ok(RPC_CODES.has(rpcCode))
    equal(retryAfterSeconds !== null, REFUSALS[code].retry)
  })

  test('has a sentence without placeholders in both formats', () => {
    const refusal = { code, tid: '22160001', field: 'amount', detail: 'is zero.' } as Refusal
    const connect = connectError(refusal)
    deepEqual(connect['messages'], [connect['userMessage']])
    const body = problem(refusal, 'r-1')
    equal(body['detail'], connect['userMessage'])
    equal(body['code'], code)
    equal(body['retry'], REFUSALS[code].retry)
    for (const sentence of [body['detail'], body['title']]) ok(!/[{}]/.test(String(sentence)), String(sentence))
  })
})

test('of several errors the first in the order of precedence is answered', async () => {
  const shop = await openShop()
  const busy = await shop.till.sale(100)
  const named = { accept: 'application/connect.v2+json' }
  const partner = { 'software-house-id': 's', 'installer-id': 'i' }
  const good = { transactionType: 'SALE', amount: 1, currency: 'GBP' }
  const path = '/pac/terminals/VCMDEMOSIP0/transactions'
  const rows: readonly [string, string, Record<string, string>, unknown, number, RegExp][] = [
    ['POST', '/pac/none', { authorization: '' }, 'x', 404, /No resource exists/],
    ['PATCH', path, { authorization: '' }, 'x', 405, /Method not allowed/],
    ['POST', `${path}?${'x'.repeat(5_000)}`, { authorization: '' }, 'x', 414, /too long/],
    ['POST', path, { authorization: '', host: 'a b' }, 'x', 400, /Host/],
    ['POST', path, { authorization: '', accept: 'application/connect.v9+json' }, 'x', 401, /missing/],
    ['POST', path, { accept: 'application/connect.v9+json' }, 'x', 406, /application\/connect\.v2\+json/],
    ['POST', '/pac/terminals/none/transactions', named, 'x', 422, /Software-House-Id/],
    ['POST', '/pac/terminals/none/transactions', { ...named, ...partner }, 'x', 404, /none is unavailable/],
    ['POST', path, { 'content-type': 'text/plain' }, 'x'.repeat(70_000), 413, /too large/],
    ['POST', path, { 'content-type': 'text/plain' }, 'x', 415, /must be JSON/],
    ['POST', path, {}, 'x', 422, /not valid JSON/],
    ['POST', path, {}, { ...good, currency: 'EUR' }, 422, /currency/],
    ['POST', path, {}, good, 422, /is busy/],
  ]
  for (const [method, url, headers, body, status, sentence] of rows) {
    const reply = await shop.till.ask(method, url, { headers, body })
    equal(reply.status, status, `${method} ${url} ${reply.text}`)
    match(String(reply.json['userMessage']), sentence)
  }
  equal((await shop.till.look(busy)).notifications.length, 1)
})

test('a method that an address does not support is 405 with Allow', async () => {
  const shop = await openShop()
  const rows = [
    ['POST', '/pac/terminals', 'GET, HEAD, OPTIONS'],
    ['GET', '/pac/terminals/x/transactions', 'POST, OPTIONS'],
    ['PATCH', '/pac/terminals/x/transactions/y/signature', 'PUT, OPTIONS'],
    ['POST', '//pac/terminals/x/transactions/y/', 'GET, HEAD, DELETE, OPTIONS'],
    ['DELETE', '/api/account', 'GET, HEAD, OPTIONS'],
    ['PROPFIND', '/', 'GET, HEAD, OPTIONS'],
  ] as const
  for (const [method, path, allow] of rows) {
    const reply = await shop.till.ask(method, path)
    equal(reply.status, 405, path)
    equal(reply.headers['allow'], allow)
  }
})

test('errors outside /pac and /pat are problem details of RFC 9457', async () => {
  const shop = await openShop()
  const reply = await shop.till.ask('GET', '/api/transactions/none', { headers: { 'x-request-id': 'my-request' } })
  equal(reply.status, 404)
  match(reply.headers['content-type'] ?? '', /^application\/problem\+json/)
  deepEqual(reply.json, {
    type: 'urn:tollgate:problem:transaction_unknown',
    title: 'The transaction was not found.',
    status: 404,
    detail: 'The transaction was not found.',
    code: 'transaction_unknown',
    requestId: 'my-request',
    retry: false,
  })
  const field = await shop.till.ask('GET', '/api/transactions?limit=9999')
  deepEqual(
    [field.status, field.json['field'], field.json['detail']],
    [422, 'limit', 'The field limit is too large. It must be a whole number from 1 to 200.'],
  )
})

test('every answer has X-Request-Id: the one of the request if it is valid, else a new one', async () => {
  const shop = await openShop()
  const idFor = async (sent: string, path = '/pac/terminals') =>
    (await shop.till.ask('GET', path, { headers: { 'x-request-id': sent } })).headers['x-request-id']
  for (const path of ['/pac/terminals', '/pac/terminals/none', '/none', '/health/live', '/'])
    equal(await idFor('till-7/2026-05-06T14:03', path), 'till-7/2026-05-06T14:03')
  // A text with a card number is not valid.
  for (const insane of ['', 'a b', '"', 'ü', 'x'.repeat(129), '4462030000000000', 'order-4462030000000000'])
    match((await idFor(insane)) ?? '', /^[\da-f-]{36}$/, insane)
  notEqual(await idFor(''), await idFor(''))
})

const BUSY = {
  code: 'gateway_busy',
  retryAfter: '1',
  sentence: 'The gateway is busy. Nothing was started.',
}
const UNWRITABLE = {
  code: 'store_unwritable',
  retryAfter: '5',
  sentence: 'The gateway cannot write to its store. Nothing was started.',
}
const LOST = {
  code: 'store_lost',
  retryAfter: '5',
  sentence: 'The gateway lost its store. Whether the request took effect is unknown: check before you repeat it.',
}
for (const [fault, { code, retryAfter, sentence }] of [
  ['store_busy', BUSY],
  ['contention', BUSY],
  ['store_unwritable', UNWRITABLE],
  ['store_unreachable', UNWRITABLE],
  ['store_gone', LOST],
  ['commit_unknown', LOST],
] as const)
  test(`a commit that fails with ${fault} is 503 with Retry-After in every area, and -32070 on the socket`, async () => {
    let failing = false
    const store = (real: Store): Store => ({
      ...real,
      commit: commit => (failing ? Promise.reject(new Fault(fault)) : real.commit(commit)),
    })
    const shop = await openSocketShop({ store })
    const till = await connectTill(shop)
    const web = await openWebShop({ store })
    failing = true
    const sale = { transactionType: 'SALE', amount: 1, currency: 'GBP' }
    const connect = await shop.till.start(sale)
    deepEqual(
      [connect.status, connect.headers['retry-after'], connect.json['userMessage']],
      [503, retryAfter, sentence],
    )
    const own = await shop.till.ask('POST', '/api/webhook-secret/rotate')
    deepEqual([own.status, own.headers['retry-after'], own.json['code']], [503, retryAfter, code])
    const token = await web.call('POST', '/v1/access-tokens', aTokenRequest('order-1'))
    deepEqual([token.status, token.headers['retry-after']], [503, retryAfter])
    const { error } = await till.ask('sale', { tid: 'VCMDEMOSIP0', currency: 'GBP', amount: 1 })
    deepEqual([error?.['code'], error?.['data']], [-32070, { userMessage: sentence }])
    failing = false
    equal((await shop.till.start(sale)).status, 201)
  })

test('an unexpected error is 500: empty for tills, problem details for others, and logged with the request id', async () => {
  let broken = false
  const shop = await openShop({
    store: store => ({
      ...store,
      list: (account, query) => (broken ? Promise.reject(new Error('disk on fire')) : store.list(account, query)),
    }),
  })
  broken = true
  const connect = await shop.till.ask('GET', '/pac/terminals', { headers: { 'x-request-id': 'r-1' } })
  deepEqual([connect.status, connect.text, connect.headers['content-length']], [500, '', '0'])
  const own = await shop.till.ask('GET', '/api/terminals', { headers: { 'x-request-id': 'r-2' } })
  equal(own.status, 500)
  equal(own.json['requestId'], 'r-2')
  ok(!own.text.includes('fire'))
  const lines = shop.log.lines.filter(({ level }) => level === 'error')
  deepEqual(
    lines.map(({ fields }) => fields['request']),
    ['r-1', 'r-2'],
  )
  match(String(lines[0]?.fields['error']), /disk on fire/)
})

test('answers have Cache-Control: no-store and X-Content-Type-Options: nosniff', async () => {
  const shop = await openShop()
  for (const path of ['/pac/terminals', '/pac/none', '/api/account', '/health/live', '/']) {
    const { headers } = await shop.till.ask('GET', path)
    equal(headers['cache-control'], 'no-store', path)
    equal(headers['x-content-type-options'], 'nosniff', path)
  }
})

test('requests above the limit of concurrent requests are answered with 503', async () => {
  let release: () => void = () => {}
  let hold: Promise<void> | null = null
  const shop = await openShop({
    limits: { inFlight: 3 },
    store: store => ({
      ...store,
      async list(account, query) {
        await hold
        return store.list(account, query)
      },
    }),
  })
  hold = new Promise(resolve => {
    release = resolve
  })
  const ask = () => send(shop.api.inject, 'GET', '/pac/terminals', { authorization: basic('demo-api-key') })
  const held = [ask(), ask(), ask()]
  await shop.settle()
  const turnedAway = await ask()
  equal(turnedAway.status, 503)
  release()
  deepEqual(
    (await Promise.all(held)).map(({ status }) => status),
    [200, 200, 200],
  )
  equal((await ask()).status, 200)
})

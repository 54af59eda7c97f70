// test/unit/web/console-requests.test.ts — what the console does with recorded requests: commands, repetitions and words.
import { deepEqual, equal, match, ok } from 'node:assert/strict'
import { test } from 'vitest'
import { OPERATIONS } from '../../../src/api/operations/index.ts'
import {
  addressIn,
  callerOf,
  commandOf,
  consequenceOf,
  idOf,
  isFailed,
  isRedacted,
  type RecordedRequest,
  repetitionOf,
  whyNotAgain,
} from '../../../web/console/requests/recorded-request.ts'

const CREDENTIALS = { account: 'demo', key: 'demo-api-key' }
const ORIGIN = 'http://127.0.0.1:4020'

const SALE: RecordedRequest = {
  ...{ at: '2026-05-06T13:03:27.000Z', lastAt: '2026-05-06T13:03:27.000Z', transport: 'http', times: 1 },
  ...{ operation: 'startTransaction', route: 'POST /pac/terminals/{tid}/transactions', apiVersion: 'v2' },
  ...{ params: { tid: 'A/1' }, body: { transactionType: 'SALE', amount: 2_599, currency: 'GBP' } },
  ...{ status: 422, code: 'terminal_busy', field: null, durationMs: 3, requestId: 'r-1', rpcId: null },
}
const PAYMENT = 'a'.repeat(64)

/** Areas whose requests are recorded, with the key that each needs. */
const CALLERS = { connect: 'account', management: 'account', shop: 'shop', browser: 'payer' } as const

test('the console knows whose key each operation needs', () => {
  const recorded = OPERATIONS.flatMap(({ area, name, method, path }) =>
    area in CALLERS ? [{ name, route: `${method} ${path}`, caller: CALLERS[area as keyof typeof CALLERS] }] : [],
  )
  ok(recorded.length > 40)
  deepEqual(
    recorded.map(({ name, route }) => [name, callerOf(route)]),
    recorded.map(({ name, caller }) => [name, caller]),
  )
})

test('a request is sent again as it was, with what the list has of it', () => {
  deepEqual(repetitionOf(SALE), { method: 'POST', path: '/pac/terminals/A%2F1/transactions', body: SALE.body })
  equal(addressIn(SALE), 'POST /pac/terminals/A/1/transactions')
  const listed = { ...SALE, route: 'GET /api/transactions', params: { limit: 5, terminal: 'A B' }, body: null }
  deepEqual(repetitionOf(listed), { method: 'GET', path: '/api/transactions?limit=5&terminal=A+B', body: undefined })
  const read = { ...SALE, route: 'GET /api/payments/{token}/timeline', params: { payment: PAYMENT }, body: null }
  deepEqual(repetitionOf(read), { method: 'GET', path: `/api/payments/${PAYMENT}/timeline`, body: undefined })
  equal(whyNotAgain(read), null)
})

test('a message of JSON-RPC is posted again, unless it came over a WebSocket', () => {
  const message = {
    ...SALE,
    route: 'JSON-RPC duplicate',
    operation: 'duplicate',
    params: {},
    body: { tid: '1' },
    rpcId: 7,
  }
  deepEqual(repetitionOf(message), {
    ...{ method: 'POST', path: '/pac' },
    body: { jsonrpc: '2.0', id: 7, method: 'duplicate', params: { tid: '1' } },
  })
  match(whyNotAgain({ ...message, transport: 'websocket' }) ?? '', /WebSocket/)
  equal(commandOf({ ...message, transport: 'websocket' }, CREDENTIALS, ORIGIN), null)
})

test('a command has the public key, or variables for keys that the console does not have', () => {
  equal(
    commandOf({ ...SALE, apiVersion: 'v1' }, CREDENTIALS, ORIGIN),
    `curl -u 'demo:demo-api-key' -H 'Accept: application/connect.v1+json' -H 'Content-Type: application/json' \\\n` +
      `  -d '{"transactionType":"SALE","amount":2599,"currency":"GBP"}' \\\n` +
      `  'http://127.0.0.1:4020/pac/terminals/A%2F1/transactions'`,
  )
  const ofShop = { ...SALE, route: 'GET /v1/payments/{token}', params: { payment: PAYMENT }, body: null }
  equal(
    commandOf(ofShop, CREDENTIALS, ORIGIN),
    `JWT=$(npx tollgate token)\ncurl -H "Authorization: Bearer $JWT" 'http://127.0.0.1:4020/v1/payments/'"$ACCESS_TOKEN"`,
  )
  const ofPayer = { ...SALE, route: 'POST /mobile/payments/{token}/three-ds-complete', params: { payment: PAYMENT } }
  equal(
    commandOf({ ...ofPayer, body: null }, CREDENTIALS, ORIGIN),
    `curl -X POST 'http://127.0.0.1:4020/mobile/payments/'"$ACCESS_TOKEN"'/three-ds-complete'`,
  )
  match(whyNotAgain(ofShop) ?? '', /JWT/)
  match(whyNotAgain(ofPayer) ?? '', /access token/)
})

test('a request at no known address can neither be copied nor sent again', () => {
  const lost = { ...SALE, route: 'unrouted', params: {} }
  equal(commandOf(lost, CREDENTIALS, ORIGIN), null)
  match(whyNotAgain(lost) ?? '', /no address/)
})

test('before it is sent again, a request says in words what will happen', () => {
  match(consequenceOf(SALE, SALE.body ?? {}), /^Terminal A\/1 starts SALE of £25\.99\./)
  // Whatever somebody has typed: no amount, no currency.
  for (const body of [undefined, {}, { transactionType: 'SALE', amount: 'x' }, { amount: 1, currency: 'POUNDS' }])
    match(consequenceOf(SALE, body), /^Terminal A\/1 starts (SALE|a transaction)\./)
  const other = { ...SALE, operation: 'setTableLock', route: 'PUT /pat/tables/{tableName}/lock' }
  match(consequenceOf(other, {}), /PUT \/pat\/tables/)
})

test('failures and secrets are recognised, and each request has an id of its own', () => {
  equal(isFailed(SALE), true)
  for (const status of [null, 404, -32602]) equal(isFailed({ ...SALE, code: null, status }), true)
  for (const status of [200, 201, 304]) equal(isFailed({ ...SALE, code: null, status }), false)
  equal(isRedacted(SALE), false)
  equal(isRedacted({ ...SALE, body: { nested: { pin: '[redacted]' } } }), true)
  equal(new Set([SALE, { ...SALE, requestId: 'r-2' }, { ...SALE, requestId: null, rpcId: 1 }].map(idOf)).size, 3)
})

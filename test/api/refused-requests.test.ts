// test/api/refused-requests.test.ts — each refused request has one line in the log, and neither the log nor /api/requests has a
// secret of a request.
import { deepEqual, equal, ok } from 'node:assert/strict'
import { describe, test } from 'vitest'
import type { Operation } from '../../src/api/operation.ts'
import { OPERATIONS } from '../../src/api/operations/index.ts'
import { placed } from '../../src/cli/doctor/card-data/schema-inputs.ts'
import { scrub } from '../../src/platform/scrub.ts'
import { numbersThatLookLikeCards } from '../support/card-scanner.ts'
import { holdsNumber } from '../support/lone-number.ts'
import type { Shop } from '../support/shop.ts'
import { connectTill, openSocketShop } from '../support/socket-till.ts'
import { openWebShop, type WebShop } from '../support/web-shop.ts'

/** Lines about refused requests, as the log writes them. */
const linesOf = (shop: Shop) =>
  shop.log.lines.filter(({ message }) => message === 'request refused').map(({ fields }) => scrub(fields))

describe('a refused request is one line with route, code, account and request id', () => {
  const authorization = `Basic ${Buffer.from('till:demo-api-key').toString('base64')}`
  const rows: readonly [string, string, string, object, object][] = [
    ['without credentials', 'GET', '/pac/terminals', {}, { route: 'GET /pac/terminals', code: 'credentials_missing' }],
    [
      'with a wrong key',
      'GET',
      '/api/account',
      { authorization: 'Basic eDp5' },
      { route: 'GET /api/account', code: 'credentials_refused' },
    ],
    ['at no address', 'GET', '/pac/nothing?token=demo-api-key', {}, { route: 'unrouted', code: 'path_unknown' }],
    [
      'of no such terminal',
      'GET',
      '/pac/terminals/x',
      { authorization },
      { route: 'GET /pac/terminals/{tid}', code: 'terminal_unavailable', account: 'demo' },
    ],
    [
      'in no such version',
      'GET',
      '/pac/terminals',
      { authorization, accept: 'application/connect.v9+json' },
      { route: 'GET /pac/terminals', code: 'version_unknown', account: 'demo', detail: true },
    ],
    [
      'without its partner',
      'GET',
      '/pac/terminals',
      { authorization, accept: 'application/connect.v2+json' },
      { route: 'GET /pac/terminals', code: 'software_house_missing', account: 'demo' },
    ],
    [
      'of a web shop without JWT',
      'GET',
      '/v1/payments/x',
      {},
      { route: 'GET /v1/payments/{token}', code: 'jwt_missing' },
    ],
    [
      'of a browser with a wrong access token',
      'POST',
      '/api/payments/x',
      { 'content-type': 'application/json' },
      { route: 'POST /api/payments/{token}', code: 'access_token_spent' },
    ],
    ['with a handshake only', 'GET', '/pac?token=demo-api-key', {}, { route: 'GET /pac', code: 'upgrade_required' }],
  ]
  test.each(rows)('%s', async (_, method, url, headers, expected) => {
    const { shop } = await openWebShop()
    await shop.api.inject({ method: method as 'GET', url, headers: { ...headers, 'x-request-id': 'r-1' } })
    const lines = linesOf(shop).map(line => ({ ...line, ...('detail' in line ? { detail: true } : {}) }))
    deepEqual(lines, [{ request: 'r-1', ...expected }])
  })

  test('on a WebSocket', async () => {
    const shop = await openSocketShop()
    const till = await connectTill(shop)
    await till.ask('sale', { tid: 'nobody', amount: 100, currency: 'GBP' }, 7)
    await till.ask('sale', { tid: 'nobody', amount: 'much', currency: 'GBP' }, 8)
    till.say('no JSON')
    await till.settle()
    const lines = linesOf(shop).map(line => ({ ...line, ...('detail' in line ? { detail: true } : {}) }))
    deepEqual(lines, [
      { rpcId: 7, route: 'JSON-RPC sale', code: 'terminal_unavailable', account: 'demo' },
      { rpcId: 8, route: 'JSON-RPC sale', code: 'field_invalid', account: 'demo', field: 'amount', detail: true },
      { rpcId: null, route: 'JSON-RPC', code: 'body_not_json', account: 'demo' },
    ])
  })
})

test('lines above the limit are counted instead; other accounts have theirs', async () => {
  const { shop } = await openWebShop({ limits: { refusalLinesPerAccount: 3, refusalLines: 5 } })
  const dropped = () => shop.observed.filter(each => each === 'refusal line dropped').length
  const refuse = (key: string) => shop.tillOf(key, 'x').ask('GET', '/pac/terminals/x')
  for (let times = 0; times < 10; times += 1) await refuse('demo-api-key')
  deepEqual([linesOf(shop).length, dropped()], [3, 7])
  await refuse('demo-eur-api-key')
  deepEqual(linesOf(shop).at(-1)?.['account'], 'demo-eur')
  await shop.clock.advance(1_000)
  for (let times = 0; times < 3; times += 1) await refuse('guessed-key')
  await refuse('demo-api-key')
  await refuse('demo-api-key')
  await refuse('demo-api-key')
  deepEqual([linesOf(shop).length, dropped()], [9, 8])
})

// --- nothing secret of a request

const CARD = '4929 9900 0000 0011'
const KEY = `tg_${'A1b2C3d4'.repeat(5)}`
const JWT = `${Buffer.from('{"alg":"RS256"}').toString('base64url')}.${Buffer.from('{"apiKey":"x"}').toString('base64url')}.c2lnbmF0dXJlIQ`
const SECRETS = [CARD, KEY, JWT]
const FORBIDDEN = [KEY, KEY.slice(3), JWT, JWT.split('.')[1] ?? '', 'demo-api-key', 'c2lnbmF0dXJlIQ']

/** Operations whose requests are listed. Sandbox and pages are not. */
const LISTED = OPERATIONS.filter(({ area }) => ['connect', 'shop', 'browser', 'management'].includes(area))

/** Instead of the example of the reference, which waits for a terminal. */
const BRIEF: Readonly<Record<string, unknown>> = {
  callJsonRpc: { jsonrpc: '2.0', id: 1, method: 'terminalDetails', params: { tid: 'VCMDEMOSIP0' } },
}

async function send(
  web: WebShop,
  { method, auth, body, area }: Operation,
  path: string,
  sent: { readonly body?: unknown; readonly headers?: Readonly<Record<string, string>> } = {},
): Promise<void> {
  const basic = `Basic ${Buffer.from('till:demo-api-key').toString('base64')}`
  const authorization = auth === 'jwt' ? `Bearer ${web.jwt}` : basic
  const type = body?.mediaType ?? 'application/json'
  const text = (value: unknown) =>
    type === 'application/json'
      ? JSON.stringify(value)
      : new URLSearchParams(value as Record<string, string>).toString()
  await web.shop.api.inject({
    method,
    url: path,
    headers: {
      host: 'localhost',
      ...(auth === 'none' ? {} : { authorization }),
      ...(area === 'connect' ? { 'software-house-id': 'maker', 'installer-id': 'fitter' } : {}),
      ...(sent.body === undefined ? {} : { 'content-type': type }),
      ...sent.headers,
    },
    ...(sent.body === undefined ? {} : { payload: text(sent.body) }),
  })
}

/** Everything that an operator or the account can read of the requests. */
async function readable({ shop, jwt }: WebShop): Promise<string> {
  const text = JSON.stringify(shop.log.lines.map(({ fields, message }) => [scrub(fields), message]))
  const { text: listed } = await shop.till.ask('GET', '/api/requests?limit=200')
  ok(!`${text}${listed}`.includes(jwt))
  return text + listed
}

describe('neither the log nor /api/requests has a secret of a request', () => {
  test.each(LISTED.map(operation => [operation.name, operation] as const))('%s', async (_, operation) => {
    const web = await openWebShop({
      limits: { requestsPerAccount: 10_000, refusalLines: 1e6, refusalLinesPerAccount: 1e6, testAccountsPerHour: 0 },
    })
    const token = operation.path.includes('{token}') ? await web.token() : ''
    const values = { tid: 'VCMDEMOSIP0', token, tableName: '7', requestId: 'a' } as Readonly<Record<string, string>>
    const pathWith = (changed: Readonly<Record<string, string>> = {}) =>
      operation.path.replaceAll(/\{(\w+)\}/g, (_, name: string) =>
        encodeURIComponent({ ...values, ...changed }[name] ?? 'a'),
      )
    const example = BRIEF[operation.name] ?? Object.values(operation.body?.examples ?? {})[0] ?? {}
    const valid = operation.body === undefined ? {} : { body: example }
    for (const secret of SECRETS) {
      if (operation.body !== undefined)
        for (const { value } of placed(operation.body.schema, example, () => secret))
          await send(web, operation, pathWith(), { body: value })
      for (const [, parameter = ''] of operation.path.matchAll(/\{(\w+)\}/g))
        await send(web, operation, pathWith({ [parameter]: secret }), valid)
      for (const parameter of [...Object.keys(operation.query?.properties ?? {}), 'token', 'note'])
        await send(web, operation, `${pathWith()}?${new URLSearchParams({ [parameter]: secret })}`, valid)
      for (const header of ['x-request-id', 'software-house-id', 'installer-id', 'idempotency-key', 'authorization'])
        await send(web, operation, pathWith(), { ...valid, headers: { [header]: secret } })
    }
    await web.shop.settle()
    const text = await readable(web)
    deepEqual(numbersThatLookLikeCards(text), [])
    deepEqual(
      [...FORBIDDEN, ...(token === '' ? [] : [token])].filter(secret => text.includes(secret)),
      [],
    )
  })
})

test('card data of a payer is in no list and no line', async () => {
  const web = await openWebShop()
  const card = { cardName: 'Vivian Canary', cardNumber: CARD, expiryDate: '11 / 33', cV2: '7391' }
  const token = await web.token()
  for (const changes of [
    {},
    { cardNumber: '5200000000000056' },
    { cV2: 'cv2-canary' },
    { billingAddress: { cvv: '7391' } },
  ])
    await web.browse(`/api/payments/${token}`, { ...card, ...changes })
  await web.browse(`/mobile/payments/${token}/three-ds-complete`, { transactionId: 'md-canary', paRes: 'pares-canary' })
  await web.shop.settle()
  const { json, text } = await web.shop.till.ask('GET', '/api/requests')
  equal((json['requests'] as readonly unknown[]).length, 6)
  const all = text + JSON.stringify(linesOf(web.shop))
  for (const secret of ['Canary', '11 / 33', 'cv2-canary', 'md-canary', 'pares-canary', token])
    ok(!all.includes(secret), secret)
  ok(!holdsNumber(all, '7391'))
})

test('card data and keys in messages of a till are in no list and no line', async () => {
  const shop = await openSocketShop({ limits: { refusalLines: 1e6, refusalLinesPerAccount: 1e6 } })
  const till = await connectTill(shop)
  const methods = OPERATIONS.flatMap(({ rpc = [] }) => rpc)
  for (const secret of SECRETS)
    for (const { name, params, example } of methods) {
      for (const { value } of placed(params, example.params, () => secret))
        till.say({ jsonrpc: '2.0', id: 1, method: name, params: value })
      till.say({ jsonrpc: '2.0', id: 1, method: secret })
    }
  await till.settle()
  const { text } = await shop.till.ask('GET', '/api/requests?limit=200')
  const all = text + JSON.stringify(linesOf(shop))
  deepEqual(numbersThatLookLikeCards(all), [])
  deepEqual(
    FORBIDDEN.filter(secret => all.includes(secret)),
    [],
  )
})

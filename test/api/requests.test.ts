// test/api/requests.test.ts — GET /api/requests: the latest requests of an account, over every interface and in both modes.
import { deepEqual, equal } from 'node:assert/strict'
import { describe, test } from 'vitest'
import type { AccessToken } from '../../src/domain/ids.ts'
import { idOfToken } from '../../src/services/online/tokens.ts'
import { openShop, type Shop, type ShopOptions } from '../support/shop.ts'
import { connectTill, openSocketShop } from '../support/socket-till.ts'
import { openWebShop } from '../support/web-shop.ts'

interface Listed {
  readonly at: string
  readonly transport: string
  readonly operation: string
  readonly route: string
  readonly apiVersion: string | null
  readonly params: Readonly<Record<string, unknown>>
  readonly body: Readonly<Record<string, unknown>> | null
  readonly status: number | null
  readonly code: string | null
  readonly field: string | null
  readonly durationMs: number | null
  readonly requestId: string | null
  readonly rpcId: number | null
  readonly times: number
  readonly lastAt: string
}

interface Page {
  readonly recording: boolean
  readonly requests: readonly Listed[]
  readonly next: number | null
}

async function page({ till }: Pick<Shop, 'till'>, query = ''): Promise<Page> {
  const reply = await till.ask('GET', `/api/requests${query}`)
  equal(reply.status, 200, reply.text)
  return reply.json as unknown as Page
}

const said = ({ operation, status, times }: Listed) => `${operation} ${status}${times === 1 ? '' : ` ×${times}`}`

const saidIn = async (shop: Shop, query = '') => (await page(shop, query)).requests.map(said)

test('a sale is listed with its fields, and the polls of it are counted', async () => {
  const shop = await openShop()
  const sale = await shop.till.sale(2599)
  for (let poll = 0; poll < 40; poll += 1) {
    await shop.clock.advance(500)
    await shop.till.look(sale)
  }
  const { recording, requests, next } = await page(shop)
  deepEqual(
    { recording, next, said: requests.map(said) },
    {
      recording: true,
      next: null,
      said: ['getTransaction 200 ×40', 'startTransaction 201'],
    },
  )
  const [polls, start] = requests
  deepEqual(polls?.params, { tid: 'VCMDEMOSIP0', requestId: sale.requestId })
  deepEqual(Date.parse(polls?.lastAt ?? '') - Date.parse(polls?.at ?? ''), 39 * 500)
  const { at, requestId, lastAt, ...rest } = start as Listed
  deepEqual(rest, {
    transport: 'http',
    operation: 'startTransaction',
    route: 'POST /pac/terminals/{tid}/transactions',
    apiVersion: 'v2',
    params: { tid: 'VCMDEMOSIP0' },
    body: { transactionType: 'SALE', amount: 2599, currency: 'GBP' },
    ...{ status: 201, code: null, field: null, durationMs: 0, rpcId: null, times: 1 },
  })
  equal(at, lastAt)
  equal(typeof requestId, 'string')
})

test('reads are counted by address, version and outcome', async () => {
  const shop = await openShop()
  const headers = { accept: 'application/connect.v1+json' }
  for (let round = 0; round < 2; round += 1) {
    await shop.till.ask('GET', '/pac/terminals')
    await shop.till.ask('GET', '/pac/terminals', { headers })
    await shop.till.ask('GET', '/pac/terminals/VCMDEMOSIP0')
    await shop.till.ask('GET', '/pac/terminals/nobody')
    await shop.till.ask('HEAD', '/pac/terminals')
  }
  const { requests } = await page(shop)
  deepEqual(
    requests.map(each => `${said(each)} ${each.apiVersion}`),
    ['getTerminal 404 ×2 v2', 'getTerminal 200 ×2 v2', 'listTerminals 200 ×2 v1', 'listTerminals 200 ×4 v2'],
  )
})

test('a refused request is listed with its code and field', async () => {
  const shop = await openShop()
  await shop.till.start({ transactionType: 'SALE', amount: -1, currency: 'GBP' })
  const headers = { accept: 'application/connect.v9+json', 'x-request-id': 'till-7' }
  await shop.till.ask('GET', '/pac/terminals', { headers })
  const { requests } = await page(shop)
  deepEqual(
    requests.map(({ status, code, field, body }) => ({ status, code, field, body })),
    [
      { status: 406, code: 'version_unknown', field: null, body: null },
      { status: 422, code: 'field_invalid', field: 'amount', body: { transactionType: 'SALE', currency: 'GBP' } },
    ],
  )
  equal(requests[0]?.requestId, 'till-7')
})

test('a wrong key has no account, so nobody gets to see the request', async () => {
  const shop = await openShop()
  await shop.tillOf('guessed-key', 'VCMDEMOSIP0').ask('GET', '/pac/terminals')
  deepEqual(await saidIn(shop), [])
})

test('accounts see their own requests only', async () => {
  const shop = await openShop()
  await shop.tillOf('demo-eur-api-key', 'VCMEUROSIP0', 'EUR').ask('GET', '/api/account')
  await shop.till.ask('GET', '/api/terminals')
  deepEqual(await saidIn(shop), ['listOwnTerminals 200'])
})

describe('every interface is listed', () => {
  test.each(['v0', 'v1', 'v2'])('REST in %s', async version => {
    const shop = await openShop()
    const headers = {
      accept: `application/connect.${version}+json`,
      'software-house-id': 'maker',
      'installer-id': 'fitter',
    }
    const body = { transactionType: 'SALE', amount: 100, currency: 'GBP' }
    await shop.till.ask('POST', '/pac/terminals/VCMDEMOSIP0/transactions', { headers, body })
    const [start] = (await page(shop)).requests
    deepEqual({ ...start?.body, version: start?.apiVersion }, { ...body, version })
  })

  test('/pat, with only the fields that the schema knows, at any depth', async () => {
    const shop = await openShop()
    const line = { value: 'Soup', type: 'TEXT', cvv: '341' }
    const table = {
      tableName: '7',
      amount: 5400,
      currency: 'GBP',
      waiterIds: ['4'],
      track2: ';5200',
      receiptLines: [line],
    }
    await shop.till.ask('PUT', '/pat/tables', { body: table })
    const [created] = (await page(shop)).requests
    equal(created?.operation, 'createTable')
    deepEqual(created?.body, {
      ...{ tableName: '7', amount: 5400, currency: 'GBP', waiterIds: ['4'] },
      receiptLines: [{ value: 'Soup', type: 'TEXT' }],
    })
  })

  test('online: the web shop by JWT, the payer by access token, which is shown as the id of its payment', async () => {
    const { shop, token, pay, payment } = await openWebShop()
    const given = await token({ orderId: 'A-7', metaData: { cvv: '341' }, webHookUrl: 'https://shop.example/h?key=1' })
    await pay(given)
    await payment(given)
    await shop.settle()
    const { requests } = await page(shop)
    const id = idOfToken(given as AccessToken)
    deepEqual(
      requests.map(each => [said(each), each.route, each.params]),
      [
        ['getPayment 200', 'GET /v1/payments/{token}', { payment: id }],
        ['payByCard 200', 'POST /api/payments/{token}', { payment: id }],
        ['createAccessToken 200', 'POST /v1/access-tokens', {}],
      ],
    )
    const [, paid, ordered] = requests
    deepEqual(paid?.body, {})
    deepEqual(ordered?.body, {
      merchantUrl: 'shop.example',
      currencyCode: '826',
      amount: '1999',
      transactionType: 'SALE',
      orderId: 'A-7',
      orderDescription: 'Two tickets',
      webHookUrl: 'https://shop.example/h',
      metaData: {},
    })
  })

  test('the socket, where a request under way has no status yet', async () => {
    const shop = await openSocketShop()
    const till = await connectTill(shop, { version: 'v1' })
    const id = till.request('sale', { tid: 'VCMDEMOSIP0', amount: 2599, currency: 'GBP' })
    await till.settle()
    deepEqual(await saidIn(shop), ['sale null', 'connectTill 101'])
    await till.answerTo(id)
    for (let times = 0; times < 3; times += 1) await till.ask('terminalDetails', { tid: 'VCMDEMOSIP0' })
    await till.ask('sale', { tid: 'VCMDEMOSIP0', amount: -5, currency: 'GBP' })
    await till.ask('somethingElse', {})
    till.say('{"jsonrpc":')
    await till.settle()
    const { requests } = await page(shop)
    deepEqual(
      requests.map(each => `${said(each)} ${each.code}`),
      [
        'unknown -32700 body_not_json',
        'unknown -32601 method_unknown',
        'sale -32602 field_invalid',
        'terminalDetails 200 ×3 null',
        'sale 200 null',
        'connectTill 101 null',
      ],
    )
    const sale = requests.at(-2)
    deepEqual(
      {
        transport: sale?.transport,
        route: sale?.route,
        version: sale?.apiVersion,
        rpcId: sale?.rpcId,
        body: sale?.body,
      },
      {
        ...{ transport: 'websocket', route: 'JSON-RPC sale', version: 'v1', rpcId: id },
        body: { tid: 'VCMDEMOSIP0', amount: 2599, currency: 'GBP' },
      },
    )
  })

  test('JSON-RPC over HTTP, as its method', async () => {
    const shop = await openShop()
    const query = '?api-version=v1&software-house-id=maker&installer-id=fitter'
    const body = { jsonrpc: '2.0', id: 31, method: 'duplicate', params: { tid: 'nobody' } }
    await shop.till.ask('POST', `/pac${query}`, { body })
    const { requests } = await page(shop)
    deepEqual(
      requests.map(each => [said(each), each.transport, each.code, each.rpcId, each.body]),
      [['duplicate -32602', 'http', 'terminal_unavailable', 31, { tid: 'nobody' }]],
    )
    await shop.till.ask('POST', '/pac?api-version=v9', { body })
    deepEqual((await saidIn(shop))[0], 'callJsonRpc 406')
  })

  test('the management API, but not the list itself nor the sandbox', async () => {
    const shop = await openShop()
    await page(shop)
    await shop.till.ask('GET', '/sandbox/clock')
    await shop.till.ask('GET', '/api/account')
    deepEqual(await saidIn(shop), ['getAccount 200'])
  })
})

test('live mode has the list too', async () => {
  const shop = await openShop({ settings: { mode: 'live', publicKey: null, publicUrl: 'http://localhost' } })
  await shop.till.ask('GET', '/pac/terminals')
  deepEqual(await saidIn(shop), ['listTerminals 200'])
})

test('switched off, the list is empty and says why', async () => {
  const shop = await openShop({ settings: { recordRequests: false } })
  await shop.till.sale(100)
  deepEqual(await page(shop), { recording: false, requests: [], next: null })
})

test('the list has pages, which stay right while requests arrive, and filters', async () => {
  const shop = await openShop()
  for (let number = 1; number <= 5; number += 1) await shop.till.ask('GET', `/pac/terminals/x${number}`)
  const ids = ({ requests }: Page) => requests.map(({ params }) => params['tid'])
  const first = await page(shop, '?limit=2')
  await shop.till.ask('GET', '/pac/terminals/x6')
  const second = await page(shop, `?limit=2&before=${first.next}`)
  const third = await page(shop, `?limit=2&before=${second.next}`)
  deepEqual([ids(first), ids(second), ids(third), third.next], [['x5', 'x4'], ['x3', 'x2'], ['x1'], null])
  await shop.till.ask('GET', '/api/account')
  deepEqual(await saidIn(shop, '?refused=false'), ['getAccount 200'])
  equal((await saidIn(shop, '?refused=true')).length, 6)
  equal((await saidIn(shop, '?status=404&operation=getTerminal')).length, 6)
  deepEqual(await saidIn(shop, '?status=404&operation=getAccount'), [])
})

describe('the list is bounded', () => {
  const read = (shop: Shop, name: string, key = 'demo-api-key') =>
    shop.tillOf(key, 'VCMDEMOSIP0').ask('GET', `/pac/terminals/${name}`)
  const names = async (shop: Shop) => (await page(shop)).requests.map(({ params }) => params['tid'])
  const bounded = (limits: ShopOptions['limits'] = {}) => openShop({ limits })

  test('for each account', async () => {
    const shop = await bounded({ requestsPerAccount: 2 })
    for (const name of ['a', 'b', 'c']) await read(shop, name)
    deepEqual(await names(shop), ['c', 'b'])
    // The first read is kept no longer, so it is a new one.
    await read(shop, 'a')
    deepEqual(await names(shop), ['a', 'c'])
  })

  test('for all accounts together', async () => {
    const shop = await bounded({ recordedRequests: 3 })
    await read(shop, 'a')
    for (const name of ['x', 'y', 'z']) await read(shop, name, 'demo-eur-api-key')
    deepEqual(await names(shop), [])
  })

  test('in time, also while it is polled', async () => {
    const shop = await bounded({ recordedRequestsMs: 60_000 })
    await read(shop, 'a')
    await shop.clock.advance(30_000)
    await read(shop, 'a')
    await read(shop, 'b')
    await shop.clock.advance(30_000)
    deepEqual(await names(shop), ['b'])
    await read(shop, 'a')
    deepEqual((await page(shop)).requests.map(said), ['getTerminal 404', 'getTerminal 404'])
  })

  test('in size: a long body is left out', async () => {
    const shop = await openShop()
    const receiptLines = Array.from({ length: 200 }, () => ({ value: 'Soup of the day', type: 'TEXT' }))
    const table = { tableName: '8', amount: 5, currency: 'GBP', waiterIds: ['4'], receiptLines }
    await shop.till.ask('PUT', '/pat/tables', { body: table })
    const [created] = (await page(shop)).requests
    deepEqual([created?.operation, created?.body], ['createTable', null])
  })
})

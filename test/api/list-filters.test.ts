// test/api/list-filters.test.ts — the lists of the management API are filtered, and filters that are not valid are refused.
import { deepEqual, equal, match, ok } from 'node:assert/strict'
import { describe, test } from 'vitest'
import { SEARCHED_KINDS } from '../../src/engine/all-machines.ts'
import type { Store } from '../../src/engine/ports/store.ts'
import { openShop, type Shop } from '../support/shop.ts'
import { openWebShop } from '../support/web-shop.ts'

const DAY_MS = 86_400_000

type Line = Readonly<Record<string, unknown>>

async function listed(shop: Shop, path: string): Promise<readonly Line[]> {
  const { status, json, text } = await shop.till.ask('GET', path)
  equal(status, 200, text)
  const [lines] = Object.values(json)
  return lines as readonly Line[]
}

/** Amounts of a list of transactions or payments. */
async function amounts(shop: Shop, path: string): Promise<readonly unknown[]> {
  return (await listed(shop, path)).map(({ amountMinor }) => amountMinor)
}

/** Sales on three days at two terminals: approved, declined, approved, and one that runs. */
async function openTrade(store?: (store: Store) => Store): Promise<Shop> {
  const shop = await openShop(store === undefined ? {} : { store })
  await shop.finished(await shop.till.sale(100))
  await shop.clock.advance(DAY_MS)
  await shop.finished(await shop.till.at('VCMDEMODIP0').sale(200))
  await shop.clock.advance(DAY_MS)
  await shop.finished(await shop.till.sale(300))
  await shop.till.sale(100)
  return shop
}

const CASES = [
  ['', [100, 300, 200, 100]],
  ['?amount=100', [100, 100]],
  ['?amount=0100', [100, 100]],
  ['?amount=400', []],
  ['?result=DECLINED', [200]],
  ['?result=SUCCESSFUL', [300, 100]],
  ['?status=running', [100]],
  ['?status=finished&amount=100', [100]],
  ['?status=running&live=true', [100]],
  ['?terminal=VCMDEMODIP0', [200]],
  ['?terminal=VCMDEMODIP0&result=SUCCESSFUL', []],
  ['?terminal=VCMDEMOSIP0&result=SUCCESSFUL&amount=300', [300]],
  ['?from=2026-05-07', [100, 300, 200]],
  ['?to=2026-05-07', [100]],
  ['?from=2026-05-07&to=2026-05-08', [200]],
  ['?from=2026-05-07T13:03:27Z&to=2026-05-08T15:03:27%2B02:00', [200]],
  // A plus sign that is not encoded.
  ['?from=2026-05-07T15:03:27+02:00&result=SUCCESSFUL', [300]],
  ['?from=2026-05-07T13:03:27.500Z&amount=300', [300]],
  ['?from=2030-01-01', []],
] as const

test.each(CASES)('transactions%s', async (query, expected) => {
  const shop = await openTrade()
  deepEqual(await amounts(shop, `/api/transactions${query}`), expected)
})

test('transactions are found by the last four digits of the card', async () => {
  const shop = await openTrade()
  const [line] = await listed(shop, '/api/transactions?amount=300')
  const { json } = await shop.till.ask('GET', `/api/transactions/${line?.['requestId']}`)
  const { primaryAccountNumber } = (json['record'] as { card: { primaryAccountNumber: string } }).card
  const lastFour = primaryAccountNumber.slice(-4)
  ok((await amounts(shop, `/api/transactions?lastFour=${lastFour}`)).includes(300))
  deepEqual(await amounts(shop, `/api/transactions?lastFour=${lastFour}&amount=300`), [300])
  const other = lastFour === '0000' ? '0001' : '0000'
  deepEqual(await amounts(shop, `/api/transactions?lastFour=${other}`), [])
})

test('while stored records are being entered, lists read the records: the same answers', async () => {
  // Nothing is ever entered or finished.
  const shop = await openTrade(store => ({ ...store, enterTerms: () => new Promise<never>(() => {}) }))
  for (const [query, expected] of CASES) deepEqual(await amounts(shop, `/api/transactions${query}`), expected, query)
})

test('payments are found by status, amount, order, card and time', async () => {
  const web = await openWebShop()
  const paid = await web.token({ orderId: 'A', amount: '100' })
  await web.pay(paid)
  await web.shop.clock.advance(DAY_MS)
  const declined = await web.token({ orderId: 'B', amount: '200' })
  await web.pay(declined, { cardNumber: '5200000000000080', cV2: '000' }).catch(() => {})
  await web.token({ orderId: 'C', amount: '100' })
  const orders = async (query: string) =>
    (await listed(web.shop, `/api/payments?${query}`)).map(({ orderId }) => orderId)
  const status = (await listed(web.shop, '/api/payments?orderId=B'))[0]?.['statusCode']
  deepEqual(await orders('amount=100'), ['C', 'A'])
  deepEqual(await orders('status=0'), ['A'])
  ok(status !== 0)
  deepEqual(await orders(`status=${status}`), ['B'])
  deepEqual(await orders('status=90'), [])
  deepEqual(await orders('lastFour=0056'), ['A'])
  deepEqual(await orders('amount=100&lastFour=0056&orderId=A&status=0&to=2026-05-07'), ['A'])
  deepEqual(await orders('amount=100&lastFour=0056&orderId=A&status=0&from=2026-05-07'), [])
  deepEqual(await orders('from=2026-05-07'), ['C', 'B'])
  deepEqual(await orders('live=true&amount=100'), ['C'])
})

test('reports, tables and webhooks are found by time; reports by result, webhooks by status and order', async () => {
  const web = await openWebShop()
  await web.pay(await web.token({ orderId: 'A', webHookUrl: 'https://shop.example/hook' }))
  await web.shop.clock.advance(DAY_MS)
  for (const [path, count] of [
    ['/api/webhooks?orderId=A', 1],
    ['/api/webhooks?orderId=B', 0],
    ['/api/webhooks?status=delivered', 1],
    ['/api/webhooks?status=given_up', 0],
    ['/api/webhooks?status=delivered&orderId=A&open=false&to=2026-05-07', 1],
    ['/api/webhooks?from=2026-05-07', 0],
    ['/api/reports?result=COMPLETE&from=2026-05-06', 0],
    ['/api/tables?from=2026-05-06&to=2026-05-07', 0],
  ] as const)
    equal((await listed(web.shop, path)).length, count, path)
})

describe('a filter that is not valid is refused, with what it must be', () => {
  test.each([
    ['transactions?amount=25.99', 'amount', /2599 is 25\.99/],
    ['transactions?amount=', 'amount', /digits only/],
    ['transactions?amount=-1', 'amount', /digits only/],
    ['transactions?lastFour=0', 'lastFour', /last four digits/],
    ['transactions?lastFour=12345', 'lastFour', /last four digits/],
    ['transactions?result=declined', 'result', /SUCCESSFUL, DECLINED/],
    ['transactions?status=false', 'status', /running/],
    ['transactions?status=running&live=false', 'status', /contradicts/],
    ['transactions?rpcId=1.5', 'rpcId', /whole number/],
    ['transactions?from=yesterday', 'from', /RFC 3339/],
    ['transactions?from=0', 'from', /RFC 3339/],
    ['transactions?from=2026-05-06T13:00:00', 'from', /RFC 3339/],
    ['transactions?from=2026-02-30', 'from', /RFC 3339/],
    ['transactions?to=2026-05-06T25:00:00Z', 'to', /RFC 3339/],
    ['transactions?from=2026-05-07&to=2026-05-07', 'to', /later than/],
    ['payments?status=paid', 'status', /0, 3, 4/],
    ['payments?status=00', 'status', /0, 3, 4/],
    ['payments?lastFour=%D9%A1%D9%A2%D9%A3%D9%A4', 'lastFour', /last four digits/],
    ['reports?result=SUCCESSFUL', 'result', /COMPLETE/],
    ['tables?to=x', 'to', /RFC 3339/],
    ['webhooks?status=open', 'status', /delivered/],
    ['webhooks?orderId=', 'orderId', /1 to 50/],
  ])('%s', async (query, field, detail) => {
    const shop = await openShop()
    const { status, json } = await shop.till.ask('GET', `/api/${query}`)
    deepEqual([status, json['code'], json['field']], [422, 'filter_invalid', field])
    match(String(json['detail']), detail)
  })

  test('a filter that is given twice is refused', async () => {
    const shop = await openShop()
    const { status, json } = await shop.till.ask('GET', '/api/transactions?result=DECLINED&result=VOID')
    deepEqual([status, json['field']], [422, 'result'])
  })
})

test('a new gateway has nothing to enter, so its lists use the indexes at once', async () => {
  const shop = await openShop()
  await shop.settle()
  for (const kind of SEARCHED_KINDS) {
    const progress = await shop.store.rewriteProgress(`search terms 1: ${kind}`)
    deepEqual(progress, { after: 0, finished: true }, kind)
  }
})

test('a restored account is found by what it holds again, also from a snapshot without terms', async () => {
  const shop = await openTrade()
  const name = { body: { name: 'before' } }
  await shop.clock.advance(10 * DAY_MS)
  equal((await shop.till.ask('POST', '/sandbox/snapshots', name)).status < 300, true)
  await shop.finished(await shop.till.sale(300))
  deepEqual(await amounts(shop, '/api/transactions?amount=300'), [300, 300])
  equal((await shop.till.ask('POST', '/sandbox/snapshots/before/restore')).status < 300, true)
  deepEqual(await amounts(shop, '/api/transactions?amount=300'), [300])
  deepEqual(await amounts(shop, '/api/transactions?result=DECLINED&from=2026-05-07&to=2026-05-08'), [200])
})

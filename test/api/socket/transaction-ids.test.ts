// test/api/socket/transaction-ids.test.ts — a till on a socket finds the verdict of what it has started.
import { deepEqual, equal, ok } from 'node:assert/strict'
import { describe, test } from 'vitest'
import { PACE_MS, type Shop } from '../../support/shop.ts'
import { connectTill, type Json, openSocketShop, type SocketTill } from '../../support/socket-till.ts'

const TID = 'VCMDEMOSIP0'

function queryOf(version: string, flag: string): string {
  return `token=demo-api-key&api-version=${version}&software-house-id=s&installer-id=i${flag}`
}

const connect = (shop: Shop, version: 'v0' | 'v1', flag = '') =>
  connectTill(shop, { version, query: queryOf(version, flag) })

async function found(shop: Shop, query: string): Promise<readonly Json[]> {
  const { status, json, text } = await shop.till.ask('GET', `/api/transactions?${query}`)
  equal(status, 200, text)
  return json['transactions'] as readonly Json[]
}

/** Takes a sale. Ids may be repeated. */
async function takeSale(shop: Shop, till: SocketTill, id: number, tid = TID, amount = 1250): Promise<void> {
  const since = till.heard.length
  till.request('sale', { [till.member]: tid, currency: 'GBP', amount }, id)
  while (!till.heard.slice(since).some(({ result }) => result !== undefined)) {
    await shop.clock.advance(PACE_MS)
    await till.settle()
  }
}

describe.each(['v0', 'v1'] as const)('in %s', version => {
  test('a till that asks for ids gets them in each message of a transaction', async () => {
    const shop = await openSocketShop()
    const till = await connect(shop, version, '&transaction-ids')
    const sale = till.request('sale', { [till.member]: 'VCMDEMOSIS0', currency: 'GBP', amount: 1250 }, 7)
    await till.until('SIGNATURE_VERIFICATION')
    const [question] = till.questions()
    till.say({ jsonrpc: '2.0', id: question?.id, result: { accepted: true } })
    const { result = {} } = await till.answerTo(sale)
    const requestId = String(result['requestId'])
    const told = till.heard.flatMap(({ params }) => (params === undefined ? [] : [params]))
    ok(told.length > 5)
    for (const each of [...told, result]) deepEqual([each['requestId'], each['rpcId']], [requestId, 7])
    const { status, json } = await shop.till.ask('GET', `/api/transactions/${requestId}`)
    deepEqual([status, json['rpcId'], (json['verdict'] as Json)['moneyTaken']], [200, 7, 'yes'])
  })

  test('a till that does not ask gets the messages as published', async () => {
    const shop = await openSocketShop()
    for (const flag of ['', '&transaction-ids=false', '&transaction-ids=0', '&x=transaction-ids']) {
      const till = await connect(shop, version, flag)
      await takeSale(shop, till, 7)
      equal(/"(?:requestId|rpcId)"/.test(JSON.stringify(till.heard)), false)
      await till.close()
    }
  })
})

test('a lost till finds its transaction by terminal and id, the newest first', async () => {
  const shop = await openSocketShop()
  const till = await connect(shop, 'v1')
  await takeSale(shop, till, 1, TID, 100)
  await takeSale(shop, till, 1, 'VCMDEMODIP0', 200)
  await takeSale(shop, till, 1, TID, 300)
  await takeSale(shop, till, 2, TID, 400)
  await shop.finished(await shop.till.sale(500))
  till.request('sale', { tid: TID, currency: 'GBP', amount: 600 }, 1)
  await till.settle()
  await till.close()
  const amounts = async (query: string) => (await found(shop, query)).map(each => each['amountMinor'])
  deepEqual(await amounts(`terminal=${TID}&rpcId=1`), [600, 300, 100])
  deepEqual(await amounts('rpcId=1'), [600, 300, 200, 100])
  deepEqual(await amounts(`terminal=${TID}&rpcId=2`), [400])
  deepEqual(await amounts(`terminal=${TID}&rpcId=1&live=true`), [600])
  deepEqual(await amounts(`terminal=${TID}&rpcId=3`), [])
  deepEqual(await amounts(`terminal=${TID}`), [600, 500, 400, 300, 100])
  const [running] = await found(shop, `terminal=${TID}&rpcId=1&limit=1`)
  equal((running?.['verdict'] as Json | undefined)?.['nextStep'], 'wait')
  // A transaction over REST has no such id.
  const [overRest] = (await found(shop, 'live=false')).filter(each => each['amountMinor'] === 500)
  equal(Object.hasOwn(overRest ?? {}, 'rpcId'), false)
})

test('pages of a filtered list go on where the last one ended', async () => {
  const shop = await openSocketShop()
  const till = await connect(shop, 'v1')
  for (const [index, id] of [5, 6, 5, 6, 5].entries()) await takeSale(shop, till, id, TID, 100 + index)
  const seen: unknown[] = []
  let before: unknown = null
  do {
    const { json } = await shop.till.ask(
      'GET',
      `/api/transactions?rpcId=5&limit=1${before === null ? '' : `&before=${before}`}`,
    )
    seen.push(...(json['transactions'] as readonly Json[]).map(each => each['amountMinor']))
    before = json['next']
  } while (before !== null)
  deepEqual(seen, [104, 102, 100])
})

test('a duplicate over HTTP is found by its id as well, and has ids when they are asked for', async () => {
  const shop = await openSocketShop()
  await shop.finished(await shop.till.sale(100))
  const call = shop.till.ask('POST', `/pac?${queryOf('v1', '&transaction-ids=1')}`, {
    body: { jsonrpc: '2.0', id: 31, method: 'duplicate', params: { tid: TID } },
  })
  await shop.settle()
  await shop.clock.advance(10_000)
  const { result } = (await call).json as { readonly result: Json }
  const [duplicate] = await found(shop, 'rpcId=31')
  deepEqual(
    [result['requestId'], result['rpcId'], duplicate?.['requestId']],
    [duplicate?.['requestId'], 31, result['requestId']],
  )
})

test.each(['-1', '1000000', 'x', '1.5'])('rpcId=%s is refused', async rpcId => {
  const shop = await openSocketShop()
  equal((await shop.till.ask('GET', `/api/transactions?rpcId=${rpcId}`)).status, 422)
})

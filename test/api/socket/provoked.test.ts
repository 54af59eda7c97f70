// test/api/socket/provoked.test.ts — faults of requests and handshakes on the socket. A till recovers as docs/websocket.md
// says: connect again, wait until the terminal is free, call duplicate.
import { deepEqual, equal, ok, rejects } from 'node:assert/strict'
import { describe, test } from 'vitest'
import type { Shop } from '../../support/shop.ts'
import { connectTill, openSocketShop, refusalOf, type SocketTill } from '../../support/socket-till.ts'
import { talkTo, type WireTalk } from '../../support/wire-talk.ts'

const TID = 'VCMDEMOSIP0'
const SALE = { tid: TID, currency: 'GBP', amount: 1250 }
/** Close code of a connection without a close frame. */
const CUT = 1006

async function play(shop: Shop, ...next: readonly string[]): Promise<void> {
  const reply = await shop.till.ask('POST', `/sandbox/terminals/${TID}/scenarios`, { body: { next } })
  equal(reply.status, 200, reply.text)
}

async function waiting(shop: Shop): Promise<readonly string[]> {
  const { json } = await shop.till.ask('GET', `/sandbox/terminals/${TID}/scenarios`)
  return (json['next'] as { readonly scenario: string }[]).map(({ scenario }) => scenario)
}

async function started(shop: Shop): Promise<readonly { readonly requestId: string }[]> {
  return (await shop.till.ask('GET', '/api/transactions')).json['transactions'] as { requestId: string }[]
}

async function statusOf(till: SocketTill): Promise<unknown> {
  return (await till.ask('terminalDetails', { tid: TID })).result?.['status']
}

describe('a start whose scenario has a fault of the request', () => {
  test('loses its answer: the sale runs, and the till finds it when it reconnects', async () => {
    const shop = await openSocketShop()
    await play(shop, 'contactless_approved+answer_lost', 'declined')
    const lost = await connectTill(shop)
    lost.request('sale', SALE)
    equal(await lost.closed, CUT)
    deepEqual(lost.heard, [])
    equal((await started(shop)).length, 1)

    const till = await connectTill(shop)
    equal(await statusOf(till), 'BUSY')
    equal((await till.ask('duplicate', { tid: TID })).error?.code, -32071)
    await shop.clock.advance(60_000)
    equal(await statusOf(till), 'AVAILABLE')
    const { result } = await till.answerTo(till.request('duplicate', { tid: TID }))
    deepEqual(
      [result?.['transactionResult'], result?.['amountTotal'], result?.['paymentMethod']],
      ['SUCCESSFUL', 1250, 'CONTACTLESS'],
    )
    const next = await till.answerTo(till.request('sale', SALE))
    equal(next.result?.['transactionResult'], 'DECLINED')
  })

  test('is disconnected before anything is started, and the scenario counts as played', async () => {
    const shop = await openSocketShop()
    await play(shop, 'connection_dropped', 'declined')
    const lost = await connectTill(shop)
    lost.request('sale', SALE)
    equal(await lost.closed, CUT)
    deepEqual([lost.heard, await started(shop)], [[], []])

    const till = await connectTill(shop)
    equal(await statusOf(till), 'AVAILABLE')
    equal((await till.answerTo(till.request('sale', SALE))).result?.['transactionResult'], 'DECLINED')
  })

  test.each([
    ['http_500', -32603, undefined],
    ['http_429', -32070, 'Too many requests. Wait before you send more.'],
    ['http_503', -32070, 'The gateway is busy. Nothing was started.'],
  ] as const)('is answered with %s, and nothing is started', async (fault, code, sentence) => {
    const shop = await openSocketShop()
    await play(shop, `approved+${fault}`, 'declined')
    const till = await connectTill(shop)
    const { error } = await till.ask('sale', SALE)
    deepEqual([error?.code, error?.data?.['userMessage']], [code, sentence])
    deepEqual([await started(shop), await waiting(shop)], [[], ['declined']])
    equal((await till.answerTo(till.request('sale', SALE))).result?.['transactionResult'], 'DECLINED')
  })

  test('is started at once, its notifications are sent in time, and its result later', async () => {
    const shop = await openSocketShop()
    await play(shop, 'approved+slow_answer:7000')
    const till = await connectTill(shop)
    const id = till.request('sale', SALE)
    await till.until('TRANSACTION_FINISHED')
    const answer = () => till.heard.find(message => message.id === id && message.method === undefined)
    await shop.clock.advance(6_000)
    await till.settle()
    equal(answer(), undefined)
    equal(await statusOf(till), 'AVAILABLE')
    await shop.clock.advance(1_000)
    await till.settle()
    equal(answer()?.result?.['transactionResult'], 'SUCCESSFUL')
  })

  test.each([
    ['refund', {}],
    ['preAuth', {}],
    ['completion', { authCode: 'AB12C3' }],
    ['accountVerification', {}],
  ] as const)('can be a %s', async (method, more) => {
    const shop = await openSocketShop()
    await play(shop, 'connection_dropped', 'approved+answer_lost')
    for (const count of [0, 1]) {
      const lost = await connectTill(shop)
      lost.request(method, { ...SALE, ...more })
      equal(await lost.closed, CUT)
      equal((await started(shop)).length, count)
    }
  })

  test('loses a refusal like any answer, and the scenario stays for the next start', async () => {
    const shop = await openSocketShop()
    const [first, second] = [await connectTill(shop), await connectTill(shop)]
    first.request('sale', SALE)
    await first.settle()
    await play(shop, 'approved+answer_lost')
    second.request('sale', SALE)
    equal(await second.closed, CUT)
    deepEqual([(await started(shop)).length, await waiting(shop)], [1, ['approved+answer_lost']])
    equal(first.socket.readyState, first.socket.OPEN)
  })

  test('gets no fault when it is invalid', async () => {
    const shop = await openSocketShop()
    await play(shop, 'connection_dropped')
    const till = await connectTill(shop)
    equal((await till.ask('sale', { ...SALE, amount: 0 })).error?.code, -32602)
    equal((await till.ask('completion', { ...SALE, authCode: '4111111111111111' })).error?.code, -32602)
    deepEqual(await waiting(shop), ['connection_dropped'])
  })

  test('has the lost answer in its timeline', async () => {
    const shop = await openSocketShop()
    await play(shop, 'approved+answer_lost')
    const lost = await connectTill(shop)
    lost.request('sale', SALE)
    await lost.closed
    await shop.clock.advance(60_000)
    const [sale] = await started(shop)
    const { json } = await shop.till.ask('GET', `/api/transactions/${sale?.requestId}/timeline`)
    const said = (json['entries'] as { from: string; to: string; what: string }[]).map(
      ({ from, to, what }) => `${from} ${to} ${what}`,
    )
    ok(said.includes('gateway till answer_lost'), said.join())
  })
})

describe('the next handshake at an armed address', () => {
  const arm = async (shop: Shop, fault: string, path = '/pac', times = 1) => {
    const reply = await shop.till.ask('POST', '/sandbox/faults', { body: { fault, path, times } })
    equal(reply.status, 201, reply.text)
  }
  const shake = async (shop: Shop, path: string): Promise<WireTalk> => {
    const talk = await talkTo(shop)
    talk.send(
      `GET ${path}?token=demo-api-key HTTP/1.1\r\nHost: pay.example\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n` +
        'Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n',
    )
    return talk
  }

  test.each(['/pac', '/pat'])('fails at %s with 429, 500 or 503, once, and the next one succeeds', async path => {
    const shop = await openSocketShop()
    await arm(shop, 'http_500', path)
    const failed = await (await shake(shop, path)).answer()
    deepEqual([failed.status, failed.body], [500, ''])
    await arm(shop, 'http_429', path)
    const fast = await refusalOf(shop, { path })
    deepEqual([fast.status, fast.headers['retry-after']], [429, '1'])
    await arm(shop, 'http_503', path)
    const busy = await refusalOf(shop, { path })
    deepEqual([busy.status, busy.headers['retry-after']], [503, '1'])
    equal(busy.body['userMessage'], 'The gateway is busy. Nothing was started.')
    await connectTill(shop, { path })
  })

  test.each(['connection_dropped', 'answer_lost'])('is disconnected by %s', async fault => {
    const shop = await openSocketShop({ limits: { tillsPerAccount: 1 } })
    await arm(shop, fault, '/pac', 2)
    for (const path of ['/pac', '/PAC']) await rejects((await shake(shop, path)).answer(), /closed after ""/)
    await connectTill(shop)
  })

  test('is completed late', async () => {
    const shop = await openSocketShop()
    await arm(shop, 'slow_answer:4000')
    const { alarms } = shop.clock
    const talk = await shake(shop, '/pac')
    let status = 0
    const answer = talk.answer().then(given => (status = given.status))
    while (shop.clock.alarms === alarms) await shop.settle()
    await shop.clock.advance(3_999)
    equal(status, 0)
    await shop.clock.advance(1)
    equal(await answer, 101)
  })

  test('gets the fault only with a valid key of the same account, at the same address', async () => {
    const shop = await openSocketShop()
    await arm(shop, 'http_503')
    await connectTill(shop, { path: '/pat' })
    await connectTill(shop, { key: 'demo-eur-api-key' })
    equal((await refusalOf(shop, { query: 'token=wrong' })).status, 401)
    equal((await refusalOf(shop, {})).status, 503)
    await connectTill(shop)
  })
})

// test/unit/demo-shop/demo-shop.test.ts — the demo shop keeps the state of its orders, and shows the names of its test cards.
import { deepEqual, equal, ok } from 'node:assert/strict'
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { onTestFinished, test } from 'vitest'
import { orderFileAt } from '../../../src/demo-shop/order-file.ts'
import { demoPage } from '../../../src/demo-shop/page.ts'
import { openShop } from '../../../src/demo-shop/shop.ts'
import { ONLINE_TEST_CARDS } from '../../../src/simulator/cards/online-test-cards.ts'

function fileOfTest(): string {
  const directory = mkdtempSync(join(tmpdir(), 'demo-shop-'))
  onTestFinished(() => rmSync(directory, { recursive: true }))
  return join(directory, 'demo-shop.json')
}

/** A gateway at which each payment succeeds. */
async function openGateway(): Promise<{ readonly url: string; readonly jwt: string }> {
  let made = 0
  const server = createServer((request, response) => {
    response.setHeader('content-type', 'application/json')
    const paid = { statusCode: 0, message: 'Successful', cardNumber: '520000******0056', crossReference: '61' }
    response.end(JSON.stringify(request.url === '/v1/access-tokens' ? { id: `t${++made}` } : paid))
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, jwt: 'jwt' }
}

const WISH = { what: 'Tea', amount: 500, kind: 'SALE', webHookUrl: '' } as const

test('a reopened shop has the orders and webhooks that it has answered', async () => {
  const gateway = await openGateway()
  const path = fileOfTest()
  let next = 0
  const number = () => `D-${++next}`
  const shop = await openShop(number, orderFileAt(path))
  const { order, token } = await shop.order(gateway, WISH)
  // As after kill -9: the first shop is never closed.
  const after = await openShop(number, orderFileAt(path))
  deepEqual(after.orders, [order])
  ok(await after.receiveWebhook(gateway, { id: token, orderId: order.id }, 7))
  const [paid] = (await openShop(number, orderFileAt(path))).orders
  deepEqual([paid?.state, paid?.card], ['paid', '520000******0056'])
  deepEqual((await openShop(number, orderFileAt(path))).webhooks, [{ id: token, orderId: order.id, at: 7 }])
  equal(statSync(path).mode & 0o777, 0o600)
  deepEqual(readdirSync(dirname(path)), ['demo-shop.json'])
})

test('the file is bounded, written in order, and holds neither the JWT nor a whole card number', async () => {
  const gateway = await openGateway()
  const path = fileOfTest()
  let next = 0
  const shop = await openShop(() => `D-${++next}`, orderFileAt(path))
  await Promise.all(Array.from({ length: 130 }, () => shop.order(gateway, WISH)))
  const { id } = shop.orders[99]!
  await shop.confirm(gateway, id)
  for (let times = 0; times < 30; times += 1) await shop.later(gateway, id, 'refund')
  const text = readFileSync(path, 'utf8')
  const { orders } = JSON.parse(text) as { orders: { id: string; tokens: readonly string[] }[] }
  deepEqual(orders, shop.orders)
  deepEqual([orders.length, orders[99]?.tokens.length], [100, 20])
  ok(text.length < 100_000, String(text.length))
  deepEqual([/\d{12,}/.test(text), text.includes('jwt')], [false, false])
})

test('a file that is no book is left behind by the next order', async () => {
  const path = fileOfTest()
  for (const text of ['', '{"orders":', '[]', '{"orders":{},"webhooks":[]}']) {
    writeFileSync(path, text)
    deepEqual((await openShop(() => 'D-1', orderFileAt(path))).orders, [], text)
  }
  const shop = await openShop(() => 'D-1', orderFileAt(path))
  await shop.order(await openGateway(), WISH)
  equal((await openShop(() => 'D-2', orderFileAt(path))).orders.length, 1)
})

test('a reservation stands again when its collection is cancelled, and is collected or cancelled by its own reference', async () => {
  let made = 0
  const server = createServer((request, response) => {
    response.setHeader('content-type', 'application/json')
    const payment = { statusCode: 0, message: 'Successful', cardNumber: '520000******0056' }
    const crossReference = `of ${request.url?.split('/').at(-1)}`
    const isToken = request.url === '/v1/access-tokens'
    response.end(JSON.stringify(isToken ? { id: `t${++made}` } : { ...payment, crossReference }))
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  try {
    const gateway = { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, jwt: 'jwt' }
    const shop = await openShop(() => 'D-1', orderFileAt(fileOfTest()))
    await shop.order(gateway, { what: 'Course', amount: 500, kind: 'PREAUTH', webHookUrl: '' })
    const state = (order: { readonly state: string; readonly crossReference: string } | null) => [
      order?.state,
      order?.crossReference,
    ]
    deepEqual(state(await shop.confirm(gateway, 'D-1')), ['reserved', 'of t1'])
    deepEqual(state(await shop.later(gateway, 'D-1', 'collect')), ['paid', 'of t2'])
    deepEqual(state(await shop.later(gateway, 'D-1', 'void')), ['reserved', 'of t1'])
    deepEqual(state(await shop.later(gateway, 'D-1', 'void')), ['cancelled', 'of t4'])
  } finally {
    server.close()
  }
})

test('a refunded order stays refunded when its page confirms it again', async () => {
  const paid = { statusCode: 0, message: 'Successful', cardNumber: '520000******0056', crossReference: '61' }
  const server = createServer((request, response) => {
    response.setHeader('content-type', 'application/json')
    response.end(JSON.stringify(request.url === '/v1/access-tokens' ? { id: 'token' } : paid))
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  try {
    const gateway = { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, jwt: 'jwt' }
    const shop = await openShop(() => 'D-1', orderFileAt(fileOfTest()))
    await shop.order(gateway, { what: 'Tea', amount: 500, kind: 'SALE', webHookUrl: '' })
    equal((await shop.confirm(gateway, 'D-1'))?.state, 'paid')
    equal((await shop.later(gateway, 'D-1', 'refund'))?.state, 'refunded')
    equal((await shop.confirm(gateway, 'D-1'))?.state, 'refunded')
    deepEqual(
      shop.orders.map(({ state }) => state),
      ['refunded'],
    )
  } finally {
    server.close()
  }
})

test('of two test cards with one number the page shows the names that decide', () => {
  const html = Buffer.from(demoPage(ONLINE_TEST_CARDS)).toString()
  const twice = ONLINE_TEST_CARDS.filter(
    card => ONLINE_TEST_CARDS.filter(({ number }) => number === card.number).length > 1,
  )
  ok(twice.length > 1)
  for (const { number, holder } of twice)
    ok(html.includes(`<td>${number.replace(/(\d{4})(?=\d)/g, '$1 ')}, ${holder}</td>`), `${number} ${holder}`)
})

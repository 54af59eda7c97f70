// test/unit/demo-shop/demo-shop.test.ts — the demo shop keeps the state of its orders, and shows the names of its test cards.
import { deepEqual, equal, ok } from 'node:assert/strict'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { test } from 'vitest'
import { demoPage } from '../../../src/demo-shop/page.ts'
import { openShop } from '../../../src/demo-shop/shop.ts'
import { ONLINE_TEST_CARDS } from '../../../src/simulator/cards/online-test-cards.ts'

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
    const shop = openShop(() => 'D-1')
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
    const shop = openShop(() => 'D-1')
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

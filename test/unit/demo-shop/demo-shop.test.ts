// test/unit/demo-shop/demo-shop.test.ts — the demo shop keeps the state of its orders.
import { deepEqual, equal } from 'node:assert/strict'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { test } from 'vitest'
import { openShop } from '../../../src/demo-shop/shop.ts'

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

// test/api/online/demo-shop.test.ts — unpaid orders in the demo shop.
import { deepEqual, equal } from 'node:assert/strict'
import { test } from 'vitest'
import { jwtFor } from '../../support/merchant-jwts.ts'
import { openWebShop, type WebShop } from '../../support/web-shop.ts'

interface Answered {
  readonly status: number
  readonly order: { readonly id: string; readonly state: string } | undefined
}

/** The shop on a real port: its server calls the gateway over HTTP. */
async function opened(): Promise<(path: string, body: object) => Promise<Answered>> {
  const later: { web: WebShop | null } = { web: null }
  const jwt = async (audience: string) => jwtFor(later.web?.apiKeyId ?? '', { uniqueKeys: { aud: audience } })
  later.web = await openWebShop({ parts: { demo: { cards: [], jwt } } })
  const { port } = await later.web.shop.api.listen({ host: '127.0.0.1', port: 0 })
  return async (path, body) => {
    const response = await fetch(`http://127.0.0.1:${port}${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
    const { order } = (await response.json()) as Pick<Answered, 'order'>
    return { status: response.status, order }
  }
}

test('an unpaid order cannot be collected, refunded, voided or charged again', async () => {
  const call = await opened()
  const { order } = await call('/demo/orders', { good: 0, kind: 'SALE' })
  equal(order?.state, 'open')
  for (const step of ['collect', 'refund', 'void', 'charge-again'])
    equal((await call(`/demo/orders/${order.id}/later`, { step })).status, 404, step)
})

test('an order with the card of an unpaid order is open for any card', async () => {
  const call = await opened()
  const { order } = await call('/demo/orders', { good: 0, kind: 'SALE' })
  equal(order?.state, 'open')
  const { status, order: next } = await call('/demo/orders', { good: 0, kind: 'SALE', of: order.id })
  deepEqual([status, next?.state], [200, 'open'])
})

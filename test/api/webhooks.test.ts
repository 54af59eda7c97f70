// test/api/webhooks.test.ts — webhook deliveries and secrets in the management API, and the webhook faults of the sandbox.
import { deepEqual, equal, match, ok } from 'node:assert/strict'
import { test } from 'vitest'
import { WEBHOOK_DELIVERY } from '../../src/engine/webhook-machines.ts'
import { openShop, type Shop } from '../support/shop.ts'

/** Creates a delivery, as the effect of a payment does. */
async function announce(shop: Shop, subject: string): Promise<string> {
  const deliveryId = `msg_${subject}`
  const facts = () => ({ standsBehind: false, isDelayed: false, attached: {} })
  await shop.gateway.engine.execute(
    WEBHOOK_DELIVERY,
    { account: 'demo', id: deliveryId },
    {
      ...{ type: 'announce', deliveryId, merchantAccount: 'demo', url: 'https://shop.example/hook', subject },
      ...{ orderId: 'A-1001', merchantTransactionId: null, tokenReference: await token(shop) },
    },
    { facts },
  )
  await shop.settle()
  return deliveryId
}

async function token(shop: Shop): Promise<string> {
  return shop.vault.storeText('demo', 'access-token', 'q7Jt0s3V', 'p1')
}

test('deliveries are listed newest first, in pages, by payment and by whether they are open', async () => {
  let status = 500
  const shop = await openShop({ webhookSender: { post: async () => ({ outcome: 'answered', status }) } })
  const first = await announce(shop, 'p1')
  status = 200
  const second = await announce(shop, 'p2')
  const idsAt = async (query: string) =>
    ((await shop.till.ask('GET', `/api/webhooks${query}`)).json['deliveries'] as { deliveryId: string }[]).map(
      ({ deliveryId }) => deliveryId,
    )
  deepEqual(await idsAt(''), [second, first])
  deepEqual(await idsAt('?subject=p1'), [first])
  deepEqual(await idsAt('?open=true'), [first])
  deepEqual(await idsAt('?open=false'), [second])
  const page = await shop.till.ask('GET', '/api/webhooks?limit=1')
  deepEqual(await idsAt(`?before=${page.json['next']}`), [first])

  const { json } = await shop.till.ask('GET', `/api/webhooks/${first}`)
  const { progress, orderId, tries, nextTryAt, attempts } = json
  deepEqual([progress, orderId, tries, nextTryAt], ['waiting', 'A-1001', 1, '2026-05-06T13:03:37.000Z'])
  deepEqual(attempts, [{ number: 1, startedAt: '2026-05-06T13:03:27.000Z', tookMs: 0, status: 500, reason: '' }])
})

test('a delivery is sent again on request', async () => {
  let sent = 0
  const shop = await openShop({
    webhookSender: {
      post: async () => {
        sent += 1
        return { outcome: 'answered', status: 200 }
      },
    },
  })
  const id = await announce(shop, 'p1')
  const reply = await shop.till.ask('POST', `/api/webhooks/${id}/resend`)
  deepEqual([reply.status, reply.json['progress']], [202, 'sending'])
  await shop.settle()
  equal(sent, 2)
  equal((await shop.till.ask('POST', '/api/webhooks/msg_none/resend')).status, 404)
})

test('a delivery that is being sent cannot be sent again', async () => {
  let answer = (): void => {}
  const answered = new Promise<void>(resolve => (answer = resolve))
  const shop = await openShop({
    webhookSender: { post: () => answered.then(() => ({ outcome: 'answered', status: 200 })) },
  })
  const id = 'msg_p1'
  const announced = announce(shop, 'p1')
  for (let turns = 0; turns < 20; turns += 1) await new Promise<void>(resolve => setImmediate(resolve))
  const reply = await shop.till.ask('POST', `/api/webhooks/${id}/resend`)
  deepEqual([reply.status, reply.json['code']], [409, 'delivery_under_way'])
  answer()
  await announced
})

test('a secret is created once, and rotated with an overlap', async () => {
  const shop = await openShop()
  const first = await shop.till.ask('GET', '/api/webhook-secret')
  match(String(first.json['secret']), /^whsec_[A-Za-z0-9+/]{43}=$/)
  equal(first.headers['cache-control'], 'no-store')
  deepEqual((await shop.till.ask('GET', '/api/webhook-secret')).json, first.json)
  const rotated = await shop.till.ask('POST', '/api/webhook-secret/rotate', { body: { overlapSeconds: 60 } })
  equal(rotated.status, 200)
  deepEqual(rotated.json['previous'], [{ secret: first.json['secret'], until: '2026-05-06T13:04:27.000Z' }])
  await shop.clock.advance(60_000)
  deepEqual((await shop.till.ask('GET', '/api/webhook-secret')).json['previous'], [])
  equal((await shop.till.ask('POST', '/api/webhook-secret/rotate', { body: { overlapSeconds: -1 } })).status, 422)
  for (let count = 0; count < 4; count += 1)
    equal((await shop.till.ask('POST', '/api/webhook-secret/rotate')).status, 200)
  const full = await shop.till.ask('POST', '/api/webhook-secret/rotate')
  deepEqual([full.status, full.json['code']], [409, 'too_many_secrets'])
})

test('a secret is in no log, record or event, and survives a reset of the account', async () => {
  const shop = await openShop()
  await announce(shop, 'p1')
  const secret = String((await shop.till.ask('GET', '/api/webhook-secret')).json['secret'])
  const events = (await shop.till.ask('GET', '/api/events?limit=200')).text
  ok(!`${events}${JSON.stringify(shop.log.lines)}`.includes(secret))
  ok(!events.includes('q7Jt0s3V'))
  ok(!JSON.stringify(await shop.images.imageOf('demo', [])).includes(secret))
  await shop.till.ask('POST', '/sandbox/reset')
  equal((await shop.till.ask('GET', '/api/webhook-secret')).json['secret'], secret)
})

test('webhook faults are armed, listed and removed', async () => {
  const shop = await openShop()
  const armed = await shop.till.ask('POST', '/sandbox/webhook-drills', { body: { drill: 'late', times: 2 } })
  deepEqual([armed.status, armed.json], [201, { drills: ['late', 'late'] }])
  deepEqual((await shop.till.ask('GET', '/sandbox/webhook-drills')).json, { drills: ['late', 'late'] })
  equal((await shop.till.ask('POST', '/sandbox/webhook-drills', { body: { drill: 'late', times: 99 } })).status, 422)
  equal((await shop.till.ask('POST', '/sandbox/webhook-drills', { body: { drill: 'sideways' } })).status, 422)
  equal((await shop.till.ask('DELETE', '/sandbox/webhook-drills')).status, 204)
  deepEqual((await shop.till.ask('GET', '/sandbox/webhook-drills')).json, { drills: [] })
  await shop.till.ask('POST', '/sandbox/webhook-drills', { body: { drill: 'twice' } })
  await shop.till.ask('POST', '/sandbox/reset')
  deepEqual((await shop.till.ask('GET', '/sandbox/webhook-drills')).json, { drills: [] })
})

test('deliveries and secrets of another account are not visible', async () => {
  const shop = await openShop()
  const id = await announce(shop, 'p1')
  const stranger = shop.tillOf('demo-eur-api-key', 'VCMEUROSIP0', 'EUR')
  equal((await stranger.ask('GET', `/api/webhooks/${id}`)).status, 404)
  equal((await stranger.ask('POST', `/api/webhooks/${id}/resend`)).status, 404)
  deepEqual((await stranger.ask('GET', '/api/webhooks')).json['deliveries'], [])
  const own = (await shop.till.ask('GET', '/api/webhook-secret')).json['secret']
  ok((await stranger.ask('GET', '/api/webhook-secret')).json['secret'] !== own)
})

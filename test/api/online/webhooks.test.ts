// test/api/online/webhooks.test.ts — webhooks of online payments.
import { deepEqual, equal, ok } from 'node:assert/strict'
import { test } from 'vitest'
import type { WebhookSender } from '../../../src/engine/ports/webhook-sender.ts'
import { scrub } from '../../../src/platform/scrub.ts'
import { WEBHOOK_FAULTS } from '../../../src/simulator/faults/webhook-faults.ts'
import { openWebShop } from '../../support/web-shop.ts'

const HOOK = { webHookUrl: 'https://shop.example/hook' }

function merchantServer(status: () => number = () => 200) {
  const heard: { readonly url: string; readonly body: Record<string, unknown> }[] = []
  const webhookSender: WebhookSender = {
    async post({ url, body }) {
      heard.push({ url, body: JSON.parse(body) as Record<string, unknown> })
      return { outcome: 'answered', status: status() }
    },
  }
  return { heard, webhookSender }
}

test('a webhook is sent when a payment has ended, whatever its outcome, and the payment can be read', async () => {
  const { heard, webhookSender } = merchantServer()
  const web = await openWebShop({ webhookSender })
  const token = await web.token({ ...HOOK, orderId: 'A-1001', merchantTransactionId: '9c2f' })
  equal(heard.length, 0)
  equal((await web.pay(token))['statusCode'], 0)
  await web.shop.settle()
  deepEqual(heard, [{ url: HOOK.webHookUrl, body: { id: token, orderId: 'A-1001', merchantTransactionId: '9c2f' } }])
  equal((await web.payment(String(heard[0]?.body['id'])))['statusCode'], 0)

  const declined = await web.token({ ...HOOK, orderId: 'A-1002' })
  equal((await web.pay(declined, { cV2: '999' }))['statusCode'], 5)
  await web.shop.settle()
  deepEqual(heard[1]?.body, { id: declined, orderId: 'A-1002' })
})

test('a token without an address, a revoked one and an unused one send no webhook', async () => {
  const { heard, webhookSender } = merchantServer()
  const web = await openWebShop({ webhookSender })
  await web.pay(await web.token())
  const revoked = await web.token(HOOK)
  equal((await web.call('POST', `/v1/access-tokens/${revoked}/revoke`, {})).status, 200)
  await web.token(HOOK)
  await web.shop.clock.advance(3_600_000)
  deepEqual(heard, [])
})

test('the webhook of a refund has its own token', async () => {
  const { heard, webhookSender } = merchantServer()
  const web = await openWebShop({ webhookSender })
  const token = await web.token()
  await web.pay(token)
  const refund = await web.linked('REFUND', await web.referenceOf(token), HOOK)
  await web.shop.settle()
  equal(heard.length, 1)
  equal(heard[0]?.body['id'], refund['token'])
})

test('a failed delivery is retried, and the account sees every attempt', async () => {
  let status = 503
  const { heard, webhookSender } = merchantServer(() => status)
  const web = await openWebShop({ webhookSender })
  const token = await web.token(HOOK)
  await web.pay(token)
  await web.shop.clock.advance(29_000)
  equal(heard.length, 2)
  status = 201
  await web.shop.clock.advance(2_000)
  equal(heard.length, 3)
  const { json } = await web.shop.till.ask('GET', '/api/webhooks')
  const [delivery] = json['deliveries'] as { progress: string; attempts: { status: number }[] }[]
  equal(delivery?.progress, 'delivered')
  deepEqual(
    delivery?.attempts.map(attempt => attempt.status),
    [503, 503, 201],
  )
})

test('no record, event, log line or answer has the access token of a webhook', async () => {
  const { webhookSender } = merchantServer(() => 500)
  const web = await openWebShop({ webhookSender })
  const token = await web.token(HOOK)
  await web.pay(token)
  await web.shop.clock.advance(60_000)
  const own = await web.shop.till.ask('GET', '/api/webhooks')
  equal((own.json['deliveries'] as object[]).length, 1)
  const events = await web.shop.till.ask('GET', '/api/events?limit=200')
  const image = JSON.stringify(await web.shop.images.imageOf('demo', []))
  // As the log prints its lines: the last step redacts secrets.
  const log = JSON.stringify(web.shop.log.lines.map(({ fields }) => scrub(fields)))
  for (const text of [own.text, events.text, image, log]) ok(!text.includes(token))
})

test('a delivery has its webhook fault, and every fault is described', async () => {
  const { webhookSender } = merchantServer()
  const web = await openWebShop({ webhookSender })
  const { till } = web.shop
  const { components } = (await till.ask('GET', '/openapi.json')).json as never as {
    components: {
      schemas: Record<string, { properties: Record<string, { anyOf: readonly { enum: readonly string[] }[] }> }>
    }
  }
  deepEqual(components.schemas['WebhookDelivery']?.properties['drill']?.anyOf[0]?.enum, [...WEBHOOK_FAULTS])
  for (const drill of [...WEBHOOK_FAULTS, null]) {
    if (drill !== null) equal((await till.ask('POST', '/sandbox/webhook-drills', { body: { drill } })).status, 201)
    await web.pay(await web.token(HOOK))
    await web.shop.settle()
    const [newest] = (await till.ask('GET', '/api/webhooks?limit=1')).json['deliveries'] as Record<string, unknown>[]
    equal(newest?.['drill'], drill)
    equal(newest?.['progress'], drill === 'late' || drill === 'shuffled' ? 'held' : 'delivered')
  }
})

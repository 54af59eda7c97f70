// test/recorded/scripts/management.ts — the management API, and webhooks as merchants receive them.
import { once } from 'node:events'
import { type IncomingMessage, request } from 'node:http'
import { GATEWAY_KEYS } from '../../support/merchant-jwts.ts'
import type { Json } from '../json.ts'
import { openMerchantServer } from '../merchant-server.ts'
import type { Play } from '../play.ts'
import { withoutReceipts } from '../receipts.ts'
import { type Scenario, scenario } from '../scenario.ts'
import { browserOf, linked, PLAIN, paid, referenceOf, shopOf, tokenOf } from './shop.ts'
import { titlesOfTimeline } from './tables.ts'
import { APPROVES, LONG_MS, operatorOf, SALE, SIGNS, start, tillOf } from './tills.ts'

async function lists(play: Play): Promise<void> {
  const operator = operatorOf(play)
  for (const path of ['/api/account', '/api/terminals', '/api/jwt-keys']) await operator.get(path)
  await start(tillOf(play), APPROVES)
  await start(tillOf(play, 'v1'), SIGNS)
  await play.advance(LONG_MS)
  for (const list of ['transactions', 'payments', 'reports', 'tables', 'webhooks', 'events']) {
    for (const query of ['?limit=0', '?limit=1001', '?before=x', '?live=perhaps', '?limit=1'])
      await operator.ask('GET', `/api/${list}${query}`, { show: firstOfEach })
    await operator.get(`/api/${list}`, { authorization: '' })
    await operator.post(`/api/${list}`, {})
    await operator.ask('OPTIONS', `/api/${list}`, { headers: { origin: 'https://till.example' } })
    await operator.get(`/api/${list}/none`)
    await operator.get(`/api/${list}/none/timeline`)
    await operator.get(`/api/${list}/none/events`)
  }
  await operator.ask('GET', '/api/transactions?live=true', { show: firstOfEach })
  await operator.ask('GET', `/api/transactions?terminal=${APPROVES}`, { show: firstOfEach })
  await operator.get('/api/transactions?terminal=none')
  await operator.ask('HEAD', '/api/account')
}

/** The body with lists cut after the first member. */
function firstOfEach(body: unknown): unknown {
  return Object.fromEntries(
    Object.entries(body as object).map(([name, value]) => [
      name,
      Array.isArray(value) ? [...value.slice(0, 1).map(withoutReceipts), `${value.length} in all`] : value,
    ]),
  )
}

async function transaction(play: Play): Promise<void> {
  const operator = operatorOf(play)
  for (const tid of [APPROVES, SIGNS, 'VCMDEMODIP0']) {
    const path = await start(tillOf(play), tid)
    const own = `/api/transactions/${path.slice(path.lastIndexOf('/') + 1)}`
    await operator.get(own)
    await play.advance(3 * LONG_MS)
    await operator.get(own)
    await operator.ask('GET', `${own}/events`, { show: withoutReceipts })
    await operator.ask('GET', `${own}/timeline`, { show: tid === APPROVES ? withoutReceipts : titlesOfTimeline })
  }
  const report = (await tillOf(play).post(`/pac/terminals/${APPROVES}/reports`, { reportType: 'BANKING' })).json
  await play.advance(LONG_MS)
  await operator.get(`/api/reports/${report['requestId']}`)
  await operator.get('/api/reports?limit=1')
}

async function payment(play: Play): Promise<void> {
  const operator = operatorOf(play)
  const { token } = await paid(play, { customerId: 'C-1', metaData: { colour: 'red' } })
  await operator.get(`/api/payments/${token}`)
  await operator.get(`/api/payments/${token}/timeline`)
  await operator.get('/api/payments?orderId=O-1')
  await operator.get('/api/payments/none')
  await operator.post('/api/payments/none/close', { outcome: 'taken', operator: 'Ann', reason: 'Because.' })
  await operator.post(`/api/payments/${token}/close`, { outcome: 'taken', operator: 'Ann', reason: 'Because.' })
  const reference = await referenceOf(play, { orderId: 'O-2' })
  const refund = await linked(play, 'REFUND', reference, { amount: '100' })
  await operator.get(`/api/payments/${refund}`)
  await operator.get('/api/events?limit=3')
  await operator.get('/api/events?after=x')
}

/** Reads an event stream up to the given number of events. */
async function stream(play: Play, headers: Readonly<Record<string, string>>, events: number): Promise<void> {
  const { authorization = '' } = operatorOf(play).headers
  const address = { port: await play.gateway.port(), host: '127.0.0.1', path: '/api/events' }
  const asked = request({ ...address, headers: { accept: 'text/event-stream', authorization, ...headers } }).end()
  const [response] = (await once(asked, 'response')) as [IncomingMessage]
  let text = ''
  for await (const piece of response.setEncoding('utf8')) {
    text += piece
    if (text.split('\n\n').length > events) break
  }
  asked.destroy()
  await play.gateway.settle()
  const told = text.split('\n\n').slice(0, events)
  const answer = { status: response.statusCode ?? 0, mediaType: response.headers['content-type'] ?? '' }
  play.note({ exchange: 'STREAM /api/events', headers, answer: { ...answer, events: told.map(eventIn) } })
}

/** The fields of a server-sent event. */
function eventIn(text: string): Json {
  const fields = text
    .split('\n')
    .map(line => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 1).trim()])
  return Object.fromEntries(fields.map(([name, value = '']) => [name, name === 'data' ? JSON.parse(value) : value]))
}

async function events(play: Play): Promise<void> {
  await start(tillOf(play), APPROVES)
  await play.advance(LONG_MS)
  const { json } = await operatorOf(play).ask('GET', '/api/events', { show: 'status and headers' })
  const cursors = (json['events'] as readonly { readonly cursor: number }[]).map(({ cursor }) => cursor)
  await stream(play, {}, 2)
  await stream(play, { 'last-event-id': String(cursors.at(-3)) }, 2)
  await operatorOf(play).get('/api/events', { accept: 'text/event-stream', 'last-event-id': 'x' })
}

async function keys(play: Play): Promise<void> {
  const operator = operatorOf(play)
  const publicKey = GATEWAY_KEYS.publicKey.export({ type: 'spki', format: 'pem' }).toString()
  const { json } = await operator.post('/api/jwt-keys', { publicKey, label: 'shop server', kid: 'shop-1' })
  await operator.post('/api/jwt-keys', { publicKey, kid: 'shop-1' })
  await operator.post('/api/jwt-keys', { publicKey: 'nonsense' })
  await operator.post('/api/jwt-keys', {})
  await operator.get('/api/jwt-keys')
  await play
    .as('shop', { authorization: `Bearer ${play.gateway.jwt({}, { kid: 'shop-1' })}` })
    .get('/v1/payment-methods')
  await operator.delete(`/api/jwt-keys/${json['keyId'] ?? json['id']}`)
  await operator.delete('/api/jwt-keys/none')
  await operator.get('/api/jwt-keys')
  for (let index = 2; index < 23; index += 1) {
    const body = { publicKey, kid: `shop-${index}` }
    await operator.ask('POST', '/api/jwt-keys', { body, ...(index < 20 ? { show: 'status and headers' } : {}) })
  }
}

async function secrets(play: Play): Promise<void> {
  const operator = operatorOf(play)
  await operator.get('/api/webhook-secret')
  await operator.get('/api/webhook-secret')
  await operator.post('/api/webhook-secret/rotate', { overlapSeconds: 0 })
  await operator.post('/api/webhook-secret/rotate', { overlapSeconds: -1 })
  for (let index = 0; index < 6; index += 1) await operator.post('/api/webhook-secret/rotate')
}

async function webhooks(play: Play): Promise<void> {
  const operator = operatorOf(play)
  const merchant = await openMerchantServer(play)
  const webHookUrl = merchant.url
  await operator.get('/api/webhook-secret')
  await paid(play, { webHookUrl, merchantTransactionId: 'm-1' })
  await merchant.received()
  await operator.post('/api/webhook-secret/rotate')
  merchant.answer(500, 302, 201)
  await paid(play, { webHookUrl, orderId: 'O-2', waitPreExecute: true })
  await merchant.received()
  await play.advance(11_000)
  await merchant.received()
  const { json } = await operator.get('/api/webhooks?open=true')
  const [open] = json['deliveries'] as readonly { readonly deliveryId: string }[]
  await operator.get(`/api/webhooks/${open?.deliveryId}`)
  await play.advance(LONG_MS)
  await merchant.received()
  const all = (await operator.get('/api/webhooks')).json['deliveries'] as readonly { readonly deliveryId: string }[]
  const last = `/api/webhooks/${all[0]?.deliveryId}`
  await operator.get(last)
  merchant.answer(500)
  await operator.post(`${last}/resend`)
  await operator.post(`${last}/resend`)
  await merchant.received()
  await operator.post('/api/webhooks/none/resend')
  await play.advance(3 * 3_600_000)
  await merchant.received()
  const closed = await paid(play, { webHookUrl: 'http://127.0.0.1:1/hook', orderId: 'O-3' })
  await play.gateway.settle()
  await operator.ask('GET', `/api/webhooks?open=true&limit=1`, { show: withoutTries })
  await shopOf(play).get(`/v1/payments/${closed.token}`)
}

function withoutTries(body: unknown): unknown {
  const { deliveries } = body as { readonly deliveries: readonly Readonly<Record<string, unknown>>[] }
  return { deliveries: deliveries.map(({ state, subject }) => ({ state, subject })) }
}

async function faultsOfWebhooks(play: Play): Promise<void> {
  const operator = operatorOf(play)
  const merchant = await openMerchantServer(play)
  for (const drill of ['twice', 'late', 'shuffled', 'badly_signed']) {
    await operator.post('/sandbox/webhook-drills', { drill })
    await operator.get('/sandbox/webhook-drills')
    const token = await tokenOf(play, { webHookUrl: merchant.url, orderId: drill })
    if (drill === 'badly_signed') merchant.answer(400)
    await browserOf(play).post(`/api/payments/${token}`, PLAIN)
    await merchant.received()
    await play.advance(2 * LONG_MS)
    await merchant.received()
  }
  await operator.post('/sandbox/webhook-drills', { drill: 'twice', times: 3 })
  await operator.post('/sandbox/webhook-drills', { drill: 'upside_down' })
  await operator.delete('/sandbox/webhook-drills')
  await operator.get('/sandbox/webhook-drills')
}

async function forgotten(play: Play): Promise<void> {
  const till = tillOf(play)
  const path = await start(till, APPROVES, SALE)
  await play.advance(LONG_MS)
  await till.ask('GET', path, { show: 'status and headers' })
  await play.advance(10 * LONG_MS)
  await till.get(path)
}

export const MANAGEMENT: readonly Scenario[] = [
  scenario('lists, and what is refused about them', lists),
  scenario('transactions and reports in full', transaction),
  scenario('payments in full', payment),
  scenario('events as they happen', events),
  scenario('public keys', keys),
  scenario('secrets of webhooks', secrets),
  scenario('webhooks', webhooks),
  scenario('webhooks that go wrong on demand', faultsOfWebhooks),
  scenario('transactions that are kept no longer', forgotten, { retentionMs: 300_000 }),
]

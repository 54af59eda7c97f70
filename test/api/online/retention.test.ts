// test/api/online/retention.test.ts — retention of cards, webhook deliveries and tokens, and of vault entries that a crash
// leaves behind.
import { deepEqual, equal, match, ok } from 'node:assert/strict'
import { test } from 'vitest'
import { CardNumber } from '../../../src/domain/card-number.ts'
import type { StoredKind } from '../../../src/engine/ports/vault.ts'
import { systemRandom } from '../../../src/platform/random.ts'
import { fixedRing } from '../../../src/platform/vault/key-ring.ts'
import { openVault } from '../../../src/platform/vault/vault.ts'
import type { ShopOptions } from '../../support/shop.ts'
import { openWebShop, PLAIN_CARD, type WebShop } from '../../support/web-shop.ts'

const DAY_MS = 86_400_000
const GONE = 'The card of the referenced payment is no longer kept'
const SAVED = { customerId: 'c1' }
const own = { host: 'localhost', authorization: `Basic ${Buffer.from('till:demo-api-key').toString('base64')}` }

/** With the real vault; cards are kept for 60 days, deliveries for 5, unused tokens for 10. */
function openKeptShop(options: Pick<ShopOptions, 'store' | 'acquirer'> = {}): Promise<WebShop> {
  const random = systemRandom()
  const ring = fixedRing([random.bytes(32)])
  return openWebShop({
    ...options,
    vault: (opened, clock) => openVault({ store: opened, ring, random, clock }),
    retention: { cardMs: 60 * DAY_MS, webhookMs: 5 * DAY_MS, tokenMs: 10 * DAY_MS },
  })
}

async function kept({ shop }: WebShop, kind: StoredKind): Promise<number> {
  return (await shop.vault.entries(kind, 0, 1_000)).length
}

async function days({ shop }: WebShop, count: number): Promise<void> {
  for (let day = 0; day < count; day += 1) await shop.clock.advance(DAY_MS)
}

/** Pays with Google Pay, by a card that is bound to a device. */
async function payByWallet(town: WebShop, token: string) {
  const purchase = { cardNumber: PLAIN_CARD.cardNumber, expiryDate: '12/30', amount: 1999, currencyCode: '826' }
  const headers = { authorization: own.authorization }
  const made = await town.call('POST', '/sandbox/wallet-tokens', { wallet: 'GOOGLE_PAY', ...purchase }, headers)
  equal(made.status, 201, made.text)
  return town.browse(`/api/payments/${token}/google-pay`, { token: JSON.stringify(made.json['token']) })
}

async function paid(town: WebShop, changes: Record<string, unknown> = {}): Promise<string> {
  const token = await town.token(changes)
  equal((await town.pay(token))['statusCode'], 0)
  return token
}

test('a card that is not saved is kept for refunds and repeat payments, and deleted after its time', async () => {
  const town = await openKeptShop()
  const reference = await town.referenceOf(await paid(town))
  await days(town, 50)
  equal((await town.linked('REFUND', reference, { amount: '500' }))['statusCode'], 0)
  // The refund used the card: its time begins again.
  await days(town, 50)
  equal((await town.linked('SALE', reference))['statusCode'], 0)
  await days(town, 62)
  equal(await kept(town, 'card'), 0)
  for (const type of ['REFUND', 'SALE']) {
    const { http, statusCode, message } = await town.linked(type, reference, { amount: '100' })
    deepEqual([http, statusCode, message], [200, 30, GONE])
  }
  const recurring = await town.token({ crossReference: reference })
  const answer = await town.browse(`/api/payments/recurring/${recurring}`, { cV2: '341' })
  deepEqual([answer.json['statusCode'], answer.json['message']], [30, GONE])
  // The payment itself can still be read.
  equal((await town.call('GET', `/v1/payments/${recurring}`)).json['statusCode'], 30)
})

test('a saved card is kept until it expires, used or not', async () => {
  const town = await openKeptShop()
  const token = await town.token(SAVED)
  // Valid until the end of September 2026; the clock is in May.
  await town.pay(token, { expiryDate: '09 / 26', savePaymentMethod: true })
  const { paymentMethodId } = await town.record(token)
  ok(paymentMethodId !== null)
  await days(town, 100)
  equal(await kept(town, 'card'), 1)
  const again = await town.token(SAVED)
  const answer = await town.browse(`/api/payments/recurring/${again}`, { paymentMethodId, cV2: '341' })
  equal(answer.json['statusCode'], 0)
  await days(town, 100)
  equal(await kept(town, 'card'), 0)
})

test('the card of a paused payment is kept, and that of a declined one is deleted at once', async () => {
  const town = await openKeptShop()
  const token = await town.token({ waitPreExecute: true })
  equal((await town.pay(token))['statusCode'], 99)
  await town.shop.clock.advance(14 * 60_000)
  equal((await town.call('POST', `/v1/payments/${token}/resume`)).json['statusCode'], 0)
  const declined = await town.pay(await town.token(), { cardNumber: '4921810000009076', cV2: '875' })
  equal(declined['statusCode'], 5)
  await town.shop.settle()
  equal(await kept(town, 'card'), 1)
})

test('a delivery can be sent again during its time; then it is deleted with its attempts and its token', async () => {
  const town = await openKeptShop()
  const token = await paid(town, { webHookUrl: 'https://shop.example/hook' })
  await town.shop.settle()
  const list = async () =>
    (await town.shop.api.inject({ method: 'GET', url: '/api/webhooks', headers: own })).json().deliveries
  const [delivery] = await list()
  equal(delivery.progress, 'delivered')
  await days(town, 4)
  const resend = { method: 'POST', url: `/api/webhooks/${delivery.deliveryId}/resend`, headers: own } as const
  equal((await town.shop.api.inject(resend)).statusCode, 202)
  await days(town, 4)
  equal((await list()).length, 1)
  equal(await kept(town, 'access-token'), 1)
  await days(town, 3)
  deepEqual(await list(), [])
  equal((await town.shop.api.inject(resend)).statusCode, 404)
  const key = { account: 'demo', kind: 'webhook-delivery', id: delivery.deliveryId }
  deepEqual(await town.shop.store.eventsOf(key), [])
  await days(town, 1)
  equal(await kept(town, 'access-token'), 0)
  equal(await kept(town, 'webhook-secret'), 1)
  equal((await town.payment(token))['statusCode'], 0)
})

test('a pending delivery is not deleted', async () => {
  const town = await openKeptShop()
  // Still waiting after the retention time of deliveries.
  const token = await paid(town, { webHookUrl: 'https://shop.example/hook' })
  await town.shop.settle()
  const record = await town.record(token)
  const [delivery] = await town.shop.store.list('demo', { kind: 'webhook-delivery', parent: record.id, limit: 1 })
  const body = { ...JSON.parse(delivery?.body ?? ''), progress: 'waiting', version: 99 }
  await town.shop.store.commit({
    ...{ account: 'demo', kind: 'webhook-delivery', id: delivery?.id ?? '', expectedVersion: delivery?.version ?? 0 },
    ...{ version: 99, body: JSON.stringify(body), parent: record.id, live: true, lockKey: null, at: 0, events: [] },
    ...{ effects: [], effectsDone: [], timers: null, idempotency: null },
  })
  await days(town, 20)
  equal((await town.shop.store.list('demo', { kind: 'webhook-delivery', limit: 9 })).length, 1)
  equal(await kept(town, 'access-token'), 1)
})

test('an unused token is deleted after its time with its data, and its merchantTransactionId stays taken', async () => {
  const town = await openKeptShop()
  const named = {
    merchantTransactionId: 'M-1',
    userEmailAddress: 'ann@shop.example',
    webHookUrl: 'https://shop.example/',
  }
  const unused = await town.token(named)
  const revoked = await town.token()
  equal((await town.call('POST', `/v1/access-tokens/${revoked}/revoke`)).status, 200)
  const used = await paid(town)
  await days(town, 9)
  equal((await town.call('GET', `/v1/payments/${revoked}`)).json['statusCode'], 90)
  equal(await kept(town, 'access-token'), 0)
  await days(town, 2)
  for (const gone of [unused, revoked]) equal((await town.call('GET', `/v1/payments/${gone}`)).status, 404)
  equal(await town.record(unused), null)
  equal((await town.payment(used))['statusCode'], 0)
  const events = await town.shop.store.eventsAfter('demo', 0, 1_000)
  ok(!JSON.stringify(events).includes('ann@shop.example'))
  const again = await town.call('POST', '/v1/access-tokens', { ...TOKEN, merchantTransactionId: 'M-1' })
  deepEqual([again.status, again.text], [400, 'merchantTransactionId already used'])
  equal((await town.pay(unused))['statusCode'], 401)
})

const TOKEN = { merchantUrl: 'shop.example', currencyCode: '826', amount: '1', transactionType: 'SALE', orderId: 'O' }

test('vault entries that a crash leaves behind are deleted later, and no others', async () => {
  let dead = false
  const town = await openKeptShop({
    store: store => ({
      ...store,
      // The gateway stops after the card is sealed, before its payment refers to it.
      commit: async commit => {
        if (dead && commit.kind === 'online-payment') throw new Error('power is gone')
        return store.commit(commit)
      },
      erase: async records => (dead ? Promise.reject(new Error('power is gone')) : store.erase(records)),
    }),
  })
  await paid(town, { webHookUrl: 'https://shop.example/hook' })
  const token = await town.token()
  dead = true
  await town.browse(`/api/payments/${token}`, PLAIN_CARD)
  await town.call('POST', '/v1/access-tokens', { ...TOKEN, webHookUrl: 'https://shop.example/hook' })
  dead = false
  const number = new CardNumber('5200000000000056', 'MASTERCARD')
  const nobodys = { number, expiry: { month: 12, year: 2030 }, holder: '' }
  await town.shop.vault.storeCard('demo', nobodys, 'no such payment')
  await town.shop.vault.storeText('demo', 'webhook-secret', 'left by a rotation', 'demo')
  const counts = () => Promise.all((['card', 'access-token', 'webhook-secret'] as const).map(kind => kept(town, kind)))
  deepEqual(await counts(), [3, 2, 2])
  await days(town, 2)
  deepEqual(await counts(), [1, 1, 1])
})

test('a new vault entry is not deleted, since its payment may not refer to it yet', async () => {
  const town = await openKeptShop()
  await days(town, 1)
  const number = new CardNumber('5200000000000056', 'MASTERCARD')
  await town.shop.clock.advance(DAY_MS - 60_000)
  await town.shop.vault.storeCard('demo', { number, expiry: { month: 12, year: 2030 }, holder: '' }, 'p')
  await town.shop.clock.advance(120_000)
  equal(await kept(town, 'card'), 1)
})

test('a card that is used after the retention check is not deleted', async () => {
  const town = await openKeptShop()
  const { vault } = town.shop
  await paid(town)
  await town.shop.clock.advance(30 * 3_600_000)
  const [entry] = await vault.entries('card', 0, 10)
  ok(entry !== undefined)
  ok((await vault.openCard('demo', entry.reference)) !== null)
  equal(await vault.forgetUnused(entry), false)
  const [used] = await vault.entries('card', 0, 10)
  deepEqual([used?.reference, used?.usedAt], [entry.reference, town.shop.clock.now()])
  ok(used !== undefined && (await vault.forgetUnused(used)))
  equal(await vault.openCard('demo', entry.reference), null)
})

test('hundreds of expired tokens are deleted in batches, and a used one stays', async () => {
  const town = await openKeptShop()
  for (let count = 0; count < 250; count += 1) await town.token()
  const used = await paid(town)
  await days(town, 11)
  await town.shop.clock.advance(10_000)
  const left = await town.shop.store.list('demo', { kind: 'online-payment', limit: 500 })
  equal(left.length, 1)
  equal((await town.payment(used))['statusCode'], 0)
})

test('a vault entry of an earlier version without an owner is kept', async () => {
  const town = await openKeptShop()
  const token = await paid(town)
  const { submission } = await town.record(token)
  const key = { account: 'demo', kind: 'vault-card', id: submission?.card.vault ?? '' }
  const stored = await town.shop.store.load(key)
  const { keyVersion, dataKey, text } = JSON.parse(stored?.body ?? '') as Record<string, string>
  await town.shop.store.commit({
    ...{
      ...key,
      expectedVersion: stored?.version ?? 0,
      version: 9,
      body: JSON.stringify({ keyVersion, dataKey, text }),
    },
    ...{ parent: '', live: true, lockKey: null, at: 0, events: [], effects: [], effectsDone: [], timers: null },
    idempotency: null,
  })
  await days(town, 100)
  equal(await kept(town, 'card'), 1)
  equal((await town.linked('REFUND', await town.referenceOf(token), { amount: '1' }))['statusCode'], 0)
})

test('the card of a payment that was voided is kept for the repeat payments that share it, and for their refunds', async () => {
  const town = await openKeptShop()
  const first = await town.referenceOf(await paid(town))
  const repeated = await town.linked('SALE', first)
  equal((await town.linked('VOID', first, { amount: '0' }))['statusCode'], 0)
  await days(town, 50)
  const second = await town.referenceOf(String(repeated['token']))
  equal((await town.linked('REFUND', second, { amount: '500' }))['statusCode'], 0)
})

test('a card that is submitted again after a lost answer is in the vault once', async () => {
  const town = await openKeptShop()
  const token = await town.token()
  const challenged = { cardNumber: '4456530000001096', cV2: '020' }
  for (const _ of ['lost', 'heard']) equal((await town.pay(token, challenged))['statusCode'], 3)
  equal(await kept(town, 'card'), 1)
  equal((await town.pay(token))['statusCode'], 401)
  equal(await kept(town, 'card'), 1)
})

test('the value of an authentication is in the vault, in no record or event, and is deleted after 90 days', async () => {
  const town = await openKeptShop()
  const token = await town.token()
  equal((await town.pay(token, { cardNumber: '5200000000001005', cV2: '020' }))['statusCode'], 0)
  const { id, proof } = await town.record(token)
  const sealed = proof?.value
  ok(typeof sealed === 'object')
  const open = () => town.shop.vault.openText('demo', 'authentication-value', sealed.vault)
  const value = (await open()) ?? ''
  match(value, /^[\w+/]{27}=$/)
  const key = { account: 'demo', kind: 'online-payment', id }
  const events = await town.shop.store.eventsOf(key)
  ok(events.some(({ type, body }) => type === 'authenticated' && body.includes(sealed.vault)))
  ok(!JSON.stringify([await town.shop.store.load(key), events]).includes(value))
  await days(town, 89)
  equal(await open(), value)
  await days(town, 2)
  deepEqual([await open(), await kept(town, 'authentication-value')], [null, 0])
})

test('the cryptogram of a wallet goes from the vault to the acquirer, is in no record, event or timeline, and is deleted after 90 days', async () => {
  const sent: string[] = []
  const town = await openKeptShop({
    acquirer: real => ({
      ...real,
      authorise(order, purpose) {
        sent.push(order.online?.walletProof?.value ?? '')
        return real.authorise(order, purpose)
      },
    }),
  })
  const token = await town.token()
  const answers = await Promise.all([payByWallet(town, token), payByWallet(town, token)])
  ok(answers.some(({ json }) => json['statusCode'] === 0))
  const [value = ''] = sent
  match(value, /^[\w+/]{27}=$/)
  // The one that came too late leaves nothing behind.
  deepEqual([sent.length, await kept(town, 'card'), await kept(town, 'authentication-value')], [1, 1, 1])
  const { id, submission } = await town.record(token)
  const sealed = submission?.walletProof?.value
  ok(typeof sealed === 'object')
  const key = { account: 'demo', kind: 'online-payment', id }
  const timeline = await town.shop.api.inject({ method: 'GET', url: `/api/payments/${id}/timeline`, headers: own })
  equal(timeline.statusCode, 200)
  ok(timeline.body.includes('"walletProof":{"eci":"05","value":"[redacted]"}'))
  const everything = [await town.shop.store.load(key), await town.shop.store.eventsOf(key), timeline.body]
  ok(!JSON.stringify(everything).includes(value))
  await days(town, 89)
  equal(await town.shop.vault.openText('demo', 'authentication-value', sealed.vault), value)
  await days(town, 2)
  equal(await kept(town, 'authentication-value'), 0)
})

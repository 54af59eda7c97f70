// test/api/online/managed-payments.test.ts — online payments and JWT keys in the management API, and controls of the sandbox.

import { deepEqual, equal, match, ok } from 'node:assert/strict'
import { generateKeyPairSync } from 'node:crypto'
import { test } from 'vitest'
import { jwtFor } from '../../support/merchant-jwts.ts'
import { openWebShop, type WebShop } from '../../support/web-shop.ts'

const BASIC = { authorization: `Basic ${Buffer.from('u:demo-api-key').toString('base64')}` }

async function ask(web: WebShop, method: 'GET' | 'POST' | 'PUT' | 'DELETE', url: string, body?: unknown) {
  const answer = await web.shop.api.inject({
    method,
    url,
    headers: { host: 'localhost', 'content-type': 'application/json', ...BASIC },
    ...(body === undefined ? {} : { payload: JSON.stringify(body) }),
  })
  return {
    status: answer.statusCode,
    text: answer.body,
    json: JSON.parse(answer.body || '{}') as Record<string, unknown>,
  }
}

test('a payment is listed and read, by its id and by its token, without secrets', async () => {
  const web = await openWebShop()
  const token = await web.token({ orderId: 'OWN-1' })
  await web.pay(token, { cardNumber: '5200000000001005', cV2: '020' })
  const refund = await web.linked('REFUND', await web.referenceOf(token), { amount: '100' })
  equal(refund['statusCode'], 0)
  const list = (await ask(web, 'GET', '/api/payments?orderId=OWN-1')).json['payments'] as Record<string, unknown>[]
  equal(list.length, 1)
  const { id, verdict, card, operations, statusCode, currency } = list[0] ?? {}
  deepEqual(verdict, { final: true, moneyTaken: 'yes', safeToRetry: false, nextStep: 'settle_order' })
  deepEqual([card, statusCode, currency], [{ number: '520000******1005', scheme: 'MASTERCARD' }, 0, 'GBP'])
  deepEqual(
    (operations as Record<string, unknown>[]).map(({ state, amountMinor }) => [state, amountMinor]),
    [['settled', 100]],
  )
  for (const name of [String(id), token]) equal((await ask(web, 'GET', `/api/payments/${name}`)).json['id'], id)
  equal((await ask(web, 'GET', '/api/payments/unknown')).status, 404)
  const timeline = await ask(web, 'GET', `/api/payments/${id}/timeline`)
  const said = (timeline.json['entries'] as Record<string, unknown>[]).map(({ what }) => what)
  for (const what of ['issued', 'submitted', 'authenticated', 'charge', 'authorisation_approved', 'ended'])
    ok(said.includes(what), what)
  const events = await ask(web, 'GET', '/api/events?limit=100')
  for (const { text } of [timeline, events])
    for (const secret of ['5200000000001005', token, '"vault"', '"lookup"', '"020"', 'Bearer'])
      ok(!text.includes(secret), secret)
  match(events.text, /"kind":"online-payment"/)
})

test('a shop can sign JWTs with a registered key, until the key is revoked', async () => {
  const web = await openWebShop()
  const pair = generateKeyPairSync('rsa', { modulusLength: 2048 })
  const publicKey = pair.publicKey.export({ type: 'spki', format: 'pem' }).toString()
  const registered = await ask(web, 'POST', '/api/jwt-keys', { publicKey, kid: 'shop-1', label: 'shop server' })
  equal(registered.status, 201, registered.text)
  const call = (jwt: string) => web.call('GET', '/v1/payment-methods', undefined, { authorization: `Bearer ${jwt}` })
  const named = jwtFor(web.apiKeyId, { key: pair.privateKey, header: { kid: 'shop-1' } })
  const unnamed = jwtFor(web.apiKeyId, { key: pair.privateKey })
  for (const jwt of [named, unnamed, web.jwt]) equal((await call(jwt)).status, 200)
  equal((await call(jwtFor(web.apiKeyId, { key: pair.privateKey, header: { kid: 'other' } }))).status, 401)
  // The key is valid for its own account only.
  const [theirs] = await web.shop.store.list('demo-eur', { kind: 'api-key', limit: 1 })
  equal((await call(jwtFor(theirs?.id ?? '', { key: pair.privateKey }))).status, 401)
  equal((await ask(web, 'POST', '/api/jwt-keys', { publicKey, kid: 'shop-1' })).status, 409)
  const keys = (await ask(web, 'GET', '/api/jwt-keys')).json['keys'] as Record<string, unknown>[]
  deepEqual(
    keys.map(({ kid, status }) => [kid, status]),
    [['shop-1', 'active']],
  )
  equal((await ask(web, 'DELETE', `/api/jwt-keys/${registered.json['id']}`)).status, 204)
  for (const jwt of [named, unnamed]) equal((await call(jwt)).status, 401)
  equal((await call(web.jwt)).status, 200)
  // Registering the same key again is a new registration, also for tokens that were accepted before.
  equal((await ask(web, 'POST', '/api/jwt-keys', { publicKey, kid: 'shop-1' })).status, 201)
  for (const jwt of [named, unnamed]) equal((await call(jwt)).status, 200)
})

test('restoring a snapshot does not revive a revoked key, and a reset keeps the JWT keys', async () => {
  const web = await openWebShop()
  const keys = { gone: pairOfKeys(), good: pairOfKeys() }
  const register = async (name: keyof typeof keys) => {
    const publicKey = keys[name].publicKey.export({ type: 'spki', format: 'pem' }).toString()
    return String((await ask(web, 'POST', '/api/jwt-keys', { publicKey, kid: name })).json['id'])
  }
  const statusWith = async (name: keyof typeof keys) => {
    const jwt = jwtFor(web.apiKeyId, { key: keys[name].privateKey, header: { kid: name } })
    const headers = { authorization: `Bearer ${jwt}` }
    return (await web.call('GET', '/v1/payment-methods', undefined, headers)).status
  }
  const first = await register('gone')
  equal(await statusWith('gone'), 200)
  equal((await ask(web, 'POST', '/sandbox/snapshots', { name: 'before' })).status, 201)
  equal((await ask(web, 'DELETE', `/api/jwt-keys/${first}`)).status, 204)
  await register('good')
  equal((await ask(web, 'POST', '/sandbox/snapshots/before/restore')).status, 204)
  deepEqual([await statusWith('gone'), await statusWith('good')], [401, 200])
  equal((await ask(web, 'POST', '/sandbox/reset')).status, 204)
  deepEqual([await statusWith('gone'), await statusWith('good')], [401, 200])
})

test('invalid, short and private keys, labels that are no line of text, and more than twenty keys are refused', async () => {
  const web = await openWebShop()
  const short = generateKeyPairSync('rsa', { modulusLength: 1024 }).publicKey
  const curve = generateKeyPairSync('ec', { namedCurve: 'P-256' }).publicKey
  const pair = generateKeyPairSync('rsa', { modulusLength: 2048 })
  const pem = (key: typeof short) => key.export({ type: 'spki', format: 'pem' }).toString()
  const secret = pair.privateKey.export({ type: 'pkcs8', format: 'pem' }).toString()
  for (const publicKey of [
    '',
    'nonsense',
    pem(short),
    pem(curve),
    secret,
    JSON.stringify(pair.privateKey.export({ format: 'jwk' })),
  ])
    equal((await ask(web, 'POST', '/api/jwt-keys', { publicKey })).status, 422)
  const jwk = JSON.stringify(pair.publicKey.export({ format: 'jwk' }))
  for (const label of ['two\nlines', 'half a pair \ud83d', 'x'.repeat(101), 7])
    equal((await ask(web, 'POST', '/api/jwt-keys', { publicKey: jwk, label })).status, 422)
  for (let index = 0; index < 20; index += 1)
    equal((await ask(web, 'POST', '/api/jwt-keys', { publicKey: jwk, kid: `k${index}` })).status, 201)
  equal((await ask(web, 'POST', '/api/jwt-keys', { publicKey: jwk, kid: 'more' })).status, 409)
})

test('the sandbox lists its online cards, and overrides the next authentications', async () => {
  const web = await openWebShop()
  const { cards } = (await ask(web, 'GET', '/sandbox/online/cards')).json as { cards: Record<string, unknown>[] }
  equal(cards.length, 25)
  const overrides = { next: [{ status: 'R' }, { fault: 'wrong_code' }] }
  deepEqual((await ask(web, 'PUT', '/sandbox/online/authentications', overrides)).json, overrides)
  for (const wrong of [{}, { next: {} }, { next: [{ status: 'X' }] }, { next: [{ fault: 'x' }] }, { next: [null] }])
    equal((await ask(web, 'PUT', '/sandbox/online/authentications', wrong)).status, 422)
  equal((await web.pay(await web.token(), { cardNumber: '5200000000001005', cV2: '020' }))['statusCode'], 5)
  deepEqual((await ask(web, 'GET', '/sandbox/online/authentications')).json, { next: [{ fault: 'wrong_code' }] })
})

function pairOfKeys() {
  return generateKeyPairSync('rsa', { modulusLength: 2048 })
}

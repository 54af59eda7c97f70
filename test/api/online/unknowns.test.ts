// test/api/online/unknowns.test.ts — behaviour that the published online interface does not specify and no other test covers.
import { deepEqual, equal, match } from 'node:assert/strict'
import { test } from 'vitest'
import { openWebShop } from '../../support/web-shop.ts'

test('an unused and an expired token are 404, and an unknown one is 400', async () => {
  const web = await openWebShop()
  const token = await web.token()
  equal((await web.call('GET', `/v1/payments/${token}`)).status, 404)
  await web.shop.clock.advance(31 * 60_000)
  equal((await web.call('GET', `/v1/payments/${token}`)).status, 404)
  equal((await web.call('GET', '/v1/payments/nothing')).status, 400)
})

test('a payment that cannot be revoked is refused with the name of its state', async () => {
  const web = await openWebShop()
  const states: string[] = []
  for (const [cardNumber, cV2, order] of [
    ['5200000000000056', '341', {}],
    ['4792840000009202', '654', {}],
    ['4921810000009076', '875', {}],
    ['5200000000000056', '341', { waitPreExecute: true }],
  ] as const) {
    const token = await web.token(order)
    await web.pay(token, { cardNumber, cV2 })
    const { status, text } = await web.call('POST', `/v1/access-tokens/${token}/revoke`)
    equal(status, 400)
    states.push(/^unable to revoke access token with transaction in (.*) state$/.exec(text)?.[1] ?? text)
  }
  deepEqual(states, ['Successful', 'Referred', 'Declined', 'Waiting pre-execute'])
})

test('a token with a cross reference can be used in the full form, where the typed card is charged', async () => {
  const web = await openWebShop()
  const first = await web.token()
  await web.pay(first)
  const token = await web.token({ crossReference: await web.referenceOf(first), amount: '700' })
  await web.pay(token, { cardNumber: '5200000000001005', cV2: '020' })
  equal((await web.payment(token))['cardNumber'], '520000******1005')
})

test('every request of a shop needs a JWT', async () => {
  const web = await openWebShop()
  const token = await web.token()
  for (const [method, url] of [
    ['GET', '/v1/payment-methods'],
    ['GET', `/v1/payments/${token}`],
    ['POST', '/v1/access-tokens'],
    ['POST', `/v1/access-tokens/${token}/revoke`],
    ['POST', `/v1/payments/${token}/resume`],
    ['POST', `/v1/cross-reference-payments/${token}`],
  ] as const) {
    const answer = await web.shop.api.inject({ method, url, headers: { host: 'localhost' } })
    deepEqual([answer.statusCode, answer.body], [401, 'The Authorization header must hold a Bearer JWT.'], url)
    match(String(answer.headers['content-type']), /^text\/plain/)
  }
  equal((await web.record(token)).token, 'issued')
})

test('meta data of the browser overrides that of the token', async () => {
  const web = await openWebShop()
  const token = await web.token({ metaData: { basket: '7', source: 'shop' } })
  await web.pay(token, { metaData: { source: 'page' } })
  deepEqual((await web.payment(token))['metaData'], { basket: '7', source: 'page' })
})

test('without another message, the message is the name of the status', async () => {
  const web = await openWebShop()
  const asked = await web.token()
  await web.pay(asked, { cardNumber: '4456530000001096', cV2: '020' })
  const seen = async (token: string) => {
    const { statusCode, message } = await web.payment(token)
    return [statusCode, message]
  }
  deepEqual(await seen(asked), [3, 'Authorizing'])
  await web.call('POST', `/v1/access-tokens/${asked}/revoke`)
  deepEqual(await seen(asked), [90, 'Revoked'])
  const paused = await web.token({ waitPreExecute: true })
  await web.pay(paused)
  deepEqual(await seen(paused), [99, 'Waiting pre-execute'])
  const order = { orderId: 'TWICE' }
  await web.pay(await web.token(order))
  const again = await web.token(order)
  await web.pay(again)
  deepEqual(await seen(again), [20, 'Duplicate Transaction'])
})

test('a cross reference is unique and has 22 digits, the first of which is not 0', async () => {
  const web = await openWebShop()
  const references = new Set<string>()
  for (let count = 0; count < 50; count += 1) {
    const token = await web.token()
    await web.pay(token)
    references.add(await web.referenceOf(token))
  }
  equal(references.size, 50)
  for (const reference of references) match(reference, /^[1-9]\d{21}$/)
})

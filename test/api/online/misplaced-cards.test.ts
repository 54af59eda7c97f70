// test/api/online/misplaced-cards.test.ts — a card number in a text of the shop is refused or masked, and not stored.
import { deepEqual, equal, ok } from 'node:assert/strict'
import { test } from 'vitest'
import { aTokenRequest, openWebShop } from '../../support/web-shop.ts'

const NUMBER = '4456530000001096'

test('a card number in an identifier is refused with the field and the reason, and nothing is stored', async () => {
  const { call, shop } = await openWebShop()
  const wrong = [
    ['orderId', NUMBER],
    ['orderId', '4456 5300 0000 1096'],
    ['merchantTransactionId', `tx-${NUMBER}`],
    ['customerId', NUMBER],
    ['paymentMethodId', NUMBER],
    ['crossReference', NUMBER],
    ['webHookUrl', `https://shop.example/hook?card=${NUMBER}`],
    ['metaData', { cart: NUMBER }],
    ['metaData', { [NUMBER]: 'cart' }],
  ] as const
  for (const [field, value] of wrong) {
    const { status, text } = await call('POST', '/v1/access-tokens', { ...aTokenRequest('O'), [field]: value })
    deepEqual([status, text], [400, `The field ${field} seems to hold a card number, which is never stored in clear.`])
  }
  deepEqual(await shop.store.list('demo', { kind: 'online-payment', limit: 9 }), [])
  // After a letter, or inside a UUID, it is an identifier of the shop.
  const named = { orderId: `A${NUMBER}`, merchantTransactionId: '44565300-0000-1096-4456-530000001096' }
  equal((await call('POST', '/v1/access-tokens', { ...aTokenRequest('O'), ...named })).status, 200)
})

test('a card number in free text is masked before it is stored', async () => {
  const { token, pay, payment, record, shop } = await openWebShop()
  const written = `pay with ${NUMBER} 020`
  const given = await token({
    ...{ orderDescription: written, userAgent: written, userEmailAddress: `${NUMBER}@shop.example` },
    ...{ userPhoneNumber: NUMBER, userIpAddress: NUMBER, userAddress1: written, userCity: NUMBER },
    shippingDetails: { name: written, address: { address4: NUMBER, postcode: 'TR14 8PA' } },
    ...{ previousTransactionId: NUMBER, cofSetup: { terms: written, [NUMBER]: [NUMBER, Number(NUMBER), 7] } },
    metaData: { note: 'kept as it is' },
  })
  equal((await pay(given))['statusCode'], 0)
  const { order } = await record(given)
  equal(order.orderDescription, 'pay with **************** ***')
  equal(order.shippingDetails?.address.postcode, 'TR14 8PA')
  deepEqual(order.cofSetup, {
    terms: 'pay with **************** ***',
    '****************': ['****************', null, 7],
  })
  equal((await payment(given))['userEmailAddress'], '****************@shop.example')
  const events = await shop.store.eventsAfter('demo', 0, 1_000)
  ok(!JSON.stringify([events, shop.log.lines]).includes(NUMBER))
})

test('the partner headers of a shop are stored with its payment, card numbers masked', async () => {
  const { call, record, shop } = await openWebShop()
  const issue = async (headers: Record<string, string>) => {
    const answer = await call('POST', '/v1/access-tokens', aTokenRequest('PARTNER'), headers)
    equal(answer.status, 200)
    const { id } = await record(String(answer.json['id']))
    const authorization = `Basic ${Buffer.from('u:demo-api-key').toString('base64')}`
    const own = await shop.api.inject({ url: `/api/payments/${id}`, headers: { host: 'localhost', authorization } })
    return own.json().partner
  }
  deepEqual(await issue({ 'software-house-id': 'SH1', 'installer-id': 'IN1' }), {
    softwareHouseId: 'SH1',
    installerId: 'IN1',
  })
  deepEqual(await issue({ 'software-house-id': NUMBER, 'installer-id': 'IN1' }), {
    softwareHouseId: '****************',
    installerId: 'IN1',
  })
  deepEqual(await issue({}), { softwareHouseId: null, installerId: null })
})

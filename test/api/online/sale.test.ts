// test/api/online/sale.test.ts — an online sale, and the life of its access token.
import { deepEqual, equal, match, ok } from 'node:assert/strict'
import { test } from 'vitest'
import { openWebShop, PLAIN_CARD } from '../../support/web-shop.ts'

test('a sale without 3-D Secure: token, card, outcome, and the payment as the shop reads it', async () => {
  const web = await openWebShop()
  const created = await web.call('POST', '/v1/access-tokens', {
    merchantUrl: 'shop.example',
    currencyCode: '826',
    amount: '1999',
    transactionType: 'SALE',
    orderId: 'A-1001',
    userEmailAddress: 'ann@example.com',
    userAddress1: '32 Edward Street',
    userCountryCode: '826',
    metaData: { basket: '7' },
  })
  equal(created.status, 200)
  const token = String(created.json['id'])
  match(token, /^[\w-]{100,150}$/)
  equal(created.json['expiresAt'], Math.floor(web.shop.clock.now() / 1_000) + 1_800)
  equal((await web.call('GET', `/v1/payments/${token}`)).status, 404)

  const paid = await web.pay(token, { metaData: { screen: 'small' } })
  equal(paid['statusCode'], 0)
  match(String(paid['message']), /^AuthCode: [0-9A-Z]{6}$/)
  const payment = await web.payment(token)
  match(String(payment['transactionDateTime']), /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d\.\d{6} \+0000 UTC$/)
  match(String(payment['crossReference']), /^[1-9]\d{21}$/)
  deepEqual(
    { ...payment, transactionDateTime: '', crossReference: '', authCode: '', message: '' },
    {
      transactionDateTime: '',
      statusCode: 0,
      message: '',
      crossReference: '',
      authCode: '',
      cardNumber: '520000******0056',
      cardName: 'John Watson',
      expiryDate: '12/30',
      cardType: 'MASTERCARD',
      billingAddress: {
        ...{ address1: '32 Edward Street', address2: '', address3: '', address4: '' },
        ...{ city: '', state: '', postcode: '', countryCode: '826' },
      },
      shippingDetails: {
        name: '',
        address: {
          ...{ address1: '', address2: '', address3: '', address4: '' },
          ...{ city: '', state: '', postcode: '', countryCode: '' },
        },
      },
      userEmailAddress: 'ann@example.com',
      userPhoneNumber: '',
      metaData: { basket: '7', screen: 'small' },
    },
  )
  equal(payment['message'], paid['message'])
})

test('a token pays once: a second submission is 401 and changes nothing', async () => {
  const web = await openWebShop()
  const token = await web.token()
  equal((await web.pay(token))['statusCode'], 0)
  const again = await web.browse(`/api/payments/${token}`, PLAIN_CARD)
  equal(again.status, 401)
  equal(again.json['statusCode'], 401)
  equal((await web.record(token)).statusCode, 0)
})

test('of a hundred concurrent submissions of one token one pays, and the others are 401', async () => {
  const web = await openWebShop()
  const token = await web.token()
  const answers = await Promise.all(Array.from({ length: 100 }, () => web.browse(`/api/payments/${token}`, PLAIN_CARD)))
  const codes = answers.map(answer => answer.json['statusCode'])
  equal(codes.filter(code => code === 0).length, 1)
  equal(codes.filter(code => code === 401).length, 99)
  equal(web.shop.memory.list('order', { parent: 'demo', limit: 200 }).length, 1)
})

test('a token expires after thirty minutes, without a payment', async () => {
  const web = await openWebShop()
  const token = await web.token()
  await web.shop.clock.advance(30 * 60_000 - 1)
  const late = await web.token()
  await web.shop.clock.advance(1)
  equal((await web.browse(`/api/payments/${token}`, PLAIN_CARD)).status, 401)
  equal((await web.call('GET', `/v1/payments/${token}`)).status, 404)
  equal((await web.record(token)).token, 'expired')
  equal((await web.pay(late))['statusCode'], 0)
})

test('a revoked token has the status 90, and its browser gets 401', async () => {
  const web = await openWebShop()
  const token = await web.token()
  const revoked = await web.call('POST', `/v1/access-tokens/${token}/revoke`)
  deepEqual([revoked.status, revoked.text], [200, ''])
  equal((await web.browse(`/api/payments/${token}`, PLAIN_CARD)).status, 401)
  equal((await web.payment(token))['statusCode'], 90)
  const again = await web.call('POST', `/v1/access-tokens/${token}/revoke`)
  deepEqual([again.status, again.text], [400, 'unable to revoke access token with transaction in Revoked state'])
})

test('neither token, card number nor security code is anywhere in the store', async () => {
  const web = await openWebShop()
  const token = await web.token({ webHookUrl: 'https://shop.example/hook' })
  equal((await web.pay(token))['statusCode'], 0)
  const image = JSON.stringify(await web.shop.images.imageOf('demo', []))
  ok(!image.includes(token))
  ok(image.includes('520000******0056'))
  ok(!image.includes('5200000000000056'))
  ok(!image.includes('"341"'))
  equal(web.shop.gateway.online.codes.count, 0)
})

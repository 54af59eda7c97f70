// test/api/online/token-request.test.ts — validation of every field of a token request.

import { deepEqual, equal } from 'node:assert/strict'
import { test } from 'vitest'
import { refusedFieldIn } from '../../support/refused-field.ts'
import { aTokenRequest, openWebShop, PLAIN_CARD } from '../../support/web-shop.ts'

const LONG = 'x'.repeat(3_000)

/** Field, value, and the outcome: 200, or the text of the refusal. */
const ROWS: readonly (readonly [string, unknown, 200 | string])[] = [
  ['amount', '1', 200],
  ['amount', '0', 'Invalid amount'],
  ['amount', '', 'Invalid amount'],
  ['amount', undefined, 'Invalid amount'],
  ['amount', 1999, 200],
  ['amount', 19.99, 'Invalid amount'],
  ['amount', 1998.9999999999998, 'Invalid amount'],
  ['amount', '19.99', 'Invalid amount'],
  ['amount', '-1', 'Invalid amount'],
  ['amount', -1, 'Invalid amount'],
  ['amount', ' 1', 'Invalid amount'],
  ['amount', '1e3', 'Invalid amount'],
  ['amount', '9999999999999', 200],
  ['amount', '10000000000000', 'Invalid amount'],
  ['amount', true, 'Invalid amount'],
  ['amount', ['1'], 'Invalid amount'],
  ['currencyCode', '978', 200],
  ['currencyCode', 826, 200],
  ['currencyCode', '392', 200],
  ['currencyCode', '414', 200],
  ['currencyCode', '036', 200],
  ['currencyCode', 36, 200],
  ['currencyCode', 'GBP', 'Invalid currencyCode'],
  ['currencyCode', '000', 'Invalid currencyCode'],
  ['currencyCode', '999', 'Invalid currencyCode'],
  ['currencyCode', '8260', 'Invalid currencyCode'],
  ['currencyCode', '532', 200],
  ['currencyCode', '931', 'Invalid currencyCode'],
  ['currencyCode', '975', 'Invalid currencyCode'],
  ['transactionType', 'PREAUTH', 200],
  ['transactionType', 'PRE_AUTH', 200],
  ['transactionType', 'COLLECTION', 200],
  ['transactionType', 'COMPLETION', 200],
  ['transactionType', 'REFUND', 200],
  ['transactionType', 'VOID', 200],
  ['transactionType', 'sale', 'Invalid transactionType'],
  ['transactionType', 'SALEVOID', 'Invalid transactionType'],
  ['transactionType', 'constructor', 'Invalid transactionType'],
  ['transactionType', undefined, 'Invalid transactionType'],
  ['transactionType', 'ACCOUNT_VERIFICATION', 'Invalid amount'],
  ['orderId', undefined, 'Invalid orderId'],
  ['orderId', '', 'Invalid orderId'],
  ['orderId', 1001, 'Invalid orderId'],
  ['orderId', 'x'.repeat(50), 200],
  ['orderId', 'x'.repeat(51), 'Invalid orderId'],
  ['orderId', 'a\u0000b', 'Invalid orderId'],
  ['orderDescription', '', 200],
  ['orderDescription', null, 200],
  ['orderDescription', 'Zwölf Äpfel – 🍏', 200],
  ['orderDescription', 'x'.repeat(256), 'Invalid orderDescription'],
  ['merchantTransactionId', 'x'.repeat(65), 'Invalid merchantTransactionId'],
  ['transactionSource', 'MOTO', 200],
  ['transactionSource', '', 200],
  ['transactionSource', 'ECOM', 'Invalid transactionSource'],
  ['transactionSource', 'XMOTO', 'Invalid transactionSource'],
  ['userEmailAddress', 'ann@example.com', 200],
  ['userIpAddress', '300.1.2.3.4', 200],
  ['userCountryCode', '826', 200],
  ['userCountryCode', '8', 200],
  ['userCountryCode', '8260', 'Invalid userCountryCode'],
  ['userAddress1', 'x'.repeat(101), 'Invalid userAddress1'],
  ['shippingDetails', { name: 'Ann', address: { address1: '1', countryCode: '826' } }, 200],
  ['shippingDetails', { address: { countryCode: 'GB' } }, 'Invalid countryCode'],
  ['shippingDetails', 'none', 'Invalid shippingDetails'],
  ['newTransaction', true, 200],
  ['newTransaction', 'false', 200],
  ['newTransaction', 'maybe', 'Invalid newTransaction'],
  ['waitPreExecute', 1, 'Invalid waitPreExecute'],
  ['webHookUrl', 'https://shop.example/hook', 200],
  ['webHookUrl', 'shop.example/hook', 'Invalid webHookUrl'],
  ['webHookUrl', 'ftp://shop.example', 'Invalid webHookUrl'],
  ['webHookUrl', `https://shop.example/${LONG}`, 'Invalid webHookUrl'],
  ['webhookUrl', 'nonsense', 'Invalid webHookUrl'],
  ['metaData', { a: 'b' }, 200],
  ['metaData', { a: 1 }, 'Invalid metaData'],
  ['metaData', ['a'], 'Invalid metaData'],
  ['metaData', { a: 'x'.repeat(501) }, 'Invalid metaData'],
  ['metaData', { ['k'.repeat(65)]: 'x' }, 'Invalid metaData'],
  ['metaData', Object.fromEntries(Array.from({ length: 51 }, (_, index) => [`k${index}`, 'x'])), 'Invalid metaData'],
  ['cofSetup', { type: 'RECURRING', terms: 'monthly' }, 200],
  ['cofSetup', 'RECURRING', 'Invalid cofSetup'],
  ['customerId', 'c-1', 200],
  ['shopVersion', { any: ['thing'] }, 200],
]

test('each value is accepted, or refused with the name of its field', async () => {
  const web = await openWebShop()
  for (const [field, value, expected] of ROWS) {
    const answer = await web.call('POST', '/v1/access-tokens', { ...aTokenRequest('R'), [field]: value })
    const got = answer.status === 200 ? 200 : `Invalid ${refusedFieldIn(answer.text)}`
    equal(got, expected, `${field} = ${String(JSON.stringify(value)).slice(0, 60)}`)
    if (expected !== 200) equal(answer.status, 400)
  }
})

test('a void can have any amount, and an account verification must have zero', async () => {
  const web = await openWebShop()
  for (const [transactionType, amount, status] of [
    ['VOID', 0, 200],
    ['VOID', '5', 200],
    ['ACCOUNT_VERIFICATION', '0', 200],
    ['REFUND', '0', 400],
    ['COLLECTION', 0, 400],
  ] as const) {
    const body = { ...aTokenRequest('V'), transactionType, amount }
    equal((await web.call('POST', '/v1/access-tokens', body)).status, status, `${transactionType} ${amount}`)
  }
})

test('field names are case-insensitive', async () => {
  const web = await openWebShop()
  const upper = Object.fromEntries(
    Object.entries(aTokenRequest('C')).map(([name, value]) => [name.toUpperCase(), value]),
  )
  equal((await web.call('POST', '/v1/access-tokens', upper)).status, 200)
})

test('a body that is not an object, not JSON or too large is refused in one line of text', async () => {
  const web = await openWebShop()
  const post = async (body: string) => {
    const { status, text, headers } = await web.call('POST', '/v1/access-tokens', body)
    equal(headers['content-type'], 'text/plain; charset=utf-8')
    equal(text.split('\n').length, 1)
    return status
  }
  deepEqual([await post('{'), await post('[]'), await post(''), await post('null')], [400, 400, 400, 400])
  equal(await post(JSON.stringify({ a: 'x'.repeat(70_000) })), 413)
})

test('another method is 405 with Allow, an unknown address 404, both as text', async () => {
  const web = await openWebShop()
  const get = await web.call('GET', '/v1/access-tokens')
  deepEqual([get.status, get.headers['allow']], [405, 'POST, OPTIONS'])
  equal((await web.call('GET', '/v1/nothing')).status, 404)
  equal((await web.call('GET', '/v1/nothing')).headers['content-type'], 'text/plain; charset=utf-8')
})

test('a merchantTransactionId stays taken by an unused, a revoked and an expired token', async () => {
  const web = await openWebShop()
  const first = await web.token({ merchantTransactionId: 'mt-1' })
  const again = async () => {
    const answer = await web.call('POST', '/v1/access-tokens', { ...aTokenRequest('N'), merchantTransactionId: 'mt-1' })
    return `${answer.status} ${answer.text}`
  }
  equal(await again(), '400 merchantTransactionId already used')
  equal((await web.pay(first))['statusCode'], 0)
  equal(await again(), '400 merchantTransactionId already used')
  const revoked = await web.token({ merchantTransactionId: 'mt-2' })
  await web.call('POST', `/v1/access-tokens/${revoked}/revoke`)
  await web.token({ merchantTransactionId: 'mt-3' })
  await web.shop.clock.advance(86_400_000)
  for (const merchantTransactionId of ['mt-2', 'mt-3']) {
    const body = { ...aTokenRequest('N'), merchantTransactionId }
    equal((await web.call('POST', '/v1/access-tokens', body)).status, 400)
  }
})

test('of a hundred concurrent tokens with one merchantTransactionId one is made', async () => {
  const web = await openWebShop()
  const make = () => web.call('POST', '/v1/access-tokens', { ...aTokenRequest('P'), merchantTransactionId: 'only' })
  const statuses = (await Promise.all(Array.from({ length: 100 }, make))).map(answer => answer.status)
  equal(statuses.filter(status => status === 200).length, 1)
  equal(statuses.filter(status => status === 400).length, 99)
})

test('a token is accepted with padding, raw or percent-encoded', async () => {
  const web = await openWebShop()
  const token = await web.token()
  equal((await web.browse(`/api/payments/${token}%3D%3D`, PLAIN_CARD)).json['statusCode'], 0)
  for (const sent of [token, `${token}==`, `${token}%3D`])
    equal((await web.call('GET', `/v1/payments/${sent}`)).status, 200, sent)
  equal((await web.call('GET', '/v1/payments/nonsense')).status, 400)
  equal((await web.call('GET', `/v1/payments/${'A'.repeat(110)}`)).status, 404)
})

test('the payer’s address is taken from X-Forwarded-For where the body has none', async () => {
  const web = await openWebShop()
  const make = async (more: object) => {
    const headers = { 'x-forwarded-for': '198.51.100.7, 10.0.0.1' }
    const answer = await web.call('POST', '/v1/access-tokens', { ...aTokenRequest('F'), ...more }, headers)
    return (await web.record(String(answer.json['id']))).order.payer.ipAddress
  }
  equal(await make({}), '198.51.100.7')
  equal(await make({ userIpAddress: '203.0.113.1' }), '203.0.113.1')
})

test('resume and revoke accept a JSON content type without a body', async () => {
  const web = await openWebShop()
  const token = await web.token()
  equal((await web.call('POST', `/v1/access-tokens/${token}/revoke`)).status, 200)
  equal((await web.call('POST', `/v1/payments/${token}/resume`)).status, 400)
})

// test/api/online/garbage.test.ts — random requests to the online interface: only published statuses, no card number
// in an answer, and nothing is charged.
import { equal, ok } from 'node:assert/strict'
import fc from 'fast-check'
import { test } from 'vitest'
import { moneyOfAccount } from '../../support/acquirer-book.ts'
import { numbersThatLookLikeCards } from '../../support/card-scanner.ts'
import { aTokenRequest, openWebShop, PLAIN_CARD } from '../../support/web-shop.ts'

const TOKEN_FIELDS = [
  ...Object.keys(aTokenRequest('x')),
  'metaData',
  'shippingDetails',
  'webHookUrl',
  'cofSetup',
  '__proto__',
  'constructor',
]
const CARD_FIELDS = [
  ...Object.keys(PLAIN_CARD),
  'billingAddress',
  'metaData',
  'savePaymentMethod',
  'paymentMethodId',
  'token',
]

const ANYTHING = fc.oneof(
  fc.jsonValue(),
  fc.constantFrom(
    '',
    '0',
    '-1',
    '4111111111111111',
    'A'.repeat(5_000),
    '\u0000',
    '\ud800',
    [],
    {},
    null,
    Number.MIN_VALUE,
  ),
)

function body(fields: readonly string[], valid: object) {
  const changes = fc.array(fc.tuple(fc.constantFrom(...fields), ANYTHING), { maxLength: 4 })
  return fc.oneof(
    { weight: 5, arbitrary: changes.map(pairs => JSON.stringify({ ...valid, ...Object.fromEntries(pairs) })) },
    { weight: 1, arbitrary: fc.json() },
    { weight: 1, arbitrary: fc.string() },
  )
}

test('token requests are answered with 200, 400, 401 or 413', async () => {
  const web = await openWebShop()
  await fc.assert(
    fc.asyncProperty(body(TOKEN_FIELDS, aTokenRequest('G')), async text => {
      const answer = await web.call('POST', '/v1/access-tokens', text)
      ok([200, 400, 401, 413].includes(answer.status), `${answer.status} ${answer.text}`)
    }),
    { numRuns: 400 },
  )
})

test('card bodies are answered with a statusCode, which is the HTTP status of a refusal', async () => {
  const web = await openWebShop()
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom('payments', 'payments/recurring', 'device-data'),
      body(CARD_FIELDS, { ...PLAIN_CARD, cV2: '999' }),
      async (path, text) => {
        const token = await web.token()
        const answer = await web.browse(`/api/${path}/${token}`, text)
        const { statusCode } = answer.json
        if (answer.status !== 200) equal(statusCode, answer.status)
        ok([200, 400, 401, 413].includes(answer.status), `${answer.status} ${answer.text}`)
        if (answer.status === 200 && path !== 'device-data') equal(statusCode, 5, answer.text)
        equal(numbersThatLookLikeCards(answer.text).length, 0)
      },
    ),
    { numRuns: 300 },
  )
  equal(moneyOfAccount(web.shop.memory, 'demo'), 0)
})

test('cross-reference requests are answered with 200, 400 or 413, and the money agrees with the acquirer', async () => {
  const web = await openWebShop()
  const paid = await web.token({ amount: '1000000' })
  await web.pay(paid)
  const crossReference = await web.referenceOf(paid)
  let refundedMinor = 0
  await fc.assert(
    fc.asyncProperty(body(['crossReference', 'cv2', 'amount'], { crossReference }), async text => {
      const token = await web.token({ transactionType: 'REFUND', crossReference, amount: '7' })
      const answer = await web.call('POST', `/v1/cross-reference-payments/${token}`, text)
      ok([200, 400, 413].includes(answer.status), `${answer.status} ${answer.text}`)
      if (answer.status === 200 && answer.json['statusCode'] === 0) refundedMinor += 7
      equal(numbersThatLookLikeCards(answer.text).length, 0)
    }),
    { numRuns: 150 },
  )
  equal(moneyOfAccount(web.shop.memory, 'demo'), 1_000_000 - refundedMinor)
})

test('a card number in any field and spelling of a token request is not stored', async () => {
  const web = await openWebShop()
  const card = fc
    .tuple(fc.constantFrom('4111111111111111', '5200000000000056', '371449111020228'), fc.constantFrom('', ' ', '-'))
    .map(([number, between]) => (number.match(/\d{1,4}/g) ?? []).join(between))
  const before = fc.constantFrom('', ' ', ': ', '(', '12 High Street ', 'é ', 'card-', '#')
  const behind = fc.constantFrom('', ' ', ',', ')', ' 12/30', ' 123', '.')
  const written = fc.tuple(before, card, behind).map(parts => parts.join(''))
  const address = { address1: 'x' }
  let taken = 0
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(...TEXT_FIELDS), written, async (field, text) => {
      const value =
        field === 'metaData' ? { [text]: text } : field === 'shippingDetails' ? { name: text, address } : text
      const answer = await web.call('POST', '/v1/access-tokens', { ...aTokenRequest('G'), [field]: value })
      ok([200, 400].includes(answer.status), answer.text)
      if (answer.status === 200) taken += 1
      equal(numbersThatLookLikeCards(answer.text).length, 0)
    }),
    { numRuns: 300 },
  )
  ok(taken > 0)
  const kept = JSON.stringify([await web.shop.images.imageOf('demo', []), web.shop.log.lines])
  for (const number of ['4111111111111111', '5200000000000056', '371449111020228', '4111 1111', '5200-0000'])
    ok(!kept.includes(number), number)
})

const TEXT_FIELDS = [
  ...['orderId', 'orderDescription', 'merchantTransactionId', 'userAgent', 'userEmailAddress', 'userPhoneNumber'],
  ...['userIpAddress', 'userAddress1', 'userAddress4', 'userCity', 'userPostcode', 'customerId', 'paymentMethodId'],
  ...['previousTransactionId', 'crossReference', 'metaData', 'shippingDetails'],
]

test('invalid tokens are refused at every address', async () => {
  const web = await openWebShop()
  const part = fc.oneof(fc.string({ minLength: 1 }), fc.base64String({ minLength: 100 })).map(encodeURIComponent)
  await fc.assert(
    fc.asyncProperty(part, fc.constantFrom('', '/resume', '/revoke'), async (token, end) => {
      if (token === '.' || token === '..') return
      const path = end === '/revoke' ? `/v1/access-tokens/${token}/revoke` : `/v1/payments/${token}${end}`
      const answer = await web.shop.api.inject({
        method: end === '' ? 'GET' : 'POST',
        url: path,
        headers: { host: 'localhost', authorization: `Bearer ${web.jwt}` },
      })
      ok([400, 404, 405, 414].includes(answer.statusCode), `${path} ${answer.statusCode} ${answer.body}`)
      const browser = await web.browse(`/api/payments/${token}`, PLAIN_CARD)
      ok([400, 401, 404, 405].includes(browser.status), `${token} ${browser.status} ${browser.text}`)
    }),
    { numRuns: 200 },
  )
})

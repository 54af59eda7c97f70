// test/api/online/flows.test.ts — flows of online payments: pauses, saved cards, wallets, unknown answers.

import { deepEqual, equal, match, ok } from 'node:assert/strict'
import { test } from 'vitest'
import { moneyOfAccount } from '../../support/acquirer-book.ts'
import { createMemoryVault } from '../../support/memory-vault.ts'
import { refusedFieldIn } from '../../support/refused-field.ts'
import { aTokenRequest, openWebShop, PLAIN_CARD, type WebShop } from '../../support/web-shop.ts'

const orders = (web: WebShop) => web.shop.memory.list('order', { parent: 'demo', limit: 100 }).length
const resume = (web: WebShop, token: string) => web.call('POST', `/v1/payments/${token}/resume`)

test('a paused payment is charged when its shop resumes it, once', async () => {
  const web = await openWebShop()
  const token = await web.token({ waitPreExecute: true })
  const paused = await web.pay(token)
  deepEqual([paused['statusCode'], paused['message']], [99, 'Waiting pre-execute'])
  equal((await web.payment(token))['statusCode'], 99)
  equal(orders(web), 0)
  const resumed = await resume(web, token)
  equal(resumed.json['statusCode'], 0)
  deepEqual(Object.keys(resumed.json).toSorted(), ['authCode', 'message', 'statusCode'])
  equal((await resume(web, token)).status, 400)
  equal(moneyOfAccount(web.shop.memory, 'demo'), 1_999)
})

test('a resume whose acquirer is silent answers with the state within ten seconds', async () => {
  const web = await openWebShop()
  const silent = { 'Tollgate-Scenario': 'acquirer_silent' }
  const made = await web.call('POST', '/v1/access-tokens', { ...aTokenRequest('R'), waitPreExecute: true }, silent)
  const token = String(made.json['id'])
  equal((await web.pay(token))['statusCode'], 99)
  const answers: unknown[] = []
  void resume(web, token).then(({ status, json }) => answers.push([status, json]))
  await web.shop.clock.advance(9_999)
  deepEqual(answers, [[200, { statusCode: 40, authCode: '', message: 'Processing' }]])
})

test('of a hundred concurrent resumes one is accepted', async () => {
  const web = await openWebShop()
  const token = await web.token({ waitPreExecute: true })
  await web.pay(token)
  const answers = await Promise.all(Array.from({ length: 100 }, () => resume(web, token)))
  equal(answers.filter(({ status }) => status === 200).length, 1)
  equal(answers.filter(({ status }) => status === 400).length, 99)
  equal(moneyOfAccount(web.shop.memory, 'demo'), 1_999)
})

test('a pause expires after fifteen minutes and cannot be revoked', async () => {
  const web = await openWebShop()
  const token = await web.token({ waitPreExecute: true })
  await web.pay(token)
  const revoked = await web.call('POST', `/v1/access-tokens/${token}/revoke`)
  deepEqual(
    [revoked.status, revoked.text],
    [400, 'unable to revoke access token with transaction in Waiting pre-execute state'],
  )
  await web.shop.clock.advance(15 * 60_000)
  const lapsed = await web.payment(token)
  deepEqual([lapsed['statusCode'], lapsed['message']], [30, 'Pre-execute wait expired'])
  equal((await resume(web, token)).status, 400)
  equal(orders(web), 0)
})

test('a payment that begins before its token expires can end after it', async () => {
  const web = await openWebShop()
  const token = await web.token({ waitPreExecute: true })
  await web.shop.clock.advance(29 * 60_000)
  equal((await web.pay(token))['statusCode'], 99)
  await web.shop.clock.advance(14 * 60_000)
  equal((await resume(web, token)).json['statusCode'], 0)
})

const STATES: readonly (readonly [string, object, object, string])[] = [
  ['a success', {}, {}, 'Successful'],
  ['a decline', {}, { cV2: '999' }, 'Declined'],
  ['a referral', {}, { cardNumber: '4792840000009202', cV2: '654' }, 'Referred'],
]
for (const [name, order, card, state] of STATES)
  test(`${name} cannot be revoked, and the refusal names its state`, async () => {
    const web = await openWebShop()
    const token = await web.token({ ...order })
    await web.pay(token, { ...card })
    const revoked = await web.call('POST', `/v1/access-tokens/${token}/revoke`)
    deepEqual([revoked.status, revoked.text], [400, `unable to revoke access token with transaction in ${state} state`])
  })

test('unknown and expired tokens cannot be revoked', async () => {
  const web = await openWebShop()
  const token = await web.token()
  await web.shop.clock.advance(30 * 60_000)
  for (const each of [token, 'nonsense', 'A'.repeat(110)]) {
    const revoked = await web.call('POST', `/v1/access-tokens/${each}/revoke`)
    deepEqual([revoked.status, revoked.text], [400, 'Invalid access token'])
  }
})

test('a card whose payment cannot be committed is deleted', async () => {
  let failing = false
  const kept = new Set<string>()
  const web = await openWebShop({
    store: store => ({
      ...store,
      commit: commit => (failing ? Promise.reject(new Error('no room on the disk')) : store.commit(commit)),
    }),
    vault: async () => {
      const vault = createMemoryVault()
      return {
        ...vault,
        async storeCard(account, card, owner) {
          const reference = await vault.storeCard(account, card, owner)
          kept.add(reference)
          return reference
        },
        async forget(account, reference) {
          kept.delete(reference)
          await vault.forget(account, reference)
        },
      }
    },
  })
  const token = await web.token()
  failing = true
  equal((await web.browse(`/api/payments/${token}`, PLAIN_CARD)).status, 500)
  failing = false
  equal(kept.size, 0)
  equal((await web.pay(token))['statusCode'], 0)
  equal(kept.size, 1)
})

test('a saved card pays again for its customer only, with or without its security code', async () => {
  const web = await openWebShop()
  const first = await web.token({ customerId: 'c-1' })
  equal((await web.pay(first, { savePaymentMethod: true }))['statusCode'], 0)
  const paymentMethodId = String((await web.payment(first))['paymentMethodId'])
  match(paymentMethodId, /^pm_/)
  const recur = async (order: object, body: object) => {
    const token = await web.token({ ...order })
    return { ...(await web.browse(`/api/payments/recurring/${token}`, body)).json, token }
  }
  const theirs = { customerId: 'c-1' }
  const paid = await recur(theirs, { paymentMethodId, cV2: '341' })
  equal(paid['statusCode' as never], 0)
  equal((await web.payment(paid.token))['cardNumber'], '520000******0056')
  equal((await recur(theirs, { paymentMethodId }))['statusCode' as never], 0)
  equal((await recur(theirs, { paymentMethodId, cV2: '342' }))['statusCode' as never], 5)
  equal((await recur({ customerId: 'c-2' }, { paymentMethodId, cV2: '341' }))['statusCode' as never], 400)
  equal((await recur({}, { paymentMethodId, cV2: '341' }))['statusCode' as never], 400)
  equal((await recur(theirs, { paymentMethodId: 'pm_unknown' }))['statusCode' as never], 400)
  equal((await recur(theirs, {}))['statusCode' as never], 400)
})

test('saving a card without a customer is 400, and the token stays unused', async () => {
  const web = await openWebShop()
  const token = await web.token()
  equal((await web.browse(`/api/payments/${token}`, { ...PLAIN_CARD, savePaymentMethod: true })).status, 400)
  equal((await web.pay(token))['statusCode'], 0)
})

test('a repeat payment in the form uses the card of the cross reference', async () => {
  const web = await openWebShop()
  const first = await web.token()
  await web.pay(first)
  const crossReference = await web.referenceOf(first)
  const token = await web.token({ crossReference, amount: '700' })
  equal((await web.browse(`/api/payments/recurring/${token}`, { cV2: '341' })).json['statusCode'], 0)
  // A token with a reference can be used in the full form too: the typed card is charged.
  const typed = await web.token({ crossReference, amount: '701' })
  await web.pay(typed, { cardNumber: '5555555555555599', cV2: '123' })
  equal((await web.payment(typed))['cardNumber'], '555555******5599')
})

test('an invalid card is refused by its field, and the token stays unused', async () => {
  const web = await openWebShop()
  const token = await web.token()
  for (const [field, value] of [
    ['cardNumber', '5200000000000057'],
    ['cardNumber', '123'],
    ['cardNumber', '3530111333300000'],
    ['cardName', ''],
    ['expiryDate', '01/20'],
    ['expiryDate', '13/30'],
    ['expiryDate', 'soon'],
    ['cV2', '12'],
    ['cV2', '1234'],
    ['cV2', ''],
  ] as const) {
    const answer = await web.browse(`/api/payments/${token}`, { ...PLAIN_CARD, [field]: value })
    deepEqual(
      [answer.status, answer.json['statusCode'], refusedFieldIn(answer.json['message'])],
      [400, 400, field],
      `${field} ${value}`,
    )
  }
  equal((await web.pay(token, { expiryDate: '12/30', cv2: '341', cV2: undefined }))['statusCode'], 0)
})

test('a check of a card moves no money, and its card can be used later', async () => {
  const web = await openWebShop()
  const token = await web.token({ transactionType: 'ACCOUNT_VERIFICATION', amount: '0' })
  equal((await web.pay(token))['statusCode'], 0)
  equal(moneyOfAccount(web.shop.memory, 'demo'), 0)
  equal((await web.linked('SALE', await web.referenceOf(token)))['statusCode'], 0)
})

test('an approval whose first answer is lost is found by a retry: 40 meanwhile, then 0, charged once', async () => {
  const web = await openWebShop()
  const token = await web.token({ amount: '9000068' })
  const paying = web.browse(`/api/payments/${token}`, PLAIN_CARD)
  await web.shop.settle()
  equal((await web.payment(token))['statusCode'], 40)
  const revoked = await web.call('POST', `/v1/access-tokens/${token}/revoke`)
  equal(revoked.text, 'unable to revoke access token with transaction in Processing state')
  await web.shop.clock.advance(100)
  equal((await paying).json['statusCode'], 0)
  equal(moneyOfAccount(web.shop.memory, 'demo'), 9_000_068)
})

test('an acquirer that never answers: 500 for the browser, 40 for the shop, and 30 and reversed after 15 minutes', async () => {
  const web = await openWebShop()
  const token = await web.token({ amount: '9000091' })
  const paying = web.browse(`/api/payments/${token}`, PLAIN_CARD)
  await web.shop.clock.advance(14_000)
  const answer = await paying
  deepEqual([answer.status, answer.json['statusCode']], [500, 500])
  equal((await web.payment(token))['statusCode'], 40)
  await web.shop.clock.advance(15 * 60_000)
  const ended = await web.payment(token)
  deepEqual([ended['statusCode'], ended['message'], ended['crossReference']], [30, 'Failed', ''])
  equal(moneyOfAccount(web.shop.memory, 'demo'), 0)
  equal(web.shop.gateway.online.codes.count, 0)
})

test('a linked payment without an answer releases its reservation', async () => {
  const web = await openWebShop()
  const sale = await web.token({ amount: '99000000' })
  await web.pay(sale)
  const crossReference = await web.referenceOf(sale)
  const token = await web.token({ transactionType: 'REFUND', crossReference, amount: '9000091' })
  const refunding = web.call('POST', `/v1/cross-reference-payments/${token}`, { crossReference })
  await web.shop.clock.advance(25_000)
  const answer = await refunding
  deepEqual([answer.status, answer.text], [500, 'The outcome is not known yet. Read the payment later.'])
  const over = await web.linked('REFUND', crossReference, { amount: '99000000' })
  equal(over['statusCode'], 30)
  await web.shop.clock.advance(15 * 60_000)
  equal((await web.payment(token))['statusCode'], 30)
  equal((await web.linked('REFUND', crossReference, { amount: '99000000' }))['statusCode'], 0)
  equal(moneyOfAccount(web.shop.memory, 'demo'), 0)
})

test('amounts of currencies with no, two and three decimals reach the acquirer unchanged', async () => {
  const web = await openWebShop()
  for (const [currencyCode, letters] of [
    ['392', 'JPY'],
    ['826', 'GBP'],
    ['414', 'KWD'],
  ] as const) {
    const token = await web.token({ currencyCode, amount: '12345' })
    equal((await web.pay(token))['statusCode'], 0)
    const [order] = web.shop.memory.list('order', { parent: 'demo', limit: 1 })
    const { amountMinor, currency } = JSON.parse(order?.body ?? '{}') as { amountMinor: number; currency: string }
    deepEqual([amountMinor, currency], [12_345, letters])
  }
})

test('the wallets of the sandbox: Apple Pay pays at once, a Google Pay card without a device is authenticated', async () => {
  const web = await openWebShop()
  const methods = await web.call('GET', '/v1/payment-methods')
  deepEqual(methods.json, {
    cardSchemes: ['VISA', 'MASTERCARD', 'MAESTRO', 'AMEX', 'DCI', 'DISCOVER'],
    wallets: ['APPLE_PAY', 'GOOGLE_PAY'],
  })
  const basic = { authorization: `Basic ${Buffer.from('u:demo-api-key').toString('base64')}` }
  const make = async (wallet: string, cardNumber: string, more: object = {}) => {
    const requested = { wallet, cardNumber, expiryDate: '12/30', amount: 1999, currencyCode: '826', ...more }
    const answer = await web.call('POST', '/sandbox/wallet-tokens', requested, basic)
    equal(answer.status, 201, answer.text)
    return answer.json['token']
  }
  const apple = await web.token()
  const body = {
    token: await make('APPLE_PAY', '4456530000001096'),
    billingContact: { emailAddress: 'ann@example.com', locality: 'Leeds' },
  }
  const paid = await web.browse(`/cors/api/payments/${apple}/apple-pay`, body, { origin: 'https://shop.example' })
  equal(paid.json['statusCode'], 0)
  equal(paid.headers['access-control-allow-origin'], '*')
  equal((await web.payment(apple))['userEmailAddress'], 'ann@example.com')
  const again = await web.browse(`/api/payments/${await web.token()}/apple-pay`, body)
  deepEqual([again.status, refusedFieldIn(again.json['message'])], [400, 'token'])

  const google = await web.token({ waitPreExecute: true })
  const token = await make('GOOGLE_PAY', '4456530000001096', { authMethod: 'card' })
  const asText = typeof token === 'string' ? token : JSON.stringify(token)
  const looked = await web.browse(`/api/payments/${google}/google-pay/decrypt-token`, { token: asText })
  deepEqual(looked.json['paymentMethodDetails'], {
    authMethod: 'PAN_ONLY',
    pan: '445653******1096',
    expirationMonth: 12,
    expirationYear: 2030,
  })
  const { gatewayMerchantId, messageId, messageExpiration } = looked.json
  equal(gatewayMerchantId, 'demo')
  match(String(messageId), /\S/)
  ok(/^\d+$/.test(String(messageExpiration)) && Number(messageExpiration) > web.shop.clock.now())
  equal((await web.browse(`/api/payments/${google}/google-pay`, { token: asText })).json['statusCode'], 3)
  const device = await web.token({ waitPreExecute: true })
  const bound = await make('GOOGLE_PAY', '5200000000000056')
  const charged = await web.browse(`/api/payments/${device}/google-pay`, {
    token: typeof bound === 'string' ? bound : JSON.stringify(bound),
  })
  equal(charged.json['statusCode'], 0, 'wallets do not pause')
})

test('pages of other origins can call the addresses under /cors only', async () => {
  const web = await openWebShop()
  const token = await web.token()
  const origin = { origin: 'https://evil.example' }
  const plain = await web.browse(`/api/payments/${token}`, { cardName: '' }, origin)
  equal(plain.headers['access-control-allow-origin'], undefined)
  const shop = await web.call('GET', `/v1/payments/${token}`, undefined, origin)
  equal(shop.headers['access-control-allow-origin'], undefined)
  const cors = await web.browse(`/cors/api/payments/${token}/apple-pay`, {}, origin)
  equal(cors.headers['access-control-allow-origin'], '*')
  equal(cors.headers['access-control-allow-credentials'], undefined)
  const preflight = async (url: string) => {
    const headers = { ...origin, host: 'localhost', 'access-control-request-method': 'POST' }
    return (await web.shop.api.inject({ method: 'OPTIONS', url, headers })).headers['access-control-allow-origin']
  }
  equal(await preflight(`/api/payments/${token}`), undefined)
  equal(await preflight('/v1/access-tokens'), undefined)
  equal(await preflight(`/cors/api/payments/${token}/apple-pay`), '*')
})

test('webhooks are sent for the pause and the end of a payment, and not for a revocation', async () => {
  const told: { url: string; body: string }[] = []
  const web = await openWebShop({
    webhookSender: {
      post: async message => {
        told.push(message)
        return { outcome: 'answered', status: 200 }
      },
    },
  })
  const hook = { webHookUrl: 'https://shop.example/hook', orderId: 'W-1', merchantTransactionId: 'mt-w' }
  const token = await web.token({ ...hook, waitPreExecute: true })
  await web.pay(token)
  await web.shop.settle()
  equal(told.length, 1)
  await resume(web, token)
  await web.shop.settle()
  equal(told.length, 2)
  for (const { url, body } of told) {
    equal(url, 'https://shop.example/hook')
    deepEqual(JSON.parse(body), { id: token, orderId: 'W-1', merchantTransactionId: 'mt-w' })
  }
  const revoked = await web.token({ webHookUrl: 'https://shop.example/hook' })
  await web.call('POST', `/v1/access-tokens/${revoked}/revoke`)
  await web.shop.settle()
  equal(told.length, 2)
})

// test/api/online/three-d-secure.test.ts — 3-D Secure: every mode of the test cards, issuer faults and time-outs.
import { deepEqual, equal, match, ok } from 'node:assert/strict'
import { test } from 'vitest'
import { ONLINE_TEST_CARDS } from '../../../src/simulator/cards/online-test-cards.ts'
import type { AuthenticationOverride } from '../../../src/simulator/three-d-secure/issuer-pages.ts'
import { moneyOfAccount } from '../../support/acquirer-book.ts'
import { openWebShop, type WebShop } from '../../support/web-shop.ts'

const CHALLENGED = { cardNumber: '4456530000001096', cV2: '020' }
const FRICTIONLESS = { cardNumber: '5200000000001005', cV2: '020' }

type Answer = Record<string, unknown>

/** Sends a form as a browser does, and returns the page. */
async function post(web: WebShop, url: unknown, fields: Readonly<Record<string, unknown>>): Promise<string> {
  const path = String(url).replace('http://localhost', '')
  const body = new URLSearchParams(
    Object.entries(fields).map(([name, value]): [string, string] => [name, String(value)]),
  )
  const answer = await web.browse(path, body.toString(), { 'content-type': 'application/x-www-form-urlencoded' })
  equal(answer.status, 200, answer.text)
  return answer.text
}

/** The message of the final page to its parent window. */
function toldBy(page: string): Answer {
  const data = /data-message="([^"]*)"/.exec(page)?.[1] ?? ''
  return (JSON.parse(data.replaceAll('&quot;', '"').replaceAll('&#39;', "'")) as { messageData: Answer }).messageData
}

/** Opens the challenge, answers it, and returns to the gateway. */
async function authenticate(web: WebShop, asked: Answer, code: string, action = 'submit'): Promise<Answer> {
  const first = asked['threeDSecureVersion'] === '1.0'
  const page = first
    ? await post(web, asked['acsUrl'], { PaReq: asked['paReq'], MD: asked['md'], TermUrl: asked['termUrl'] })
    : await post(web, asked['stepUpUrl'], { JWT: asked['jwt'], MD: asked['md'] })
  match(page, /Confirm your payment/)
  const back = await post(web, '/acs/challenge/answer', {
    MD: asked['md'],
    code,
    action,
    TermUrl: asked['termUrl'] ?? '',
  })
  ok(back.includes('action="/three-d-secure/return"'), back)
  const fields = first ? { MD: asked['md'], PaRes: 'anything' } : { threeDSSessionData: asked['md'], cres: 'anything' }
  return toldBy(await post(web, '/three-d-secure/return', fields))
}

function requested(web: WebShop, ...overrides: Partial<AuthenticationOverride>[]): void {
  web.shop.gateway.sandbox?.issuerPages.setAuthenticationOverrides(
    'demo',
    overrides.map(given => ({ status: null, fault: null, ...given })),
  )
}

for (const card of ONLINE_TEST_CARDS)
  test(`test card …${card.number.slice(-4)} of ${card.holder ?? 'anybody'}: mode ${card.mode}, ends with ${card.expected}`, async () => {
    const web = await openWebShop()
    const token = await web.token()
    const sent = {
      cardNumber: card.number,
      cardName: card.holder ?? 'Ann Example',
      expiryDate: card.expiry ?? '11/31',
      cV2: card.securityCode,
    }
    let answer = await web.pay(token, sent)
    const challenged = card.mode === '2.0' || card.mode === '1.0' || card.mode === 'yes'
    if (challenged) {
      equal(answer['statusCode'], 3)
      equal((await web.payment(token))['statusCode'], 3)
      equal(answer['threeDSecureVersion'], card.mode === '1.0' ? '1.0' : '2.0')
      answer = await authenticate(web, answer, card.password ?? '')
    }
    equal(answer['statusCode'], card.expected)
    const payment = await web.payment(token)
    equal(payment['statusCode'], card.expected)
    equal(payment['message'], { 0: answer['message'], 4: 'Card referred', 5: 'Card declined' }[card.expected])
    equal((await web.record(token)).proof?.challenged ?? null, challenged ? true : card.mode === 'no' ? null : false)
  })

test('a wrong security code is declined', async () => {
  const web = await openWebShop()
  equal((await web.pay(await web.token(), { cV2: '999' }))['statusCode'], 5)
})

test('a card that is not in the table is declined', async () => {
  const web = await openWebShop()
  const answer = await web.pay(await web.token(), { cardNumber: '4242424242424242', cV2: '123' })
  equal(answer['statusCode'], 5)
  equal(answer['message'], 'Card declined')
})

test('three wrong codes, or a cancel, end with 5, without an authorisation', async () => {
  const web = await openWebShop()
  const token = await web.token()
  const asked = await web.pay(token, CHALLENGED)
  for (const code of ['1', '2'])
    match(await post(web, '/acs/challenge/answer', { MD: asked['md'], code }), /That code was not right/)
  equal((await authenticate(web, asked, '3'))['statusCode'], 5)
  const other = await web.token()
  const second = await web.pay(other, CHALLENGED)
  equal((await authenticate(web, second, '', 'cancel'))['statusCode'], 5)
  equal(web.shop.memory.list('order', { parent: 'demo', limit: 10 }).length, 0)
})

test('a new code can be requested', async () => {
  const web = await openWebShop()
  const asked = await web.pay(await web.token(), CHALLENGED)
  match(await post(web, '/acs/challenge/answer', { MD: asked['md'], action: 'resend' }), /sent you a new code \(2\)/)
  equal((await authenticate(web, asked, '1234'))['statusCode'], 0)
})

test.each([
  'https://evil.example/',
  'https://shop.example/three-d-secure/return/',
  'https://shop.example/three-d-secure/return?to=evil',
  'http://localhost/v1/accessTokens',
  'javascript:alert(1)//three-d-secure/return',
  '//evil.example',
  'data:text/html,x',
  'three-d-secure/return/../steal',
])('the simulated issuer’s page refuses to return to %s', async address => {
  const web = await openWebShop()
  const asked = await web.pay(await web.token(), CHALLENGED)
  for (const path of ['/acs/challenge', '/acs/challenge/answer']) {
    const body = new URLSearchParams({ MD: String(asked['md']), code: '1234', TermUrl: address }).toString()
    const refused = await web.browse(path, body, { 'content-type': 'application/x-www-form-urlencoded' })
    equal(refused.status, 400, refused.text)
    equal(refused.text.includes(address), false)
  }
  // The answer that came with it was not taken.
  equal((await authenticate(web, asked, '', 'cancel'))['statusCode'], 5)
})

test('a mobile SDK completes the payment, and its own outcome is ignored', async () => {
  const web = await openWebShop()
  const token = await web.token()
  const asked = await web.pay(token, CHALLENGED)
  const complete = (more: object) =>
    web.browse(`/mobile/payments/${token}/three-ds-complete`, { transactionId: asked['md'], paRes: 'x', ...more })
  const early = complete({ cardinalValidateResponse: { isValidated: true, actionCode: 'SUCCESS' } })
  await web.shop.clock.advance(12_000)
  equal((await early).json['statusCode'], 3)
  await post(web, '/acs/challenge/answer', { MD: asked['md'], code: '1234' })
  equal((await complete({})).json['statusCode'], 0)
  const wrong = await web.browse(`/mobile/payments/${token}/three-ds-complete`, { transactionId: 'other' })
  equal(wrong.status, 400)
})

test('a payer who closes the issuer’s page gets 5', async () => {
  const web = await openWebShop()
  const token = await web.token()
  const asked = await web.pay(token, CHALLENGED)
  const answer = await web.browse(`/mobile/payments/${token}/three-ds-complete`, {
    transactionId: asked['md'],
    cardinalValidateResponse: { actionCode: 'CANCEL' },
  })
  equal(answer.json['statusCode'], 5)
})

test('revoking during the challenge gives 90, for the shop and for the returning browser', async () => {
  const web = await openWebShop()
  const token = await web.token()
  const asked = await web.pay(token, CHALLENGED)
  equal((await web.call('POST', `/v1/access-tokens/${token}/revoke`)).status, 200)
  equal((await web.payment(token))['statusCode'], 90)
  equal((await authenticate(web, asked, '1234'))['statusCode'], 90)
  equal(web.shop.memory.list('order', { parent: 'demo', limit: 10 }).length, 0)
})

const AT_ONCE = [
  ['Y', 0],
  ['A', 0],
  ['N', 5],
  ['R', 5],
  ['U', 30],
] as const
for (const [status, expected] of AT_ONCE)
  test(`with the transStatus ${status} and no challenge the payment ends with ${expected}`, async () => {
    const web = await openWebShop()
    requested(web, { status })
    const token = await web.token()
    equal((await web.pay(token, CHALLENGED))['statusCode'], expected)
    equal((await web.record(token)).proof?.eci ?? '', { Y: '05', A: '06', N: '', R: '', U: '' }[status])
    equal(web.shop.memory.list('order', { parent: 'demo', limit: 10 }).length, expected === 0 ? 1 : 0)
  })

test('the transStatus C challenges even a frictionless card', async () => {
  const web = await openWebShop()
  requested(web, { status: 'C' })
  const asked = await web.pay(await web.token(), FRICTIONLESS)
  equal(asked['statusCode'], 3)
  equal((await authenticate(web, asked, ''))['statusCode'], 0)
})

test('a challenge without an end is declined after fifteen minutes, and nothing is charged', async () => {
  const web = await openWebShop()
  requested(web, { fault: 'never_answers' })
  const token = await web.token()
  const asked = await web.pay(token, CHALLENGED)
  match(await post(web, '/acs/challenge/answer', { MD: asked['md'], code: '1234' }), /One moment/)
  await web.shop.clock.advance(15 * 60_000 - 1)
  equal((await web.payment(token))['statusCode'], 3)
  await web.shop.clock.advance(1)
  const ended = await web.payment(token)
  deepEqual([ended['statusCode'], ended['message']], [5, 'Card declined'])
  equal(web.shop.memory.list('order', { parent: 'demo', limit: 10 }).length, 0)
})

test('a payer who was authenticated and never returned is not charged: after fifteen minutes the payment ends with 5', async () => {
  const web = await openWebShop()
  const token = await web.token()
  const asked = await web.pay(token, CHALLENGED)
  await post(web, '/acs/challenge/answer', { MD: asked['md'], code: '1234' })
  await web.shop.clock.advance(15 * 60_000 - 1)
  equal((await web.payment(token))['statusCode'], 3)
  await web.shop.clock.advance(1)
  equal((await web.payment(token))['statusCode'], 5)
  const late = await post(web, '/three-d-secure/return', { MD: asked['md'] })
  equal(toldBy(late)['statusCode'], 5)
  equal(web.shop.memory.list('order', { parent: 'demo', limit: 10 }).length, 0)
})

test('a payer who is back when the fifteen minutes end is charged if the issuer has its result then', async () => {
  const web = await openWebShop()
  requested(web, { fault: 'late' })
  const token = await web.token()
  const asked = await web.pay(token, CHALLENGED)
  await web.shop.clock.advance(15 * 60_000 - 10_100)
  await post(web, '/acs/challenge/answer', { MD: asked['md'], code: '1234' })
  await web.shop.clock.advance(9_600)
  const page = post(web, '/three-d-secure/return', { MD: asked['md'] })
  await web.shop.clock.advance(500)
  equal((await web.payment(token))['statusCode'], 0)
  await web.shop.clock.advance(1_000)
  equal(toldBy(await page)['statusCode'], 0)
})

const cancel = (web: WebShop, token: string, asked: Answer, actionCode = 'CANCEL') =>
  web.browse(`/mobile/payments/${token}/three-ds-complete`, {
    transactionId: asked['md'],
    cardinalValidateResponse: { actionCode },
  })

for (const actionCode of ['CANCEL', 'FAILURE', 'ERROR', 'TIMEOUT'])
  test(`a browser that says ${actionCode} is not charged, whatever its bank says`, async () => {
    const web = await openWebShop()
    const token = await web.token()
    const asked = await web.pay(token, CHALLENGED)
    await post(web, '/acs/challenge/answer', { MD: asked['md'], code: '1234' })
    equal((await cancel(web, token, asked, actionCode)).json['statusCode'], 5)
    equal(toldBy(await post(web, '/three-d-secure/return', { MD: asked['md'] }))['statusCode'], 5)
    equal(web.shop.memory.list('order', { parent: 'demo', limit: 10 }).length, 0)
  })

test('a cancel beats a return that waits for a late issuer', async () => {
  const web = await openWebShop()
  requested(web, { fault: 'late' })
  const token = await web.token()
  const asked = await web.pay(token, CHALLENGED)
  await post(web, '/acs/challenge/answer', { MD: asked['md'], code: '1234' })
  const page = post(web, '/three-d-secure/return', { MD: asked['md'] })
  equal((await cancel(web, token, asked)).json['statusCode'], 5)
  await web.shop.clock.advance(12_000)
  equal(toldBy(await page)['statusCode'], 5)
  equal(web.shop.memory.list('order', { parent: 'demo', limit: 10 }).length, 0)
})

test('a cancel at the pause ends the payment with 5, and the shop cannot resume it', async () => {
  const web = await openWebShop()
  const token = await web.token({ waitPreExecute: true })
  const asked = await web.pay(token, CHALLENGED)
  equal((await authenticate(web, asked, '1234'))['statusCode'], 99)
  equal((await cancel(web, token, asked)).json['statusCode'], 5)
  equal((await web.call('POST', `/v1/payments/${token}/resume`)).status, 400)
  equal((await web.payment(token))['statusCode'], 5)
  equal(web.shop.memory.list('order', { parent: 'demo', limit: 10 }).length, 0)
})

test('a cancel after the acquirer was asked changes nothing: the answer says that the payment went through', async () => {
  let answer: () => void = () => {}
  const answered = new Promise<void>(resolve => {
    answer = resolve
  })
  const web = await openWebShop({
    acquirer: real => ({
      ...real,
      async authorise(order, purpose) {
        await answered
        return real.authorise(order, purpose)
      },
    }),
  })
  const token = await web.token()
  const asked = await web.pay(token, CHALLENGED)
  await post(web, '/acs/challenge/answer', { MD: asked['md'], code: '1234' })
  const back = post(web, '/three-d-secure/return', { MD: asked['md'] })
  while ((await web.record(token)).money !== 'requested') await new Promise<void>(resolve => setImmediate(resolve))
  const cancelled = cancel(web, token, asked)
  answer()
  equal((await cancelled).json['statusCode'], 0)
  equal(toldBy(await back)['statusCode'], 0)
  equal((await cancel(web, token, asked)).json['statusCode'], 0)
  equal(moneyOfAccount(web.shop.memory, 'demo'), 1_999)
})

test('the page around the bank can ask how far its shopper is; asking changes nothing', async () => {
  const web = await openWebShop()
  const token = await web.token()
  const state = async (of = token) => {
    const answer = await web.shop.api.inject({ url: `/three-ds/tokens/${of}`, headers: { host: 'localhost' } })
    return (JSON.parse(answer.body) as Answer)['state']
  }
  equal(await state('unknown'), 'over')
  const asked = await web.pay(token, CHALLENGED)
  equal(await state(), 'asking')
  await post(web, '/acs/challenge/answer', { MD: asked['md'], code: '1234' })
  for (const _ of [1, 2]) equal(await state(), 'decided')
  equal((await web.payment(token))['statusCode'], 3)
  await post(web, '/three-d-secure/return', { MD: asked['md'] })
  equal(await state(), 'over')
  const late = await web.token()
  await web.pay(late, CHALLENGED)
  await web.shop.clock.advance(15 * 60_000)
  equal(await state(late), 'unpaid')
  const revoked = await web.token()
  await web.pay(revoked, CHALLENGED)
  equal((await web.call('POST', `/v1/access-tokens/${revoked}/revoke`)).status, 200)
  equal(await state(revoked), 'unpaid')
})

test('a result that the issuer sends twice is processed once', async () => {
  const web = await openWebShop()
  requested(web, { fault: 'answers_twice' })
  const token = await web.token()
  const asked = await web.pay(token, CHALLENGED)
  const back = await post(web, '/acs/challenge/answer', { MD: asked['md'], code: '1234' })
  equal(back.match(/<form/g)?.length, 2)
  const fields = { threeDSSessionData: asked['md'], cres: 'x' }
  const pages = await Promise.all([1, 2].map(() => post(web, '/three-d-secure/return', fields)))
  for (const page of pages) equal(toldBy(page)['statusCode'], 0)
  equal(web.shop.memory.list('order', { parent: 'demo', limit: 10 }).length, 1)
})

test('a late issuer is waited for', async () => {
  const web = await openWebShop()
  requested(web, { fault: 'late' })
  const token = await web.token()
  const asked = await web.pay(token, CHALLENGED)
  await post(web, '/acs/challenge/answer', { MD: asked['md'], code: '1234' })
  const page = post(web, '/three-d-secure/return', { MD: asked['md'] })
  await web.shop.clock.advance(11_000)
  equal(toldBy(await page)['statusCode'], 0)
})

test('an issuer that accepts no code declines after three', async () => {
  const web = await openWebShop()
  requested(web, { fault: 'wrong_code' })
  const asked = await web.pay(await web.token(), CHALLENGED)
  for (let tries = 0; tries < 3; tries += 1) await post(web, '/acs/challenge/answer', { MD: asked['md'], code: '1234' })
  equal(toldBy(await post(web, '/three-d-secure/return', { MD: asked['md'] }))['statusCode'], 5)
})

test('an issuer’s page that refuses frames has the headers for it; others can be framed', async () => {
  const web = await openWebShop()
  const headersOf = async () => {
    const asked = await web.pay(await web.token(), CHALLENGED)
    const body = new URLSearchParams({ MD: String(asked['md']), JWT: String(asked['jwt']) }).toString()
    const type = { 'content-type': 'application/x-www-form-urlencoded' }
    return (await web.browse('/acs/challenge', body, type)).headers
  }
  requested(web, { fault: 'refuses_framing' })
  const refusing = await headersOf()
  equal(refusing['x-frame-options'], 'DENY')
  match(String(refusing['content-security-policy']), /frame-ancestors 'none'/)
  const plain = await headersOf()
  equal(plain['x-frame-options'], undefined)
  match(String(plain['content-security-policy']), /frame-ancestors \*/)
})

test('a soft decline leads to one challenge, which ends the payment', async () => {
  const web = await openWebShop()
  const token = await web.token({ amount: '9000065' })
  const asked = await web.pay(token, FRICTIONLESS)
  equal(asked['statusCode'], 3)
  equal((await authenticate(web, asked, ''))['statusCode'], 0)
  const plain = await web.token({ amount: '9000065' })
  // This card has no 3-D Secure, so the payer cannot be challenged.
  equal((await web.pay(plain))['statusCode'], 30)
})

test('of two payments of one order that are challenged after a soft decline one is charged, the other is a duplicate', async () => {
  const web = await openWebShop()
  const order = { amount: '9000065', orderId: 'SOFT' }
  const [first, second] = [await web.token(order), await web.token(order)]
  const asked = [await web.pay(first, FRICTIONLESS), await web.pay(second, FRICTIONLESS)]
  const codes = []
  for (const each of asked) codes.push((await authenticate(web, each, ''))['statusCode'])
  deepEqual(codes, [0, 20])
  equal((await web.payment(second))['message'], 'Duplicate Transaction')
  equal(moneyOfAccount(web.shop.memory, 'demo'), 9_000_065)
})

test('mail and telephone orders are not authenticated, and need no security code', async () => {
  const web = await openWebShop()
  const token = await web.token({ transactionSource: 'MOTO' })
  equal((await web.pay(token, { ...CHALLENGED, cV2: '' }))['statusCode'], 0)
  equal((await web.record(token)).authentication, 'none')
})

test('device data has a form address for version 2 only, and the token stays unused', async () => {
  const web = await openWebShop()
  const token = await web.token()
  const ask = async (card: object) =>
    (await web.browse(`/api/device-data/${token}`, { cardName: 'A', expiryDate: '12 / 30', ...card })).json
  const step = await ask(CHALLENGED)
  equal(step['formAction'], 'http://localhost/acs/device-data')
  match(await post(web, step['formAction'], { JWT: step['token'] }), /profile\.completed/)
  equal((await ask({ cardNumber: '5200000000000056', cV2: '341' }))['formAction'], '')
  equal((await web.pay(token))['statusCode'], 0)
})

test('device data of a saved card are those of the card, and a token without one needs a number', async () => {
  const web = await openWebShop()
  const customer = { customerId: 'c1' }
  const first = await web.token(customer)
  await web.pay(first, { cardNumber: '5200000000001005', cV2: '020', savePaymentMethod: true })
  const { paymentMethodId, crossReference } = await web.record(first)
  const ask = async (order: object, body: object) =>
    web.browse(`/api/device-data/${await web.token({ ...order })}`, body)
  for (const [order, body] of [
    [customer, { paymentMethodId }],
    [{ ...customer, paymentMethodId }, { cV2: '020' }],
    [{ crossReference }, {}],
  ] as const)
    equal((await ask(order, body)).json['formAction'], 'http://localhost/acs/device-data')
  match((await ask({ customerId: 'c2' }, { paymentMethodId })).text, /Invalid paymentMethodId: it names no card/)
  match((await ask({}, {})).text, /cardName|cardNumber/)
})

test('an answer that was lost is given again: the same challenge, and the code as it was typed last', async () => {
  const web = await openWebShop()
  const token = await web.token()
  const asked = await web.pay(token, { ...CHALLENGED, cV2: '999' })
  const again = await web.pay(token, CHALLENGED)
  deepEqual(again, asked)
  equal((await web.pay(token))['statusCode'], 401, 'another card')
  equal((await authenticate(web, again, '1234'))['statusCode'], 0)
  equal((await web.pay(token, CHALLENGED))['statusCode'], 401, 'what was charged is not paid again')
  equal(moneyOfAccount(web.shop.memory, 'demo'), 1_999)
})

test('an answer that was lost at the pause is given again', async () => {
  const web = await openWebShop()
  const token = await web.token({ waitPreExecute: true })
  for (const _ of ['lost', 'heard']) equal((await web.pay(token))['statusCode'], 99)
  equal((await web.call('POST', `/v1/payments/${token}/resume`)).json['statusCode'], 0)
  equal(moneyOfAccount(web.shop.memory, 'demo'), 1_999)
})

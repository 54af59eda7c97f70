// test/api/online/scenarios.test.ts — scenarios of online payments: by header, or from the queue of the account.

import { deepEqual, equal, ok } from 'node:assert/strict'
import { test } from 'vitest'
import { NO_INTERCEPTOR } from '../../../src/api/interceptor.ts'
import { FAULTS } from '../../../src/simulator/faults/catalogue.ts'
import { ONLINE_SCENARIOS, onlineScenarioIn } from '../../../src/simulator/scenarios/online-scenarios.ts'
import { openWebShop, PLAIN_CARD, type WebShop } from '../../support/web-shop.ts'

const headers = {
  host: 'localhost',
  authorization: `Basic ${Buffer.from('u:demo-api-key').toString('base64')}`,
  'content-type': 'application/json',
}

async function control({ shop }: WebShop, method: 'GET' | 'PUT', url: string, body?: unknown) {
  const answer = await shop.api.inject({
    method,
    url,
    headers,
    ...(body === undefined ? {} : { payload: JSON.stringify(body) }),
  })
  return { status: answer.statusCode, json: answer.json() as Record<string, unknown> }
}

/** Pays a sale whose token has a scenario. */
async function played(web: WebShop, scenario: string, changes: Record<string, unknown> = {}) {
  const orderId = `S-${scenario}-${Math.abs(changes['n'] as number) || 0}`
  const made = await web.call(
    'POST',
    '/v1/access-tokens',
    { ...ORDER, orderId, ...changes },
    { 'Tollgate-Scenario': scenario },
  )
  equal(made.status, 200, made.text)
  const token = String(made.json['id'])
  return { token, answer: await web.pay(token) }
}

const ORDER = { merchantUrl: 'shop.example', currencyCode: '826', amount: '1999', transactionType: 'SALE' }

const ENDS: Readonly<Record<string, readonly [status: number, reason: string | null]>> = {
  approved: [0, null],
  declined: [5, 'do_not_honour'],
  insufficient_funds: [5, 'insufficient_funds'],
  expired_card: [5, 'expired_card'],
  lost_or_stolen: [5, 'lost_or_stolen'],
  security_code_differs: [5, 'security_code_differs'],
  card_not_supported: [5, 'card_not_supported'],
  referred: [4, 'refer_to_issuer'],
  frictionless: [0, null],
  attempted: [0, null],
  not_authenticated: [5, null],
  authentication_rejected: [5, null],
  authentication_unavailable: [30, null],
  challenged: [3, null],
  authentication_required: [3, null],
  page_never_answers: [3, null],
  page_answers_twice: [3, null],
  page_late: [3, null],
  page_wrong_code: [3, null],
  page_refuses_framing: [3, null],
}

test('each scenario has its outcome, with a card that would be approved without 3-D Secure', async () => {
  deepEqual(Object.keys(ENDS).toSorted(), ONLINE_SCENARIOS.map(({ name }) => name).toSorted())
  const web = await openWebShop()
  for (const [name, [status, reason]] of Object.entries(ENDS)) {
    // `authentication_required` needs a card with 3-D Secure.
    const { token, answer } = name === 'authentication_required' ? await softDecline(web) : await played(web, name)
    const record = await web.record(token)
    deepEqual(
      [answer['statusCode'], name === 'authentication_required' ? reason : record.declineReason],
      [status, reason],
      name,
    )
  }
  // The scenario `approved` overrides a card that would be declined.
  const made = await web.call(
    'POST',
    '/v1/access-tokens',
    { ...ORDER, orderId: 'A' },
    { 'Tollgate-Scenario': 'approved' },
  )
  equal((await web.pay(String(made.json['id']), { cardNumber: '4921810000009076' }))['statusCode'], 0)
})

async function softDecline(web: WebShop) {
  const name = 'authentication_required'
  const made = await web.call('POST', '/v1/access-tokens', { ...ORDER, orderId: name }, { 'Tollgate-Scenario': name })
  const token = String(made.json['id'])
  return { token, answer: await web.pay(token, { cardNumber: '5200000000001005', cV2: '020' }) }
}

test('a soft decline is approved after a challenge', async () => {
  const web = await openWebShop()
  const { token, answer } = await softDecline(web)
  equal(answer['statusCode'], 3)
  const { challenge } = await web.record(token)
  const form = { 'content-type': 'application/x-www-form-urlencoded' }
  await web.browse('/acs/challenge/answer', `MD=${challenge?.md}&code=1234`, form)
  await web.browse('/three-d-secure/return', `MD=${challenge?.md}`, form)
  await web.shop.settle()
  equal((await web.payment(token))['statusCode'], 0)
})

test('with a slow, silent or late acquirer the payment ends as the acquirer has decided', async () => {
  const web = await openWebShop()
  const begin = async (scenario: string) => {
    const made = await web.call(
      'POST',
      '/v1/access-tokens',
      { ...ORDER, orderId: scenario },
      { 'Tollgate-Scenario': scenario },
    )
    const token = String(made.json['id'])
    const paying = web.pay(token)
    let over = false
    void paying.finally(() => (over = true))
    while (!over) await web.shop.clock.advance(1_000)
    return { token, answer: await paying }
  }
  const slow = await begin('slow_acquirer:3000')
  deepEqual([slow.answer['statusCode'], (await web.record(slow.token)).money], [0, 'approved'])
  for (const [scenario, ends] of [
    ['acquirer_silent', 30],
    ['approval_unknown', 30],
    ['approval_late:60000', 0],
  ] as const) {
    const { token, answer } = await begin(scenario)
    equal(answer['statusCode'], 500, scenario)
    equal((await web.payment(token))['statusCode'], 40, scenario)
    await web.shop.clock.advance(20 * 60_000)
    equal((await web.payment(token))['statusCode'], ends, scenario)
  }
  const parts = await begin('insufficient_funds+slow_acquirer:2000')
  equal(parts.answer['statusCode'], 5)
})

test('the queue of an account is played in order, and a header leaves it unchanged', async () => {
  const web = await openWebShop()
  const next = [{ scenario: 'declined' }, { scenario: 'referred', times: 2 }]
  const set = await control(web, 'PUT', '/sandbox/online/scenarios', { next, afterwards: 'insufficient_funds' })
  deepEqual([set.status, set.json], [200, { next, afterwards: 'insufficient_funds' }])
  equal((await played(web, 'approved')).answer['statusCode'], 0)
  const seen: unknown[] = []
  for (let count = 0; count < 5; count += 1) seen.push((await web.pay(await web.token()))['statusCode'])
  deepEqual(seen, [5, 4, 4, 5, 5])
  deepEqual((await control(web, 'GET', '/sandbox/online/scenarios')).json, {
    next: [],
    afterwards: 'insufficient_funds',
  })
  await control(web, 'PUT', '/sandbox/online/scenarios', { next: [] })
  equal((await web.pay(await web.token()))['statusCode'], 0)
})

test('a linked payment and a submission of the browser can name a scenario, and other accounts are not affected', async () => {
  const web = await openWebShop()
  const paid = await web.token()
  equal((await web.pay(paid))['statusCode'], 0)
  const crossReference = await web.referenceOf(paid)
  const refund = await web.token({ transactionType: 'REFUND', crossReference, amount: '100' })
  const scenario = { 'Tollgate-Scenario': 'declined' }
  const refused = await web.call('POST', `/v1/cross-reference-payments/${refund}`, { crossReference }, scenario)
  equal(refused.json['statusCode'], 5)
  equal((await web.browse(`/api/payments/${await web.token()}`, PLAIN_CARD, scenario)).json['statusCode'], 5)
  await control(web, 'PUT', '/sandbox/online/scenarios', { next: [], afterwards: 'declined' })
  equal((await web.linked('REFUND', crossReference, { amount: '100' }))['statusCode'], 5)
  const other = await openWebShop({ account: 'demo-eur' })
  equal((await other.pay(await other.token({ currencyCode: '978' })))['statusCode'], 0)
})

test('an unknown scenario is refused with its name, and nothing is started or stored', async () => {
  const web = await openWebShop()
  const wrong = { 'Tollgate-Scenario': 'contactless_approved' }
  const made = await web.call('POST', '/v1/access-tokens', { ...ORDER, orderId: 'X' }, wrong)
  equal(made.status, 422)
  ok(made.text.includes('"contactless_approved"'))
  deepEqual(await web.shop.store.list('demo', { kind: 'online-payment', limit: 1 }), [])
  const token = await web.token()
  equal((await web.browse(`/api/payments/${token}`, PLAIN_CARD, wrong)).status, 422)
  equal((await web.pay(token))['statusCode'], 0)
  for (const next of [[{ scenario: 'paper_out' }], [{ scenario: 'declined', times: 0 }], ['declined+'], 'declined'])
    equal((await control(web, 'PUT', '/sandbox/online/scenarios', { next })).status, 422, JSON.stringify(next))
})

test('online scenarios are listed, and each acquirer fault can be added to them', async () => {
  const web = await openWebShop()
  const { json } = await control(web, 'GET', '/sandbox/scenarios')
  deepEqual(json['online'], ONLINE_SCENARIOS)
  for (const [name, { at }] of Object.entries(FAULTS))
    equal(onlineScenarioIn(`declined+${name}`) !== null, at === 'acquirer', name)
})

test('in live mode the header is ignored', async () => {
  const web = await openWebShop({ parts: { interceptor: NO_INTERCEPTOR } })
  const made = await web.call(
    'POST',
    '/v1/access-tokens',
    { ...ORDER, orderId: 'L' },
    { 'Tollgate-Scenario': 'nonsense' },
  )
  equal(made.status, 200)
})

test('a void whose reversal the acquirer does not answer is undecided, and succeeds once it answers', async () => {
  const web = await openWebShop()
  const { token } = await played(web, 'reversal_unanswered:600000')
  const voiding = web.linked('VOID', await web.referenceOf(token))
  let answer: Awaited<typeof voiding> | null = null
  void voiding.then(given => (answer = given))
  while (answer === null) await web.shop.clock.advance(1_000)
  const { http, token: voided } = answer as Awaited<typeof voiding>
  equal(http, 500)
  await web.shop.clock.advance(500_000)
  equal((await web.payment(String(voided)))['statusCode'], 40)
  equal((await web.record(String(voided))).money, 'unknown')
  await web.shop.clock.advance(300_000)
  equal((await web.payment(String(voided)))['statusCode'], 0)
})

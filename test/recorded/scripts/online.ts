// test/recorded/scripts/online.ts — online payments: tokens, cards, linked payments, pauses and refusals.
import type { Play } from '../play.ts'
import { type Scenario, scenario } from '../scenario.ts'
import { browserOf, linked, ORDER, PLAIN, paid, referenceOf, shopOf, tokenOf } from './shop.ts'
import { operatorOf } from './tills.ts'

async function tokens(play: Play): Promise<void> {
  const shop = shopOf(play)
  const once = { merchantTransactionId: 'order-77', customerId: 'C-1', webHookUrl: 'https://shop.example/hook' }
  const token = await tokenOf(play, once, { 'software-house-id': 'maker', 'installer-id': 'fitter' })
  await shop.post('/v1/access-tokens', { ...ORDER, ...once })
  await shop.get(`/v1/payments/${token}`)
  await shop.post(`/v1/access-tokens/${token}/revoke`)
  await shop.post(`/v1/access-tokens/${token}/revoke`)
  await browserOf(play).post(`/api/payments/${token}`, PLAIN)
  await shop.post('/v1/access-tokens/none/revoke')
  await shop.get('/v1/payments/none')
  await shop.get('/v1/payment-methods')
  await shop.ask('HEAD', '/v1/payment-methods')
  await shop.post('/v1/access-tokens', {
    MERCHANTURL: 'shop.example',
    CurrencyCode: 826,
    AMOUNT: 1999,
    transactiontype: 'PRE_AUTH',
    orderid: 'O-2',
  })
  const late = await tokenOf(play)
  await play.advance(31 * 60_000)
  await browserOf(play).post(`/api/payments/${late}`, PLAIN)
}

async function wrongTokens(play: Play): Promise<void> {
  const shop = shopOf(play)
  for (const changes of [
    { merchantUrl: 'thief.example' },
    { merchantUrl: undefined },
    { currencyCode: '999' },
    { amount: '-1' },
    { amount: '12.50' },
    { amount: '0' },
    { transactionType: 'GIFT' },
    { orderId: undefined },
    { orderId: 'x'.repeat(300) },
    { orderId: '4111111111111111' },
    { orderDescription: 'card 4111111111111111' },
    { webHookUrl: 'ftp://shop.example' },
    { transactionType: 'REFUND' },
    { transactionType: 'REFUND', crossReference: '1' },
    { waitPreExecute: 'perhaps' },
    { emailAddress: 'no address' },
  ])
    await shop.post('/v1/access-tokens', { ...ORDER, ...changes })
  await shop.post('/v1/access-tokens', '{')
  await shop.post('/v1/access-tokens', ORDER, { 'content-type': 'text/plain' })
  await shop.post('/v1/access-tokens', `{"a":"${'a'.repeat(70_000)}"}`)
  await shop.post('/v1/access-tokens', ORDER, { 'tollgate-scenario': 'no_such_thing' })
  await shop.get('/v1/nothing')
  await shop.ask('PUT', '/v1/access-tokens', { body: ORDER })
  await shop.ask('OPTIONS', '/v1/access-tokens', { headers: { origin: 'https://shop.example' } })
}

async function jwts(play: Play): Promise<void> {
  const anybody = play.as('somebody')
  const ask = (authorization: string) => anybody.get('/v1/payment-methods', { authorization })
  await anybody.get('/v1/payment-methods')
  await ask('Basic dGlsbDpkZW1vLWFwaS1rZXk=')
  await ask('Bearer nonsense')
  for (const [uniqueKeys, header] of [
    [{}, { alg: 'none' }],
    [{ aud: 'http://other.example' }],
    [{ exp: 1_704_067_201 }],
    [{ iat: 4_000_000_000 }],
    [{ nbf: 4_000_000_000 }],
    [{ apiKey: 'none' }],
    [{}, { kid: 'none' }],
  ] as readonly (readonly [Changes, Changes?])[])
    await ask(`Bearer ${play.gateway.jwt(uniqueKeys, header)}`)
  const good = play.gateway.jwt()
  const signatureOf = (jwt: string) => jwt.slice(jwt.lastIndexOf('.') + 1)
  await ask(`Bearer ${good.replace(signatureOf(good), signatureOf(play.gateway.jwt({ iss: 'other' })))}`)
}

type Changes = Readonly<Record<string, unknown>>

async function cards(play: Play): Promise<void> {
  const shop = shopOf(play)
  const { token } = await paid(play)
  await shop.get(`/v1/payments/${token}`)
  await browserOf(play).post(`/api/payments/${token}`, PLAIN)
  await shop.post(`/v1/access-tokens/${token}/revoke`)
  await paid(play)
  for (const [orderId, card] of [
    ['O-2', { cV2: '999' }],
    ['O-3', { cardNumber: '4242424242424242', cV2: '123' }],
    ['O-4', { cardNumber: '5200000000000057' }],
    ['O-5', { cardNumber: undefined }],
    ['O-6', { expiryDate: '01/20' }],
    ['O-7', { expiryDate: '13/30' }],
    ['O-8', { cV2: 'abc' }],
    ['O-9', { cardName: '' }],
  ] as const)
    await paid(play, { orderId }, card)
  await browserOf(play).post('/api/payments/none', PLAIN)
  const other = await tokenOf(play, { orderId: 'O-10' })
  await browserOf(play).post(`/api/payments/${other}`, '{')
  await browserOf(play).post(`/api/payments/${other}`, PLAIN, { 'content-type': 'text/plain' })
  await browserOf(play).ask('PUT', `/api/payments/${other}`, { body: PLAIN })
  await browserOf(play).ask('OPTIONS', `/api/payments/${other}`, {
    headers: { origin: 'https://shop.example', 'access-control-request-method': 'POST' },
  })
  await browserOf(play).post(`/api/device-data/${other}`, PLAIN)
  const refund = await tokenOf(play, { transactionType: 'REFUND', crossReference: '6100000000000000000001' })
  await browserOf(play).post(`/api/payments/${refund}`, PLAIN)
}

async function outcomes(play: Play): Promise<void> {
  const scenarios = [
    'declined',
    'insufficient_funds',
    'referred',
    'security_code_differs',
    'card_not_supported',
    'approved+slow_acquirer:5000',
  ]
  for (const [index, name] of scenarios.entries()) {
    const token = await tokenOf(play, { orderId: `S-${index}` }, { 'tollgate-scenario': name })
    const answered = browserOf(play).post(`/api/payments/${token}`, PLAIN)
    await play.gateway.settle()
    await play.advance(10_000)
    await answered
    await shopOf(play).get(`/v1/payments/${token}`)
  }
}

/** An acquirer that does not answer; then an operator closes the payment. */
async function unknown(play: Play): Promise<void> {
  const [shop, operator] = [shopOf(play), operatorOf(play)]
  const token = await tokenOf(play, {}, { 'tollgate-scenario': 'acquirer_silent' })
  const answered = browserOf(play).post(`/api/payments/${token}`, PLAIN)
  await play.gateway.settle()
  await operator.post(`/api/payments/${token}/close`, { outcome: 'taken', operator: 'Ann', reason: 'Case 4711.' })
  await play.advance(60_000)
  await answered
  await shop.get(`/v1/payments/${token}`)
  await operator.get(`/api/payments/${token}`)
  await operator.post(`/api/payments/${token}/close`, { outcome: 'perhaps' })
  await operator.post(`/api/payments/${token}/close`, { outcome: 'taken', operator: 'Ann', reason: 'Case 4711.' })
  await operator.post(`/api/payments/${token}/close`, { outcome: 'taken', operator: 'Ann', reason: 'Case 4711.' })
  await shop.get(`/v1/payments/${token}`)
  const lost = await tokenOf(play, { orderId: 'O-2' }, { 'tollgate-scenario': 'approval_unknown' })
  const second = browserOf(play).post(`/api/payments/${lost}`, PLAIN)
  await play.gateway.settle()
  await play.advance(60_000)
  await second
  await play.advance(30 * 60_000)
  await shop.get(`/v1/payments/${lost}`)
}

async function linkedOnes(play: Play): Promise<void> {
  const held = await referenceOf(play, { transactionType: 'PREAUTH', amount: '5000' })
  await linked(play, 'COLLECTION', held, { amount: '6000' })
  const collected = await linked(play, 'COLLECTION', held, { amount: '3000' })
  await linked(play, 'COLLECTION', held, { amount: '100' })
  const { json } = await shopOf(play).get(`/v1/payments/${collected}`)
  const capture = String(json['crossReference'])
  await linked(play, 'REFUND', capture, { amount: '1000' })
  await linked(play, 'REFUND', capture, { amount: '9000' })
  await linked(play, 'VOID', capture)
  const sale = await referenceOf(play, { orderId: 'O-3' })
  await linked(play, 'VOID', sale)
  await linked(play, 'VOID', sale)
  await linked(play, 'REFUND', sale, { amount: '1' })
  const again = await linked(play, 'SALE', sale, { orderId: 'O-4', amount: '999' })
  const shop = shopOf(play)
  await shop.post(`/v1/cross-reference-payments/${again}`, { crossReference: sale })
  const token = await tokenOf(play, { transactionType: 'REFUND', crossReference: sale })
  await shop.post(`/v1/cross-reference-payments/${token}`, { crossReference: '6100000000000000000009' })
  await shop.post(`/v1/cross-reference-payments/${token}`, {})
  await shop.post(`/v1/cross-reference-payments/none`, { crossReference: sale })
  const plain = await tokenOf(play, { transactionType: 'ACCOUNT_VERIFICATION', amount: '0' })
  await shop.post(`/v1/cross-reference-payments/${plain}`, { crossReference: sale })
}

async function savedCards(play: Play): Promise<void> {
  const [shop, browser] = [shopOf(play), browserOf(play)]
  const { token } = await paid(
    play,
    { customerId: 'C-1', transactionType: 'ACCOUNT_VERIFICATION', amount: '0' },
    { savePaymentMethod: true },
  )
  const { json } = await shop.get(`/v1/payments/${token}`)
  const paymentMethodId = json['paymentMethodId']
  const saved = await tokenOf(play, { customerId: 'C-1', orderId: 'O-2' })
  await browser.post(`/api/payments/recurring/${saved}`, { paymentMethodId, cV2: '341' })
  const stranger = await tokenOf(play, { customerId: 'C-2', orderId: 'O-3' })
  await browser.post(`/api/payments/recurring/${stranger}`, { paymentMethodId, cV2: '341' })
  const referred = await tokenOf(play, { crossReference: json['crossReference'], orderId: 'O-4' })
  await browser.post(`/api/payments/recurring/${referred}`, {})
  await browser.post(`/api/payments/recurring/${referred}`, { cV2: '341' })
  const moto = await tokenOf(play, { transactionSource: 'MOTO', orderId: 'O-5' })
  await browser.post(`/api/payments/${moto}`, { ...PLAIN, cV2: undefined })
}

async function pauses(play: Play): Promise<void> {
  const shop = shopOf(play)
  const { token } = await paid(play, { waitPreExecute: true })
  await shop.get(`/v1/payments/${token}`)
  await shop.post(`/v1/payments/${token}/resume`)
  await shop.post(`/v1/payments/${token}/resume`)
  await shop.post('/v1/payments/none/resume')
  const { token: lapsed } = await paid(play, { waitPreExecute: true, orderId: 'O-2' })
  await play.advance(16 * 60_000)
  await shop.get(`/v1/payments/${lapsed}`)
  await shop.post(`/v1/payments/${lapsed}/resume`)
  const { token: silent } = await paid(play, { waitPreExecute: true, orderId: 'O-3' })
  await operatorOf(play).put('/sandbox/online/scenarios', { next: [{ scenario: 'acquirer_silent' }] })
  const resumed = shop.post(`/v1/payments/${silent}/resume`)
  await play.gateway.settle()
  await play.advance(60_000)
  await resumed
}

async function tooFast(play: Play): Promise<void> {
  for (let call = 0; call < 4; call += 1) await shopOf(play).get('/v1/payment-methods')
}

export const ONLINE: readonly Scenario[] = [
  scenario('access tokens', tokens),
  scenario('what is refused about tokens', wrongTokens),
  scenario('JWTs that are wrong', jwts),
  scenario('cards', cards),
  scenario('outcomes on demand', outcomes),
  scenario('an acquirer that does not answer', unknown),
  scenario('collections, refunds, voids and repeat payments', linkedOnes),
  scenario('saved cards and telephone orders', savedCards),
  scenario('a payment that is paused', pauses),
  scenario('calls that come too fast', tooFast, { shopCallsPerSecond: 2 }),
]

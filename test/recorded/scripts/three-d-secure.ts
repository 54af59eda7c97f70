// test/recorded/scripts/three-d-secure.ts — payments with 3-D Secure, wallets, and the hosted form.
import type { Caller, Play, Reply } from '../play.ts'
import { type Scenario, scenario } from '../scenario.ts'
import { browserOf, CHALLENGED, FRICTIONLESS, ORDER, PLAIN, paid, shopOf, tokenOf } from './shop.ts'
import { operatorOf } from './tills.ts'

type Fields = Readonly<Record<string, string>>

/** Submits a form, as a page does. */
function submit(browser: Caller, path: string, form: Fields): Promise<Reply> {
  return browser.ask('POST', path, { form })
}

const textIn = ({ json }: Reply, name: string): string => String(json[name] ?? '')

/** Path of an address on the gateway. */
const pathOf = (address: string): string => address.replace('http://pay.example', '')

async function versionTwo(play: Play): Promise<void> {
  const [shop, browser] = [shopOf(play), browserOf(play)]
  const token = await tokenOf(play)
  const device = await browser.post(`/api/device-data/${token}`, CHALLENGED)
  await submit(browser, pathOf(textIn(device, 'formAction')), { JWT: textIn(device, 'token') })
  const asked = await browser.post(`/api/payments/${token}`, CHALLENGED)
  const md = textIn(asked, 'md')
  await shop.get(`/v1/payments/${token}`)
  await submit(browser, pathOf(textIn(asked, 'stepUpUrl')), { JWT: textIn(asked, 'jwt'), MD: md })
  await submit(browser, '/acs/challenge/answer', { MD: md, action: 'resend' })
  await submit(browser, '/acs/challenge/answer', { MD: md, code: '1' })
  await submit(browser, '/acs/challenge/answer', { MD: md, code: '1234' })
  await submit(browser, '/three-d-secure/return', { threeDSSessionData: md, cres: 'anything' })
  await shop.get(`/v1/payments/${token}`)
  await submit(browser, '/three-d-secure/return', { MD: md })
  await submit(browser, '/three-d-secure/return', { MD: 'none' })
  await submit(browser, '/acs/challenge', { MD: 'none', JWT: 'none' })
  await submit(browser, '/acs/challenge/answer', { MD: 'none' })
}

async function versionOne(play: Play): Promise<void> {
  const browser = browserOf(play)
  const { json } = await operatorOf(play).ask('GET', '/sandbox/online/cards', { show: few })
  const cards = json['cards'] as readonly Readonly<Record<string, string>>[]
  const card = cards.find(({ mode }) => mode === '1.0')
  const token = await tokenOf(play)
  const asked = await browser.post(`/api/payments/${token}`, {
    ...{
      cardNumber: card?.['cardNumber'] ?? card?.['number'],
      cardName: card?.['cardName'] ?? card?.['holder'] ?? 'Ann Example',
    },
    ...{
      expiryDate: card?.['expiryDate'] ?? card?.['expiry'] ?? '11/31',
      cV2: card?.['cV2'] ?? card?.['securityCode'],
    },
  })
  const [md, termUrl] = [textIn(asked, 'md'), textIn(asked, 'termUrl')]
  await submit(browser, pathOf(textIn(asked, 'acsUrl')), { PaReq: textIn(asked, 'paReq'), MD: md, TermUrl: termUrl })
  await submit(browser, '/acs/challenge/answer', { MD: md, code: card?.['password'] ?? '', TermUrl: termUrl })
  await submit(browser, '/three-d-secure/return', { MD: md, PaRes: 'anything' })
}

/** The first cards show the shape. */
function few(body: unknown): unknown {
  return { cards: (body as { readonly cards: readonly unknown[] }).cards.slice(0, 3) }
}

async function mobile(play: Play): Promise<void> {
  const browser = browserOf(play)
  const { token, answer } = await paid(play, {}, CHALLENGED)
  const md = textIn(answer, 'md')
  const complete = (path: string, body: object) => browser.post(`/mobile/payments/${path}/three-ds-complete`, body)
  const early = complete(token, { transactionId: md })
  await play.gateway.settle()
  await play.advance(15_000)
  await early
  await submit(browser, '/acs/challenge/answer', { MD: md, code: '1234' })
  await complete(token, { transactionId: md, paRes: 'anything' })
  await complete(token, { transactionId: 'other' })
  await complete(token, {})
  await complete('none', { transactionId: md })
  const second = await paid(play, { orderId: 'O-2' }, CHALLENGED)
  await complete(second.token, {
    transactionId: textIn(second.answer, 'md'),
    cardinalValidateResponse: { actionCode: 'CANCEL' },
  })
}

async function onDemand(play: Play): Promise<void> {
  const [operator, shop, browser] = [operatorOf(play), shopOf(play), browserOf(play)]
  const next = (requested: object) => operator.put('/sandbox/online/authentications', { next: [requested] })
  for (const status of ['Y', 'A', 'N', 'U', 'R']) {
    await next({ status })
    await paid(play, { orderId: `A-${status}` }, FRICTIONLESS)
  }
  for (const fault of ['never_answers', 'answers_twice', 'refuses_framing', 'wrong_code']) {
    await next({ status: 'C', fault })
    const { token, answer } = await paid(play, { orderId: `F-${fault}` }, CHALLENGED)
    const md = textIn(answer, 'md')
    await submit(browser, '/acs/challenge', { JWT: textIn(answer, 'jwt'), MD: md })
    await submit(browser, '/acs/challenge/answer', { MD: md, code: '1234' })
    if (fault === 'never_answers') await shop.post(`/v1/access-tokens/${token}/revoke`)
    const returned = submit(browser, '/three-d-secure/return', { MD: md })
    await play.gateway.settle()
    await play.advance(60_000)
    await returned
  }
  const { token } = await paid(play, { orderId: 'late' }, CHALLENGED)
  await play.advance(16 * 60_000)
  await shop.get(`/v1/payments/${token}`)
}

/** Shape of a wallet token: its values are random, and mostly encrypted. */
function shapeOf(value: unknown): unknown {
  if (typeof value === 'string') return value.startsWith('{') ? { text: shapeOf(JSON.parse(value)) } : 'text'
  if (Array.isArray(value)) return value.map(shapeOf)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, shapeOf(each)]))
}

async function wallets(play: Play): Promise<void> {
  const [operator, browser] = [operatorOf(play), browserOf(play)]
  const made = async (wallet: string, more: object = {}): Promise<unknown> => {
    const requested = {
      wallet,
      cardNumber: '5200000000000056',
      expiryDate: '12/30',
      amount: 1999,
      currencyCode: '826',
      ...more,
    }
    const { json } = await operator.ask('POST', '/sandbox/wallet-tokens', { body: requested, show: shapeOf })
    return json['token']
  }
  const pay = async (orderId: string, path: string, token: unknown, prefix = ''): Promise<void> => {
    const access = await tokenOf(play, { orderId })
    await browser.ask('POST', `${prefix}/api/payments/${access}/${path}`, {
      ...{ body: { token }, as: { token: shapeOf(token) }, headers: { origin: 'https://shop.example' } },
    })
  }
  const apple = await made('APPLE_PAY')
  await pay('W-1', 'apple-pay', apple)
  await pay('W-2', 'apple-pay', apple)
  await pay('W-3', 'apple-pay', await made('APPLE_PAY'), '/cors')
  await pay('W-4', 'google-pay', await made('GOOGLE_PAY'))
  const plain = await made('GOOGLE_PAY', { authMethod: 'card' })
  await pay('W-5', 'google-pay/decrypt-token', plain)
  await pay('W-6', 'google-pay', plain)
  await pay('W-7', 'apple-pay', await made('APPLE_PAY', { amount: 1 }))
  await pay('W-8', 'apple-pay', {})
  await pay('W-9', 'google-pay', 'nonsense')
  await pay('W-10', 'google-pay/decrypt-token', 'nonsense')
  for (const wrong of [{ wallet: 'PURSE' }, { cardNumber: '5200000000000057' }, { expiryDate: '01/20' }])
    await made('APPLE_PAY', wrong)
  await browser.ask('OPTIONS', '/cors/api/payments/any/apple-pay', { headers: { origin: 'https://shop.example' } })
  await browser.ask('POST', '/api/payments/none/apple-pay', { body: { token: apple }, as: { token: shapeOf(apple) } })
  const sheet = await tokenOf(play, { orderId: 'W-11' })
  const session = {
    validationUrl: 'https://apple-pay-gateway.apple.com/paymentservices/startSession',
    pageOrigin: 'https://shop.example',
  }
  await browser.post(`/api/payments/${sheet}/apple-pay/session`, session)
  await browser.get(`/wallet-sheet?token=${sheet}`)
  await browser.get('/wallet-sheet')
  const signed = { wallet: 'APPLE_PAY', cardNumber: '5200000000000056', expiryDate: '12/30', authMethod: 'device' }
  await browser.ask('POST', `/wallet-sheet/tokens/${sheet}`, { body: signed, show: shapeOf })
  await browser.post(`/wallet-sheet/tokens/${sheet}`, {})
  await browser.post('/wallet-sheet/tokens/none', signed)
}

/** A live gateway with real wallet keys. */
async function sessions(play: Play): Promise<void> {
  const browser = browserOf(play)
  const token = await tokenOf(play)
  const session = (body: object) =>
    browser.post(`/api/payments/${token}/apple-pay/session`, {
      ...{
        validationUrl: 'https://apple-pay-gateway.apple.com/paymentservices/startSession',
        pageOrigin: 'https://shop.example',
      },
      ...body,
    })
  await session({})
  await session({ pageOrigin: 'https://thief.example' })
  await session({ validationUrl: undefined })
  await browser.get(`/payment-form?token=${token}&form=wallet`)
  await browser.get('/sandbox/cards')
  await browser.get('/')
  await browser.get('/metrics')
  await browser.get('/demo')
  await browser.post(`/api/payments/${token}/apple-pay`, { token: {} })
}

async function form(play: Play): Promise<void> {
  const browser = browserOf(play)
  const token = await tokenOf(play)
  for (const query of [
    `?token=${token}`,
    `?token=${token}&form=recurring`,
    `?token=${token}&form=wallet`,
    '',
    '?form=purse',
    `?token=${token}&font=https://fonts.example/a.css&font=https://fonts.example`,
  ])
    await browser.get(`/payment-form${query}`)
  await browser.get(`/payment-form/tokens/${token}?held=${token}`)
  await browser.get('/payment-form/tokens/none')
  const other = await tokenOf(play, { orderId: 'O-2' })
  await browser.get(`/payment-form/tokens/${other}?held=${token}`)
  await browser.get(`/payment-form/tokens/${other}`)
  await browser.get(`/three-ds?token=${token}`)
  await browser.get('/three-ds')
  await browser.ask('HEAD', `/payment-form?token=${token}`)
  await browser.post('/payment-form', {})
  await shopOf(play).post(`/v1/access-tokens/${token}/revoke`)
  await browser.get(`/payment-form?token=${token}`)
  await browser.get(`/payment-form/tokens/${token}?held=${token}`)
}

async function scenarios(play: Play): Promise<void> {
  const operator = operatorOf(play)
  const put = (body: unknown) => operator.put('/sandbox/online/scenarios', body)
  await operator.get('/sandbox/online/scenarios')
  await put({ next: [{ scenario: 'declined+slow_acquirer:5000', times: 2 }], afterwards: 'insufficient_funds' })
  await put({ next: [{ scenario: 'no_such_thing' }] })
  await put({ next: 'declined' })
  await operator.get('/sandbox/online/scenarios')
  await operator.get('/sandbox/online/authentications')
  await operator.put('/sandbox/online/authentications', { next: [{ status: 'X' }] })
  const headers = { 'tollgate-scenario': 'challenged+page_late' }
  const token = await tokenOf(play, ORDER)
  await browserOf(play).post(`/api/payments/${token}`, PLAIN, headers)
}

/** The shopper cancels after the bank has approved. */
async function cancel(play: Play): Promise<void> {
  const browser = browserOf(play)
  const { token, answer } = await paid(play, {}, CHALLENGED)
  const md = textIn(answer, 'md')
  await browser.get(`/three-ds/tokens/${token}`)
  await submit(browser, '/acs/challenge/answer', { MD: md, code: '1234' })
  await browser.get(`/three-ds/tokens/${token}`)
  const cardinalValidateResponse = { actionCode: 'CANCEL' }
  await browser.post(`/mobile/payments/${token}/three-ds-complete`, { transactionId: md, cardinalValidateResponse })
  await browser.get(`/three-ds/tokens/${token}`)
  await shopOf(play).get(`/v1/payments/${token}`)
}

export const THREE_D_SECURE: readonly Scenario[] = [
  scenario('version 2, with a page of the issuer', versionTwo),
  scenario('version 1', versionOne),
  scenario('a mobile kit', mobile),
  scenario('issuers on demand', onDemand),
  scenario('wallets', wallets),
  scenario('a live gateway whose wallet is silent', sessions, { live: true, wallet: 'silent' }),
  scenario('a live gateway whose wallet answers', sessions, { live: true, wallet: 'answers' }),
  scenario('the hosted form', form),
  scenario('what the next online payments meet', scenarios),
  scenario('a cancel after the bank has approved', cancel),
]

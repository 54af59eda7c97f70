// test/browser/live-wallet.test.ts — the wallets' own sheets in live mode, in Chromium, with stand-ins for the providers: a
// script in place of Google's, an `ApplePaySession` in the page, and a local server in place of Apple's. The tokens are real
// ones, made by an independent implementation. No account with either provider is needed.
import { deepEqual, equal, match, ok } from 'node:assert/strict'
import { X509Certificate } from 'node:crypto'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, test } from 'vitest'
import { systemClock } from '../../src/platform/clock.ts'
import { readApplePay, readGooglePay } from '../../src/wallets/documents.ts'
import {
  type AppleGateway,
  IDENTITY_CERT,
  IDENTITY_KEY,
  openAppleGateway,
  VALIDATION_URL,
} from '../support/apple-gateway.ts'
import { type AppleWorld, appleToken, appleWorld, derOf } from '../support/apple-vectors.ts'
import {
  type GoogleChanges,
  type GoogleWorld,
  googleToken,
  googleWorld,
  pkcs8,
  spki,
} from '../support/google-vectors.ts'
import { violationsOn } from './support/axe.ts'
import { pressEnter } from './support/browser.ts'
import { type FormRequest, type OpenedForm, openedForm, shopHtml } from './support/shop-page.ts'
import { openShopServer, type ShopServer } from './support/shop-server.ts'
import { openTown, type Town } from './support/town.ts'

let town: Town
let shop: ShopServer
let apple: AppleGateway
let appleKeys: AppleWorld
let googleKeys: GoogleWorld

beforeAll(async () => {
  apple = await openAppleGateway()
  appleKeys = await appleWorld()
  googleKeys = await googleWorld()
  const googlePay = readGooglePay(await googleFile())
  const applePay = readApplePay(await appleFile())
  ok('recipient' in googlePay && 'root' in applePay, JSON.stringify([googlePay, applePay]))
  town = await openTown({ walletSettings: { googlePay, applePay }, walletProviderClient: apple.line(systemClock()) })
  shop = await openShopServer(live(), 'shop.example', true)
})

afterAll(async () => {
  await shop?.close()
  await town?.close()
  await apple?.close()
})

const live = () => town.gateway.liveUrl ?? ''

async function googleFile(): Promise<string> {
  return JSON.stringify({
    gatewayId: 'tollgate',
    privateKeys: [(await pkcs8(googleKeys.recipient.privateKey)).toString('base64')],
    rootSigningKeys: [
      { protocolVersion: 'ECv2', keyValue: (await spki(googleKeys.root.publicKey)).toString('base64') },
    ],
    sheet: { merchantId: 'BCR2DN4', merchantName: 'Harbour Coffee', countryCode: 'GB' },
  })
}

async function appleFile(): Promise<string> {
  const merchant = {
    merchantIdentifier: 'merchant.example',
    privateKeys: [(await pkcs8(appleKeys.merchant.privateKey)).toString('base64')],
    identity: {
      ...{ certificate: IDENTITY_CERT, privateKey: IDENTITY_KEY },
      ...{ displayName: 'Harbour Coffee', countryCode: 'GB' },
    },
  }
  return JSON.stringify({
    rootCertificate: new X509Certificate(derOf(appleKeys.root)).toString(),
    merchants: [merchant],
  })
}

/** Replaces Google's script: exposes the requests it gets, and answers as the test says. */
const GOOGLE_SCRIPT = `
window.google = { payments: { api: { PaymentsClient: class {
  constructor(options) { window.asked = { options } }
  async isReadyToPay(request) { window.asked.ready = request; return { result: window.googleReady !== false } }
  async loadPaymentData(request) {
    window.asked.load = request
    if (!navigator.userActivation.isActive) throw { statusCode: 'DEVELOPER_ERROR' }
    return window.askTheTest(request)
  }
} } } }
`

/** Replaces Apple's session. */
const APPLE_SESSION = `
window.ApplePaySession = class ApplePaySession {
  static STATUS_SUCCESS = 0
  static STATUS_FAILURE = 1
  static supportsVersion(version) { return version <= 14 }
  static canMakePayments() { if (window.appleThrows) throw new Error('InvalidAccessError'); return true }
  constructor(version, request) { this.said = window.said = { version, request } }
  begin() {
    if (!navigator.userActivation.isActive) throw new Error('InvalidAccessError')
    setTimeout(() => this.onvalidatemerchant({ validationURL: window.validationUrl ?? '${VALIDATION_URL}' }))
  }
  abort() { this.said.aborted = true }
  async completeMerchantValidation(session) {
    this.said.session = session
    const answer = await window.askTheTest(this.said.request)
    if (answer === 'cancel') return this.oncancel({})
    if (answer.impatient) setTimeout(() => this.oncancel({}))
    this.onpaymentauthorized({ payment: answer.payment })
  }
  completePayment(result) { this.said.completed = result.status }
}
`

interface Visit extends OpenedForm {
  readonly token: string
  /** Evaluates in the wallet's document. */
  inFrame<T>(expression: string): Promise<T>
}

interface Scene {
  /** Answer of the sheet; the payment's token is available to it. */
  readonly answer?: (request: unknown) => unknown
  readonly script?: string
  readonly apple?: boolean
  readonly config?: FormRequest['config']
  readonly order?: Readonly<Record<string, unknown>>
  /** Google's script does not load. */
  readonly noScript?: boolean
}

async function withButton(scene: Scene, use: (visit: Visit) => Promise<void>): Promise<void> {
  const token = await town.gateway.token({ amount: '2599', ...scene.order })
  const context = await town.browser.newContext({ ignoreHTTPSErrors: true })
  try {
    const page = await context.newPage()
    page.setDefaultTimeout(10_000)
    await page.exposeFunction('askTheTest', scene.answer ?? (() => null))
    if (scene.script !== undefined) await page.addInitScript(scene.script)
    if (scene.apple === true) await page.addInitScript(APPLE_SESSION)
    await page.route('https://pay.google.com/**', route =>
      scene.noScript === true
        ? route.abort('connectionreset')
        : route.fulfill({ contentType: 'text/javascript', body: GOOGLE_SCRIPT }),
    )
    const requested = {
      token,
      kind: 'Wallet',
      ...(scene.config === undefined ? {} : { config: scene.config }),
    } as const
    await page.goto(shop.page({ html: shopHtml(live(), requested) }))
    await page.locator('body[data-loaded]').waitFor()
    await use({
      ...openedForm(page, () => context.close()),
      token,
      inFrame: expression => frameOf(page).evaluate(expression) as Promise<never>,
    })
  } finally {
    await context.close()
  }
}

function frameOf(page: Page) {
  const frame = page.frames().find(each => each.url().includes('/payment-form'))
  if (frame === undefined) throw new Error('no frame')
  return frame
}

const codeOf = (value: unknown) => (value as { statusCode: number }).statusCode
const paymentOf = async (token: string) =>
  (await town.gateway.v1('GET', `/v1/payments/${token}`)).body as Readonly<Record<string, unknown>>

let messages = 0

/** Google's data after the shopper's approval. */
async function googleData(changes: GoogleChanges = {}, more: object = {}) {
  const soon = systemClock().now() + 3_600_000
  const token = await googleToken(googleKeys, {
    ...{ keyExpiration: soon, messageExpiration: soon, ...changes },
    content: { messageId: `message-${++messages}`, ...changes.content },
  })
  return { paymentMethodData: { tokenizationData: { token: JSON.stringify(token) }, info: {} }, ...more }
}

test('Google’s sheet is opened with the amount of the token, and its answer pays', () =>
  withButton(
    {
      config: { emailRequired: true, billingAddressRequired: true, buttonConfig: { type: 'buy' } },
      answer: () => googleData({}, { email: 'ann@shop.example' }),
    },
    async visit => {
      const button = visit.frame.getByRole('button', { name: 'Buy with Google Pay' })
      equal(((await button.textContent()) ?? '').trim(), 'Buy with Google Pay')
      await button.press('Enter')
      equal(codeOf((await visit.settled()).value), 0)
      const whats = (await visit.told()).map(({ what }) => what)
      deepEqual(whats, ['loaded', 'initiated'])
      const asked = await visit.inFrame<{ options: unknown; load: Record<string, unknown> }>('asked')
      deepEqual(asked.options, { environment: 'PRODUCTION' })
      deepEqual(asked.load['transactionInfo'], {
        ...{ totalPriceStatus: 'FINAL', totalPrice: '25.99', currencyCode: 'GBP', countryCode: 'GB' },
      })
      deepEqual(asked.load['merchantInfo'], { merchantId: 'BCR2DN4', merchantName: 'Harbour Coffee' })
      equal(asked.load['emailRequired'], true)
      match(JSON.stringify(asked.load), /"gateway":"tollgate","gatewayMerchantId":"demo"/)
      const payment = await paymentOf(visit.token)
      equal(payment['statusCode'], 0)
      equal(payment['userEmailAddress'], 'ann@shop.example')
    },
  ))

test.each([
  ['closed', 'CANCELED', 'cancelled'],
  ['not allowed to open', 'DEVELOPER_ERROR', 'errors'],
])('a Google sheet that is %s charges nothing, and the page is notified', (_, statusCode, told) =>
  withButton({ script: `window.askTheTest = async () => { throw { statusCode: '${statusCode}' } }` }, async visit => {
    await pressEnter(visit.frame.getByRole('button', { name: 'Google Pay' }))
    await visit.page.locator(`body[data-told~=${told}]`).waitFor()
    equal((await town.gateway.v1('GET', `/v1/payments/${visit.token}`)).status, 404)
  }),
)

test('a Google token for another merchant is refused with a message to the page', () =>
  withButton({ answer: () => googleData({ content: { gatewayMerchantId: 'harbour' } }) }, async visit => {
    await pressEnter(visit.frame.getByRole('button', { name: 'Google Pay' }))
    await visit.page.locator('#errors li').waitFor()
    equal((await town.gateway.v1('GET', `/v1/payments/${visit.token}`)).status, 404)
  }))

test.each([
  ['Google’s script does not come', { noScript: true }],
  ['the browser cannot pay with it', { script: 'window.googleReady = false' }],
  ['there is nothing to pay', { order: { amount: '0', transactionType: 'ACCOUNT_VERIFICATION' } }],
])('where %s, the button is not shown, and no error occurs', (_, scene) =>
  withButton(scene, async visit => {
    equal(await visit.frame.getByRole('button').count(), 0)
    deepEqual(
      (await visit.told()).map(({ what }) => what),
      ['loaded'],
    )
  }),
)

test('the next sheet uses the token that the page has swapped in', () =>
  withButton({ answer: () => googleData() }, async visit => {
    await visit.frame.getByRole('button', { name: 'Google Pay' }).waitFor()
    const token = await town.gateway.token({ amount: '4210' })
    await visit.page.evaluate(`form.updateAccessToken({ paymentToken: ${JSON.stringify(token)} })`)
    await visit.frame.locator('body[data-sheets*="42.10"]').waitFor()
    await pressEnter(visit.frame.getByRole('button', { name: 'Google Pay' }))
    equal(codeOf((await visit.settled()).value), 0)
    equal((await paymentOf(token))['statusCode'], 0)
  }))

/** Apple's data after the shopper's approval. */
async function applePayment(more: object = {}) {
  const content = { transactionAmount: 2599, currencyCode: '826' }
  const token = await appleToken(appleKeys, { signedAt: systemClock().now(), content })
  return { payment: { token, ...more } }
}

test('Apple’s sheet gets its session from our server, and its answer pays', () =>
  withButton(
    {
      apple: true,
      config: { emailRequired: true },
      answer: () => applePayment({ shippingContact: { emailAddress: 'ann@shop.example' } }),
    },
    async visit => {
      const before = apple.calls.length
      await pressEnter(visit.frame.getByRole('button', { name: 'Apple Pay' }))
      equal(codeOf((await visit.settled()).value), 0)
      const said = await visit.inFrame<Record<string, Record<string, unknown>>>('said')
      deepEqual(said['session'], { merchantSessionIdentifier: 'SSH-1', nonce: 'n', signature: 's' })
      deepEqual(said['request']?.['total'], { label: 'Harbour Coffee', amount: '25.99', type: 'final' })
      deepEqual(said['request']?.['requiredShippingContactFields'], ['email'])
      equal(said['completed'], 0)
      const [call] = apple.calls.slice(before)
      equal(call?.merchant, 'merchant.example')
      equal(call?.body['initiativeContext'], 'shop.example')
      deepEqual(
        (await visit.told()).map(({ what }) => what),
        ['loaded', 'initiated'],
      )
      equal((await paymentOf(visit.token))['userEmailAddress'], 'ann@shop.example')
      equal((await paymentOf(visit.token))['statusCode'], 0)
      // Google's script is not loaded when Apple Pay is available.
      equal(await visit.inFrame('"google" in window'), false)
    },
  ))

test('an Apple sheet that closes during the payment does not hide the outcome', () =>
  withButton({ apple: true, answer: async () => ({ impatient: true, ...(await applePayment()) }) }, async visit => {
    await pressEnter(visit.frame.getByRole('button', { name: 'Apple Pay' }))
    equal(codeOf((await visit.settled()).value), 0)
    equal(
      (await visit.told()).some(({ what }) => what === 'cancelled'),
      false,
    )
  }))

test('closing an Apple sheet leaves the token unused', () =>
  withButton({ apple: true, answer: () => 'cancel' }, async visit => {
    await pressEnter(visit.frame.getByRole('button', { name: 'Apple Pay' }))
    await visit.page.locator('body[data-told~=cancelled]').waitFor()
    equal((await town.gateway.v1('GET', `/v1/payments/${visit.token}`)).status, 404)
  }))

test('a merchant validation at a foreign address gets no session, and no call is made', () =>
  withButton(
    { apple: true, script: "window.validationUrl = 'https://evil.example/paymentservices/startSession'" },
    async visit => {
      const before = apple.calls.length
      await pressEnter(visit.frame.getByRole('button', { name: 'Apple Pay' }))
      await visit.page.locator('#errors li').getByText('Nothing was charged').waitFor()
      equal(await visit.inFrame('said.aborted'), true)
      equal(apple.calls.length, before)
    },
  ))

test('without a session from Apple the sheet ends with a message', async () => {
  const { answer } = apple
  apple.answer = { status: 417, body: '{}' }
  await withButton({ apple: true }, async visit => {
    await pressEnter(visit.frame.getByRole('button', { name: 'Apple Pay' }))
    await visit.page.locator('#errors li').getByText('Nothing was charged').waitFor()
    equal(await visit.inFrame('said.aborted'), true)
  })
  apple.answer = answer
})

test('an older Apple browser that allows no payment in a cross-origin frame shows no button', () =>
  withButton({ apple: true, script: 'window.appleThrows = true', noScript: true }, async visit => {
    equal(await visit.frame.getByRole('button').count(), 0)
  }))

test('no accessibility violations (axe) at the button, and no policy violations', async () => {
  await withButton({}, async visit => {
    await visit.frame.getByRole('button', { name: 'Google Pay' }).waitFor()
    deepEqual(await violationsOn(visit.page), [])
  })
  deepEqual(shop.reports, [])
})

// test/api/online/apple-session.test.ts — Apple Pay merchant sessions, and the policy of the wallet's document, in live mode
// and in a sandbox.

import { deepEqual, equal, match, ok } from 'node:assert/strict'
import { test } from 'vitest'
import { NO_INTERCEPTOR } from '../../../src/api/interceptor.ts'
import type { MerchantSession, Wallets } from '../../../src/engine/ports/wallets.ts'
import { VALIDATION_URL } from '../../support/apple-gateway.ts'
import { refusedFieldIn } from '../../support/refused-field.ts'
import { openWebShop, type WebShop } from '../../support/web-shop.ts'

const GOOGLE_SHEET = {
  environment: 'PRODUCTION',
  merchantId: 'BCR2DN4',
  merchantName: 'Harbour',
  countryCode: 'GB',
  tokenization: { type: 'PAYMENT_GATEWAY', parameters: { gateway: 'tollgate', gatewayMerchantId: 'demo' } },
} as const

interface Setting {
  readonly googlePay?: boolean
  readonly applePay?: boolean
  readonly answer?: MerchantSession
}

/** A live gateway with wallets. `asked`: the session requests. */
async function liveShop({ googlePay = true, applePay = true, answer = { session: { nonce: 'n' } } }: Setting = {}) {
  const asked: (readonly string[])[] = []
  const wallets: Wallets = {
    testSheet: false,
    offered: () => ['APPLE_PAY', 'GOOGLE_PAY'],
    sheets: () => ({
      googlePay: googlePay ? GOOGLE_SHEET : null,
      applePay: applePay ? { displayName: 'Harbour', countryCode: 'GB' } : null,
    }),
    open: async () => ({ refused: 'not_configured' }),
    async merchantSession(...given) {
      asked.push(given)
      return answer
    },
  }
  const shop = await openWebShop({
    settings: { mode: 'live', publicKey: null, publicUrl: 'http://localhost' },
    parts: { interceptor: NO_INTERCEPTOR, wallets },
  })
  return { shop, asked }
}

const sessionAt = (shop: WebShop, token: string, body: object = {}) =>
  shop.browse(`/api/payments/${token}/apple-pay/session`, {
    ...{ validationUrl: VALIDATION_URL, pageOrigin: 'https://shop.example' },
    ...body,
  })

async function documentFor(shop: WebShop, token: string, form: string) {
  const { statusCode, headers, body } = await shop.shop.api.inject({
    ...{ method: 'GET', url: `/payment-form?token=${token}&form=${form}`, headers: { host: 'localhost' } },
  })
  equal(statusCode, 200)
  return {
    policy: String(headers['content-security-policy']),
    permissions: String(headers['permissions-policy']),
    body,
  }
}

test('a browser gets a session for the host of its page', async () => {
  const { shop, asked } = await liveShop()
  const token = await shop.token()
  const answer = await sessionAt(shop, token, { pageOrigin: 'https://shop.example:8443' })
  deepEqual([answer.status, answer.json], [200, { session: { nonce: 'n' } }])
  deepEqual(asked, [['demo', 'shop.example', VALIDATION_URL]])
})

test.each([
  ['https://thief.example'],
  ['https://shop.example.thief.example'],
  ['http://shop.example'],
  ['shop.example'],
  ['null'],
])('the page %s, which is not the merchant’s, gets no session', async pageOrigin => {
  const { shop, asked } = await liveShop()
  const answer = await sessionAt(shop, await shop.token(), { pageOrigin })
  deepEqual([answer.json['statusCode'], refusedFieldIn(answer.json['message'])], [400, 'pageOrigin'])
  deepEqual(asked, [])
})

test.each([
  ['url_refused', 400, 'validationUrl'],
  ['no_session', 502, 'The wallet provider did not open a payment session. Nothing was charged.'],
  ['not_configured', 502, 'The wallet provider did not open a payment session. Nothing was charged.'],
] as const)(
  'a session refused as %s is answered with %i, and the reason is logged',
  async (refused, status, message) => {
    const { shop } = await liveShop({ answer: { refused, reason: 'because' } })
    const answer = await sessionAt(shop, await shop.token())
    deepEqual(
      [answer.status, answer.json['statusCode'], refusedFieldIn(answer.json['message'])],
      [status, status, message],
    )
    const lines = shop.shop.log.lines.filter(({ message }) => message === 'Apple Pay session not opened')
    deepEqual(
      lines.map(({ fields }) => [fields['refused'], fields['reason']]),
      [[refused, 'because']],
    )
  },
)

test('a revoked token gets no session', async () => {
  const { shop, asked } = await liveShop()
  const token = await shop.token()
  equal((await shop.call('POST', `/v1/access-tokens/${token}/revoke`)).status, 200)
  equal((await sessionAt(shop, token)).json['statusCode'], 401)
  deepEqual(asked, [])
})

test('Google’s host is in the policy of the wallet’s document only, and only with Google Pay', async () => {
  const { shop } = await liveShop()
  const token = await shop.token()
  const wallet = await documentFor(shop, token, 'wallet')
  match(wallet.policy, /script-src 'self' https:\/\/pay\.google\.com;/)
  match(wallet.policy, /connect-src 'self' https:\/\/pay\.google\.com https:\/\/google\.com\/pay;/)
  match(wallet.policy, /img-src 'self' https:\/\/www\.gstatic\.com;/)
  match(wallet.permissions, /^payment=\(self "https:\/\/pay\.google\.com"\)/)
  match(wallet.body, /data-sheets="\{&quot;price&quot;:\{&quot;amount&quot;:&quot;19\.99&quot;/)
  for (const form of ['card', 'recurring']) {
    const { policy, permissions, body } = await documentFor(shop, token, form)
    ok(!policy.includes('google') && !permissions.includes('google') && !body.includes('sheets'), form)
  }
  const { shop: appleOnly } = await liveShop({ googlePay: false })
  const document = await documentFor(appleOnly, await appleOnly.token(), 'wallet')
  ok(!document.policy.includes('google'))
  match(document.body, /data-sheets=/)
})

test('without a sheet, or with nothing to pay, the document has no sheets', async () => {
  const { shop: without } = await liveShop({ googlePay: false, applePay: false })
  ok(!(await documentFor(without, await without.token(), 'wallet')).body.includes('data-sheets'))
  const { shop } = await liveShop()
  const nothing = await shop.token({ amount: '0', transactionType: 'ACCOUNT_VERIFICATION' })
  const { body, policy } = await documentFor(shop, nothing, 'wallet')
  ok(!body.includes('data-sheets') && !policy.includes('google'))
})

test('a sandbox has its test wallet, and loads nothing from a provider', async () => {
  const shop = await openWebShop()
  const { body, policy } = await documentFor(shop, await shop.token(), 'wallet')
  match(body, /data-wallets="APPLE_PAY GOOGLE_PAY"/)
  ok(!policy.includes('google') && !body.includes('data-sheets'))
  equal((await sessionAt(shop, await shop.token())).status, 502)
})

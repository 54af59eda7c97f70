// test/api/online/reasons.test.ts — each way to end without success has one reason, for the page and in /api/payments.
import { deepEqual, equal, ok } from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'vitest'
import { PAYMENT_REASONS, type PaymentReason } from '../../../src/domain/online/payment-reason.ts'
import { openWebShop, type WebShop } from '../../support/web-shop.ts'

const BASIC = { authorization: `Basic ${Buffer.from('u:demo-api-key').toString('base64')}` }
const CHALLENGED = { cardNumber: '4456530000001096', cV2: '020' }
const MINUTE_MS = 60_000
/** Its acquirer never answers. */
const SILENT = { amount: '9000091' }

type Answer = Readonly<Record<string, unknown>>

/** The token of the payment, and what its browser was told where there is one. */
interface Ended {
  readonly token: string
  readonly told?: Answer
}

async function atTheBank(web: WebShop, order: Answer = {}) {
  const token = await web.token(order)
  const asked = await web.pay(token, CHALLENGED)
  equal(asked['statusCode'], 3)
  return { token, md: String(asked['md']) }
}

function answerBank(web: WebShop, md: string, code: string, action = 'submit') {
  const form = new URLSearchParams({ MD: md, code, action }).toString()
  return web.browse('/acs/challenge/answer', form, { 'content-type': 'application/x-www-form-urlencoded' })
}

async function comeBack(web: WebShop, token: string, md: string, actionCode?: string): Promise<Ended> {
  const more = actionCode === undefined ? {} : { cardinalValidateResponse: { actionCode } }
  const answer = await web.browse(`/mobile/payments/${token}/three-ds-complete`, { transactionId: md, ...more })
  return { token, told: answer.json }
}

async function cancelled(web: WebShop, actionCode: string): Promise<Ended> {
  const { token, md } = await atTheBank(web)
  return comeBack(web, token, md, actionCode)
}

/** The bank decides without asking its payer. */
async function decidedAtOnce(web: WebShop, status: 'N' | 'R' | 'U'): Promise<Ended> {
  web.shop.gateway.sandbox?.issuerPages.setAuthenticationOverrides('demo', [{ status, fault: null }])
  const token = await web.token()
  return { token, told: await web.pay(token, CHALLENGED) }
}

async function paid(web: WebShop, order: Answer = {}): Promise<string> {
  const token = await web.token(order)
  equal((await web.pay(token))['statusCode'], 0)
  return token
}

/** Pays at an acquirer that does not answer. */
async function unanswered(web: WebShop): Promise<string> {
  const token = await web.token(SILENT)
  const paying = web.pay(token)
  await web.shop.clock.advance(2 * MINUTE_MS)
  equal((await paying)['statusCode'], 500)
  return token
}

/** How each reason comes about, with status and message. */
const WAYS: Readonly<
  Record<PaymentReason, readonly [status: number, message: string, end: (web: WebShop) => Promise<Ended>]>
> = {
  closed_by_payer: [5, 'Card declined', web => cancelled(web, 'CANCEL')],
  bank_page_failed: [5, 'Card declined', web => cancelled(web, 'ERROR')],
  cancelled_at_bank: [
    5,
    'Card declined',
    async web => {
      const { token, md } = await atTheBank(web)
      await answerBank(web, md, '', 'cancel')
      return comeBack(web, token, md)
    },
  ],
  wrong_code: [
    5,
    'Card declined',
    async web => {
      const { token, md } = await atTheBank(web)
      for (const code of ['1', '2', '3']) await answerBank(web, md, code)
      return comeBack(web, token, md)
    },
  ],
  not_authenticated: [5, 'Card declined', web => decidedAtOnce(web, 'N')],
  rejected_by_bank: [5, 'Card declined', web => decidedAtOnce(web, 'R')],
  authentication_unavailable: [30, 'Card authentication unavailable', web => decidedAtOnce(web, 'U')],
  authentication_expired: [
    5,
    'Card declined',
    async web => {
      const { token, md } = await atTheBank(web)
      await web.shop.clock.advance(15 * MINUTE_MS)
      return comeBack(web, token, md)
    },
  ],
  declined_by_issuer: [
    5,
    'Card declined',
    async web => {
      const token = await web.token()
      return { token, told: await web.pay(token, { cV2: '111' }) }
    },
  ],
  referred_by_issuer: [
    4,
    'Card referred',
    async web => {
      const token = await web.token()
      const card = { cardNumber: '4792840000009202', cV2: '654', cardName: 'George Toole' }
      return { token, told: await web.pay(token, card) }
    },
  ],
  duplicate: [
    20,
    'Duplicate Transaction',
    async web => {
      await paid(web, { orderId: 'TWICE' })
      const token = await web.token({ orderId: 'TWICE' })
      return { token, told: await web.pay(token) }
    },
  ],
  not_allowed: [
    30,
    'Only a SALE or a COLLECTION can be refunded',
    async web => {
      const hold = await web.referenceOf(await paid(web, { transactionType: 'PREAUTH' }))
      return { token: String((await web.linked('REFUND', hold))['token']) }
    },
  ],
  card_not_kept: [
    30,
    'The card of the referenced payment is no longer kept',
    async web => {
      const first = await paid(web)
      await web.shop.vault.forget('demo', (await web.record(first)).submission?.card.vault ?? '')
      return { token: String((await web.linked('SALE', await web.referenceOf(first)))['token']) }
    },
  ],
  pause_expired: [
    30,
    'Pre-execute wait expired',
    async web => {
      const token = await web.token({ waitPreExecute: true })
      equal((await web.pay(token))['statusCode'], 99)
      await web.shop.clock.advance(15 * MINUTE_MS)
      return { token }
    },
  ],
  acquirer_unanswered: [
    30,
    'Failed',
    async web => {
      const token = await unanswered(web)
      await web.shop.clock.advance(20 * MINUTE_MS)
      return { token }
    },
  ],
  security_code_lost: [
    30,
    'Failed',
    async web => {
      const token = await web.token({ waitPreExecute: true })
      equal((await web.pay(token))['statusCode'], 99)
      web.shop.gateway.online.codes.forget((await web.record(token)).id)
      await web.call('POST', `/v1/payments/${token}/resume`)
      return { token }
    },
  ],
  closed_by_operator: [
    30,
    'Failed',
    async web => {
      const token = await unanswered(web)
      const answer = await web.shop.api.inject({
        method: 'POST',
        url: `/api/payments/${token}/close`,
        headers: { host: 'localhost', 'content-type': 'application/json', ...BASIC },
        payload: JSON.stringify({ outcome: 'not_taken', operator: 'Ann', reason: 'Case 4711' }),
      })
      equal(answer.statusCode, 200, answer.body)
      return { token }
    },
  ],
  revoked: [
    90,
    'Revoked',
    async web => {
      const { token, md } = await atTheBank(web)
      await web.call('POST', `/v1/access-tokens/${token}/revoke`)
      return comeBack(web, token, md)
    },
  ],
}

async function reasonIn(web: WebShop, token: string): Promise<unknown> {
  const { body } = await web.shop.api.inject({
    url: `/api/payments/${token}`,
    headers: { host: 'localhost', ...BASIC },
  })
  return (JSON.parse(body) as Answer)['reason']
}

for (const [reason, [status, message, end]] of Object.entries(WAYS))
  test(`${reason} ends with ${status}, and the shop reads what it always read`, async () => {
    const web = await openWebShop()
    const { token, told } = await end(web)
    equal(await reasonIn(web, token), reason)
    if (told !== undefined) deepEqual([told['statusCode'], told['message'], told['reason']], [status, message, reason])
    const payment = await web.payment(token)
    deepEqual([payment['statusCode'], payment['message'], 'reason' in payment], [status, message, false])
  })

test('a browser that reports a failure or a time-out is believed about the reason, and pays nothing', async () => {
  const web = await openWebShop()
  for (const [actionCode, reason] of [
    ['FAILURE', 'wrong_code'],
    ['TIMEOUT', 'authentication_expired'],
    ['CANCELLED', 'closed_by_payer'],
  ] as const) {
    const { token, told } = await cancelled(web, actionCode)
    deepEqual([told?.['statusCode'], told?.['reason'], await reasonIn(web, token)], [5, reason, reason], actionCode)
  }
})

test('a payment that succeeded, goes on or has not begun has no reason', async () => {
  const web = await openWebShop()
  const unused = await web.token()
  equal(await reasonIn(web, unused), null)
  const waiting = await web.token({ waitPreExecute: true })
  equal('reason' in (await web.pay(waiting)), false)
  equal(await reasonIn(web, waiting), null)
  const sale = await web.token()
  equal('reason' in (await web.pay(sale)), false)
  equal(await reasonIn(web, sale), null)
})

test('the guide explains every reason', () => {
  const guide = readFileSync(new URL('../../../docs/online-payments.md', import.meta.url), 'utf8')
  for (const reason of Object.keys(PAYMENT_REASONS)) ok(guide.includes(`| \`${reason}\` |`), reason)
})

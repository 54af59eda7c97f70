// test/browser/whole.test.ts — several parts together: the challenge in the five window sizes, all fields that Checkout
// posts back, accessibility of rare states, scripts with a hash, a card form and a wallet with one token.
import { deepEqual, equal, ok } from 'node:assert/strict'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { violationsOn } from './support/axe.ts'
import { pressEnter } from './support/browser.ts'
import type { RunningGateway } from './support/gateway.ts'
import { type FormRequest, type OpenedForm, openForm } from './support/shop-page.ts'
import { openShopServer, type ShopServer } from './support/shop-server.ts'
import { openTown, type Town } from './support/town.ts'

let town: Town
let gateway: RunningGateway
let shop: ShopServer

beforeAll(async () => {
  town = await openTown()
  ;({ gateway, shop } = town)
})

afterAll(() => town?.close())

const APPROVED = { number: '5200000000000056', cv2: '341' }

async function withForm(requested: FormRequest, use: (form: OpenedForm) => Promise<void>): Promise<void> {
  const form = await openForm(town.browser, gateway.url, shop, requested)
  try {
    await use(form)
  } finally {
    await form.close()
  }
}

async function withPage(html: string, use: (page: Page) => Promise<void>, at = shop): Promise<void> {
  const context = await town.browser.newContext()
  try {
    const page = await context.newPage()
    page.setDefaultTimeout(10_000)
    await page.goto(at.page({ html }))
    await use(page)
  } finally {
    await context.close()
  }
}

const codeOf = (value: unknown) => (value as { statusCode: number }).statusCode
const statusOf = async (token: string) => codeOf((await gateway.v1('GET', `/v1/payments/${token}`)).body)

async function axe(page: Page, without: readonly string[] = []): Promise<void> {
  deepEqual(await violationsOn(page, { without }), [])
}

// EMV 3-D Secure, challenge window sizes 01 to 05; the last is the whole screen, here a phone's.
test.each([
  ['01', 250, 400],
  ['02', 390, 400],
  ['03', 500, 600],
  ['04', 600, 400],
  ['05', 360, 740],
])('the issuer’s page is usable in window size %s, %i by %i', async (_, width, height) => {
  const token = await gateway.token()
  await withForm({ token }, async form => {
    const { page } = form
    await form.fill({ number: '4456530000001096' })
    await form.press()
    await page
      .locator('iframe.threeDs')
      .evaluate(
        (node, size) => Object.assign((node as HTMLElement).style, { width: `${size[0]}px`, height: `${size[1]}px` }),
        [width, height],
      )
    const bank = page.frameLocator('iframe.threeDs').frameLocator('iframe')
    await bank.getByLabel('One-time code').waitFor()
    // Vertical scrolling is acceptable, horizontal is not.
    const fits = await bank.locator('html').evaluate(node => node.scrollWidth <= node.clientWidth)
    equal(fits, true)
    await bank.getByLabel('One-time code').fill('1234')
    await bank.getByRole('button', { name: 'Confirm' }).click()
    equal(codeOf((await form.settled()).value), 0)
  })
})

test('Checkout shows a price whose currency code lacks its leading zero', async () => {
  const html = `<!doctype html><html lang="en"><meta charset="utf-8"><title>Shop</title><form action="/done" method="post">
    <script src="${gateway.url}/assets/js/checkout.js" class="connect-checkout-btn" data-access-token="${await gateway.token()}"
      data-amount="2599" data-currency-code="36" data-button-text="To the till"></script></form></html>`
  await withPage(html, async page => {
    await page.getByRole('button', { name: 'To the till' }).click()
    await page.getByRole('button', { name: 'Pay A$25.99' }).waitFor()
  })
})

test('Checkout asks for all that the shop requires, and posts it back in the documented fields', async () => {
  const token = await gateway.token()
  const attributes = `data-access-token="${token}" data-amount="2599" data-currency-code="826" data-button-text="To the till"
    data-submit-button-text="Take" data-description="Harbour Coffee" data-display-address="true" data-display-email="true"
    data-display-phone-number="true"`
  const html = `<!doctype html><html lang="en"><meta charset="utf-8"><title>Shop</title><h1>Shop</h1><form action="/done" method="post">
    <script src="${gateway.url}/assets/js/checkout.js" class="connect-checkout-btn" ${attributes}></script></form></html>`
  await withPage(html, async page => {
    await pressEnter(page.getByRole('button', { name: 'To the till' }))
    await page.getByRole('dialog', { name: 'Harbour Coffee' }).waitFor()
    const typed: Readonly<Record<string, string>> = {
      connectUserEmailAddress: 'ann@shop.example',
      connectUserPhoneNumber: '01209 555 0100',
      connectBillingAddress1: '32 Edward Street',
      connectBillingAddress2: 'Flat 2',
      connectBillingCity: 'Camborne',
      connectBillingState: 'Cornwall',
      connectBillingPostcode: 'TR14 8PA',
    }
    for (const [name, value] of Object.entries(typed)) await page.locator(`dialog #${name}`).fill(value)
    await page.locator('dialog #connectBillingCountryCode').selectOption({ label: 'United Kingdom' })
    const frame = page.frameLocator('dialog iframe')
    await frame.locator('#cardName').fill('Ann Example')
    await frame.locator('#cardNumber').fill(APPROVED.number)
    await frame.locator('#expiryDate').fill('1230')
    await frame.locator('#cv2').fill(APPROVED.cv2)
    await pressEnter(page.getByRole('button', { name: 'Take £25.99' }))
    await page.getByRole('heading', { name: 'Done' }).waitFor()
    const posted = Object.fromEntries(new URLSearchParams(shop.posted.at(-1)))
    const { connectAuthCode, connectMessage, ...rest } = posted
    equal(connectMessage, `AuthCode: ${connectAuthCode}`)
    deepEqual(rest, {
      ...typed,
      ...{ connectBillingAddress3: '', connectBillingAddress4: '', connectBillingCountryCode: '826' },
      ...{ connectStatusCode: '0', connectPaymentToken: token },
    })
  })
  const { body } = await gateway.v1('GET', `/v1/payments/${token}`)
  const { userEmailAddress, billingAddress } = body as Record<string, unknown>
  equal(userEmailAddress, 'ann@shop.example')
  equal((billingAddress as Record<string, string>)['postcode'], 'TR14 8PA')
})

test('no accessibility violations (axe) in a form that cannot be used, and in one that is locked during a payment', async () => {
  await withForm({ token: 'made-up' }, async form => {
    await form.frame.getByText('cannot be used').waitFor()
    await axe(form.page)
  })
  await withForm({ token: await gateway.token() }, async form => {
    await form.page.route('**/api/payments/**', () => {})
    await form.fill(APPROVED)
    await form.press()
    await form.frame.locator('form[aria-busy=true]').waitFor()
    await axe(form.page)
  })
})

test('no accessibility violations (axe) in a form whose token was used', async () => {
  const token = await gateway.token()
  await withForm({ token }, async form => {
    equal((await gateway.v1('POST', `/v1/access-tokens/${token}/revoke`)).status, 200)
    await form.fill(APPROVED)
    await form.press()
    equal(codeOf((await form.settled()).value), 401)
    await form.frame.getByText('open too long').waitFor()
    await axe(form.page)
  })
})

test('the same order within a minute is not charged again: status 20', async () => {
  const order = { orderId: 'twice' }
  const [first, second] = [await gateway.token(order), await gateway.token(order)]
  const ends: number[] = []
  for (const token of [first, second])
    await withForm({ token }, async form => {
      await form.fill(APPROVED)
      await form.press()
      ends.push(codeOf((await form.settled()).value))
    })
  deepEqual(ends, [0, 20])
  deepEqual([await statusOf(first), await statusOf(second)], [0, 20])
})

test('a page that loads the script by its hash gets a form, and one with a wrong hash gets none', async () => {
  const list = (await (await fetch(`${gateway.url}/assets/integrity.json`)).json()) as {
    scripts: Record<string, { versioned: string; integrity: string }>
  }
  const script = list.scripts['client.js']
  ok(script !== undefined)
  const page = (integrity: string) =>
    `<!doctype html><html lang="en"><title>Shop</title><script src="${script.versioned}" integrity="${integrity}" crossorigin="anonymous"></script></html>`
  await withPage(page(script.integrity), async shopPage => {
    equal(await shopPage.evaluate('typeof Connect.ConnectE'), 'function')
  })
  await withPage(page(script.integrity.replace(/.{4}$/, 'AAA=')), async shopPage => {
    equal(await shopPage.evaluate("'Connect' in window"), false)
  })
})

test('a card form and a wallet share a page and a token: the first payment uses it up', async () => {
  const token = await gateway.token()
  await withForm({ token, body: '<div id="wallet"></div>' }, async form => {
    const { page } = form
    await page.evaluate(`new Promise(loaded => {
      const paymentDetails = { paymentToken: ${JSON.stringify(token)} }
      new Connect.Wallet({ containerId: 'wallet', paymentDetails, onIframeLoaded: loaded },
        errors => { document.body.dataset.wallet = JSON.stringify(errors) },
        outcome => { document.body.dataset.wallet = JSON.stringify(outcome) })
    })`)
    await form.fill(APPROVED)
    await pressEnter(page.frameLocator('#wallet iframe').getByRole('button'))
    await pressEnter(page.frameLocator('iframe.tollgateWallet').getByRole('button', { name: 'Pay' }))
    await page.locator('body[data-wallet*="\\"statusCode\\":0"]').waitFor()
    await form.press()
    const { kind, value } = await form.settled()
    deepEqual([kind, codeOf(value)], ['rejected', 401])
  })
  equal(await statusOf(token), 0)
})

test('a page that breaks its policy is reported, so an empty list of reports means something', async () => {
  const other = await openShopServer(gateway.url)
  try {
    const html = '<!doctype html><html lang="en"><title>Shop</title><style>h1 { color: red }</style></html>'
    await withPage(html, () => expect.poll(() => other.reports.join()).toMatch(/style-src/), other)
  } finally {
    await other.close()
  }
})

test('no policy violations except the wrong hash', () => {
  deepEqual(shop.reports, [])
})

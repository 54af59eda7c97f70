// test/browser/wallet.test.ts — the test wallet: its button, its sheet, and payments with signed and encrypted tokens.
import { deepEqual, equal, match } from 'node:assert/strict'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, test } from 'vitest'
import { violationsOn } from './support/axe.ts'
import { pressEnter } from './support/browser.ts'
import type { RunningGateway } from './support/gateway.ts'
import { type FormRequest, type OpenedForm, openForm } from './support/shop-page.ts'
import type { ShopServer } from './support/shop-server.ts'
import { openTown, type Town } from './support/town.ts'

let town: Town
let browser: Browser
let gateway: RunningGateway
let shop: ShopServer

beforeAll(async () => {
  town = await openTown()
  ;({ browser, gateway, shop } = town)
})

afterAll(() => town?.close())

interface Payment {
  readonly statusCode: number
  readonly cardNumber: string
  readonly userEmailAddress: string
}

/** Opens a page with the wallet button, and presses it. */
async function withSheet(
  requested: Partial<FormRequest>,
  use: (
    form: OpenedForm & { readonly token: string; readonly sheet: ReturnType<OpenedForm['page']['frameLocator']> },
  ) => Promise<void>,
): Promise<void> {
  const token = await gateway.token()
  const form = await openForm(browser, gateway.url, shop, { kind: 'Wallet', ...requested, token })
  try {
    await pressEnter(form.frame.getByRole('button'))
    const sheet = form.page.frameLocator('iframe.tollgateWallet')
    await sheet.getByRole('heading', { name: 'Test wallet' }).waitFor()
    await use({ ...form, token, sheet })
  } finally {
    await form.close()
  }
}

const paymentOf = async (token: string) => (await gateway.v1('GET', `/v1/payments/${token}`)).body as Payment
const codeOf = (value: unknown) => (value as { statusCode: number }).statusCode

test('a payment with the test wallet is approved, and the shop gets each callback', () =>
  withSheet({ config: { buttonConfig: { color: 'white', type: 'buy' }, emailRequired: true } }, async form => {
    match((await form.frame.getByRole('button').textContent()) ?? '', /^Buy with Google Pay Test$/)
    await pressEnter(form.sheet.getByRole('button', { name: 'Pay 25.99 GBP' }))
    equal(codeOf((await form.settled()).value), 0)
    deepEqual(
      (await form.told()).map(({ what }) => what),
      ['loaded', 'initiated'],
    )
    const payment = await paymentOf(form.token)
    equal(payment.statusCode, 0)
    equal(payment.cardNumber, '520000******0056')
    equal(payment.userEmailAddress, 'ann@shop.example')
  }))

test('the button has the language of the page', async () => {
  const config = { buttonConfig: { type: 'order' } }
  await withSheet({ lang: 'de-AT', config }, async form => {
    match((await form.frame.getByRole('button').textContent()) ?? '', /^Mit Google Pay bestellen Test$/)
  })
})

test('a card that is not bound to the device is challenged', () =>
  withSheet({}, async form => {
    await form.sheet.getByLabel(/needs 3-D Secure/).check()
    await pressEnter(form.sheet.getByRole('button', { name: 'Pay' }))
    const bank = form.page.frameLocator('iframe.threeDs').frameLocator('iframe')
    await bank.getByLabel('One-time code').fill('1234')
    await pressEnter(bank.getByRole('button', { name: 'Confirm' }))
    equal(codeOf((await form.settled()).value), 0)
  }))

test('a declined card resolves with 5', () =>
  withSheet({}, async form => {
    await form.sheet.getByLabel(/declined/).check()
    await pressEnter(form.sheet.getByRole('button', { name: 'Pay' }))
    equal(codeOf((await form.settled()).value), 5)
  }))

test('closing the sheet leaves the token unused, and restores the focus', () =>
  withSheet({}, async form => {
    // Sent to the page, not to the button, which disappears before the key is released.
    await form.sheet.getByRole('button', { name: 'Pay' }).focus()
    await form.page.keyboard.press('Escape')
    await form.page.locator('iframe.tollgateWallet').waitFor({ state: 'detached' })
    await form.page.locator('body[data-told~=cancelled]').waitFor()
    equal((await gateway.v1('GET', `/v1/payments/${form.token}`)).status, 404)
    equal(await form.page.locator('#form iframe').evaluate(node => node === document.activeElement), true)
  }))

test('no accessibility violations (axe) in the sheet, and no policy violations', async () => {
  await withSheet({ config: { billingAddressRequired: true, emailRequired: true } }, async form => {
    deepEqual(await violationsOn(form.page), [])
  })
  deepEqual(shop.reports, [])
})

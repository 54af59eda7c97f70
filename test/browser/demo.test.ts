// test/browser/demo.test.ts — the demo shop in the browser: card form, challenge, reservation, refund, saved card, webhooks,
// and the Checkout button.
import { deepEqual, equal, match, ok } from 'node:assert/strict'
import type { Browser, Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, test } from 'vitest'
import { violationsOn } from './support/axe.ts'
import { pressEnter } from './support/browser.ts'
import type { RunningGateway } from './support/gateway.ts'
import { openTown, type Town } from './support/town.ts'

let town: Town
let browser: Browser
let gateway: RunningGateway

beforeAll(async () => {
  town = await openTown()
  ;({ browser, gateway } = town)
})

afterAll(() => town?.close())

/** Visits a page and fails on each policy violation and script error. */
async function visit(path: string, use: (page: Page) => Promise<void>): Promise<void> {
  const context = await browser.newContext({ reducedMotion: 'reduce' })
  const page = await context.newPage()
  page.setDefaultTimeout(10_000)
  const wrong: string[] = []
  page.on('console', message => message.type() === 'error' && wrong.push(message.text()))
  page.on('pageerror', error => wrong.push(error.message))
  try {
    await page.goto(gateway.url + path)
    await use(page)
    deepEqual(wrong, [])
  } finally {
    await context.close()
  }
}

async function fill(page: Page, frame: string, number: string, cv2: string): Promise<void> {
  const form = page.frameLocator(frame)
  await form.locator('#cardName').fill('John Watson')
  await form.locator('#cardNumber').fill(number)
  await form.locator('#expiryDate').fill('12/30')
  await form.locator('#cv2').fill(cv2)
}

const CARD_FORM = '#card-form iframe'

/** Presses Enter on the focused button: a click would wait for a button that disappears when pressed. */
async function pressButton(page: Page, button: Locator): Promise<void> {
  await button.focus()
  await page.keyboard.press('Enter')
}

test('a payment, its webhook, a refund, and a second payment with the same card', () =>
  visit('/demo', async page => {
    const orders = page.locator('.order')
    await page.getByRole('button', { name: 'Buy Harbour blend' }).click()
    await fill(page, CARD_FORM, '5200000000000056', '341')
    await pressButton(page, page.locator('#pay-button'))
    await page.getByText('Thank you! Paid with 520000******0056.').waitFor()
    // The message appears before the list is redrawn.
    await orders.first().locator('.state.paid').waitFor()
    match((await orders.first().textContent()) ?? '', /paid.*Harbour blend, 250 g, £8\.95/)
    await page.locator('#webhook-list li').first().waitFor()
    await pressButton(page, orders.first().getByRole('button', { name: 'Buy again' }))
    // Until the shop has answered, the first order's form is still there, with a field of the same name.
    await page.frameLocator('#card-form iframe[src*="form=recurring"]').locator('#cv2').fill('341')
    await pressButton(page, page.locator('#pay-button'))
    await page.locator('.order:nth-child(2) .state.paid').waitFor()
    await page.locator('.order:nth-child(1) .state.paid').waitFor()
    await page.getByText('Thank you!').waitFor()
    await pressButton(page, orders.nth(1).getByRole('button', { name: 'Refund' }))
    await page.locator('.state.refunded').waitFor()
    await pressButton(page, orders.first().getByRole('button', { name: 'Charge again' }))
    await orders.nth(2).waitFor()
  }))

test('a reservation with a challenge, and its collection', () =>
  visit('/demo', async page => {
    await page.getByRole('button', { name: 'Reserve Brewing course' }).click()
    await fill(page, CARD_FORM, '4456530000001096', '020')
    await page.locator('#pay-button').press('Enter')
    const bank = page.frameLocator('iframe.threeDs').frameLocator('iframe')
    await bank.getByLabel('One-time code').fill('1234')
    await pressEnter(bank.getByRole('button', { name: 'Confirm' }))
    await page.getByText('Reserved on 445653******1096.').waitFor()
    await pressEnter(page.locator('.order').first().getByRole('button', { name: 'Collect' }))
    await page.locator('.order').first().locator('.state.paid').waitFor()
  }))

test('a declined card is reported as not charged', () =>
  visit('/demo', async page => {
    await page.getByRole('button', { name: 'Buy Night ferry' }).click()
    await fill(page, CARD_FORM, '4921810000009076', '875')
    await page.locator('#pay-button').press('Enter')
    await page.getByText('Card declined. Nothing was charged.').waitFor()
  }))

test('the Checkout button opens a dialogue, and posts the outcome back to the shop', () =>
  visit('/demo/checkout?good=1', async page => {
    await page.getByRole('button', { name: 'Pay Now' }).click()
    await page.getByRole('dialog', { name: 'Harbour Coffee' }).waitFor()
    const submit = page.getByRole('button', { name: 'Pay £10.50' })
    await fill(page, '.connect-card iframe', '5200000000000056', '341')
    await submit.press('Enter')
    await page.getByText('Please fill in: E-mail').waitFor()
    await page.getByLabel('E-mail').fill('4111111111111111@shop.example')
    await submit.press('Enter')
    await page.getByText('Please correct: E-mail').waitFor()
    await page.getByLabel('E-mail').fill('ann@shop.example')
    deepEqual(await violationsOn(page), [])
    const posted = page.waitForRequest(
      request => request.method() === 'POST' && request.url().includes('/demo/checkout/'),
    )
    await submit.press('Enter')
    const fields = new URLSearchParams((await posted).postData() ?? '')
    equal(fields.get('connectStatusCode'), '0')
    match(fields.get('connectAuthCode') ?? '', /./)
    match(fields.get('connectMessage') ?? '', /^AuthCode: /)
    equal(fields.get('connectUserEmailAddress'), 'ann@shop.example')
    ok((fields.get('connectPaymentToken') ?? '').length > 20)
    await page.locator('.order .state.paid').first().waitFor()
  }))

test('in the dialogue the challenge opens on top', () =>
  visit('/demo/checkout?good=0', async page => {
    await page.getByRole('button', { name: 'Pay Now' }).click()
    await fill(page, '.connect-card iframe', '4456530000001096', '020')
    await page.getByLabel('E-mail').fill('ann@shop.example')
    await page.getByRole('button', { name: 'Pay £8.95' }).click()
    const bank = page.frameLocator('iframe.threeDs').frameLocator('iframe')
    const code = bank.getByLabel('One-time code')
    await code.waitFor()
    // Below a modal dialogue it would be inert. The element at its centre shows which one is on top.
    const isOnTop = await page.locator('iframe.threeDs').evaluate(node => {
      const { left, top, width, height } = node.getBoundingClientRect()
      return document.elementFromPoint(left + width / 2, top + height / 2) === node
    })
    equal(isOnTop, true)
    await code.click()
    await page.keyboard.type('1234')
    await bank.getByRole('button', { name: 'Confirm' }).click()
    await page.waitForURL('**/demo#orders')
    await page.locator('.order .state.paid').first().waitFor()
    match((await page.locator('.order').first().textContent()) ?? '', /paid.*Harbour blend, 250 g, £8\.95/)
  }))

test('closing the dialogue posts nothing and leaves the token unused', () =>
  visit('/demo/checkout?good=0', async page => {
    const button = page.getByRole('button', { name: 'Pay Now' })
    await button.click()
    await page.locator('.connect-card iframe').waitFor()
    await page.locator('#connectClose').press('Enter')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    // It hides before it is removed.
    await page.locator('.connect-card').waitFor({ state: 'detached' })
    equal(await button.evaluate(node => node === document.activeElement), true)
    await button.press('Enter')
    await fill(page, '.connect-card iframe', '5200000000000056', '341')
    await page.getByLabel('E-mail').fill('ann@shop.example')
    await pressEnter(page.getByRole('button', { name: 'Pay £8.95' }))
    await page.waitForURL('**/demo#orders')
  }))

test.each(['light', 'dark'] as const)('no accessibility violations (axe) in the %s shop', scheme =>
  visit('/demo', async page => {
    await page.emulateMedia({ colorScheme: scheme, reducedMotion: 'reduce' })
    await page.getByRole('button', { name: 'Buy Harbour blend' }).click()
    await page.frameLocator(CARD_FORM).locator('#cv2').waitFor()
    // axe cannot see the page behind the frame.
    await page
      .frameLocator(CARD_FORM)
      .locator('body')
      .evaluate(
        (node, ground) => {
          node.style.background = ground
        },
        scheme === 'dark' ? '#211e19' : '#ffffff',
      )
    for (const summary of await page.locator('summary').all()) await summary.press('Enter')
    deepEqual(await violationsOn(page), [])
  }),
)

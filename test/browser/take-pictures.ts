// test/browser/take-pictures.ts — takes the screenshots under docs/pictures. `npm run pictures`.
import { mkdirSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { Browser, Page } from 'playwright-core'
import { openBrowser } from './support/browser.ts'
import { APPROVED, CHALLENGED, fillForm, openForm } from './support/demo-form.ts'
import { openGateway, type RunningGateway } from './support/gateway.ts'

const FOLDER = fileURLToPath(new URL('../../docs/pictures/', import.meta.url))
const SIZES = { phone: { width: 390, height: 844 }, desktop: { width: 1280, height: 900 } } as const
const PASSWORD = 'kettle lamp river'
let terminals = 0
const SCHEMES = ['light', 'dark'] as const

/** Steps to the scene of each picture. */
const SCENES: Readonly<Record<string, (page: Page, url: string) => Promise<void>>> = {
  async console(page, url) {
    await page.goto(`${url}/console`)
    // The terminal of an earlier picture is still busy.
    const tid = `3100000${terminals++}`
    const headers = { authorization: `Basic ${btoa('demo:demo-api-key')}`, 'content-type': 'application/json' }
    await fetch(`${url}/sandbox/terminals`, { method: 'POST', headers, body: JSON.stringify({ tid }) })
    await page.reload()
    await page.getByRole('combobox', { name: 'Terminal', exact: true }).selectOption(tid)
    await page.getByRole('button', { name: /^Start/ }).click()
    await page.getByRole('button', { name: 'Insert Visa debit', exact: true }).click()
    await page.getByText('ENTER PIN').waitFor()
    await page.locator('#terminal-title').evaluate(title => title.scrollIntoView())
  },
  async transactions(page, url) {
    await page.goto(`${url}/console#/transactions`)
    await page.locator('tbody tr').first().waitFor()
  },
  async transaction(page, url) {
    await page.goto(`${url}/console#/transactions`)
    await page.locator('tbody tr').filter({ hasText: 'VCMMORNING1' }).getByRole('link').click()
    await page.locator('.timeline .what').first().waitFor()
  },
  async online(page, url) {
    await page.goto(`${url}/console#/online`)
    await page.locator('tbody a').first().waitFor()
  },
  async sandbox(page, url) {
    await page.goto(`${url}/console#/sandbox/faults`)
    await page.getByRole('list', { name: 'Armed faults' }).waitFor()
  },
  async today(page, url) {
    await page.goto(`${url}/console#/today`)
    await page.getByRole('heading', { name: 'Outcomes' }).waitFor()
  },
  async requests(page, url) {
    await page.goto(`${url}/console#/requests`)
    await page.locator('.requests summary').filter({ hasText: 'POST /pac' }).first().click()
  },
  async people(page, url) {
    await page.goto(`${url}/console#/sign-in`)
    await page.getByRole('textbox', { name: 'Account', exact: true }).fill('demo-eur')
    await page.getByRole('textbox', { name: 'User', exact: true }).fill('ann')
    await page.getByLabel('Password', { exact: true }).fill(PASSWORD)
    await page.getByRole('button', { name: 'Sign in', exact: true }).click()
    await page.getByRole('link', { name: 'People', exact: true }).click()
    await page.getByRole('combobox', { name: 'Role of ben' }).waitFor()
  },
  async shop(page, url) {
    await page.goto(`${url}/demo`)
    await page.locator('.good').first().waitFor()
  },
  async form(page, url) {
    const form = await openForm(page, url)
    await fillForm(form, APPROVED)
    await form.locator('#cv2').focus()
    await page.locator('#checkout').scrollIntoViewIfNeeded()
  },
  async bank(page, url) {
    await fillForm(await openForm(page, url), CHALLENGED)
    await page.locator('#pay-button').press('Enter')
    await page.frameLocator('iframe.threeDs').frameLocator('iframe').getByLabel('One-time code').fill('12')
  },
  async checkout(page, url) {
    await page.goto(`${url}/demo/checkout?good=0`)
    await page.getByRole('button', { name: 'Pay Now' }).click()
    await page.frameLocator('.connect-card iframe').locator('#cv2').waitFor()
  },
}

/** Sales of a morning at terminals that press their own keys, a fault for the next one, and users to sign in. */
async function fill(gateway: RunningGateway): Promise<void> {
  await gateway.addUser('demo-eur', { user: 'ann', name: 'Ann Example', role: 'owner', password: PASSWORD })
  await gateway.addUser('demo-eur', { user: 'ben', name: 'Ben Example', role: 'till_staff', password: PASSWORD })
  const scenarios = ['contactless_approved', 'chip_pin_approved', 'declined', 'device_approved', 'contactless_approved']
  for (const [index, scenario] of scenarios.entries()) {
    // Each at a terminal of its own, as the others may be busy.
    const tid = `VCMMORNING${index}`
    await gateway.sandbox('POST', '/sandbox/terminals', { tid })
    await gateway.sandbox('POST', `/sandbox/terminals/${tid}/scenarios`, { next: [scenario] })
    const sale = { transactionType: 'SALE', amount: 1250 + 475 * index, currency: 'GBP' }
    await gateway.sandbox('POST', `/pac/terminals/${tid}/transactions`, sale)
  }
  await gateway.sandbox('POST', '/sandbox/faults', {
    fault: 'http_500',
    path: '/pac/terminals/VCMMORNING0/transactions',
  })
}

/** A payment in the demo shop. */
async function payOnline(browser: Browser, url: string): Promise<void> {
  const page = await browser.newPage()
  await fillForm(await openForm(page, url), APPROVED)
  await page.locator('#pay-button').press('Enter')
  await page.getByText(/^Thank you! Paid with/).waitFor()
  await page.close()
}

async function take(browser: Browser, url: string, size: keyof typeof SIZES, colorScheme: 'light' | 'dark') {
  for (const [scene, set] of Object.entries(SCENES)) {
    const context = await browser.newContext({ viewport: SIZES[size], colorScheme, reducedMotion: 'reduce' })
    const page = await context.newPage()
    await set(page, url)
    // After two frames all layout changes are painted.
    await page.evaluate(() => new Promise(resolve => requestAnimationFrame(() => requestAnimationFrame(resolve))))
    await page.screenshot({ path: `${FOLDER}${scene}-${size}-${colorScheme}.png` })
    await context.close()
  }
}

mkdirSync(FOLDER, { recursive: true })
const gateway = await openGateway()
await fill(gateway)
const browser = await openBrowser()
await payOnline(browser, gateway.url)
try {
  for (const size of Object.keys(SIZES) as (keyof typeof SIZES)[])
    for (const scheme of SCHEMES) await take(browser, gateway.url, size, scheme)
} finally {
  await browser.close()
  await gateway.close()
}

// test/browser/guide-pages.test.ts — the pages and parts of pages in the guides take payments as they are written.
import { deepEqual, equal, match, ok } from 'node:assert/strict'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, test } from 'vitest'
import { GUIDES, type Snippet, snippetsOf } from '../support/guide-snippets.ts'
import { pressEnter } from './support/browser.ts'
import { openTown, type Town } from './support/town.ts'

let town: Town

beforeAll(async () => {
  town = await openTown()
})

afterAll(() => town?.close())

const SNIPPETS = GUIDES.flatMap(snippetsOf)

/** The snippet of this guide that holds these words, with the gateway and a token of the test. */
function snippet(guide: string, words: string, token: string): string {
  const found = SNIPPETS.filter(({ at, text }) => at.startsWith(`${guide}:`) && text.includes(words))
  equal(found.length, 1, `${guide} has ${found.length} snippets with ${words}`)
  const { text } = found[0] as Snippet
  return text
    .replaceAll('http://127.0.0.1:4020', town.gateway.url)
    .replaceAll(/: TOKEN\b/g, `: '${token}'`)
    .replaceAll('TOKEN', token)
}

async function visit(html: string, use: (page: Page) => Promise<void>): Promise<void> {
  const context = await town.browser.newContext()
  try {
    const page = await context.newPage()
    page.setDefaultTimeout(20_000)
    await page.goto(town.shop.page({ html, policy: null }))
    await use(page)
  } finally {
    await context.close()
  }
}

async function fill(page: Page, frame: string): Promise<void> {
  const form = page.frameLocator(frame)
  await form.locator('#cardName').fill('Ann Example')
  await form.locator('#cardNumber').fill('5200000000000056')
  await form.locator('#expiryDate').fill('12/30')
  await form.locator('#cv2').fill('341')
}

async function statusOf(token: string): Promise<unknown> {
  return ((await town.gateway.v1('GET', `/v1/payments/${token}`)).body as { readonly statusCode: number }).statusCode
}

test('the page of the README takes a payment', async () => {
  const token = await town.gateway.token()
  await visit(snippet('README.md', '<!doctype html>', token), async page => {
    await fill(page, '#pay iframe')
    await page.locator('#go').press('Enter')
    await page.getByText('Status 0').waitFor()
  })
  equal(await statusOf(token), 0)
})

test('the page with the hosted form shows its errors, takes a payment and goes on', async () => {
  const token = await town.gateway.token()
  await visit(snippet('docs/hosted-form.md', 'id="pay"', token), async page => {
    await page.frameLocator('#pay iframe').locator('#cv2').waitFor()
    await page.locator('#go').press('Enter')
    await page.locator('#errors li').first().waitFor()
    await fill(page, '#pay iframe')
    await page.locator('#go').press('Enter')
    await page.waitForURL('**/done?order=A-1001')
  })
  equal(await statusOf(token), 0)
})

test('the styles of the guide are applied', async () => {
  const token = await town.gateway.token()
  const styles = snippet('docs/hosted-form.md', 'styles: {\n', token)
  const html = snippet('docs/hosted-form.md', 'id="pay"', token).replace(/styles: \{ base: \{\} \}/, styles)
  await visit(html, async page => {
    const number = page.frameLocator('#pay iframe').locator('#cardNumber')
    equal(await number.evaluate(node => getComputedStyle(node).fontSize), '18px')
  })
})

test('the Checkout button of the guide takes a payment and posts its form', async () => {
  const token = await town.gateway.token()
  await visit(snippet('docs/hosted-form.md', 'connect-checkout-btn', token), async page => {
    await pressEnter(page.getByRole('button').first())
    await fill(page, '.connect-card iframe')
    await page.getByLabel('E-mail').fill('ann@shop.example')
    await pressEnter(page.getByRole('button', { name: '£8.95' }))
    await page.waitForURL('**/done')
  })
  match(town.shop.posted.at(-1) ?? '', /connectStatusCode=0/)
})

test('the wallet of the guide takes a payment and goes on', async () => {
  const token = await town.gateway.token()
  const wallet = snippet('docs/hosted-form.md', 'new Connect.Wallet(', token)
  const script = `<script src="${town.gateway.url}/assets/js/client.js"></script>`
  await visit(
    `<div id="wallet"></div>${script}<script>const displayErrors = () => {}\n${wallet}</script>`,
    async page => {
      await pressEnter(page.frameLocator('#wallet iframe').getByRole('button'))
      await pressEnter(page.frameLocator('iframe.tollgateWallet').getByRole('button', { name: /^Pay/ }))
      await page.waitForURL('**/done?order=A-1001')
    },
  )
  equal(await statusOf(token), 0)
})

test('every HTML snippet is in a test above, or names another host', () => {
  const pages = SNIPPETS.filter(({ language }) => language === 'html')
  ok(pages.length > 0)
  deepEqual(
    pages.filter(({ text }) => !/https:\/\/(wallet\.)?pay\.example/.test(text)).map(({ at }) => at.split(':')[0]),
    ['README.md', 'docs/hosted-form.md', 'docs/hosted-form.md'],
  )
})

// test/browser/guides.test.ts — the search of the guides, by keyboard, and their navigation.
import { deepEqual, equal, match, ok } from 'node:assert/strict'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, test } from 'vitest'
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
async function visit(path: string, use: (page: Page) => Promise<void>, width = 1280): Promise<void> {
  const context = await browser.newContext({ viewport: { width, height: 900 } })
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

test('a search finds sections as the reader types, and the keyboard leads to one', () =>
  visit('/docs/guides', async page => {
    const results = page.getByRole('list', { name: 'Results' }).getByRole('link')
    await page.getByLabel('Search the guides').focus()
    await page.keyboard.type('webhok secret')
    await page
      .getByRole('status')
      .filter({ hasText: /result/ })
      .waitFor()
    await page.keyboard.press('ArrowDown')
    equal(await results.first().evaluate(node => node === document.activeElement), true)
    await page.keyboard.press('ArrowUp')
    await page.keyboard.press('Enter')
    await page.waitForURL(/\/docs\/guides\/[\w/-]+#/)
  }))

test('a search without a result says so, and Escape clears it', () =>
  visit('/docs/guides', async page => {
    const field = page.getByLabel('Search the guides')
    await field.fill('xylophone')
    await page.getByText('Nothing found for “xylophone”.').waitFor()
    await field.press('Escape')
    equal(await field.inputValue(), '')
    equal(await page.getByRole('status').textContent(), '')
  }))

test('a link of a result leads to its heading, and the list shows where the reader is', () =>
  visit('/docs/guides', async page => {
    await page.getByLabel('Search the guides').fill('disturb next messages')
    const result = page.getByRole('list', { name: 'Results' }).getByRole('link', { name: 'Webhook faults' })
    await result.click()
    await page.waitForURL('**/docs/guides/webhooks#webhook-faults')
    await page.getByRole('heading', { name: 'Webhook faults' }).waitFor()
    match((await page.locator('a[aria-current=page]').last().textContent()) ?? '', /Receive webhooks/)
  }))

test('the first key skips the navigation, and the list of guides is folded on a phone', () =>
  visit(
    '/docs/guides/sandbox',
    async page => {
      await page.keyboard.press('Tab')
      await page.keyboard.press('Enter')
      equal(await page.locator('main').evaluate(node => node === document.activeElement), true)
      const list = page.getByRole('navigation', { name: 'All guides' })
      ok(!(await list.isVisible()))
      await page.locator('summary').press('Enter')
      ok(await list.isVisible())
    },
    390,
  ))

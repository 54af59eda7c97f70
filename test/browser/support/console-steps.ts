// test/browser/support/console-steps.ts — what tests of the console do: open it, start a sale, present a card.
import { deepEqual } from 'node:assert/strict'
import type { BrowserContextOptions, Page } from 'playwright-core'
import { onTestFinished } from 'vitest'
import type { Town } from './town.ts'

/** Opens the console, and closes the page after the test. A fault in the page fails the test. @param place such as `#/transactions` */
export async function openConsole(
  { browser, gateway }: Town,
  place = '',
  /** `origin`: of the console. Default: the gateway's own. */
  { origin = gateway.url, ...options }: BrowserContextOptions & { readonly origin?: string } = {},
): Promise<Page> {
  const context = await browser.newContext({ reducedMotion: 'reduce', ...options })
  const page = await context.newPage()
  page.setDefaultTimeout(20_000)
  const faults: string[] = []
  page.on('pageerror', error => faults.push(error.message))
  onTestFinished(async () => {
    await context.close()
    deepEqual(faults, [])
  })
  await page.goto(`${origin}/console${place}`)
  return page
}

export const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name, exact: true })
/** What the till says of its transaction. */
export const outcome = (page: Page) => page.locator('.till .newest')

export async function sell(page: Page, tid: string, amount = '25.99'): Promise<void> {
  await page.getByRole('combobox', { name: 'Terminal', exact: true }).selectOption(tid)
  await page.getByRole('textbox', { name: /^Amount/ }).fill(amount)
  await button(page, /^Start, /).click()
}

/** Types the PIN of all test cards. */
export async function enterPin(page: Page): Promise<void> {
  await page.getByText('ENTER PIN', { exact: true }).waitFor()
  for (const digit of '1234') await button(page, digit).click()
  await button(page, 'Enter').click()
}

/** Takes the card out when the terminal asks for it: earlier would end the sale. */
export async function takeOut(page: Page): Promise<void> {
  await page.locator('.notifications li').filter({ hasText: 'REMOVE_CARD' }).waitFor()
  await button(page, 'Take the card out').click()
}

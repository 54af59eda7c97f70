// test/browser/support/console-page.ts — opens the console of a town in a page of its own.
import { deepEqual } from 'node:assert/strict'
import type { BrowserContextOptions, Page } from 'playwright-core'
import { onTestFinished } from 'vitest'
import type { Town } from './town.ts'

/** Opens the console, and closes the page after the test. A fault in the page fails the test. */
export async function openConsolePage(
  { browser, gateway }: Town,
  place = '',
  options: BrowserContextOptions = {},
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
  await page.goto(`${gateway.url}/console${place}`)
  return page
}

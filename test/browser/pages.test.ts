// test/browser/pages.test.ts — the gateway's own pages fit windows of all widths.
import { deepEqual } from 'node:assert/strict'
import type { Browser } from 'playwright-core'
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

const WIDTHS = [390, 768, 1200, 1600]
for (const path of [
  '/',
  '/docs',
  '/docs/socket',
  '/docs/socket/v0',
  '/docs/cards',
  '/docs/guides',
  '/docs/guides/states',
  '/docs/guides/pay-at-table',
  '/demo',
])
  test(`${path} fits`, async () => {
    const context = await browser.newContext({ reducedMotion: 'reduce' })
    const page = await context.newPage()
    try {
      await page.goto(gateway.url + path)
      if (path === '/docs') await page.locator('.opblock').first().waitFor()
      const tooWide: number[] = []
      for (const width of WIDTHS) {
        await page.setViewportSize({ width, height: 900 })
        if (await page.locator('html').evaluate(node => node.scrollWidth > node.clientWidth)) tooWide.push(width)
      }
      deepEqual(tooWide, [])
    } finally {
      await context.close()
    }
  })

// test/browser/pages.test.ts — the gateway's own pages fit windows of all widths, and are accessible.
import { deepEqual } from 'node:assert/strict'
import { AxeBuilder } from '@axe-core/playwright'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, test } from 'vitest'
import { openBrowser } from './support/browser.ts'
import { openGateway, type RunningGateway } from './support/gateway.ts'

let browser: Browser
let gateway: RunningGateway

beforeAll(async () => {
  gateway = await openGateway()
  browser = await openBrowser()
})

afterAll(async () => {
  await browser?.close()
  await gateway?.close()
})

const WIDTHS = [390, 768, 1200, 1600]
/** The reference is long, and axe checks each of its words. */
const AT_LEISURE = { timeout: 120_000 }

for (const path of ['/', '/docs/socket', '/docs/socket/v0', '/docs/cards', '/demo'])
  test(`${path} fits`, AT_LEISURE, async () => {
    const context = await browser.newContext({ reducedMotion: 'reduce' })
    const page = await context.newPage()
    try {
      await page.goto(gateway.url + path)
      const tooWide: number[] = []
      for (const width of WIDTHS) {
        await page.setViewportSize({ width, height: 900 })
        if (await page.locator('html').evaluate(node => node.scrollWidth > node.clientWidth)) tooWide.push(width)
      }
      deepEqual(tooWide, [])
      const { violations } = await new AxeBuilder({ page }).analyze()
      deepEqual(
        violations.map(({ id, nodes }) => `${id}: ${nodes.length} times, such as ${nodes[0]?.html}`),
        [],
      )
    } finally {
      await context.close()
    }
  })

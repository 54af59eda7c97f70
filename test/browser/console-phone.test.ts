// test/browser/console-phone.test.ts — the counter of the console on a small phone: a whole sale with the display in sight.
import { ok } from 'node:assert/strict'
import type { Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { button, enterPin, openConsole, outcome, sell, takeOut } from './support/console-steps.ts'
import { openTown, type Town } from './support/town.ts'

const PHONE = { width: 360, height: 640 }

let town: Town

beforeAll(async () => {
  town = await openTown()
})

afterAll(() => town?.close())

/** Whether all of it is in the window, and nothing covers its middle. */
async function isInSight(part: Locator): Promise<boolean> {
  return part.evaluate(node => {
    const { top, bottom, left, right } = node.getBoundingClientRect()
    const isInside = top >= 0 && left >= 0 && bottom <= innerHeight && right <= innerWidth
    return isInside && node.contains(document.elementFromPoint((left + right) / 2, (top + bottom) / 2))
  })
}

async function seesDisplay(page: Page): Promise<void> {
  ok(await isInSight(page.getByRole('status', { name: 'Display' })))
}

test('a sale on a phone shows the display at each step, and the keys that are asked for without scrolling', async () => {
  await town.gateway.sandbox('POST', '/sandbox/terminals', { tid: '31000101' })
  const page = await openConsole(town, '', { viewport: PHONE, hasTouch: true })
  await sell(page, '31000101')
  await seesDisplay(page)
  await button(page, 'Terminal').tap()
  const insert = button(page, 'Insert Visa debit')
  await expect.poll(() => insert.isEnabled()).toBe(true)
  await expect.poll(() => isInSight(insert)).toBe(true)
  await seesDisplay(page)
  await insert.tap()
  await page.getByText('ENTER PIN', { exact: true }).waitFor()
  for (const key of ['1', '0', 'Enter']) ok(await isInSight(button(page, key)), key)
  await enterPin(page)
  await seesDisplay(page)
  await takeOut(page)
  await button(page, 'Till').tap()
  await expect.poll(() => outcome(page).textContent(), { timeout: 20_000 }).toBe('Approved · £25.99')
  ok(await isInSight(outcome(page)))
  await seesDisplay(page)
})

test('the counter of a phone is not wider than the phone, and a far card can be reached', async () => {
  await town.gateway.sandbox('POST', '/sandbox/terminals', { tid: '31000102' })
  const page = await openConsole(town, '', { viewport: PHONE, hasTouch: true })
  await sell(page, '31000102')
  await button(page, 'Terminal').tap()
  const last = page.locator('.card').last()
  await last.scrollIntoViewIfNeeded()
  await last.tap()
  ok(await last.locator('input').isChecked())
  await seesDisplay(page)
  ok((await page.evaluate(() => document.documentElement.scrollWidth)) <= PHONE.width)
})

// test/browser/console-tables.test.ts — pay at table in the console: a table is opened, split, paid with a tip, and closed.
import { match, ok } from 'node:assert/strict'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { button, enterPin, openConsole } from './support/console-steps.ts'
import { openTown, type Town } from './support/town.ts'

let town: Town

beforeAll(async () => {
  town = await openTown()
})

afterAll(() => town?.close())

const display = (page: Page) => page.getByRole('status', { name: 'Display' })
const row = (page: Page, table: string) => page.getByRole('row').filter({ hasText: table })

async function openTable(page: Page, name: string, amount: string): Promise<void> {
  await page.getByText('Tables', { exact: true }).click()
  await page.getByRole('textbox', { name: 'Table', exact: true }).fill(name)
  await page.getByRole('textbox', { name: 'Bill in GBP' }).fill(amount)
  await button(page, 'Open the table').click()
  await row(page, name).waitFor()
}

test('a bill is split in three, a share is paid by card with a tip, the others in cash', {
  timeout: 90_000,
}, async () => {
  const settings = { gratuity: true, mode: 'table', split: 'ask' }
  await town.gateway.sandbox('POST', '/sandbox/terminals', { tid: '31000301', settings })
  const page = await openConsole(town, '#/counter/31000301')
  await page.getByRole('heading', { name: 'Terminal 31000301' }).waitFor()
  // A till can start nothing on a terminal for tables only.
  ok(await button(page, /^Start/).isDisabled())
  await openTable(page, 'Terrace', '30.00')
  await page.getByRole('textbox', { name: 'Waiter id' }).fill('7')
  await button(page, 'Go to the tables').click()
  await button(page, 'Terrace').click()
  await button(page, 'Print the bill').click()
  await page.getByText('The printed bill', { exact: true }).click()
  await page.getByText(/Set menu £30\.00/).waitFor()
  await expect.poll(() => row(page, 'Terrace').textContent()).toMatch(/at a terminal/)
  await page.getByRole('spinbutton', { name: 'Shares' }).fill('3')
  await button(page, 'Split the bill').click()
  await page.getByText(/in shares: £10\.00, £10\.00, £10\.00/).waitFor()
  await button(page, 'Pay £10.00 by card').click()
  await page.getByText('Type the tip on the machine, then press Enter.', { exact: true }).waitFor()
  for (const digit of '200') await button(page, digit).click()
  await button(page, 'Enter').click()
  await button(page, 'Insert Visa debit').click()
  await enterPin(page)
  await display(page).filter({ hasText: 'REMOVE CARD' }).waitFor()
  await button(page, 'Take the card out').click()
  await expect.poll(() => row(page, 'Terrace').textContent(), { timeout: 20_000 }).toMatch(/£30\.00£10\.00/)
  await button(page, 'Pay £10.00 otherwise').click()
  await expect.poll(() => row(page, 'Terrace').textContent(), { timeout: 20_000 }).toMatch(/£30\.00£20\.00/)
  await button(page, 'Pay £10.00 otherwise').click()
  await expect.poll(() => row(page, 'Terrace').textContent(), { timeout: 20_000 }).toMatch(/£30\.00£30\.00paid/)
  // A paid table is left by itself.
  await button(page, 'Go to the tables').waitFor()
  await button(page, 'Close… Terrace').click()
  match((await page.getByRole('dialog').textContent()) ?? '', /£30\.00 of £30\.00 are paid\./)
  await button(page, 'Close the table').click()
  await row(page, 'Terrace').waitFor({ state: 'detached' })
})

test('a table is closed as it was seen: what was changed meanwhile is refused', async () => {
  await town.gateway.sandbox('POST', '/sandbox/terminals', { tid: '31000302' })
  const page = await openConsole(town, '#/counter/31000302')
  await openTable(page, 'Window', '12.00')
  await button(page, 'Open the table').click()
  await page.getByRole('alert').filter({ hasText: 'A table with this name already exists.' }).waitFor()
  await button(page, 'Close… Window').click()
  match((await page.getByRole('dialog').textContent()) ?? '', /£12\.00 stay unpaid\./)
  await town.gateway.sandbox('PUT', '/pat/tables/Window/amount', {
    ...{ lastKnownAmount: 1_200, lastKnownPaidAmount: 0, newAmount: 1_300 },
  })
  await button(page, 'Close the table').click()
  await page
    .getByRole('dialog')
    .getByRole('alert')
    .filter({ hasText: /amount/ })
    .waitFor()
  ok(await page.getByRole('dialog').isVisible())
})

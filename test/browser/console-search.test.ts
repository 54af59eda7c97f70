// test/browser/console-search.test.ts — the search and the export of transactions in the console.
import { deepEqual, equal, match, ok } from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { button, openConsole } from './support/console-steps.ts'
import { openTown, type Town } from './support/town.ts'

let town: Town

beforeAll(async () => {
  town = await openTown()
  const terminals = ['VCMFINAIP0', 'VCMFINBIP0']
  for (const tid of terminals) await town.gateway.sandbox('POST', '/sandbox/terminals', { tid })
  await town.gateway.sandbox('POST', '/sandbox/seed', { count: 60, transactionType: 'SALE' })
}, 120_000)

afterAll(() => town?.close())

const rows = (page: Page) => page.locator('tbody tr')

async function exported(page: Page): Promise<readonly string[]> {
  const saving = page.waitForEvent('download')
  await button(page, 'Export as CSV').click()
  const download = await saving
  match(download.suggestedFilename(), /^tollgate-\w+-\d{4}-\d\d-\d\d\.csv$/)
  return readFileSync(await download.path(), 'utf8')
    .slice(1)
    .trimEnd()
    .split('\r\n')
}

test('more than the first page is exported, and so is what is filtered', async () => {
  const page = await openConsole(town, '#/transactions')
  await rows(page).first().waitFor()
  equal(await rows(page).count(), 25)
  const [header = '', ...all] = await exported(page)
  match(header, /^Started,Finished,Terminal,Type,Amount,Currency,Result/)
  equal(all.length, 60)
  await page.getByText('60 rows saved.', { exact: true }).waitFor()
  const amount = all[30]?.split(',')[4] ?? ''
  await page.getByRole('textbox', { name: 'Amount in GBP' }).fill(amount)
  await button(page, 'Search').click()
  await page.getByText('60 rows saved.', { exact: true }).waitFor({ state: 'detached' })
  const expected = all.filter(line => line.split(',')[4] === amount)
  await expect.poll(() => rows(page).count()).toBe(Math.min(25, expected.length))
  deepEqual((await exported(page)).slice(1), expected)
})

test('a period without payments is empty, and clearing shows all again', async () => {
  const page = await openConsole(town, '#/transactions')
  await rows(page).first().waitFor()
  await page.getByLabel('To', { exact: true }).fill('2020-01-01')
  await button(page, 'Search').click()
  await page.getByText('Nothing matches all of this.', { exact: true }).waitFor()
  await page.getByLabel('From', { exact: true }).fill('2020-01-02')
  await page.getByText('Choose a day that is not before the first.', { exact: true }).waitFor()
  await button(page, 'Clear').click()
  await expect.poll(() => rows(page).count()).toBe(25)
})

test('an online payment is found by its order id, and a transaction by its reference', async () => {
  await town.gateway.token({ orderId: '=cmd|order,1' })
  await town.gateway.token({ orderId: 'other' })
  const page = await openConsole(town, '#/transactions')
  await page.getByRole('combobox', { name: 'Where' }).selectOption('online')
  await expect.poll(() => rows(page).count()).toBe(2)
  await page.getByRole('textbox', { name: 'Order id' }).fill('=cmd|order,1')
  await button(page, 'Search').click()
  await expect.poll(() => rows(page).count()).toBe(1)
  const [, line = ''] = await exported(page)
  ok(line.includes(`,"'=cmd|order,1",`), line)
  await rows(page).getByRole('link').click()
  await page.getByRole('heading', { name: 'SALE of £25.99', exact: true }).waitFor()
  await page.getByText('Not paid yet', { exact: true }).waitFor()
  await page.getByRole('link', { name: 'Transactions', exact: true }).click()
  const newest = page.locator('tbody tr a').first()
  const requestId = decodeURIComponent((await newest.getAttribute('href'))?.split('/').at(-1) ?? '')
  await page.getByRole('textbox', { name: 'Reference' }).fill(requestId)
  await button(page, 'Search').click()
  await page.getByText(requestId, { exact: true }).waitFor()
})

test('an online payment appears in the list by itself', async () => {
  const page = await openConsole(town, '#/transactions')
  await page.getByRole('combobox', { name: 'Where' }).selectOption('online')
  await page.getByText('Live: changes appear by themselves.', { exact: true }).waitFor()
  await town.gateway.token({ amount: '7777', orderId: 'by itself' })
  await rows(page).filter({ hasText: '£77.77' }).waitFor()
})

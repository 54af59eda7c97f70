// test/browser/console-requests.test.ts — requests in the console: they appear, are copied and sent again.
import { equal, match, ok } from 'node:assert/strict'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { holdsNumber } from '../support/lone-number.ts'
import { openConsole } from './support/console-steps.ts'
import { openTown, type Town } from './support/town.ts'

let town: Town

beforeAll(async () => {
  town = await openTown()
})

afterAll(() => town?.close())

const PATH = '/pac/terminals/VCMDEMOSIP0/transactions'

/** A till that asks for something that is refused. */
async function askInvalid(): Promise<void> {
  const sale = { transactionType: 'SALE', amount: -5, currency: 'GBP' }
  await town.gateway.sandbox('POST', PATH, sale).catch(() => {})
}

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })
const row = (page: Page, text: string) => page.locator('.requests > li').filter({ hasText: text })

test('a refused request of a till appears by itself, and is sent again with its fault corrected', async () => {
  const page = await openConsole(town, '#/requests')
  await page.getByText('Live: changes appear by themselves.', { exact: true }).waitFor()
  await askInvalid()
  await page.getByRole('combobox', { name: 'Outcome' }).selectOption('true')
  const refused = row(page, `POST ${PATH}`).first()
  await refused.locator('summary').click()
  match((await refused.locator('.facts').textContent()) ?? '', /field_invalid, because of amount/)
  await button(page, 'Send again…').click()
  const dialog = page.getByRole('dialog', { name: 'Send again' })
  await dialog.getByText(/^Terminal VCMDEMOSIP0 starts SALE\. /).waitFor()
  const body = dialog.getByRole('textbox', { name: 'Body' })
  await body.fill('{ "transactionType": ')
  await dialog.getByText('This is no JSON object.', { exact: true }).waitFor()
  equal(await dialog.getByRole('button', { name: 'Send', exact: true }).isDisabled(), true)
  await body.fill('{ "transactionType": "SALE", "amount": 4321, "currency": "GBP" }')
  await dialog.getByText(/^Terminal VCMDEMOSIP0 starts SALE of £43\.21\. /).waitFor()
  await dialog.getByRole('button', { name: 'Send', exact: true }).click()
  await dialog.getByText('201', { exact: true }).waitFor()
  match((await dialog.locator('pre').last().textContent()) ?? '', /"requestId"/)
  await dialog.getByRole('button', { name: 'Close' }).click()
  await page.getByRole('combobox', { name: 'Outcome' }).selectOption('false')
  await row(page, `POST ${PATH}`).filter({ hasText: '201' }).waitFor()
  await page.getByRole('link', { name: 'Transactions', exact: true }).click()
  await page.getByRole('row').filter({ hasText: '£43.21' }).waitFor()
})

test('a request is copied as curl, also where a browser gives no clipboard', async () => {
  await askInvalid()
  const page = await openConsole(town, '#/requests', { permissions: ['clipboard-read', 'clipboard-write'] })
  const copy = async () => {
    const refused = row(page, `POST ${PATH}`).filter({ hasText: 'field_invalid' }).first()
    if (!(await button(page, 'Copy as curl').isVisible())) await refused.locator('summary').click()
    await button(page, 'Copy as curl').click()
    await page.getByText('Copied.', { exact: true }).waitFor()
    return page.evaluate(() => navigator.clipboard.readText())
  }
  const copied = await copy()
  match(copied, /^curl -u 'demo:demo-api-key' /)
  ok(copied.endsWith(`'${new URL(page.url()).origin}${PATH}'`), copied)
  await page.evaluate(() => {
    Object.defineProperty(navigator.clipboard, 'writeText', { value: () => Promise.reject(new Error('no')) })
  })
  await page.evaluate(() => document.body.append(Object.assign(document.createElement('input'), { value: 'other' })))
  await page.locator('input').last().selectText()
  await page.keyboard.press('ControlOrMeta+c')
  equal(await page.evaluate(() => navigator.clipboard.readText()), 'other')
  await page.getByText('Copied.', { exact: true }).waitFor({ state: 'detached' })
  equal(await copy(), copied)
})

test('requests of shops and payers are copied with variables, and hold no card data', async () => {
  const token = await town.gateway.token()
  await fetch(`${town.gateway.url}/api/payments/${token}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ cardName: 'A Name', cardNumber: '5200000000000056', expiryDate: '12/30', cV2: '341' }),
  })
  const page = await openConsole(town, '#/requests')
  const paid = row(page, 'POST /api/payments/').first()
  await paid.locator('summary').click()
  await paid.getByText(/needs the access token of the payer/).waitFor()
  equal(await button(page, 'Send again…').count(), 0)
  const text = (await page.locator('main').textContent()) ?? ''
  for (const secret of ['5200000000000056', token]) ok(!text.includes(secret), secret)
  ok(!holdsNumber(text, '341'), text)
})

test('a list that nothing matches says so, and a wrong status is not searched for', async () => {
  const page = await openConsole(town, '#/requests')
  await page.getByRole('textbox', { name: 'Operation' }).fill('noSuchOperation')
  await button(page, 'Search').click()
  await page.getByText('No request of the last hour matches all of this.', { exact: true }).waitFor()
  const status = page.getByRole('textbox', { name: 'Status' })
  await status.fill('teapot')
  await button(page, 'Search').click()
  await expect.poll(() => status.getAttribute('aria-invalid')).toBe('true')
})

// test/browser/console.test.ts — the console: a sale from the till to the terminal, signature, refusals, live lists.
import { deepEqual, equal, match, ok } from 'node:assert/strict'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { openTcpProxy } from '../support/tcp-proxy.ts'
import { button, enterPin, openConsole, outcome, sell, takeOut } from './support/console-steps.ts'
import { openTown, type Town } from './support/town.ts'

let town: Town

beforeAll(async () => {
  town = await openTown()
})

afterAll(() => town?.close())

/** A terminal that no other test uses. */
async function addTerminal(tid: string): Promise<void> {
  await town.gateway.sandbox('POST', '/sandbox/terminals', { tid })
}

async function present(page: Page, how: string, card: string): Promise<void> {
  await page.getByText(card, { exact: true }).first().click()
  await button(page, `${how} ${card}`).click()
}

test('the landing page leads to the console, and a sale goes from the till over the terminal to its receipts', async () => {
  await addTerminal('31000001')
  const page = await openConsole(town, '/..')
  await page.getByRole('link', { name: 'Console' }).click()
  await sell(page, '31000001')
  await present(page, 'Insert', 'Visa debit')
  await enterPin(page)
  await takeOut(page)
  await expect.poll(() => outcome(page).textContent(), { timeout: 20_000 }).toBe('Approved · £25.99')
  match((await page.getByRole('figure', { name: 'For the customer' }).textContent()) ?? '', /TOTAL +GBP 25\.99/)
  await page.getByRole('link', { name: 'What happened in this transaction' }).click()
  await page.getByText('Money was taken. Close the bill.', { exact: true }).waitFor()
  ok((await page.locator('.timeline li').count()) > 10)
})

test('a card machine takes digits from the keyboard, and a wrong PIN is asked for again', async () => {
  await addTerminal('31000002')
  const page = await openConsole(town)
  await sell(page, '31000002')
  await present(page, 'Insert', 'Visa credit')
  const machine = page.getByRole('group', { name: 'Card machine; digits can be typed' })
  const type = async (digits: string) => {
    await page.getByText('ENTER PIN', { exact: true }).waitFor()
    await machine.focus()
    await page.keyboard.type(digits)
    await page.keyboard.press('Enter')
  }
  await type('9999')
  const asked = page.locator('.notifications li').filter({ hasText: 'PIN_ENTRY' })
  await expect.poll(() => asked.count(), { timeout: 20_000 }).toBe(2)
  await type('1234')
  await takeOut(page)
  await expect.poll(() => outcome(page).textContent(), { timeout: 20_000 }).toMatch(/^Approved/)
})

test('a signature that matches completes the sale', async () => {
  await addTerminal('31000003')
  const page = await openConsole(town)
  await sell(page, '31000003', '30.00')
  await present(page, 'Insert', 'Visa debit, signature instead of a PIN')
  await button(page, 'It matches').click()
  await takeOut(page)
  await expect.poll(() => outcome(page).textContent(), { timeout: 20_000 }).toMatch(/^Approved/)
})

test('a signature that does not match reverses the sale', async () => {
  await addTerminal('31000004')
  const page = await openConsole(town)
  await sell(page, '31000004', '30.00')
  await present(page, 'Insert', 'Visa debit, signature instead of a PIN')
  await button(page, 'It does not match').click()
  await expect.poll(() => outcome(page).textContent(), { timeout: 20_000 }).toMatch(/^Reversed/)
})

test('a cancel from the till ends the sale, and the till can start another', async () => {
  await addTerminal('31000005')
  const page = await openConsole(town)
  await sell(page, '31000005')
  await page.getByText('PRESENT CARD', { exact: true }).waitFor()
  await button(page, 'Cancel from the till').click()
  await expect.poll(() => outcome(page).textContent(), { timeout: 20_000 }).toMatch(/^Cancelled/)
  await sell(page, '31000005', '1.50')
  await page.getByText('GBP 1.50', { exact: true }).waitFor()
})

test('what is refused is said in words, and changes nothing', async () => {
  await addTerminal('31000006')
  const page = await openConsole(town)
  await page.getByRole('combobox', { name: 'Terminal', exact: true }).selectOption('31000006')
  const amount = page.getByRole('textbox', { name: /^Amount/ })
  for (const wrong of ['', 'ten', '1.999', '-1', '0']) {
    await amount.fill(wrong)
    await page.getByText('Type an amount, such as 25.99.', { exact: true }).waitFor()
    equal(await button(page, /^Start/).isDisabled(), true)
  }
  await button(page, 'Unplug it').click()
  await page.getByText('UNPLUGGED', { exact: true }).waitFor()
  await amount.fill('2.50')
  await button(page, /^Start, /).click()
  await page.getByRole('alert').filter({ hasText: '31000006 is unavailable' }).waitFor()
  equal(await page.locator('.notifications').count(), 0)
})

test('a request can be copied as a command that starts the same sale', async () => {
  await addTerminal('31000007')
  const context = await town.browser.newContext({ permissions: ['clipboard-read', 'clipboard-write'] })
  onTestFinished(() => context.close())
  const page = await context.newPage()
  await page.goto(`${town.gateway.url}/console`)
  await sell(page, '31000007', '7.00')
  const started = page.locator('.exchange').filter({ hasText: 'POST' })
  await started.locator('summary').click()
  await started.getByRole('button', { name: 'Copy as curl' }).click()
  await page.getByText('Copied.', { exact: true }).waitFor()
  const copied = await page.evaluate(() => navigator.clipboard.readText())
  match(copied, /^curl -u 'demo:demo-api-key' /)
  ok(copied.includes(`-d '{"transactionType":"SALE","currency":"GBP","amount":700}'`), copied)
  ok(copied.endsWith(`'${new URL(page.url()).origin}/pac/terminals/31000007/transactions'`), copied)
})

test('a list in another window shows a sale as it goes on, also after its connection was lost', async () => {
  await addTerminal('31000008')
  const proxy = await openTcpProxy(Number(new URL(town.gateway.listening).port))
  onTestFinished(() => proxy.close())
  const till = await openConsole(town)
  const list = await openConsole(town, '#/transactions', { origin: `http://127.0.0.1:${proxy.port}` })
  const live = list.getByText('Live: changes appear by themselves.', { exact: true })
  await live.waitFor()
  const row = (amount: string) => list.getByRole('row').filter({ hasText: amount })
  await sell(till, '31000008', '41.11')
  await row('£41.11').waitFor()
  await proxy.refuse()
  await list.getByText(/^Connecting;/).waitFor()
  await button(till, 'Cancel from the till').click()
  await expect.poll(() => outcome(till).textContent(), { timeout: 20_000 }).toMatch(/^Cancelled/)
  await sell(till, '31000008', '42.22')
  await proxy.listen()
  await live.waitFor()
  await row('£42.22').waitFor()
  match((await row('£41.11').textContent()) ?? '', /CANCELLED/)
})

test('a list is narrowed by terminal, result and card, and says when nothing matches', async () => {
  await addTerminal('31000009')
  const page = await openConsole(town)
  await sell(page, '31000009', '9.99')
  await button(page, 'Cancel from the till').click()
  await expect.poll(() => outcome(page).textContent(), { timeout: 20_000 }).toMatch(/^Cancelled/)
  await page.getByRole('link', { name: 'Transactions', exact: true }).click()
  await page.getByRole('textbox', { name: 'Terminal' }).fill('31000009')
  await button(page, 'Search').click()
  await expect.poll(() => page.locator('tbody tr').count()).toBe(1)
  await page.getByRole('combobox', { name: 'Result' }).selectOption('SUCCESSFUL')
  await page.getByText('Nothing matches all of this.', { exact: true }).waitFor()
})

test('the page is of this origin alone, and no other one may show it', async () => {
  const { headers } = await fetch(`${town.gateway.url}/console`)
  const policy = headers.get('content-security-policy') ?? ''
  for (const rule of ["default-src 'none'", "script-src 'self'", "connect-src 'self'", "frame-ancestors 'none'"])
    ok(policy.includes(rule), policy)
  deepEqual([headers.get('x-frame-options'), headers.get('set-cookie')], ['DENY', null])
})

// test/browser/console-online.test.ts — online payments in the console: seen live, in full, with webhooks and test cards.
import { equal, match, ok } from 'node:assert/strict'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { pressEnter } from './support/browser.ts'
import { openConsole } from './support/console-steps.ts'
import { openTown, type Town } from './support/town.ts'

let town: Town

beforeAll(async () => {
  town = await openTown()
})

afterAll(() => town?.close())

const row = (page: Page, text: string) => page.getByRole('row').filter({ hasText: text })

/** Chooses something in the demo shop and pays with a card. */
async function buy(page: Page, button: string, { number, cv2 }: { number: string; cv2: string }): Promise<void> {
  await page.goto(`${town.gateway.url}/demo`)
  await page.getByRole('button', { name: button }).click()
  const form = page.frameLocator('#card-form iframe')
  await form.locator('#cardName').fill('John Watson')
  await form.locator('#cardNumber').fill(number)
  await form.locator('#expiryDate').fill('12/30')
  await form.locator('#cv2').fill(cv2)
  await page.locator('#pay-button').focus()
  await page.keyboard.press('Enter')
}

const APPROVED = { number: '5200000000000056', cv2: '341' }
const DECLINED = { number: '4921810000009076', cv2: '875' }

test('an online payment is seen live, from its token to its outcome', async () => {
  const list = await openConsole(town, '#/online')
  await list.getByText(/^No payment yet\./).waitFor()
  await list.getByText('Live: changes appear by themselves.', { exact: true }).waitFor()
  const shop = await openConsole(town)
  await buy(shop, 'Buy Harbour blend', APPROVED)
  await row(list, '£8.95').filter({ hasText: 'Approved' }).waitFor()
  match((await row(list, '£8.95').textContent()) ?? '', /Approved.*MASTERCARD •••• 0056.*Money was taken\./)
  await row(list, '£8.95').getByRole('link').click()
  await list
    .getByText('Money was taken. A SALE or COLLECTION took the money: the order is paid.', { exact: true })
    .waitFor()
  await list.locator('.timeline .what').filter({ hasText: 'authorisation_approved' }).waitFor()
  ok(/Cross reference\s*\d+/.test((await list.locator('.facts').first().textContent()) ?? ''))
  await list.locator('.webhooks').getByText('Delivered', { exact: true }).waitFor()
  await pressEnter(shop.locator('.order').first().getByRole('button', { name: 'Refund' }))
  await list.getByRole('link', { name: 'REFUND of £8.95' }).waitFor()
})

test('payments are narrowed by outcome and card, and a declined one says that no money moved', async () => {
  const page = await openConsole(town)
  await buy(page, 'Buy Night ferry', DECLINED)
  await page.getByText('Card declined. Nothing was charged.').waitFor()
  await page.goto(`${town.gateway.url}/console#/online`)
  await page.getByRole('combobox', { name: 'Outcome' }).selectOption('Declined')
  await expect.poll(() => page.locator('tbody tr').count()).toBe(1)
  match((await row(page, '£10.50').textContent()) ?? '', /Declined.*9076.*No money moved\./)
  await page.getByRole('textbox', { name: 'Last four digits' }).fill('0056')
  await page.getByRole('button', { name: 'Search' }).click()
  await page.getByText('Nothing matches all of this.', { exact: true }).waitFor()
})

test('a webhook that was given up is shown with its tries, and sent again', async () => {
  const received: string[] = []
  let answer = 500
  const server = createServer((request, response) => {
    received.push(String(request.headers['webhook-id']))
    response.writeHead(answer).end()
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(async () => {
    await town.gateway.sandbox('POST', '/sandbox/clock', { do: 'reset' }).catch(() => {})
    await new Promise(resolve => server.close(resolve))
  })
  const webHookUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`
  const token = await town.gateway.token({ webHookUrl, orderId: 'HOOKED' })
  await fetch(`${town.gateway.url}/api/payments/${token}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      cardName: 'John Watson',
      cardNumber: APPROVED.number,
      expiryDate: '12/30',
      cV2: APPROVED.cv2,
    }),
  })
  const page = await openConsole(town, '#/online/webhooks')
  const hook = page.locator('.webhooks > li').filter({ hasText: 'HOOKED' })
  await hook.getByText('Waiting for the next try', { exact: true }).waitFor()
  await hook.locator('summary').click()
  const again = hook.getByRole('button', { name: 'Send again' })
  equal(await again.isDisabled(), true)
  match((await hook.locator('tbody').textContent()) ?? '', /500/)
  await town.gateway.sandbox('POST', '/sandbox/clock', { do: 'advance', ms: 3 * 3_600_000 })
  await hook.getByText('Given up', { exact: true }).waitFor()
  answer = 200
  await again.click()
  await hook.getByText('Delivered', { exact: true }).waitFor()
  equal(new Set(received).size, 1)
})

test('a test card is copied by one click', async () => {
  const page = await openConsole(town, '#/online/cards', { permissions: ['clipboard-read', 'clipboard-write'] })
  await page.getByRole('button', { name: 'Copy 5200 0000 0000 0056' }).click()
  await page.getByText('Copied.', { exact: true }).waitFor()
  equal(await page.evaluate(() => navigator.clipboard.readText()), APPROVED.number)
})

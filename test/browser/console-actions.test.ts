// test/browser/console-actions.test.ts — actions on a transaction in the console: refund, completion, cancel, refusals.
import { equal, match, ok } from 'node:assert/strict'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { pressEnter } from './support/browser.ts'
import { button, openConsole } from './support/console-steps.ts'
import { openTown, type Town } from './support/town.ts'

let town: Town

beforeAll(async () => {
  town = await openTown()
})

afterAll(() => town?.close())

interface Listed {
  readonly requestId: string
  readonly transactionType: string
  readonly amountMinor: number
}

/** Starts a transaction as a till does. Scripted terminals do the rest. Returns its id. */
async function start(tid: string, transactionType: string, amount: number): Promise<string> {
  const path = `/pac/terminals/${tid}/transactions`
  const started = await town.gateway.sandbox('POST', path, { transactionType, amount, currency: 'GBP' })
  return (started as Listed).requestId
}

const onTerminal = async (tid: string): Promise<readonly Listed[]> =>
  ((await town.gateway.sandbox('GET', `/api/transactions?terminal=${tid}`)) as { transactions: Listed[] }).transactions

const result = (page: Page) => page.locator('main .newest')
const dialog = (page: Page) => page.getByRole('dialog')
const left = (page: Page) => dialog(page).locator('.sums dd').last()

async function finished(page: Page, how: string): Promise<void> {
  await expect.poll(() => result(page).textContent(), { timeout: 20_000 }).toBe(how)
}

test('a refund by click gives part of a sale back, and the rest is offered next', async () => {
  await town.gateway.sandbox('POST', '/sandbox/terminals', { tid: 'VCMACTASIP0' })
  const sale = await start('VCMACTASIP0', 'SALE', 2_599)
  const page = await openConsole(town, `#/transactions/${sale}`)
  await finished(page, 'SUCCESSFUL')
  await button(page, 'Refund…').click()
  await expect.poll(() => left(page).textContent()).toBe('£25.99')
  await dialog(page).getByRole('textbox', { name: 'Amount in GBP' }).fill('5')
  match((await dialog(page).textContent()) ?? '', /A refund of £5\.00 starts on terminal VCMACTASIP0/)
  await button(page, 'Refund £5.00').click()
  await page.getByRole('heading', { name: 'REFUND of £5.00' }).waitFor()
  await finished(page, 'SUCCESSFUL')
  await page.getByText('Money was given back. Record the refund.', { exact: true }).waitFor()
  await page.goBack()
  await button(page, 'Refund…').click()
  await expect.poll(() => left(page).textContent()).toBe('£20.99')
  equal(await dialog(page).getByRole('textbox').inputValue(), '20.99')
  await dialog(page).getByRole('textbox').fill('21')
  equal(await button(page, 'Refund £21.00').isDisabled(), true)
  await dialog(page).getByRole('textbox').fill('26')
  await dialog(page).getByText('Type an amount, at most the £25.99 that were taken.', { exact: true }).waitFor()
  equal((await onTerminal('VCMACTASIP0')).length, 2)
})

test('a refund that is refused says why, changes nothing, and can be tried again', async () => {
  await town.gateway.sandbox('POST', '/sandbox/terminals', { tid: 'VCMACTBSIP0' })
  const sale = await start('VCMACTBSIP0', 'SALE', 1_000)
  const page = await openConsole(town, `#/transactions/${sale}`)
  await finished(page, 'SUCCESSFUL')
  const keys = '/sandbox/terminals/VCMACTBSIP0/keys'
  await town.gateway.sandbox('POST', keys, { key: 'unplug' })
  await button(page, 'Refund…').click()
  await button(page, 'Refund £10.00').click()
  await dialog(page).getByRole('alert').filter({ hasText: 'VCMACTBSIP0 is unavailable' }).waitFor()
  equal((await onTerminal('VCMACTBSIP0')).length, 1)
  await town.gateway.sandbox('POST', keys, { key: 'plug_in' })
  await button(page, 'Refund £10.00').click()
  await page.getByRole('heading', { name: 'REFUND of £10.00' }).waitFor()
})

test('a refund whose answer is lost is pressed again, and starts once', async () => {
  await town.gateway.sandbox('POST', '/sandbox/terminals', { tid: 'VCMACTCSIP0' })
  const sale = await start('VCMACTCSIP0', 'SALE', 700)
  const page = await openConsole(town, `#/transactions/${sale}`)
  await finished(page, 'SUCCESSFUL')
  let isLost = false
  await page.route('**/pac/terminals/VCMACTCSIP0/transactions', async route => {
    const answer = await route.fetch()
    if (isLost) return route.fulfill({ response: answer })
    isLost = true
    return route.abort()
  })
  await button(page, 'Refund…').click()
  await button(page, 'Refund £7.00').click()
  await dialog(page).getByRole('alert').filter({ hasText: 'The gateway does not answer.' }).waitFor()
  await button(page, 'Refund £7.00').click()
  await page.getByRole('heading', { name: 'REFUND of £7.00' }).waitFor()
  equal((await onTerminal('VCMACTCSIP0')).filter(each => each.transactionType === 'REFUND').length, 1)
})

test('a pre-authorisation is completed in part, and what is left is known by its code', async () => {
  await town.gateway.sandbox('POST', '/sandbox/terminals', { tid: 'VCMACTDSIP0' })
  const held = await start('VCMACTDSIP0', 'PRE_AUTH', 10_000)
  const page = await openConsole(town, `#/transactions/${held}`)
  await finished(page, 'SUCCESSFUL')
  await button(page, 'Complete…').click()
  await expect.poll(() => left(page).textContent()).toBe('£100.00')
  await dialog(page).getByRole('textbox').fill('81.50')
  await button(page, 'Take £81.50').click()
  await page.getByRole('heading', { name: 'COMPLETION of £81.50' }).waitFor()
  await finished(page, 'SUCCESSFUL')
  await page.goBack()
  await button(page, 'Complete…').click()
  await expect.poll(() => left(page).textContent()).toBe('£18.50')
})

test('a running sale is cancelled from its page, with the keyboard alone', async () => {
  await town.gateway.sandbox('POST', '/sandbox/terminals', { tid: '31000201' })
  const sale = await start('31000201', 'SALE', 900)
  const page = await openConsole(town, `#/transactions/${sale}`)
  await button(page, 'Cancel it…').waitFor()
  equal(await page.getByRole('figure').count(), 0, 'a receipt before the end')
  await pressEnter(button(page, 'Cancel it…'))
  const hasFocus = () => button(page, 'Request the cancel').evaluate(node => node === document.activeElement)
  await expect.poll(hasFocus).toBe(true)
  await page.keyboard.press('Escape')
  await expect.poll(() => dialog(page).count()).toBe(0)
  await pressEnter(button(page, 'Cancel it…'))
  await expect.poll(hasFocus).toBe(true)
  await page.keyboard.press('Enter')
  await finished(page, 'CANCELLED')
  ok((await button(page, 'Cancel it…').count()) === 0)
})

test('the counter opens with the terminal of a transaction', async () => {
  await town.gateway.sandbox('POST', '/sandbox/terminals', { tid: '31000202' })
  const sale = await start('31000202', 'SALE', 900)
  const page = await openConsole(town, `#/transactions/${sale}`)
  await page.getByRole('link', { name: '31000202', exact: true }).click()
  await page.getByRole('heading', { name: 'Terminal 31000202' }).waitFor()
})

/** Pays online as a payer's browser does. Returns the payment as the list has it. */
async function payOnline(requested: Readonly<Record<string, unknown>>): Promise<{ readonly id: string }> {
  const orderId = `C-${requested['amount']}`
  const token = await town.gateway.token({ ...requested, orderId })
  const card = { cardName: 'John Watson', cardNumber: '5200000000000056', expiryDate: '12 / 30', cV2: '341' }
  await fetch(`${town.gateway.url}/api/payments/${token}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(card),
  })
  const listed = await town.gateway.sandbox('GET', `/api/payments?orderId=${orderId}`)
  const [payment] = (listed as { readonly payments: readonly { readonly id: string }[] }).payments
  ok(payment)
  return payment
}

test('a payment without an answer of the acquirer is closed by somebody who has asked it', {
  timeout: 60_000,
}, async () => {
  // The acquirer of the sandbox never answers an order of this amount.
  const { id } = await payOnline({ amount: '9000091' })
  const page = await openConsole(town, `#/transactions/${id}`)
  await page.getByRole('heading', { name: 'SALE of £90,000.91', exact: true }).waitFor()
  await button(page, 'Close it…').click()
  equal(await button(page, 'Close it').isDisabled(), true)
  await dialog(page).getByRole('radio', { name: 'It was executed' }).check()
  match((await dialog(page).textContent()) ?? '', /The SALE of £90,000\.91 ends as successful/)
  await dialog(page).getByRole('textbox', { name: 'Authorisation code, if known' }).fill('AB12C3')
  await dialog(page).getByRole('textbox', { name: 'Your name' }).fill('Ann Example')
  await dialog(page).getByRole('textbox', { name: 'How you know' }).fill('5200 0000 0000 0056')
  await button(page, 'Close it').click()
  await dialog(page)
    .getByRole('alert')
    .filter({ hasText: /card number/ })
    .waitFor()
  await dialog(page).getByRole('textbox', { name: 'How you know' }).fill('Seen in the portal, case 4711.')
  await button(page, 'Close it').click()
  await expect.poll(() => result(page).textContent(), { timeout: 20_000 }).toMatch(/^Approved/)
  await page.getByText('Ann Example: Seen in the portal, case 4711.', { exact: true }).waitFor()
  equal(await button(page, 'Close it…').count(), 0)
})

test('an online payment says what is left of it after a refund', async () => {
  const { id } = await payOnline({ amount: '3000' })
  const page = await openConsole(town, `#/transactions/${id}`)
  await expect.poll(() => result(page).textContent(), { timeout: 20_000 }).toMatch(/^Approved/)
  const paid = (await town.gateway.sandbox('GET', `/api/payments/${id}`)) as { readonly crossReference: string }
  const token = await town.gateway.token({ amount: '500', transactionType: 'REFUND' })
  const refund = await town.gateway.v1('POST', `/v1/cross-reference-payments/${token}`, {
    crossReference: paid.crossReference,
  })
  equal(refund.status, 200)
  await page.reload()
  await expect.poll(() => page.locator('.sums').last().locator('dd').last().textContent()).toBe('£25.00')
})

test('an online payment is refunded in part by click, and the refund is shown', async () => {
  const { id } = await payOnline({ amount: '3100' })
  const page = await openConsole(town, `#/online/${id}`)
  await button(page, 'Refund…').click()
  const amount = dialog(page).getByRole('textbox', { name: 'Amount in GBP' })
  equal(await amount.inputValue(), '31.00')
  await amount.fill('31.01')
  await dialog(page).getByText('Type an amount, at most the £31.00 that are left.', { exact: true }).waitFor()
  await amount.fill('5')
  match((await dialog(page).textContent()) ?? '', /£5\.00 go back to the card that paid\./)
  await dialog(page).getByRole('button', { name: 'Refund £5.00', exact: true }).click()
  await page.getByRole('heading', { name: 'REFUND of £5.00' }).waitFor()
  await page.getByText(/^Money was given back\./).waitFor()
  await page.goBack()
  await expect.poll(() => page.locator('.sums').last().locator('dd').last().textContent()).toBe('£26.00')
  // A void is for a payment as a whole.
  equal(await button(page, 'Void…').count(), 0)
})

test('a pre-authorisation is collected in part, another one voided', async () => {
  for (const [action, confirm, heading] of [
    ['Collect…', 'Collect £20.00', 'COLLECTION of £20.00'],
    ['Void…', 'Void £33.00', 'VOID of £33.00'],
  ] as const) {
    const amountMinor = action === 'Void…' ? '3300' : '3200'
    const { id } = await payOnline({ amount: amountMinor, transactionType: 'PREAUTH' })
    const page = await openConsole(town, `#/online/${id}`)
    await button(page, action).click()
    const amount = dialog(page).getByRole('textbox', { name: 'Amount in GBP' })
    if (action === 'Collect…') await amount.fill('20.00')
    else equal(await amount.count(), 0)
    await dialog(page).getByRole('button', { name: confirm, exact: true }).click()
    await page.getByRole('heading', { name: heading }).waitFor()
    await expect.poll(() => result(page).textContent()).toMatch(/^Approved/)
    await page.goBack()
    await expect.poll(() => page.locator('.sums').last().locator('dd').last().textContent()).toBe('£0.00')
    equal(await button(page, action).count(), 0)
  }
})

test('an id that nothing has is said to be unknown', async () => {
  const page = await openConsole(town, '#/transactions/nothing')
  await page.getByRole('alert').filter({ hasText: 'Neither a transaction nor an online payment' }).waitFor()
})

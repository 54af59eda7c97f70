// test/browser/console-sandbox.test.ts — the sandbox in the console: faults and their verdicts, clock, scenarios, snapshots.
import { deepEqual, equal, match } from 'node:assert/strict'
import type { Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { openConsole } from './support/console-steps.ts'
import { APPROVED, fillForm, openForm } from './support/demo-form.ts'
import { openTown, type Town } from './support/town.ts'

let town: Town

beforeAll(async () => {
  town = await openTown()
})

afterEach(async () => {
  await town.gateway.sandbox('POST', '/sandbox/reset')
})

afterAll(() => town?.close())

const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name, exact: true })
const tab = (page: Page, name: string) => page.getByRole('link', { name, exact: true }).click()

/** Starts a sale at the counter, on a terminal that presses its own keys. */
async function sell(page: Page, amount: string): Promise<void> {
  await tab(page, 'Counter')
  await page.getByRole('combobox', { name: 'Terminal', exact: true }).selectOption('VCMDEMOSIP0')
  await page.getByRole('textbox', { name: /^Amount/ }).fill(amount)
  await button(page, /^Start, /).click()
}

async function arm(page: Page, fault: string): Promise<void> {
  await page.getByRole('combobox', { name: 'What goes wrong' }).selectOption(fault)
  await button(page, 'Arm').click()
  await page.getByRole('list', { name: 'Armed faults' }).getByText(fault, { exact: true }).waitFor()
}

const outcome = (page: Page) => page.locator('.till .newest')

test('a terminal is added, set up, reset and removed', async () => {
  const page = await openConsole(town, '#/sandbox/terminals')
  const row = page.getByRole('listitem').filter({ hasText: '31000401' })
  const field = page.getByRole('textbox', { name: 'Id of a new terminal' })
  await field.fill('31-4')
  await button(page, 'Add the terminal').click()
  await page.getByRole('form', { name: 'Add a terminal' }).getByRole('alert').filter({ hasText: 'tid' }).waitFor()
  await field.fill('31000401')
  await button(page, 'Add the terminal').click()
  await row.filter({ hasText: 'free' }).waitFor()
  equal(await field.inputValue(), '')

  await button(page, 'Settings… 31000401').click()
  const dialog = page.getByRole('dialog', { name: 'Settings of 31000401' })
  await dialog.getByRole('checkbox', { name: 'Asks for a tip' }).check()
  await dialog.getByRole('combobox', { name: 'Used' }).selectOption('at tables')
  await dialog.getByRole('textbox', { name: 'Milliseconds per step' }).fill('soon')
  await button(page, 'Save').click()
  await dialog.getByRole('alert').filter({ hasText: 'paceMs' }).waitFor()
  await dialog.getByRole('textbox', { name: 'Milliseconds per step' }).fill('250')
  await button(page, 'Save').click()
  await row.filter({ hasText: 'used at tables, asks for tips, 250 ms per step' }).waitFor()
  const { settings } = (await town.gateway.sandbox('GET', '/sandbox/terminals/31000401')) as {
    readonly settings: Readonly<Record<string, unknown>>
  }
  deepEqual(
    [settings['gratuity'], settings['mode'], settings['paceMs'], settings['printing']],
    [true, 'table', 250, true],
  )

  await town.gateway.sandbox('POST', '/sandbox/terminals/31000401/keys', { key: 'unplug' })
  await page.reload()
  await row.filter({ hasText: 'unplugged' }).waitFor()
  await button(page, 'Reset… 31000401').click()
  await button(page, 'Reset it').click()
  await row.filter({ hasText: 'free' }).waitFor()
  await button(page, 'Remove… 31000401').click()
  await button(page, 'Remove it').click()
  await row.waitFor({ state: 'detached' })
})

test('a fault is armed, and the sale that it hits has its verdict in words', async () => {
  const page = await openConsole(town, '#/sandbox/faults')
  await arm(page, 'approval_unknown')
  await sell(page, '61.00')
  await tab(page, 'Transactions')
  await page.getByRole('row').filter({ hasText: '£61.00' }).getByRole('link').click()
  await page.getByText(/^It is not known yet whether money was taken\./).waitFor()
  await tab(page, 'Sandbox')
  await button(page, 'Advance by 1 day').click()
  await page.getByText(/^Done: \d+ timers? fired\.$/).waitFor()
  await tab(page, 'Transactions')
  const row = page.getByRole('row').filter({ hasText: '£61.00' })
  await row.filter({ hasText: 'TIMED_OUT' }).getByRole('link').click()
  // The acquirer had approved, and the gateway has reversed it.
  await page.getByText('No money was taken. Try again if you like.', { exact: true }).waitFor()
  await page
    .locator('.timeline .what')
    .filter({ hasText: /^reversed$/ })
    .waitFor()
})

test('a lost answer starts one sale, although the browser sends the request again', async () => {
  const page = await openConsole(town, '#/sandbox/faults')
  await arm(page, 'answer_lost')
  await sell(page, '62.00')
  // On a new connection a browser gives up instead, and somebody presses again.
  const again = page.getByRole('alert').filter({ hasText: 'The gateway does not answer.' })
  await outcome(page).or(again).first().waitFor()
  if (await again.isVisible()) await button(page, /^Start, /).click()
  await expect.poll(() => outcome(page).textContent(), { timeout: 20_000 }).toBe('Approved · £62.00')
  await tab(page, 'Transactions')
  await page.getByRole('row').filter({ hasText: '£62.00' }).waitFor()
  equal(await page.locator('tbody tr').count(), 1)
  await tab(page, 'Sandbox')
  await tab(page, 'Faults')
  await page.getByText(/^No fault is armed\./).waitFor()
})

test('faults are disarmed after a confirmation, and one that can hit nothing is refused in words', async () => {
  const page = await openConsole(town, '#/sandbox/faults')
  await arm(page, 'http_500')
  await page.getByRole('combobox', { name: 'Which requests' }).selectOption('Another path…')
  await page.getByRole('textbox', { name: 'Path' }).fill('/no/such/path')
  await button(page, 'Arm').click()
  await page.getByRole('alert').filter({ hasText: '/no/such/path' }).waitFor()
  await button(page, 'Disarm all…').click()
  const dialog = page.getByRole('dialog', { name: 'Disarm all faults?' })
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  await dialog.waitFor({ state: 'detached' })
  equal(await page.getByRole('list', { name: 'Armed faults' }).count(), 1)
  await button(page, 'Disarm all…').click()
  await dialog.getByRole('button', { name: 'Disarm all' }).click()
  await page.getByText('No fault is armed.', { exact: true }).waitFor()
  await page.getByRole('list', { name: 'Armed faults' }).waitFor({ state: 'detached' })
})

test('a fault of the next webhook is armed, shown on its delivery, and used up', async () => {
  const page = await openConsole(town, '#/sandbox/faults')
  await page.getByRole('combobox', { name: 'What happens to the next webhook' }).selectOption('late')
  await button(page, 'Arm for the next webhook').click()
  await page.getByText('The next webhooks: late.', { exact: true }).waitFor()
  const token = await town.gateway.token({ webHookUrl: 'http://127.0.0.1:9/hook' })
  await fetch(`${town.gateway.url}/api/payments/${token}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ cardName: 'A Name', cardNumber: '5200000000000056', expiryDate: '12/30', cV2: '341' }),
  })
  await page.getByText('None is armed.', { exact: true }).waitFor()
  await page.goto(`${town.gateway.url}/console#/online/webhooks`)
  await page.locator('.webhooks summary').first().click()
  match((await page.locator('.webhooks .facts').first().textContent()) ?? '', /Faultlate/)
})

test('the clock stops, moves, and goes back to the system clock', async () => {
  const page = await openConsole(town, '#/sandbox')
  await page.getByText(/It shows the time of the system clock\./).waitFor()
  await button(page, 'Stop it').click()
  await page.getByText(/^It stands still/).waitFor()
  await page.getByLabel('Set to, in UTC').fill('2031-05-06T07:08:09')
  await button(page, 'Set').click()
  await expect.poll(() => page.locator('.now').textContent()).toBe('2031-05-06 07:08:09 UTC')
  await button(page, 'Advance by 10 seconds').click()
  await expect.poll(() => page.locator('.now').textContent()).toBe('2031-05-06 07:08:19 UTC')
  await button(page, 'Let it run').click()
  await button(page, 'Stop it').waitFor()
  await button(page, 'Back to the system clock').click()
  await page.getByText('It runs. It shows the time of the system clock.', { exact: true }).waitFor()
})

test('a scenario is found, and the next sale on the terminal plays it', async () => {
  const page = await openConsole(town, '#/sandbox/scenarios')
  await page.getByRole('combobox', { name: 'Terminal', exact: true }).selectOption('VCMDEMOSIP0')
  await page.getByRole('searchbox', { name: 'Find a scenario' }).fill('insufficient')
  await button(page, 'Play next insufficient_funds').click()
  await page.getByText('Plays insufficient_funds, afterwards what its id says.', { exact: true }).waitFor()
  await sell(page, '63.00')
  await expect.poll(() => outcome(page).textContent(), { timeout: 20_000 }).toMatch(/^Declined/)
})

test('an online scenario is found, the next payment in the demo shop plays it, and later ones another', async () => {
  const page = await openConsole(town, '#/sandbox')
  await tab(page, 'Online scenarios')
  await page.getByText('Payments play what card and amount say.', { exact: true }).waitFor()
  const search = page.getByRole('searchbox', { name: 'Find a scenario' })
  await search.fill('no such words')
  await page.getByText(/^No scenario has all of these words\./).waitFor()
  await search.fill('insufficient')
  equal(await page.getByRole('list', { name: 'Scenarios' }).getByRole('listitem').count(), 1)
  await button(page, 'Play next insufficient_funds').click()
  await page.getByText('Payments play insufficient_funds, afterwards what card and amount say.').waitFor()
  const afterwards = page.getByRole('combobox', { name: 'For all afterwards' })
  await afterwards.selectOption('expired_card')
  await page.getByText('Payments play insufficient_funds, afterwards expired_card.', { exact: true }).waitFor()

  const shop = await openConsole(town)
  await fillForm(await openForm(shop, town.gateway.url), APPROVED)
  await shop.locator('#pay-button').press('Enter')
  await shop.getByText('Card declined. Nothing was charged.').waitFor()
  await page.getByText('Payments play expired_card.', { exact: true }).waitFor()
  await button(page, 'Forget the next ones').click()
  await page.getByText('Payments play what card and amount say.', { exact: true }).waitFor()
  equal(await afterwards.inputValue(), '')
  await tab(page, 'Online')
  const row = page.getByRole('row').filter({ hasText: '£8.95' })
  match((await row.textContent()) ?? '', /Declined.*No money moved\./)
  await row.getByRole('link').click()
  await page.getByText('insufficient_funds').first().waitFor()
})

test('a terminal plays a scenario for all sales, until it is told otherwise', async () => {
  const page = await openConsole(town, '#/sandbox/scenarios')
  await page.getByRole('combobox', { name: 'Terminal', exact: true }).selectOption('VCMDEMOSIP0')
  await page.getByRole('combobox', { name: 'For all afterwards' }).selectOption('declined')
  await page.getByText('Plays declined.', { exact: true }).waitFor()
  for (const amount of ['66.00', '67.00']) {
    await sell(page, amount)
    await page
      .locator('.till .newest')
      .filter({ hasText: new RegExp(`^Declined.*${amount}`) })
      .waitFor()
  }
  await tab(page, 'Sandbox')
  await tab(page, 'Scenarios')
  await page.getByRole('combobox', { name: 'Terminal', exact: true }).selectOption('VCMDEMOSIP0')
  await page.getByText('Plays declined.', { exact: true }).waitFor()
  await page.getByRole('combobox', { name: 'For all afterwards' }).selectOption('what its id says')
  await page.getByText('Plays what its id says.', { exact: true }).waitFor()
})

test('a scenario is written, refused with its fault, saved, and deleted after a confirmation', async () => {
  const page = await openConsole(town, '#/sandbox/scenarios')
  await button(page, 'Copy… declined').click()
  const dialog = page.getByRole('dialog', { name: 'A scenario of your own' })
  const text = dialog.getByRole('textbox', { name: 'Document, JSON' })
  match(await text.inputValue(), /"name": "my_declined"/)
  const save = async (document: string) => {
    await text.fill(document)
    await dialog.getByRole('button', { name: 'Save' }).click()
  }
  await save('{ "name": ')
  await dialog.getByRole('alert').filter({ hasText: 'This is no JSON' }).waitFor()
  await save('{ "name": "no_good", "colour": "red" }')
  await dialog.getByRole('alert').filter({ hasText: 'colour' }).waitFor()
  await save('{ "name": "no_money", "like": "insufficient_funds" }')
  await dialog.waitFor({ state: 'detached' })
  const own = page.getByRole('listitem').filter({ hasText: 'no_money' })
  await own.getByText('yours', { exact: true }).waitFor()
  await own.getByRole('button', { name: 'Delete… no_money' }).click()
  await page.getByRole('dialog', { name: 'Delete no_money?' }).getByRole('button', { name: 'Delete' }).click()
  await own.waitFor({ state: 'detached' })
})

test('a snapshot is taken and restored: what came since never happened', async () => {
  const page = await openConsole(town, '#/sandbox')
  await page.getByRole('textbox', { name: 'Name' }).fill('Clean!')
  equal(await button(page, 'Take a snapshot').isDisabled(), true)
  await page.getByRole('textbox', { name: 'Name' }).fill('clean')
  await button(page, 'Take a snapshot').click()
  await page.getByText('Snapshot clean is taken.', { exact: true }).waitFor()
  await sell(page, '64.00')
  await expect.poll(() => outcome(page).textContent(), { timeout: 20_000 }).toMatch(/^Approved/)
  await tab(page, 'Sandbox')
  await button(page, 'Restore… clean').click()
  await page.getByRole('dialog', { name: 'Restore clean?' }).getByRole('button', { name: 'Restore' }).click()
  await page.getByText('Snapshot clean is restored.', { exact: true }).waitFor()
  await tab(page, 'Transactions')
  await page.getByText(/^Nothing yet\./).waitFor()
  await tab(page, 'Sandbox')
  await button(page, 'Delete… clean').click()
  await page.getByRole('dialog', { name: 'Delete clean?' }).getByRole('button', { name: 'Delete' }).click()
  await page.getByText(/^No snapshot yet\./).waitFor()
})

test('a reset asks first, and leaves the account empty', async () => {
  const page = await openConsole(town)
  await sell(page, '65.00')
  await expect.poll(() => outcome(page).textContent(), { timeout: 20_000 }).toMatch(/^Approved/)
  await tab(page, 'Sandbox')
  const ask = button(page, 'Reset the account…')
  await ask.click()
  const dialog = page.getByRole('dialog', { name: 'Reset the account?' })
  await dialog.waitFor()
  await page.keyboard.press('Escape')
  await dialog.waitFor({ state: 'detached' })
  await expect.poll(() => ask.evaluate(node => node === document.activeElement)).toBe(true)
  await ask.click()
  await dialog.getByRole('button', { name: 'Reset the account' }).click()
  await page.getByText('The account is reset.', { exact: true }).waitFor()
  await tab(page, 'Transactions')
  await page.getByText(/^Nothing yet\./).waitFor()
})

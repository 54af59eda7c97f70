// test/browser/support/console-scenes.ts — scenes of the console, in each of which axe looks at the page.
import type { Page } from 'playwright-core'
import { pressEnter } from './browser.ts'
import { APPROVED, fillForm, openForm } from './demo-form.ts'
import type { RunningGateway } from './gateway.ts'

export interface Scene {
  /** Operations whose pages the scene shows. */
  readonly shows: readonly string[]
  /** Calls `check` in each state of the page. */
  visit(page: Page, check: () => Promise<void>, gateway: RunningGateway): Promise<void>
}

export const CONSOLE_SCENES: Readonly<Record<string, Scene>> = {
  'the console': {
    shows: ['getConsole'],
    async visit(page, check, gateway) {
      await page.goto(`${gateway.url}/console`)
      await pressEnter(page.getByRole('button', { name: /^Start/ }))
      // Unlike `press`, a click waits until the terminal asks for a card.
      await page.getByRole('button', { name: 'Insert Visa debit', exact: true }).click()
      await page.getByText('ENTER PIN').waitFor()
      await page.locator('.exchange summary').first().press('Enter')
      await check()
      await pressEnter(page.getByRole('button', { name: 'Cancel', exact: true }))
      await page.getByRole('link', { name: 'What happened in this transaction' }).press('Enter')
      await page.locator('.timeline summary').first().press('Enter')
      await check()
      await page.getByRole('link', { name: 'Transactions', exact: true }).press('Enter')
      await page.locator('tbody tr').first().waitFor()
      await check()
    },
  },
  'requests in the console': {
    shows: [],
    async visit(page, check, gateway) {
      await page.goto(`${gateway.url}/console#/requests`)
      await gateway.sandbox('GET', '/pac/terminals/NONE').catch(() => {})
      await page.locator('.requests summary').filter({ hasText: 'NONE' }).press('Enter')
      await check()
      await pressEnter(page.getByRole('button', { name: 'Send again…' }))
      await pressEnter(page.getByRole('button', { name: 'Send', exact: true }))
      await page.locator('dialog .exchange').waitFor()
      await check()
    },
  },
  'online payments in the console': {
    shows: [],
    async visit(page, check, gateway) {
      const form = await openForm(page, gateway.url)
      await fillForm(form, APPROVED)
      await page.locator('#pay-button').press('Enter')
      await page.getByText(/^Thank you! Paid with/).waitFor()
      await page.goto(`${gateway.url}/console#/online`)
      await page.locator('tbody a').first().waitFor()
      await check()
      await page.locator('tbody a').first().press('Enter')
      await page.locator('.webhooks summary').first().press('Enter')
      await check()
      await pressEnter(page.getByRole('button', { name: 'Refund…', exact: true }))
      await page.getByRole('dialog').waitFor()
      await check()
      await page.goto(`${gateway.url}/console#/online/webhooks`)
      await page.locator('.webhooks summary').first().press('Enter')
      await check()
      await page.goto(`${gateway.url}/console#/online/cards`)
      await page.locator('tbody tr').first().waitFor()
      await check()
    },
  },
  'users in the console': {
    shows: [],
    async visit(page, check, gateway) {
      const password = 'kettle lamp river'
      await gateway.addUser('demo-eur', { user: 'ann', name: 'Ann Example', role: 'owner', password })
      await page.goto(`${gateway.url}/console#/sign-in`)
      await page.getByRole('button', { name: 'Sign in', exact: true }).waitFor()
      await check()
      await page.getByRole('textbox', { name: 'Account', exact: true }).fill('demo-eur')
      await page.getByRole('textbox', { name: 'User', exact: true }).fill('ann')
      await page.getByLabel('Password', { exact: true }).fill(password)
      await pressEnter(page.getByRole('button', { name: 'Sign in', exact: true }))
      await page.getByRole('link', { name: 'People', exact: true }).press('Enter')
      await page.getByRole('combobox', { name: 'Role of ann' }).waitFor()
      await page.getByText('signIn', { exact: true }).first().waitFor()
      await pressEnter(page.getByRole('button', { name: 'Set up one-time codes…' }))
      await page.getByRole('img', { name: 'QR code for an authenticator app' }).waitFor()
      await check()
      await page.getByRole('link', { name: 'Keys', exact: true }).press('Enter')
      await page.getByRole('textbox', { name: 'What it is for' }).fill('till 2')
      await pressEnter(page.getByRole('button', { name: 'Make the key', exact: true }))
      await page.getByRole('row', { name: /till 2/ }).waitFor()
      await check()
      await pressEnter(page.getByRole('button', { name: 'Remove… shop.example', exact: true }))
      await page.getByRole('dialog', { name: 'Remove shop.example?' }).waitFor()
      await check()
      await pressEnter(page.getByRole('button', { name: 'Cancel', exact: true }))
      await page.getByRole('link', { name: 'Counter', exact: true }).press('Enter')
      await page.getByRole('button', { name: 'Use the till in this browser', exact: true }).waitFor()
      await check()
      await pressEnter(page.getByRole('button', { name: 'Sign out', exact: true }))
      await page.getByText('You are signed out.', { exact: true }).waitFor()
      await check()
    },
  },
  'a phone as the terminal': {
    shows: ['getTerminalPage'],
    async visit(page, check, gateway) {
      const network = gateway.url.replace('127.0.0.1', 'pos.example')
      await page.goto(`${gateway.url}/console#/counter/22160002`)
      await pressEnter(page.getByRole('button', { name: 'Use a phone' }))
      await page.getByRole('dialog').getByText('--host 0.0.0.0', { exact: true }).waitFor()
      await check()
      await page.goto(`${network}/console#/counter/22160002`)
      await pressEnter(page.getByRole('button', { name: 'Use a phone' }))
      await page.getByRole('img', { name: 'QR code of the address below' }).waitFor()
      await check()
      const address = await page.getByRole('dialog').locator('code.fine').textContent()
      await page.goto(address ?? '')
      await page.locator('.card').first().waitFor()
      await check()
      await gateway.sandbox('DELETE', '/sandbox/terminals/22160002/links')
      await page.getByRole('heading', { name: 'This link has ended' }).waitFor()
      await check()
    },
  },
  'the sandbox in the console': {
    shows: [],
    async visit(page, check, gateway) {
      await gateway.sandbox('POST', '/sandbox/snapshots', { name: 'clean' })
      await page.goto(`${gateway.url}/console#/sandbox`)
      await page.getByRole('button', { name: 'Restore… clean' }).waitFor()
      await page.locator('.now').waitFor()
      await check()
      await pressEnter(page.getByRole('button', { name: 'Restore… clean' }))
      await page.getByRole('dialog').waitFor()
      await check()
      await page.goto(`${gateway.url}/console#/sandbox/terminals`)
      await pressEnter(page.getByRole('button', { name: 'Settings… 22160001', exact: true }))
      await page.getByRole('dialog').waitFor()
      await check()
      await page.goto(`${gateway.url}/console#/sandbox/faults`)
      await pressEnter(page.getByRole('button', { name: 'Arm', exact: true }))
      await page.getByRole('list', { name: 'Armed faults' }).waitFor()
      await check()
      await gateway.sandbox('DELETE', '/sandbox/faults')
      await page.goto(`${gateway.url}/console#/sandbox/scenarios`)
      await pressEnter(page.getByRole('button', { name: 'Copy… declined', exact: true }))
      await page.getByRole('dialog').getByRole('textbox').fill('{')
      await pressEnter(page.getByRole('button', { name: 'Save' }))
      await page.getByText(/^This is no JSON/).waitFor()
      await check()
      await pressEnter(page.getByRole('button', { name: 'Cancel', exact: true }))
      await check()
      await page.goto(`${gateway.url}/console#/sandbox/online-scenarios`)
      await pressEnter(page.getByRole('button', { name: 'Play next declined', exact: true }))
      await page.getByText(/^Payments play declined,/).waitFor()
      await check()
      await pressEnter(page.getByRole('button', { name: 'Forget the next ones' }))
      await page.getByText(/^Payments play what/).waitFor()
      await check()
    },
  },
  'the console: actions, search, the day': {
    shows: [],
    async visit(page, check, gateway) {
      await gateway.sandbox('POST', '/sandbox/seed', { count: 8, overMs: 60_000, terminal: '22160002' })
      await page.goto(`${gateway.url}/console#/transactions`)
      await page.getByRole('textbox', { name: 'Last four digits' }).fill('1')
      await page.getByText('Type four digits.', { exact: true }).waitFor()
      await page.getByRole('combobox', { name: 'Where' }).selectOption('online')
      await check()
      await page.getByRole('combobox', { name: 'Where' }).selectOption('terminals')
      await pressEnter(page.getByRole('button', { name: 'Clear' }))
      await page
        .getByRole('row', { name: /SALE.*SUCCESSFUL/ })
        .first()
        .getByRole('link')
        .press('Enter')
      await pressEnter(page.getByRole('button', { name: 'Refund…' }))
      await page.getByText('Left', { exact: true }).waitFor()
      await check()
      await pressEnter(page.getByRole('button', { name: 'Leave it' }))
      await page.getByRole('link', { name: 'Today', exact: true }).press('Enter')
      await page.getByRole('heading', { name: 'Outcomes' }).waitFor()
      for (const summary of await page.locator('main summary').all()) await summary.press('Enter')
      await check()
    },
  },
  'an online payment in the console, on a phone': {
    shows: [],
    async visit(page, check, gateway) {
      const orderId = `axe ${Date.now()}`
      await gateway.token({ orderId })
      const { payments } = (await gateway.sandbox('GET', `/api/payments?orderId=${encodeURIComponent(orderId)}`)) as {
        payments: { id: string }[]
      }
      await page.setViewportSize({ width: 360, height: 640 })
      await page.goto(`${gateway.url}/console#/online/${payments[0]?.id}`)
      await page.getByText('Not paid yet', { exact: true }).waitFor()
      await check()
      await page.goto(`${gateway.url}/console#/counter`)
      await page.locator('.card').first().waitFor()
      await page.getByText('Tables', { exact: true }).press('Enter')
      await pressEnter(page.getByRole('button', { name: 'Open the table' }))
      await page.getByRole('row').filter({ hasText: 'Window 2' }).waitFor()
      await pressEnter(page.getByRole('button', { name: 'Go to the tables' }))
      await page.getByRole('button', { name: 'Window 2', exact: true }).click()
      await page.getByRole('button', { name: 'Print the bill' }).waitFor()
      await check()
      await pressEnter(page.getByRole('button', { name: 'Leave', exact: true }))
      await page.getByRole('button', { name: 'Go to the tables' }).waitFor()
    },
  },
}

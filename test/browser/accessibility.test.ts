// test/browser/accessibility.test.ts — axe finds nothing on any page of the gateway, in light and in dark colours.
import { deepEqual, ok } from 'node:assert/strict'
import { AxeBuilder } from '@axe-core/playwright'
import type { Browser, FrameLocator, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, test } from 'vitest'
import { operationsWith } from '../../src/api/operations/index.ts'
import { CONSOLE_OPERATIONS } from '../../src/console/operations.ts'
import { DEMO_OPERATIONS } from '../../src/demo-shop/operations.ts'
import { SIMULATOR_OPERATIONS } from '../../src/simulator/operations/index.ts'
import type { RunningGateway } from './support/gateway.ts'
import { openTown, type Town } from './support/town.ts'

let town: Town
let browser: Browser
let gateway: RunningGateway

beforeAll(async () => {
  town = await openTown()
  ;({ browser, gateway } = town)
})

afterAll(() => town?.close())

interface Scene {
  /** Operations whose pages the scene shows. */
  readonly shows: readonly string[]
  /** Calls `check` in each state of the page. */
  visit(page: Page, check: () => Promise<void>): Promise<void>
}

const CHALLENGED = { number: '4456530000001096', cv2: '020' }
const APPROVED = { number: '5200000000000056', cv2: '341' }

const SCENES: Readonly<Record<string, Scene>> = {
  'the landing page': plain('getLandingPage', '/'),
  'the reference of the WebSocket': plain('getSocketReference', '/docs/socket'),
  'the reference of an older WebSocket': plain('getSocketReferenceOf', '/docs/socket/v0'),
  'the test cards': plain('getTestCardsPage', '/docs/cards'),
  'the reference': {
    shows: ['getReference'],
    async visit(page, check) {
      await page.goto(`${gateway.url}/docs`)
      const sale = page.locator('[id$=startTransaction]')
      await sale.locator('.opblock-summary-control').press('Enter')
      await sale.getByPlaceholder('tid').fill('')
      await sale.getByRole('button', { name: 'Execute' }).press('Enter')
      await sale.locator('.invalid').first().waitFor()
      await page.getByRole('button', { name: 'Authorize' }).first().press('Enter')
      await page.locator('.modal-ux').waitFor()
      await check()
      // Only what is near the window is in the document: the list is long.
      await page.goto(`${gateway.url}/docs#/System/isLive`)
      await page.reload()
      const health = page.locator('[id$=isLive]')
      await health.getByRole('button', { name: 'Execute' }).press('Enter')
      await health.locator('.live-responses-table').waitFor()
      await page.locator('.models button').nth(1).press('Enter')
      await check()
    },
  },
  'the list of guides': plain('getGuides', '/docs/guides'),
  'a decision record': plain('getDecision', '/docs/guides/decisions/0001-record-decisions'),
  'a guide and its search': {
    shows: ['getGuide'],
    async visit(page, check) {
      await page.goto(`${gateway.url}/docs/guides/hosted-form`)
      await page.getByRole('searchbox').fill('webhook')
      await page.getByRole('list', { name: 'Results' }).getByRole('link').first().waitFor()
      await check()
      await page.setViewportSize({ width: 390, height: 844 })
      await page.locator('#guide-list:not([open])').waitFor()
      await check()
    },
  },
  'the demo shop and its form': {
    shows: ['getDemoShop', 'getPaymentForm', 'receiveDeviceData'],
    async visit(page, check) {
      const form = await openForm(page)
      for (const summary of await page.locator('summary').all()) await summary.press('Enter')
      await check()
      await page.locator('#pay-button').press('Enter')
      await form.locator('#cardNumber[aria-invalid=true]').waitFor()
      await check()
      await fill(form, APPROVED)
      await page.locator('#pay-button').press('Enter')
      await page.getByText(/^Thank you! Paid with/).waitFor()
      await page.locator('#webhook-list li').first().waitFor()
      await check()
    },
  },
  'the page of the bank': {
    shows: ['getThreeDsPage', 'openChallenge', 'answerChallenge'],
    async visit(page, check) {
      const bank = await atTheBank(page)
      await check()
      await bank.getByLabel('One-time code').fill('0000')
      await bank.getByRole('button', { name: 'Confirm' }).click()
      await bank.getByRole('alert').waitFor()
      await check()
      await bank.getByRole('button', { name: 'Send a new code' }).click()
      await bank.getByRole('status').waitFor()
      await check()
    },
  },
  'a bank that is slow, and one whose return fails': {
    shows: ['returnFromIssuer'],
    async visit(page, check) {
      await page.route('**/three-d-secure/return', () => {})
      const bank = await atTheBank(page)
      await bank.getByLabel('One-time code').fill('1234')
      await bank.getByRole('button', { name: 'Confirm' }).click()
      await page.frameLocator('iframe.threeDs').getByRole('button', { name: 'Continue' }).waitFor()
      await check()
    },
  },
  'the Checkout button and its dialogue': {
    shows: ['getDemoCheckout'],
    async visit(page, check) {
      await page.goto(`${gateway.url}/demo/checkout?good=0`)
      await check()
      await page.getByRole('button', { name: 'Pay Now' }).press('Enter')
      await page.frameLocator('.connect-card iframe').locator('#cv2').waitFor()
      await check()
      await page.getByRole('button', { name: 'Pay £8.95' }).press('Enter')
      await page.frameLocator('.connect-card iframe').locator('#cardNumber[aria-invalid=true]').waitFor()
      await check()
    },
  },
  'the console': {
    shows: ['getConsole'],
    async visit(page, check) {
      await page.goto(`${gateway.url}/console`)
      await page.getByRole('button', { name: /^Start/ }).press('Enter')
      // Unlike `press`, a click waits until the terminal asks for a card.
      await page.getByRole('button', { name: 'Insert Visa debit', exact: true }).click()
      await page.getByText('ENTER PIN').waitFor()
      await page.locator('.exchange summary').first().press('Enter')
      await check()
      await page.getByRole('button', { name: 'Cancel', exact: true }).press('Enter')
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
    async visit(page, check) {
      await page.goto(`${gateway.url}/console#/requests`)
      await gateway.sandbox('GET', '/pac/terminals/NONE').catch(() => {})
      await page.locator('.requests summary').filter({ hasText: 'NONE' }).press('Enter')
      await check()
      await page.getByRole('button', { name: 'Send again…' }).press('Enter')
      await page.getByRole('button', { name: 'Send', exact: true }).press('Enter')
      await page.locator('dialog .exchange').waitFor()
      await check()
    },
  },
  'online payments in the console': {
    shows: [],
    async visit(page, check) {
      const form = await openForm(page)
      await fill(form, APPROVED)
      await page.locator('#pay-button').press('Enter')
      await page.getByText(/^Thank you! Paid with/).waitFor()
      await page.goto(`${gateway.url}/console#/online`)
      await page.locator('tbody a').first().waitFor()
      await check()
      await page.locator('tbody a').first().press('Enter')
      await page.locator('.webhooks summary').first().press('Enter')
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
    async visit(page, check) {
      const password = 'kettle lamp river'
      await gateway.addUser('demo-eur', { user: 'ann', name: 'Ann Example', role: 'owner', password })
      await page.goto(`${gateway.url}/console#/sign-in`)
      await page.getByRole('button', { name: 'Sign in', exact: true }).waitFor()
      await check()
      await page.getByRole('textbox', { name: 'Account', exact: true }).fill('demo-eur')
      await page.getByRole('textbox', { name: 'User', exact: true }).fill('ann')
      await page.getByLabel('Password', { exact: true }).fill(password)
      await page.getByRole('button', { name: 'Sign in', exact: true }).press('Enter')
      await page.getByRole('link', { name: 'People', exact: true }).press('Enter')
      await page.getByRole('combobox', { name: 'Role of ann' }).waitFor()
      await page.getByText('signIn', { exact: true }).first().waitFor()
      await page.getByRole('button', { name: 'Set up one-time codes…' }).press('Enter')
      await page.getByRole('img', { name: 'QR code for an authenticator app' }).waitFor()
      await check()
      await page.getByRole('link', { name: 'Keys', exact: true }).press('Enter')
      await page.getByRole('textbox', { name: 'What it is for' }).fill('till 2')
      await page.getByRole('button', { name: 'Make the key', exact: true }).press('Enter')
      await page.getByRole('row', { name: /till 2/ }).waitFor()
      await check()
      await page.getByRole('link', { name: 'Counter', exact: true }).press('Enter')
      await page.getByRole('button', { name: 'Use the till in this browser', exact: true }).waitFor()
      await check()
      await page.getByRole('button', { name: 'Sign out', exact: true }).press('Enter')
      await page.getByText('You are signed out.', { exact: true }).waitFor()
      await check()
    },
  },
  'a phone as the terminal': {
    shows: ['getTerminalPage'],
    async visit(page, check) {
      const network = gateway.url.replace('127.0.0.1', 'pos.example')
      await page.goto(`${gateway.url}/console#/counter/22160002`)
      await page.getByRole('button', { name: 'Use a phone' }).press('Enter')
      await page.getByRole('dialog').getByText('--host 0.0.0.0', { exact: true }).waitFor()
      await check()
      await page.goto(`${network}/console#/counter/22160002`)
      await page.getByRole('button', { name: 'Use a phone' }).press('Enter')
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
    async visit(page, check) {
      await gateway.sandbox('POST', '/sandbox/snapshots', { name: 'clean' })
      await page.goto(`${gateway.url}/console#/sandbox`)
      await page.getByRole('button', { name: 'Restore… clean' }).waitFor()
      await page.locator('.now').waitFor()
      await check()
      await page.getByRole('button', { name: 'Restore… clean' }).press('Enter')
      await page.getByRole('dialog').waitFor()
      await check()
      await page.goto(`${gateway.url}/console#/sandbox/faults`)
      await page.getByRole('button', { name: 'Arm', exact: true }).press('Enter')
      await page.getByRole('list', { name: 'Armed faults' }).waitFor()
      await check()
      await gateway.sandbox('DELETE', '/sandbox/faults')
      await page.goto(`${gateway.url}/console#/sandbox/scenarios`)
      await page.getByRole('button', { name: 'Copy… declined', exact: true }).press('Enter')
      await page.getByRole('dialog').getByRole('textbox').fill('{')
      await page.getByRole('button', { name: 'Save' }).press('Enter')
      await page.getByText(/^This is no JSON/).waitFor()
      await check()
      await page.getByRole('button', { name: 'Cancel', exact: true }).press('Enter')
      await check()
    },
  },
  'the console: actions, search, the day': {
    shows: [],
    async visit(page, check) {
      await gateway.sandbox('POST', '/sandbox/seed', { count: 8, overMs: 60_000, terminal: '22160002' })
      await page.goto(`${gateway.url}/console#/transactions`)
      await page.getByRole('textbox', { name: 'Last four digits' }).fill('1')
      await page.getByText('Type four digits.', { exact: true }).waitFor()
      await page.getByRole('combobox', { name: 'Where' }).selectOption('online')
      await check()
      await page.getByRole('combobox', { name: 'Where' }).selectOption('terminals')
      await page.getByRole('button', { name: 'Clear' }).press('Enter')
      await page
        .getByRole('row', { name: /SALE.*SUCCESSFUL/ })
        .first()
        .getByRole('link')
        .press('Enter')
      await page.getByRole('button', { name: 'Refund…' }).press('Enter')
      await page.getByText('Left', { exact: true }).waitFor()
      await check()
      await page.getByRole('button', { name: 'Leave it' }).press('Enter')
      await page.getByRole('link', { name: 'Today', exact: true }).press('Enter')
      await page.getByRole('heading', { name: 'Outcomes' }).waitFor()
      for (const summary of await page.locator('main summary').all()) await summary.press('Enter')
      await check()
    },
  },
  'an online payment in the console, on a phone': {
    shows: [],
    async visit(page, check) {
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
      await page.getByRole('button', { name: 'Open the table' }).press('Enter')
      await page.getByRole('row').filter({ hasText: 'Window 2' }).waitFor()
      await page.getByRole('button', { name: 'Go to the tables' }).press('Enter')
      await page.getByRole('button', { name: 'Window 2', exact: true }).click()
      await page.getByRole('button', { name: 'Print the bill' }).waitFor()
      await check()
      await page.getByRole('button', { name: 'Leave', exact: true }).press('Enter')
      await page.getByRole('button', { name: 'Go to the tables' }).waitFor()
    },
  },
  'the test wallet': {
    shows: ['getWalletSheet'],
    async visit(page, check) {
      await openForm(page)
      await page.frameLocator('#wallet iframe').getByRole('button').press('Enter')
      await page.frameLocator('iframe.tollgateWallet').getByRole('heading', { name: 'Test wallet' }).waitFor()
      await check()
    },
  },
}

describe.each(['light', 'dark'] as const)('in %s colours', scheme => {
  // The reference is long, and axe checks each of its words.
  for (const [name, scene] of Object.entries(SCENES))
    test(name, { timeout: 120_000 }, async () => {
      const context = await browser.newContext({ colorScheme: scheme, reducedMotion: 'reduce' })
      try {
        const page = await context.newPage()
        page.setDefaultTimeout(30_000)
        let checks = 0
        await scene.visit(page, async () => {
          checks += 1
          await fillGround(page)
          const { violations } = await new AxeBuilder({ page }).analyze()
          deepEqual(
            violations.map(({ id, nodes }) => `${id}: ${nodes.length} times, such as ${nodes[0]?.html}`),
            [],
          )
        })
        ok(checks > 0)
      } finally {
        await context.close()
      }
    })
})

test('each operation that answers with a page is in a scene', () => {
  const pages = operationsWith([...SIMULATOR_OPERATIONS, ...DEMO_OPERATIONS, ...CONSOLE_OPERATIONS])
    .filter(({ responses }) => Object.values(responses).some(({ mediaType }) => mediaType === 'text/html'))
    .map(({ name }) => name)
  ok(pages.length > 0)
  deepEqual(
    pages.sort(),
    Object.values(SCENES)
      .flatMap(({ shows }) => shows)
      .sort(),
  )
})

function plain(operation: string, path: string): Scene {
  return {
    shows: [operation],
    async visit(page, check) {
      await page.goto(gateway.url + path)
      await check()
    },
  }
}

/** Opens the demo shop with its card form. */
async function openForm(page: Page): Promise<FrameLocator> {
  await page.goto(`${gateway.url}/demo`)
  await page.locator('button[data-good="0"]').press('Enter')
  const form = page.frameLocator('#card-form iframe')
  await form.locator('#cv2').waitFor()
  return form
}

async function fill(form: FrameLocator, { number, cv2 }: typeof APPROVED): Promise<void> {
  await form.locator('#cardName').fill('John Watson')
  await form.locator('#cardNumber').fill(number)
  await form.locator('#expiryDate').fill('12/30')
  await form.locator('#cv2').fill(cv2)
}

async function atTheBank(page: Page): Promise<FrameLocator> {
  await fill(await openForm(page), CHALLENGED)
  await page.locator('#pay-button').press('Enter')
  const bank = page.frameLocator('iframe.threeDs').frameLocator('iframe')
  await bank.getByLabel('One-time code').waitFor()
  return bank
}

/** Paints the ground of transparent frames as what lies behind them: axe cannot see through a frame. */
async function fillGround(page: Page): Promise<void> {
  for (const frame of page.frames().slice(1)) {
    const holder = await frame.frameElement()
    const ground = await holder.evaluate(node => {
      for (let around: Element | null = node as Element; around !== null; around = around.parentElement) {
        const { backgroundColor } = getComputedStyle(around)
        if (backgroundColor !== 'rgba(0, 0, 0, 0)') return backgroundColor
      }
      return getComputedStyle(document.body).backgroundColor
    })
    await frame.evaluate(colour => {
      const { backgroundColor } = getComputedStyle(document.body)
      if (backgroundColor === 'rgba(0, 0, 0, 0)') document.body.style.background = colour
    }, ground)
  }
}

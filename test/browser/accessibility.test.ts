// test/browser/accessibility.test.ts — axe finds nothing on any page of the gateway, in light and in dark colours.
import { deepEqual, ok, rejects } from 'node:assert/strict'
import type { Browser, FrameLocator, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, test } from 'vitest'
import { deviceDataPage, toIssuerPage } from '../../src/api/describe/pages/issuer-relays.ts'
import type { Answer } from '../../src/api/operation.ts'
import { operationsWith } from '../../src/api/operations/index.ts'
import { CONSOLE_OPERATIONS } from '../../src/console/operations.ts'
import { DEMO_OPERATIONS } from '../../src/demo-shop/operations.ts'
import { SIMULATOR_OPERATIONS } from '../../src/simulator/operations/index.ts'
import { type Violation, violationsOn } from './support/axe.ts'
import { pressEnter } from './support/browser.ts'
import { CONSOLE_SCENES, type Scene } from './support/console-scenes.ts'
import { APPROVED, CHALLENGED, fillForm, openForm } from './support/demo-form.ts'
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
      await pressEnter(sale.getByRole('button', { name: 'Execute' }))
      await sale.locator('.invalid').first().waitFor()
      await pressEnter(page.getByRole('button', { name: 'Authorize' }).first())
      await page.locator('.modal-ux').waitFor()
      await check()
      // Only what is near the window is in the document: the list is long.
      await page.goto(`${gateway.url}/docs#/System/isLive`)
      await page.reload()
      const health = page.locator('[id$=isLive]')
      await pressEnter(health.getByRole('button', { name: 'Execute' }))
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
      const form = await openForm(page, gateway.url)
      for (const summary of await page.locator('summary').all()) await summary.press('Enter')
      await check()
      await page.locator('#pay-button').press('Enter')
      await form.locator('#cardNumber[aria-invalid=true]').waitFor()
      await check()
      await fillForm(form, APPROVED)
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
  'the way to the bank of a scheme': {
    shows: ['goToIssuer'],
    async visit(page, check) {
      const issuer = 'https://acs.example'
      const relay = toIssuerPage({ url: `${issuer}/challenge`, fields: { creq: 'e30' } }, issuer)
      // Without its script it stays.
      const { contentType, body } = shown(relay)
      const staying = body.toString().replace(/<script>.*<\/script>/s, '')
      await page.route('**/acs/challenge', route => route.fulfill({ contentType, body: staying }))
      await fillForm(await openForm(page, gateway.url), CHALLENGED)
      await page.locator('#pay-button').press('Enter')
      await page.frameLocator('iframe.threeDs').frameLocator('iframe').getByText('You are sent to your bank.').waitFor()
      await check()
    },
  },
  'the device check of a scheme': {
    shows: ['sendDeviceData', 'endDeviceData'],
    async visit(page, check) {
      const origin = new URL(gateway.url).origin
      const done = { url: `${gateway.url}/three-d-secure/device-data/another`, fields: { threeDSMethodData: 'e30' } }
      // It waits for the end of another step, so both pages stay.
      const relay = deviceDataPage(done, { token: 'this', origin, own: origin })
      await page.route('**/acs/device-data', route => route.fulfill(shown(relay)))
      const ended = page.waitForResponse('**/three-d-secure/device-data/another')
      await fillForm(await openForm(page, gateway.url), CHALLENGED)
      await page.locator('#pay-button').press('Enter')
      await (await ended).finished()
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
      await pressEnter(page.getByRole('button', { name: 'Pay Now' }))
      await page.frameLocator('.connect-card iframe').locator('#cv2').waitFor()
      await check()
      await pressEnter(page.getByRole('button', { name: 'Pay £8.95' }))
      await page.frameLocator('.connect-card iframe').locator('#cardNumber[aria-invalid=true]').waitFor()
      await check()
    },
  },
  ...CONSOLE_SCENES,
  'the test wallet': {
    shows: ['getWalletSheet'],
    async visit(page, check) {
      await openForm(page, gateway.url)
      await pressEnter(page.frameLocator('#wallet iframe').getByRole('button'))
      await page.frameLocator('iframe.tollgateWallet').getByRole('heading', { name: 'Test wallet' }).waitFor()
      await check()
    },
  },
}

/** Dark pages have the same elements as light ones, so only the rules about colours can find something else in them. */
const COLOUR_RULES = ['color-contrast', 'link-in-text-block']

describe('in light and dark colours', () => {
  // The reference is long, and axe checks each of its words.
  for (const [name, scene] of Object.entries(SCENES))
    test(name, { timeout: 120_000 }, async () => {
      const context = await browser.newContext({ reducedMotion: 'reduce' })
      try {
        const page = await context.newPage()
        page.setDefaultTimeout(30_000)
        let checks = 0
        const check = async () => {
          checks += 1
          deepEqual(await foundIn(page, 'light'), [])
          deepEqual(await foundIn(page, 'dark', COLOUR_RULES), [])
        }
        await scene.visit(page, check, gateway)
        ok(checks > 0)
      } finally {
        await context.close()
      }
    })
})

describe('frames of other hosts', () => {
  async function foundWith(frame: string): Promise<readonly Violation[]> {
    const page = await browser.newPage()
    try {
      await page.route('https://*.example/', (route, request) => {
        const isTop = new URL(request.url()).host === 'shop.example'
        const body = isTop ? frame : '<!doctype html><html lang="en"><title>Other</title><img src="data:,">'
        return route.fulfill({ contentType: 'text/html', body })
      })
      await page.goto('https://shop.example/')
      return await violationsOn(page, { rules: ['image-alt'] })
    } finally {
      await page.close()
    }
  }

  test('what excludes people in them is found', async () => {
    const violations = await foundWith('<iframe src="https://bank.example/"></iframe>')
    deepEqual(violations, [{ rule: 'image-alt', elements: ['<img src="data:,">'] }])
  })

  test('one that does not answer is an error', async () => {
    await rejects(foundWith('<iframe sandbox src="https://bank.example/"></iframe>'), /axe does not reach <iframe/)
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

async function foundIn(
  page: Page,
  colorScheme: 'light' | 'dark',
  rules?: readonly string[],
): Promise<readonly string[]> {
  await page.emulateMedia({ colorScheme })
  // Scripts learn of it with the next picture.
  await page.evaluate(() => new Promise(requestAnimationFrame))
  await fillGround(page, colorScheme)
  for (const frame of page.frames()) await frame.evaluate(endTransitions)
  const violations = await violationsOn(page, rules === undefined ? {} : { rules })
  return violations.map(
    ({ rule, elements }) => `${colorScheme}, ${rule}: ${elements.length} times, such as ${elements[0]}`,
  )
}

function endTransitions(): void {
  for (const animation of document.getAnimations()) if (animation instanceof CSSTransition) animation.finish()
}

/** A page as a browser gets it. */
function shown(page: Answer) {
  if (!('bytes' in page)) throw new Error('this is no page')
  return {
    contentType: 'text/html',
    body: Buffer.from(page.bytes),
    headers: { ...page.headers } as Record<string, string>,
  }
}

async function atTheBank(page: Page): Promise<FrameLocator> {
  await fillForm(await openForm(page, gateway.url), CHALLENGED)
  await page.locator('#pay-button').press('Enter')
  const bank = page.frameLocator('iframe.threeDs').frameLocator('iframe')
  await bank.getByLabel('One-time code').waitFor()
  return bank
}

/** Paints the ground of transparent frames as what lies behind them: axe cannot see through a frame. */
async function fillGround(page: Page, colorScheme: 'light' | 'dark'): Promise<void> {
  for (const frame of page.frames().slice(1)) {
    const holder = await frame.frameElement()
    const { ground, allowed } = await holder.evaluate(node => {
      const allowed = getComputedStyle(node as Element).colorScheme.split(' ')
      for (let around: Element | null = node as Element; around !== null; around = around.parentElement) {
        const { backgroundColor } = getComputedStyle(around)
        if (backgroundColor !== 'rgba(0, 0, 0, 0)') return { ground: backgroundColor, allowed }
      }
      return { ground: getComputedStyle(document.body).backgroundColor, allowed }
    })
    // The form is told by its page.
    await frame.waitForFunction(
      scheme => (document.documentElement.dataset['scheme'] ?? scheme) === scheme,
      allowed.includes('dark') ? colorScheme : 'light',
    )
    await frame.evaluate(colour => {
      const { dataset, style } = document.body
      if (dataset['painted'] !== undefined) style.background = ''
      if (getComputedStyle(document.body).backgroundColor !== 'rgba(0, 0, 0, 0)') return
      dataset['painted'] = ''
      style.background = colour
    }, ground)
  }
}

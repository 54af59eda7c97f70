// test/browser/network.test.ts — a slow or failing network at each step of a payment: how the promise settles, what the
// shopper sees, what the merchant's server reads, and that a second try never charges twice.
import { deepEqual, equal, match, ok } from 'node:assert/strict'
import type { Page, Route } from 'playwright-core'
import { afterAll, beforeAll, describe, test } from 'vitest'
import { violationsOn } from './support/axe.ts'
import { pressEnter } from './support/browser.ts'
import type { RunningGateway } from './support/gateway.ts'
import { type FormRequest, type OpenedForm, openedForm, shopHtml } from './support/shop-page.ts'
import type { ShopServer } from './support/shop-server.ts'
import { openTown, type Town } from './support/town.ts'

let town: Town
let gateway: RunningGateway
let shop: ShopServer

beforeAll(async () => {
  town = await openTown()
  ;({ gateway, shop } = town)
})

afterAll(() => town?.close())

/** Steps, by the addresses they request. */
const STEPS = {
  'client.js': '**/assets/js/client.js',
  form: '**/payment-form?*',
  'form’s script': '**/assets/js/frame-*.js',
  'device data': '**/api/device-data/*',
  payment: '**/api/payments/*',
  'bank’s frame': '**/three-ds?*',
  'bank’s page': '**/acs/challenge',
  completion: '**/three-ds-complete',
  state: '**/three-ds/tokens/*',
  return: '**/three-d-secure/return',
  'return and state': /\/three-d-secure\/return|\/three-ds\/tokens\//,
  'wallet’s sheet': '**/wallet-sheet?*',
  'wallet’s signature': '**/wallet-sheet/tokens/*',
  'wallet’s payment': '**/google-pay',
} as const
type Step = keyof typeof STEPS

/** Network faults of a step. The time-outs that they run into are shortened, each by itself. */
const FAULTS = {
  'never answers': () => {},
  'is cut off': (route: Route) => route.abort('connectionreset'),
  'gives 500': (route: Route) => route.fulfill({ status: 500, contentType: 'text/html', body: '<h1>Oh</h1>' }),
  /** The request arrives and takes effect; the answer is lost. */
  'loses its answer': async (route: Route) => {
    await route.fetch()
    await route.abort('connectionreset')
  },
  'is offline': (route: Route) => route.abort('internetdisconnected'),
} as const
type Fault = keyof typeof FAULTS | 'answers late'

const CALL_MS = 40_000
const LOAD_MS = 20_000
const SLOW_MS = 12_000
/** Between two looks whether a payer is back. */
const LOOK_MS = 1_500

const APPROVED = { number: '5200000000000056', cv2: '341' }
const CHALLENGED = { number: '4456530000001096' }

interface Visit extends OpenedForm {
  readonly token: string
  /** Removes the fault. */
  heal(): Promise<void>
}

/**
 * Opens a page on which one step fails. `cut`: waits of these lengths in milliseconds end after `soonMs`, which must be
 * longer than other waits of the same length need.
 */
async function faulty(
  {
    step,
    fault,
    cut = [],
    soonMs = 300,
  }: { readonly step: Step; readonly fault: Fault; readonly cut?: readonly number[]; readonly soonMs?: number },
  use: (visit: Visit) => Promise<void>,
  requested: Partial<FormRequest> = {},
): Promise<void> {
  const token = await gateway.token()
  const context = await town.browser.newContext()
  try {
    const page = await context.newPage()
    page.setDefaultTimeout(10_000)
    await page.addInitScript(shortened(cut, soonMs))
    const release = await breakStep(page, step, fault)
    // A page with a frame that does not answer never fires `load`.
    await page.goto(shop.page({ html: shopHtml(gateway.url, { ...requested, token }) }), {
      waitUntil: 'domcontentloaded',
    })
    await use({ ...openedForm(page, () => context.close()), token, heal: release })
  } finally {
    await context.close()
  }
}

async function breakStep(page: Page, step: Step, fault: Fault): Promise<() => Promise<void>> {
  let healthy = false
  const held: (() => Promise<void>)[] = []
  await page.route(STEPS[step], async route => {
    if (healthy) return route.continue()
    if (fault !== 'answers late') return FAULTS[fault](route)
    held.push(() => route.continue())
  })
  return async () => {
    healthy = true
    for (const go of held.splice(0)) await go()
  }
}

/** Script that shortens waits of these lengths. Other timers are unchanged. */
function shortened(waits: readonly number[], soonMs: number): string {
  return `{
    const cut = new Set(${JSON.stringify(waits)})
    const set = window.setTimeout
    window.setTimeout = (call, ms, ...rest) => set(call, cut.has(ms) ? ${soonMs} : ms, ...rest)
    const repeat = window.setInterval
    window.setInterval = (call, ms, ...rest) => repeat(call, cut.has(ms) ? ${soonMs} : ms, ...rest)
    const limit = AbortSignal.timeout
    AbortSignal.timeout = ms => limit.call(AbortSignal, cut.has(ms) ? ${soonMs} : ms)
  }`
}

const codeOf = (value: unknown) => (value as { statusCode: number }).statusCode

/** Status that the merchant's server reads; null when there is no payment. */
async function truth(token: string): Promise<number | null> {
  const { status, body } = await gateway.v1('GET', `/v1/payments/${token}`)
  return status === 404 ? null : codeOf(body)
}

const loaded = (page: Page, how = 'yes') => page.locator(`body[data-loaded=${how}]`).waitFor()

async function settledAs(visit: OpenedForm, kind: string, code: number): Promise<void> {
  const settled = await visit.settled()
  deepEqual([settled.kind, codeOf(settled.value)], [kind, code], JSON.stringify(settled))
}

describe('the form does not load', () => {
  test.each(['is cut off', 'gives 500'] as const)(
    'client.js that %s leaves the page without a form, and nothing is paid',
    fault =>
      faulty({ step: 'client.js', fault }, async ({ page, token }) => {
        equal(await page.evaluate("'Connect' in window"), false)
        equal(await page.locator('#form iframe').count(), 0)
        equal(await truth(token), null)
      }),
  )

  test.each([
    ['form', 'never answers'],
    ['form', 'is cut off'],
    ['form', 'gives 500'],
    ['form’s script', 'never answers'],
    ['form’s script', 'is cut off'],
    ['form’s script', 'gives 500'],
  ] as const)('a %s that %s is reported to onIframeLoadFailed, and a payment is refused', (step, fault) =>
    faulty({ step, fault, cut: [LOAD_MS] }, async visit => {
      await loaded(visit.page, 'failed')
      await visit.press()
      await settledAs(visit, 'rejected', 500)
      equal(await truth(visit.token), null)
    }),
  )

  test.each(['form', 'form’s script'] as const)('a late %s is waited for, and the payment succeeds', step =>
    faulty({ step, fault: 'answers late' }, async visit => {
      await visit.page.locator('#form iframe').waitFor()
      await visit.heal()
      await loaded(visit.page)
      await visit.fill(APPROVED)
      await visit.press()
      await settledAs(visit, 'resolved', 0)
    }),
  )
})

describe('the card is submitted', () => {
  test.each(['never answers', 'is cut off', 'gives 500', 'is offline'] as const)(
    'device data that %s do not stop a payment',
    fault =>
      faulty(
        { step: 'device data', fault, cut: fault === 'never answers' ? [CALL_MS] : [], soonMs: 2_000 },
        async visit => {
          await loaded(visit.page)
          await visit.fill(APPROVED)
          await visit.press()
          await settledAs(visit, 'resolved', 0)
          equal(await truth(visit.token), 0)
        },
      ),
  )

  test.each(['never answers', 'is cut off', 'gives 500', 'is offline'] as const)(
    'a payment that %s has an unknown outcome; a second try with the same token pays once',
    fault =>
      faulty(
        { step: 'payment', fault, cut: fault === 'never answers' ? [CALL_MS] : [], soonMs: 2_000 },
        async visit => {
          await loaded(visit.page)
          await visit.fill(APPROVED)
          await visit.press()
          await settledAs(visit, 'rejected', 500)
          equal(await truth(visit.token), null)
          // The form is usable again, with its input.
          equal(await visit.frame.locator('form').getAttribute('aria-busy'), 'false')
          await visit.heal()
          await visit.press()
          await settledAs(visit, 'resolved', 0)
          equal(await truth(visit.token), 0)
        },
      ),
  )

  test('a payment whose answer is lost has succeeded: the second try is refused, and there is one charge', () =>
    faulty({ step: 'payment', fault: 'loses its answer' }, async visit => {
      await loaded(visit.page)
      await visit.fill(APPROVED)
      await visit.press()
      await settledAs(visit, 'rejected', 500)
      const paid = await gateway.v1('GET', `/v1/payments/${visit.token}`)
      equal(codeOf(paid.body), 0)
      await visit.heal()
      await visit.press()
      await settledAs(visit, 'rejected', 401)
      deepEqual(await gateway.v1('GET', `/v1/payments/${visit.token}`), paid)
    }))

  test('a payment that goes to the bank and whose answer is lost goes on with the second try, and is charged once', () =>
    faulty({ step: 'payment', fault: 'loses its answer' }, async visit => {
      await loaded(visit.page)
      await visit.fill(CHALLENGED)
      await visit.press()
      await settledAs(visit, 'rejected', 500)
      equal(await truth(visit.token), 3)
      await visit.heal()
      await visit.press()
      const bank = visit.page.frameLocator('iframe.threeDs').frameLocator('iframe')
      await bank.getByLabel('One-time code').fill('1234')
      await pressEnter(bank.getByRole('button', { name: 'Confirm' }))
      await settledAs(visit, 'resolved', 0)
      equal(await truth(visit.token), 0)
    }))

  test('a late payment is waited for, and the form stays locked meanwhile', () =>
    faulty({ step: 'payment', fault: 'answers late' }, async visit => {
      await loaded(visit.page)
      await visit.fill(APPROVED)
      await visit.press()
      await visit.frame.locator('form[aria-busy=true]').waitFor()
      equal(await visit.frame.locator('#cardNumber').getAttribute('readonly'), '')
      await visit.heal()
      await settledAs(visit, 'resolved', 0)
    }))

  test('a network that fails while the shopper types, and recovers, has no effect', () =>
    faulty({ step: 'payment', fault: 'answers late' }, async visit => {
      await loaded(visit.page)
      await visit.heal()
      await visit.page.context().setOffline(true)
      await visit.fill(APPROVED)
      await visit.page.context().setOffline(false)
      await visit.press()
      await settledAs(visit, 'resolved', 0)
    }))
})

describe('the issuer challenges', () => {
  test.each(['never answers', 'is cut off', 'gives 500'] as const)(
    'a challenge frame that %s is abandoned, which is a decline',
    fault =>
      faulty({ step: 'bank’s frame', fault, cut: [LOAD_MS], soonMs: 2_000 }, async visit => {
        await loaded(visit.page)
        await visit.fill(CHALLENGED)
        await visit.press()
        await settledAs(visit, 'resolved', 5)
        equal(await truth(visit.token), 5)
        equal(await visit.page.locator('iframe.threeDs').count(), 0)
      }),
  )

  test.each(['never answers', 'is cut off', 'gives 500'] as const)(
    'an issuer’s page that %s can be closed by the shopper, which is a decline',
    fault =>
      faulty({ step: 'bank’s page', fault, cut: [SLOW_MS] }, async visit => {
        await loaded(visit.page)
        await visit.fill(CHALLENGED)
        await visit.press()
        const overlay = visit.page.frameLocator('iframe.threeDs')
        if (fault === 'never answers') await overlay.getByText('Does your bank not answer?').waitFor()
        await overlay.getByRole('button', { name: 'Cancel the payment' }).click()
        await settledAs(visit, 'resolved', 5)
        equal(await truth(visit.token), 5)
      }),
  )

  test.each(['never answers', 'is cut off', 'gives 500', 'is offline'] as const)(
    'a completion that %s leaves the outcome open, as the merchant’s server reads',
    fault =>
      faulty(
        { step: 'completion', fault, cut: fault === 'never answers' ? [CALL_MS] : [], soonMs: 2_000 },
        async visit => {
          await loaded(visit.page)
          await visit.fill(CHALLENGED)
          await visit.press()
          const overlay = visit.page.frameLocator('iframe.threeDs')
          await overlay.frameLocator('iframe').getByLabel('One-time code').waitFor()
          await overlay.getByRole('button', { name: 'Cancel the payment' }).click()
          await settledAs(visit, 'rejected', 500)
          equal(await truth(visit.token), 3)
        },
      ),
  )

  test('a completion whose answer is lost has ended the payment: the merchant’s server reads the decline', () =>
    faulty({ step: 'completion', fault: 'loses its answer' }, async visit => {
      await loaded(visit.page)
      await visit.fill(CHALLENGED)
      await visit.press()
      const overlay = visit.page.frameLocator('iframe.threeDs')
      await overlay.frameLocator('iframe').getByLabel('One-time code').waitFor()
      await overlay.getByRole('button', { name: 'Cancel the payment' }).click()
      await settledAs(visit, 'rejected', 500)
      equal(await truth(visit.token), 5)
    }))

  /** The shopper answers the bank, and the way back fails. */
  async function comeBack(visit: Visit) {
    await loaded(visit.page)
    await visit.fill(CHALLENGED)
    await visit.press()
    const overlay = visit.page.frameLocator('iframe.threeDs')
    await overlay.frameLocator('iframe').getByLabel('One-time code').fill('1234')
    await pressEnter(overlay.frameLocator('iframe').getByRole('button', { name: 'Confirm' }))
    return overlay
  }
  const WITHIN = { timeout: 6_000 }
  const RETURNS = [
    ['return', 'never answers'],
    ['return', 'is cut off'],
    ['return', 'gives 500'],
    ['return', 'is offline'],
    ['return and state', 'is offline'],
  ] as const

  test.each(RETURNS)('a %s that %s is said within six seconds; the shopper continues, and has paid', (step, fault) =>
    faulty({ step, fault }, async visit => {
      const overlay = await comeBack(visit)
      const proceed = overlay.getByRole('button', { name: 'Continue', exact: true })
      await proceed.waitFor(WITHIN)
      equal(await truth(visit.token), 3)
      await visit.heal()
      await proceed.press('Enter')
      await settledAs(visit, 'resolved', 0)
      equal(await truth(visit.token), 0)
    }),
  )

  test.each(RETURNS)('a %s that %s is said; the shopper cancels, and is not charged', (step, fault) =>
    faulty({ step, fault, cut: [LOOK_MS] }, async visit => {
      const overlay = await comeBack(visit)
      await overlay.getByText('The connection was lost').waitFor(WITHIN)
      await pressEnter(overlay.getByRole('button', { name: 'Cancel', exact: true }))
      await settledAs(visit, 'resolved', 5)
      equal(await truth(visit.token), 5)
    }),
  )

  test('the cross does not charge a shopper who has passed the bank and is not back', () =>
    faulty({ step: 'return', fault: 'never answers', cut: [LOOK_MS] }, async visit => {
      const overlay = await comeBack(visit)
      await overlay.getByText('The connection was lost').waitFor(WITHIN)
      await pressEnter(overlay.getByRole('button', { name: 'Cancel the payment' }))
      await settledAs(visit, 'resolved', 5)
      equal(await truth(visit.token), 5)
    }))

  test('a return that went through and whose answer is lost: to cancel is too late, and the form says so', () =>
    faulty({ step: 'return', fault: 'loses its answer', cut: [LOOK_MS] }, async visit => {
      const overlay = await comeBack(visit)
      await overlay.getByRole('button', { name: 'Cancel', exact: true }).press('Enter', WITHIN)
      await settledAs(visit, 'resolved', 0)
      await visit.frame.getByText('It was too late to cancel').waitFor()
      equal(await truth(visit.token), 0)
    }))

  test('a gateway that is still out of reach says so, and the shopper can try again', () =>
    faulty({ step: 'return', fault: 'is cut off', cut: [LOOK_MS] }, async visit => {
      const overlay = await comeBack(visit)
      const proceed = overlay.getByRole('button', { name: 'Continue', exact: true })
      await proceed.waitFor(WITHIN)
      await visit.page.route(STEPS.completion, route => route.abort('internetdisconnected'), { times: 1 })
      await proceed.press('Enter')
      const noAnswer = overlay.getByText('There is no answer yet.')
      await noAnswer.waitFor()
      // The next looks do not replace what the shopper is reading.
      await visit.page.waitForRequest(STEPS.state)
      await visit.page.waitForRequest(STEPS.state)
      equal(await noAnswer.isVisible(), true)
      await proceed.press('Enter')
      await settledAs(visit, 'resolved', 0)
    }))

  test('axe finds nothing in the message about a failed return', () =>
    faulty({ step: 'return', fault: 'never answers', cut: [LOOK_MS] }, async visit => {
      const overlay = await comeBack(visit)
      await overlay.getByText('The connection was lost').waitFor(WITHIN)
      deepEqual(await violationsOn(visit.page, { within: [['iframe.threeDs', '.lost']] }), [])
    }))
})

describe('a wallet pays', () => {
  const WALLET = { kind: 'Wallet' } as const

  async function openSheet(visit: Visit): Promise<void> {
    await loaded(visit.page)
    await pressEnter(visit.frame.getByRole('button'))
  }

  test.each(['never answers', 'is cut off', 'gives 500'] as const)(
    'a sheet that %s is abandoned; nothing is paid, and the button can be pressed again',
    fault =>
      faulty(
        { step: 'wallet’s sheet', fault, cut: [LOAD_MS], soonMs: 2_000 },
        async visit => {
          await openSheet(visit)
          await visit.page.locator('body[data-told~=cancelled]').waitFor()
          equal(await truth(visit.token), null)
          await visit.heal()
          await pressEnter(visit.frame.getByRole('button'))
          await pressEnter(visit.page.frameLocator('iframe.tollgateWallet').getByRole('button', { name: 'Pay' }))
          await settledAs(visit, 'resolved', 0)
        },
        WALLET,
      ),
  )

  test.each([
    ['wallet’s signature', 'never answers', /please pay by card/, null],
    ['wallet’s signature', 'is cut off', /please pay by card/, null],
    ['wallet’s payment', 'never answers', /not known/, null],
    ['wallet’s payment', 'is cut off', /not known/, null],
    ['wallet’s payment', 'gives 500', /not known/, null],
    ['wallet’s payment', 'loses its answer', /not known/, 0],
  ] as const)('a %s that %s is reported as it is: %s', (step, fault, sentence, read) =>
    faulty(
      { step, fault, cut: [CALL_MS] },
      async visit => {
        await openSheet(visit)
        await pressEnter(visit.page.frameLocator('iframe.tollgateWallet').getByRole('button', { name: 'Pay' }))
        match((await visit.page.locator('#errors li').textContent()) ?? '', sentence)
        equal(await truth(visit.token), read)
      },
      WALLET,
    ),
  )
})

describe('the Checkout button', () => {
  /** Opens the shop's page with the Checkout button and one failing step. */
  async function checkout(
    step: Step,
    fault: Fault,
    cut: readonly number[],
    use: (page: Page, token: string, posted: () => URLSearchParams) => Promise<void>,
  ): Promise<void> {
    const token = await gateway.token()
    const context = await town.browser.newContext()
    try {
      const page = await context.newPage()
      page.setDefaultTimeout(10_000)
      await page.addInitScript(shortened(cut, 300))
      await breakStep(page, step, fault)
      const script = `<script src="${gateway.url}/assets/js/checkout.js" class="connect-checkout-btn" data-access-token="${token}" data-amount="2599" data-currency-code="826"></script>`
      const html = `<!doctype html><html lang="en"><meta charset="utf-8"><title>Shop</title><form action="/done" method="post"><input type="hidden" name="order" value="${token}">${script}</form></html>`
      await page.goto(shop.page({ html }))
      await pressEnter(page.getByRole('button', { name: 'Pay Now' }))
      const posted = () => new URLSearchParams(shop.posted.find(body => body.includes(encodeURIComponent(token))) ?? '')
      await use(page, token, posted)
    } finally {
      await context.close()
    }
  }

  async function fillAndPay(page: Page): Promise<void> {
    const frame = page.frameLocator('dialog iframe')
    await frame.locator('#cardName').fill('John Watson')
    await frame.locator('#cardNumber').pressSequentially(APPROVED.number)
    await frame.locator('#expiryDate').pressSequentially('1230')
    await frame.locator('#cv2').pressSequentially(APPROVED.cv2)
    await frame.locator('#cv2').press('Enter')
  }

  test.each(['never answers', 'is cut off'] as const)('a dialogue whose form %s shows it, and posts nothing', fault =>
    checkout('form', fault, [LOAD_MS], async (page, token, posted) => {
      await page.locator('dialog .connect-errors li').waitFor()
      equal([...posted()].length, 0)
      equal(await truth(token), null)
    }),
  )

  test.each([
    ['is cut off', null],
    ['gives 500', null],
    ['loses its answer', 0],
  ] as const)('a payment in the dialogue that %s is posted back as unknown', (fault, read) =>
    checkout('payment', fault, [], async (page, token, posted) => {
      await fillAndPay(page)
      await page.getByRole('heading', { name: 'Done' }).waitFor()
      equal(posted().get('connectStatusCode'), '500')
      equal(posted().get('connectPaymentToken'), token)
      equal(await truth(token), read)
    }),
  )
})

test('no policy violations', () => {
  deepEqual(shop.reports, [])
  ok(gateway.log.length > 0)
})

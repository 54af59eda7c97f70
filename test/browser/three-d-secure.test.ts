// test/browser/three-d-secure.test.ts — challenges: every mode and test card with a challenge, wrong codes, cancellation,
// and faulty issuers. The promise always settles.
import { deepEqual, equal, match, ok } from 'node:assert/strict'
import type { Browser, FrameLocator, Page } from 'playwright-core'
import { afterAll, beforeAll, test } from 'vitest'
import { ONLINE_TEST_CARDS, type OnlineTestCard } from '../../src/simulator/cards/online-test-cards.ts'
import { violationsOn } from './support/axe.ts'
import { pressEnter } from './support/browser.ts'
import type { RunningGateway } from './support/gateway.ts'
import { type OpenedForm, openedForm, openForm, shopHtml } from './support/shop-page.ts'
import type { ShopServer } from './support/shop-server.ts'
import { openTown, type Town } from './support/town.ts'

let town: Town
let browser: Browser
let gateway: RunningGateway
let shop: ShopServer

beforeAll(async () => {
  town = await openTown()
  ;({ browser, gateway, shop } = town)
})

afterAll(() => town?.close())

const WITH_A_PAGE = ONLINE_TEST_CARDS.filter(({ mode }) => mode !== 'no' && mode !== 'frictionless 2.0')
const [CARD] = WITH_A_PAGE

interface AtTheBank extends OpenedForm {
  readonly token: string
  /** Our frame over the shop's page. */
  readonly overlay: FrameLocator
  /** The issuer's page in it. */
  readonly bank: FrameLocator
}

/** Fills the form in, pays, and waits for the issuer's page. */
async function atTheBank(
  card: OnlineTestCard | undefined,
  use: (visit: AtTheBank) => Promise<void>,
  init?: string,
): Promise<void> {
  if (card === undefined) throw new Error('no such card')
  const token = await gateway.token()
  const form = await openForm(browser, gateway.url, shop, { token, ...(init === undefined ? {} : { init }) })
  try {
    await form.fill({ number: card.number, cv2: card.securityCode, name: card.holder ?? 'Ann Example' })
    await form.press()
    const overlay = form.page.frameLocator('iframe.threeDs')
    await use({ ...form, token, overlay, bank: overlay.frameLocator('iframe') })
  } finally {
    await form.close()
  }
}

async function statusOf(token: string): Promise<number> {
  const { body } = await gateway.v1('GET', `/v1/payments/${token}`)
  return (body as { statusCode: number }).statusCode
}

const codeOf = (value: unknown) => (value as { statusCode: number }).statusCode

test.each(WITH_A_PAGE.map(card => [card.number, card.mode, card.expected, card] as const))(
  'test card %s of mode %s is challenged and ends with %i',
  (_number, _mode, expected, card) =>
    atTheBank(card, async ({ bank, page, token, settled }) => {
      if (card.password !== null) await bank.getByLabel('One-time code').fill(card.password)
      await bank.getByRole('button', { name: /confirm/i }).click()
      const { kind, value } = await settled()
      deepEqual([kind, codeOf(value)], ['resolved', expected])
      equal(await page.locator('iframe.threeDs').count(), 0)
      equal(await statusOf(token), expected)
    }),
)

test('the focus moves to the challenge and back, and the frame is where the shop places it', () =>
  atTheBank(CARD, async ({ page, overlay, settled }) => {
    await overlay.locator('h1:focus').waitFor()
    const box = await page.locator('iframe.threeDs').boundingBox()
    deepEqual([box?.width, box?.height], [370, 366])
    for (const _ of ['close', 'code']) await page.keyboard.press('Tab')
    await page.keyboard.type('1234')
    await page.keyboard.press('Enter')
    equal(codeOf((await settled()).value), 0)
    equal(await page.locator('#pay-button').evaluate(node => node === document.activeElement), true)
  }))

test('without styles of the shop the frame is in the middle of the screen', async () => {
  const token = await gateway.token()
  const context = await browser.newContext()
  const page = await context.newPage()
  const html = shopHtml(gateway.url, { token }).replace('<link rel="stylesheet" href="/shop.css">', '')
  await page.goto(shop.page({ html }))
  await page.locator('body[data-loaded]').waitFor()
  const form = openedForm(page, () => context.close())
  await form.fill({ number: '4456530000001096' })
  await form.press()
  const frame = page.locator('iframe.threeDs')
  await frame.waitFor()
  equal(await frame.evaluate(node => getComputedStyle(node).position), 'fixed')
  await form.close()
})

test('a wrong code is reported, a new one can be requested, and three wrong codes are a decline', () =>
  atTheBank(CARD, async ({ bank, settled, token }) => {
    await bank.getByLabel('One-time code').fill('0000')
    await bank.getByRole('button', { name: 'Confirm' }).click()
    match((await bank.getByRole('alert').textContent()) ?? '', /not right/)
    await bank.getByRole('button', { name: 'Send a new code' }).click()
    await bank.getByText('We have sent you a new code (2)').waitFor()
    for (const _ of [2, 3]) {
      await bank.getByLabel('One-time code').fill('0000')
      await bank.getByRole('button', { name: 'Confirm' }).click()
    }
    const { kind, value } = await settled()
    deepEqual([kind, codeOf(value)], ['resolved', 5])
    equal(await statusOf(token), 5)
  }))

test.each([
  [
    'cancelled at the bank',
    'cancelled_at_bank',
    (visit: AtTheBank) => visit.bank.getByRole('button', { name: 'Cancel' }).click(),
  ],
  [
    'closed by its button',
    'closed_by_payer',
    async (visit: AtTheBank) => {
      await visit.bank.getByLabel('One-time code').waitFor()
      await visit.overlay.getByRole('button', { name: 'Cancel the payment' }).click()
    },
  ],
  [
    'closed with Escape',
    'closed_by_payer',
    async (visit: AtTheBank) => {
      await visit.overlay.locator('h1:focus').waitFor()
      // The issuer's page focuses its field when it loads, and handles the keys pressed there.
      await visit.bank.getByLabel('One-time code').waitFor()
      await visit.overlay.locator('h1').focus()
      await visit.page.keyboard.press('Escape')
    },
  ],
  [
    'closed with Escape beside the frame',
    'closed_by_payer',
    async (visit: AtTheBank) => {
      await visit.bank.getByLabel('One-time code').waitFor()
      await visit.page.evaluate('document.activeElement.blur()')
      await visit.page.keyboard.press('Escape')
    },
  ],
  [
    'taken off the page',
    'closed_by_payer',
    async (visit: AtTheBank) => {
      await visit.bank.getByLabel('One-time code').waitFor()
      await visit.page.evaluate("document.querySelector('iframe.threeDs').remove()")
    },
  ],
] as const)('a payment %s is declined, on the page and at the merchant’s server', (_, reason, leave) =>
  atTheBank(CARD, async visit => {
    await leave(visit)
    const { kind, value } = await visit.settled()
    deepEqual([kind, value], ['resolved', { statusCode: 5, authCode: '', message: 'Card declined', reason }])
    equal(await statusOf(visit.token), 5)
    equal(await visit.page.locator('iframe.threeDs').count(), 0)
  }),
)

test('a token revoked during the challenge ends with 90', () =>
  atTheBank(CARD, async ({ bank, settled, token }) => {
    await bank.getByLabel('One-time code').waitFor()
    equal((await gateway.v1('POST', `/v1/access-tokens/${token}/revoke`)).status, 200)
    await bank.getByLabel('One-time code').fill('1234')
    await bank.getByRole('button', { name: 'Confirm' }).click()
    equal(codeOf((await settled()).value), 90)
    equal(await statusOf(token), 90)
  }))

test('a page reloaded during the challenge: the merchant’s server still reads the outcome', () =>
  atTheBank(CARD, async ({ bank, page, token }) => {
    await bank.getByLabel('One-time code').waitFor()
    await page.reload()
    await page.locator('body[data-loaded]').waitFor()
    equal(await statusOf(token), 3)
    equal((await gateway.v1('POST', `/v1/access-tokens/${token}/revoke`)).status, 200)
    equal(await statusOf(token), 90)
  }))

test('a network failure when the shopper leaves the challenge ends the promise with 500', () =>
  atTheBank(CARD, async ({ bank, overlay, page, settled }) => {
    await bank.getByLabel('One-time code').waitFor()
    await page.route('**/three-ds-complete', route => route.abort('internetdisconnected'))
    await overlay.getByRole('button', { name: 'Cancel the payment' }).click()
    const { kind, value } = await settled()
    deepEqual([kind, codeOf(value)], ['rejected', 500])
  }))

/** Overrides the next authentications. */
async function requested(...next: readonly Readonly<Record<string, string>>[]): Promise<void> {
  await gateway.sandbox('PUT', '/sandbox/online/authentications', { next })
}

test.each([['never_answers'], ['refuses_framing']])('an issuer’s page that %s can be left: a decline', fault =>
  requested({ fault }).then(() =>
    atTheBank(CARD, async ({ overlay, bank, page, settled, token }) => {
      await overlay.locator('h1').waitFor()
      if (fault === 'never_answers') {
        await bank.getByLabel('One-time code').fill('1234')
        await pressEnter(bank.getByRole('button', { name: 'Confirm' }))
        await bank.getByText('One moment').waitFor()
      } else equal(await bank.getByLabel('One-time code').count(), 0)
      // By mouse: the issuer's page may take the focus when it loads.
      await overlay.getByRole('button', { name: 'Cancel the payment' }).click()
      const { kind, value } = await settled()
      deepEqual([kind, codeOf(value)], ['resolved', 5])
      equal(await statusOf(token), 5)
      equal(await page.locator('iframe.threeDs').count(), 0)
    }),
  ),
)

/** The test ends the waits of the challenge frame itself. */
const BY_HAND = `{
  const set = window.setTimeout
  window.setTimeout = (call, ms, ...rest) =>
    ms === 6000 || ms === 12000 ? ((window['after' + ms] = call), -ms) : set(call, ms, ...rest)
}`
const ASKED = 'Do you see nothing of your bank here?'

async function endWait(page: Page, ms: number): Promise<void> {
  const frame = page.frames().find(each => each.url().includes('/three-ds'))
  ok(frame !== undefined)
  await frame.evaluate(`after${ms}()`)
}

test('when an issuer refuses framing, the shopper is asked six seconds after the load, and can cancel', () =>
  requested({ fault: 'refuses_framing' }).then(() =>
    atTheBank(
      CARD,
      async ({ overlay, page, settled, token }) => {
        // The browser's error page has loaded, too.
        await overlay.locator('[role=status]:empty').waitFor({ state: 'attached' })
        await endWait(page, 6000)
        await overlay.getByText(ASKED).waitFor()
        await overlay.getByRole('button', { name: 'Cancel the payment' }).click()
        equal(codeOf((await settled()).value), 5)
        equal(await statusOf(token), 5)
      },
      BY_HAND,
    ),
  ))

test('a shopper who uses the issuer’s page is not asked whether it is visible', () =>
  atTheBank(
    CARD,
    async ({ overlay, bank, page, settled }) => {
      await bank.getByLabel('One-time code').click()
      await endWait(page, 6000)
      equal(await overlay.getByRole('status').textContent(), '')
      // A shopper who was asked, and then continues, is not asked any more.
      await overlay.getByRole('button', { name: 'Cancel the payment' }).focus()
      await endWait(page, 6000)
      await overlay.getByText(ASKED).waitFor()
      await bank.getByLabel('One-time code').fill('1234')
      equal(await overlay.getByRole('status').textContent(), '')
      await pressEnter(bank.getByRole('button', { name: 'Confirm' }))
      equal(codeOf((await settled()).value), 0)
    },
    BY_HAND,
  ))

test('an issuer that rejects every code declines after three', () =>
  requested({ fault: 'wrong_code' }).then(() =>
    atTheBank(CARD, async ({ bank, page, settled, token }) => {
      for (const _ of [1, 2, 3]) {
        const answered = page.waitForResponse(response => response.url().includes('/acs/'))
        await bank.getByLabel('One-time code').fill('1234')
        await pressEnter(bank.getByRole('button', { name: 'Confirm' }))
        await answered
      }
      const { kind, value } = await settled()
      deepEqual([kind, codeOf(value)], ['resolved', 5])
      equal(await statusOf(token), 5)
    }),
  ))

test('with a late issuer the shop’s server reads that the challenge is open, and later its outcome', async () => {
  await requested({ fault: 'late' })
  await atTheBank(CARD, async ({ bank, settled, token }) => {
    await bank.getByLabel('One-time code').fill('1234')
    await pressEnter(bank.getByRole('button', { name: 'Confirm' }))
    await bank.getByText('One moment').waitFor()
    equal(await statusOf(token), 3)
    await gateway.sandbox('POST', '/sandbox/clock', { do: 'advance', ms: 11_000 })
    equal(codeOf((await settled()).value), 0)
    equal(await statusOf(token), 0)
  })
})

test('a second answer of an issuer is ignored', () =>
  requested({ fault: 'answers_twice' }).then(() =>
    atTheBank(CARD, async ({ bank, settled, token }) => {
      await bank.getByLabel('One-time code').fill('1234')
      await pressEnter(bank.getByRole('button', { name: 'Confirm' }))
      equal(codeOf((await settled()).value), 0)
      equal(await statusOf(token), 0)
    }),
  ))

test.each([
  ['Y', 0],
  ['A', 0],
  ['N', 5],
  ['R', 5],
])('an immediate status %s ends the payment with %i, without a challenge', async (status, expected) => {
  await requested({ status })
  await atTheBank(CARD, async ({ settled, page }) => {
    equal(codeOf((await settled()).value), expected)
    equal(await page.locator('iframe.threeDs').count(), 0)
  })
})

test('a shopper who does nothing for fifteen minutes has not paid', async () => {
  const token = await gateway.token()
  const context = await browser.newContext()
  const page = await context.newPage()
  // Shortens only this wait of the shop's page. A browser-wide clock would also run in the frames, and end the very request
  // that the time-out causes.
  await page.addInitScript(`
    const set = window.setTimeout
    if (window === top)
      window.setTimeout = (call, ms, ...rest) =>
        ms === 900000 ? ((window.fifteenMinutesGone = call), 0) : set(call, ms, ...rest)
  `)
  await page.goto(shop.page({ html: shopHtml(gateway.url, { token }) }))
  await page.locator('body[data-loaded]').waitFor()
  const form = openedForm(page, () => context.close())
  await form.fill({ number: '4456530000001096' })
  await form.press()
  await page.frameLocator('iframe.threeDs').frameLocator('iframe').getByLabel('One-time code').waitFor()
  await page.evaluate('fifteenMinutesGone()')
  const { kind, value } = await form.settled()
  deepEqual([kind, codeOf(value)], ['resolved', 5])
  equal(await statusOf(token), 5)
  await form.close()
})

test.each([
  ['its time is over', 'expired'],
  ['the shop revokes it', 'revoked'],
] as const)('the page settles by itself once the gateway has ended the payment: %s', (_, how) =>
  atTheBank(CARD, async ({ token, bank, settled }) => {
    await bank.getByLabel('One-time code').waitFor()
    if (how === 'expired') await gateway.sandbox('POST', '/sandbox/clock', { do: 'advance', ms: 15 * 60_000 })
    else equal((await gateway.v1('POST', `/v1/access-tokens/${token}/revoke`)).status, 200)
    const { kind, value } = await settled()
    deepEqual([kind, codeOf(value)], ['resolved', how === 'expired' ? 5 : 90])
    equal(await statusOf(token), how === 'expired' ? 5 : 90)
  }),
)

test('no accessibility violations (axe) in the challenge', () =>
  atTheBank(CARD, async ({ bank, page }) => {
    await bank.getByLabel('One-time code').fill('0000')
    await bank.getByRole('button', { name: 'Confirm' }).click()
    await bank.getByRole('alert').waitFor()
    deepEqual(await violationsOn(page, { within: ['iframe.threeDs'], without: ['page-has-heading-one'] }), [])
  }))

test('no policy violations', () => {
  deepEqual(shop.reports, [])
  ok(gateway.log.length > 0)
})

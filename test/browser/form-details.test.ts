// test/browser/form-details.test.ts — what a shopper sees of the form while it loads, is filled in, pays and is at the bank.
import { deepEqual, equal, match, ok } from 'node:assert/strict'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, test } from 'vitest'
import { LOCALES } from '../../web/frame/texts.ts'
import { type FormRequest, type OpenedForm, openedForm, openForm, shopHtml } from './support/shop-page.ts'
import { openTown, type Town } from './support/town.ts'

let town: Town

beforeAll(async () => {
  town = await openTown()
})

afterAll(() => town?.close())

async function withForm(
  requested: Partial<FormRequest>,
  use: (form: OpenedForm) => Promise<void>,
  context: Parameters<Browser['newContext']>[0] = {},
): Promise<void> {
  const { browser, gateway, shop } = town
  const form = await openForm(browser, gateway.url, shop, { token: await gateway.token(), ...requested }, context)
  try {
    await use(form)
  } finally {
    await form.close()
  }
}

const CHALLENGED = { number: '4456530000001096' }
const APPROVED = { number: '5200000000000056', cv2: '341' }

test('the security code is called so, and a visible hint says where it is', () =>
  withForm({}, async ({ frame }) => {
    await frame.getByLabel('Security code').waitFor()
    await frame.getByText('The last 3 digits on the back of the card').waitFor()
    ok(((await frame.locator('#cv2-hint').boundingBox())?.height ?? 0) > 10)
    await frame.locator('#cardNumber').fill('371449111020228')
    await frame.getByText('The 4 digits on the front of the card').waitFor()
  }))

test('an error stays red under the pointer', () =>
  withForm({}, async form => {
    await form.press()
    await form.settled()
    // At the end of a transition: on its way the colour is another one.
    const colour = () =>
      form.frame.locator('#cv2').evaluate(async node => {
        await Promise.all(node.getAnimations().map(each => each.finished))
        return getComputedStyle(node).borderTopColor
      })
    const before = await colour()
    await form.frame.locator('#cv2').hover()
    equal(await form.frame.locator('#cv2').evaluate(node => node.matches(':hover')), true)
    equal(await colour(), before)
    match(before, /^rgb\(179, 38, 30\)$/)
  }))

test('the longest name of a country fits into its field', () =>
  withForm(
    { lang: 'de', config: { billingAddressRequired: true } },
    async ({ frame }) => {
      const [room, needed] = await frame.locator('#country').evaluate(node => {
        const select = node as HTMLSelectElement
        const { font, paddingLeft, paddingRight } = getComputedStyle(select)
        const pen = document.createElement('canvas').getContext('2d')
        if (pen === null) throw new Error('no canvas')
        pen.font = font
        const widths = [...select.options].map(({ text }) => pen.measureText(text).width)
        const arrow = 20
        const room = select.clientWidth - Number.parseFloat(paddingLeft) - Number.parseFloat(paddingRight) - arrow
        return [room, Math.max(...widths)] as const
      })
      ok(room >= needed, `${needed} of ${room}`)
    },
    { viewport: { width: 480, height: 800 } },
  ))

test('while a payment runs the form shows it, and afterwards no more', () =>
  withForm({}, async form => {
    let go = () => {}
    const held = new Promise<void>(resolve => {
      go = resolve
    })
    await form.page.route('**/api/payments/*', async route => {
      await held
      await route.continue()
    })
    await form.fill(APPROVED)
    await form.press()
    const sentence = form.frame.getByText('Processing your payment…')
    await sentence.waitFor()
    equal(await sentence.evaluate(node => getComputedStyle(node, '::before').animationName), 'turn')
    go()
    equal((await form.settled()).kind, 'resolved')
    equal(await sentence.count(), 0)
  }))

test('until the form is there its place is marked', async () => {
  const { browser, gateway, shop } = town
  const context = await browser.newContext()
  const page = await context.newPage()
  const asked = new Promise<() => Promise<void>>(resolve =>
    page.route('**/payment-form?*', route => resolve(() => route.continue())),
  )
  await page.goto(shop.page({ html: shopHtml(gateway.url, { token: await gateway.token() }) }), {
    waitUntil: 'domcontentloaded',
  })
  const frame = page.locator('#form iframe')
  const place = () => frame.evaluate(node => [node.getAttribute('aria-busy'), getComputedStyle(node).backgroundImage])
  await frame.waitFor()
  const [busy, image] = await place()
  deepEqual([busy, image?.includes('gradient')], ['true', true])
  await (await asked)()
  await page.locator('body[data-loaded]').waitFor()
  deepEqual(await place(), ['false', 'none'])
  await openedForm(page, () => context.close()).close()
})

test('the page behind the bank’s frame is dimmed and cannot be pressed, until the frame closes', () =>
  withForm({}, async form => {
    await form.fill(CHALLENGED)
    await form.press()
    const frame = form.page.locator('iframe.threeDs')
    await frame.waitFor()
    const at = (x: number, y: number) =>
      form.page.evaluate(place => document.elementFromPoint(place[0] ?? 0, place[1] ?? 0)?.className, [x, y])
    const box = await frame.boundingBox()
    equal(await at((box?.x ?? 0) + 20, (box?.y ?? 0) + 20), 'threeDs')
    equal(await at(2, 2), 'tollgateBackdrop')
    await form.page.frameLocator('iframe.threeDs').getByRole('button', { name: 'Cancel the payment' }).click()
    await form.settled()
    equal(await form.page.locator('.tollgateBackdrop').count(), 0)
  }))

test('on a small screen the way out of the bank’s frame is on the screen', async () => {
  const { browser, gateway, shop } = town
  const context = await browser.newContext({ viewport: { width: 320, height: 480 } })
  const page = await context.newPage()
  // The guide gives no style for the frame.
  const html = shopHtml(gateway.url, { token: await gateway.token() }).replace(
    '<link rel="stylesheet" href="/shop.css">',
    '',
  )
  await page.goto(shop.page({ html }))
  await page.locator('body[data-loaded]').waitFor()
  const form = openedForm(page, () => context.close())
  await form.fill(CHALLENGED)
  await form.press()
  const close = page.frameLocator('iframe.threeDs').getByRole('button', { name: 'Cancel the payment' })
  await close.waitFor()
  const box = await close.boundingBox()
  ok(box !== null && box.x >= 0 && box.y >= 0 && box.x + box.width <= 320 && box.y + box.height <= 480)
  await form.close()
})

test('the bank’s page may ask for a passkey', () =>
  withForm({}, async form => {
    await form.fill(CHALLENGED)
    await form.press()
    const { page } = form
    equal(await page.locator('#form iframe').getAttribute('allow'), 'payment; publickey-credentials-get')
    equal(await page.locator('iframe.threeDs').getAttribute('allow'), 'payment; publickey-credentials-get')
    const bank = page.frameLocator('iframe.threeDs').locator('iframe')
    match((await bank.getAttribute('allow')) ?? '', /publickey-credentials-get \*/)
    await bank.contentFrame().getByLabel('One-time code').waitFor()
    const allowed = await bank
      .contentFrame()
      .locator('body')
      .evaluate(node => {
        const { featurePolicy } = node.ownerDocument as Document & {
          featurePolicy: { allowsFeature(name: string): boolean }
        }
        return featurePolicy.allowsFeature('publickey-credentials-get')
      })
    equal(allowed, true)
  }))

test.each([
  [401, 'The access token was used or revoked, or has expired.'],
  [429, 'Too many requests. Wait before you send more.'],
  [500, 'The server met an error.'],
  [504, 'The outcome is not known yet. Read the payment later.'],
])('a refusal with %i has a sentence for the shopper', (statusCode, message) =>
  withForm({ lang: 'de' }, async form => {
    await form.page.route('**/api/payments/*', route =>
      route.fulfill({ status: statusCode, json: { statusCode, message } }),
    )
    await form.fill(APPROVED)
    await form.press()
    const { value } = await form.settled()
    const told = value as { statusCode: number; message: string }
    equal(told.statusCode, statusCode)
    const { expired, unusable, outcomeUnknown } = LOCALES['de'] ?? {}
    equal(told.message, statusCode === 401 ? expired : statusCode === 429 ? unusable : outcomeUnknown)
  }),
)

test.each(Object.entries(LOCALES))('the errors in %s say what to do', (_, texts) => {
  match(texts.cardNameInvalid, /255/)
  match(texts.addressInvalid, /100/)
  match(texts.cv2Invalid, /3.*4/)
  ok(texts.expiryDateInvalid.includes(texts.expiryPlaceholder))
  // What is wrong, and after the colon how to go on, or the other way round.
  for (const name of ['cardNumberInvalid', 'expiryDateMustBeInFuture', 'emailInvalid', 'phoneInvalid'] as const)
    match(texts[name], /: ?\S/, name)
})

// test/browser/form-refusals.test.ts — fields that the form or the gateway refuses: each with its error, translated.
import { deepEqual, equal, ok } from 'node:assert/strict'
import { afterAll, beforeAll, test } from 'vitest'
import { textsOf } from '../../web/frame/texts.ts'
import { type FormRequest, type OpenedForm, openForm } from './support/shop-page.ts'
import { openTown, type Town } from './support/town.ts'

let town: Town

beforeAll(async () => {
  town = await openTown()
})

afterAll(() => town?.close())

async function withForm(requested: Partial<FormRequest>, use: (form: OpenedForm) => Promise<void>): Promise<void> {
  const { browser, gateway, shop } = town
  const form = await openForm(browser, gateway.url, shop, { token: await gateway.token(), ...requested })
  try {
    await use(form)
  } finally {
    await form.close()
  }
}

const SHOWN = { cardName: { showValidation: true } }
const APPROVED = { number: '5200000000000056', cv2: '341' }

test('a field that only the gateway refuses gets its translated error, until the shopper changes it', () =>
  withForm({ lang: 'de', config: { text: SHOWN } }, async form => {
    const { page, frame } = form
    await page.route('**/api/payments/*', route =>
      route.fulfill({ status: 400, json: { statusCode: 400, message: 'Invalid cardName: it is empty.' } }),
    )
    await form.fill(APPROVED)
    await form.press()
    const error = { errorType: 'cardNameInvalid', message: textsOf('de').texts.cardNameInvalid }
    deepEqual(await form.settled(), { kind: 'rejected', value: [error] })
    equal(await frame.locator('#cardName-error').textContent(), error.message)
    equal(await frame.locator(':focus').getAttribute('id'), 'cardName')
    deepEqual((await form.told()).findLast(({ what }) => what === 'errors')?.value, [error])
    await page.unroute('**/api/payments/*')
    await frame.locator('#cardName').fill('John Watson')
    await page.locator('#errors:empty').waitFor({ state: 'attached' })
    await form.press()
    equal((await form.settled()).kind, 'resolved')
  }))

test('a field of the page that the gateway refuses is reported like a field of the form', () =>
  withForm({ lang: 'fr', info: { userEmailAddress: `${'x'.repeat(600)}@shop.example` } }, async form => {
    await form.fill(APPROVED)
    await form.press()
    const error = { errorType: 'userEmailAddressInvalid', message: textsOf('fr').texts.emailInvalid }
    deepEqual(await form.settled(), { kind: 'rejected', value: [error] })
    deepEqual((await form.told()).findLast(({ what }) => what === 'errors')?.value, [error])
  }))

test('a refusal that no shopper can correct stays one for the page', () =>
  withForm({ info: { savePaymentMethod: true } }, async form => {
    await form.fill(APPROVED)
    await form.press()
    const { kind, value } = await form.settled()
    deepEqual([kind, (value as { statusCode: number }).statusCode], ['rejected', 400])
  }))

test('a card number in the name is refused before anything is sent', () =>
  withForm({}, async form => {
    const sent: string[] = []
    form.page.on('request', request => sent.push(request.url()))
    await form.fill({ ...APPROVED, name: 'Ann 4111 1111 1111 1111' })
    await form.press()
    deepEqual(
      ((await form.settled()).value as { errorType: string }[]).map(({ errorType }) => errorType),
      ['cardNameInvalid'],
    )
    ok(!sent.some(url => url.includes('/api/')), sent.join(' '))
  }))

test('the gateway’s time decides whether a card has expired, not the shopper’s clock', () =>
  withForm({ init: 'const real = Date.now; Date.now = () => real() + 9e11' }, async form => {
    await form.fill({ ...APPROVED, expiry: '12/30' })
    await form.press()
    equal((await form.settled()).kind, 'resolved')
  }))

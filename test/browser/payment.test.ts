// test/browser/payment.test.ts — payments through the form, from the keyboard to the merchant's server.
import { deepEqual, equal, match, notEqual, ok } from 'node:assert/strict'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { ONLINE_TEST_CARDS } from '../../src/simulator/cards/online-test-cards.ts'
import { numbersThatLookLikeCards } from '../support/card-scanner.ts'
import { openShop } from '../support/shop.ts'
import { send } from '../support/till.ts'
import type { RunningGateway } from './support/gateway.ts'
import { type FormRequest, type OpenedForm, openedForm, openForm, shopHtml } from './support/shop-page.ts'
import { openShopServer, type ShopServer } from './support/shop-server.ts'
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

const APPROVED = { number: '5200000000000056', cv2: '341' }
const DECLINED = { number: '4921810000009076', cv2: '875', name: 'Jack Lewis' }

async function withForm(requested: FormRequest, use: (form: OpenedForm) => Promise<void>): Promise<void> {
  const form = await openForm(browser, gateway.url, shop, requested)
  try {
    await use(form)
  } finally {
    await form.close()
  }
}

interface Payment {
  readonly statusCode: number
  readonly message: string
  readonly cardNumber: string
  readonly cardName: string
  readonly expiryDate: string
  readonly crossReference: string
  readonly billingAddress: Readonly<Record<string, string>>
  readonly userEmailAddress: string
  readonly metaData?: Readonly<Record<string, string>>
}

async function paymentOf(token: string): Promise<Payment> {
  const { status, body } = await gateway.v1('GET', `/v1/payments/${token}`)
  equal(status, 200)
  return body as Payment
}

/** Pays with a filled-in form, and returns how the promise settled. */
async function payWith(form: OpenedForm, card: Parameters<OpenedForm['fill']>[0]) {
  await form.fill(card)
  await form.press()
  return form.settled()
}

const WITHOUT_A_PAGE = ONLINE_TEST_CARDS.filter(({ mode }) => mode === 'no' || mode === 'frictionless 2.0')

test.each(WITHOUT_A_PAGE.map(card => [card.number, card.mode, card.expected, card] as const))(
  'test card %s of mode %s ends with %i, on the page and at the merchant’s server',
  async (number, _mode, expected, card) => {
    const token = await gateway.token({ orderId: `card-${number.slice(-4)}-${card.scheme}` })
    await withForm({ token }, async form => {
      const { kind, value } = await payWith(form, {
        number,
        cv2: card.securityCode,
        name: card.holder ?? 'Ann Example',
      })
      equal(kind, 'resolved')
      const outcome = value as { statusCode: number; authCode: string; message: string; reason: string }
      equal(outcome.statusCode, expected)
      if (expected === 0) match(outcome.message, /^AuthCode: /)
      deepEqual(Object.keys(outcome).sort(), ['authCode', 'message', 'reason', 'statusCode'])
    })
    const payment = await paymentOf(token)
    equal(payment.statusCode, expected)
    equal(payment.cardNumber, `${number.slice(0, 6)}${'*'.repeat(number.length - 10)}${number.slice(-4)}`)
  },
)

test('data that the page adds to the card reaches the merchant’s server', async () => {
  const token = await gateway.token({ metaData: { basket: '7', campaign: 'spring' } })
  const info = {
    userEmailAddress: 'ann@shop.example',
    billingAddress: { address1: '32 Edward Street', city: 'Camborne', postcode: 'TR14 8PA', countryCode: '826' },
    metaData: { basket: '8' },
  }
  await withForm({ token, info }, async form => {
    equal(((await payWith(form, APPROVED)).value as { statusCode: number }).statusCode, 0)
  })
  const payment = await paymentOf(token)
  equal(payment.userEmailAddress, 'ann@shop.example')
  equal(payment.billingAddress['address1'], '32 Edward Street')
  deepEqual(payment.metaData, { basket: '8', campaign: 'spring' })
})

test('an address in the form is sent with the number of its country', async () => {
  const token = await gateway.token()
  await withForm({ token, config: { billingAddressRequired: true } }, async form => {
    await form.fill(APPROVED)
    for (const [field, text] of [
      ['addressLine1', '32 Edward Street'],
      ['city', 'Camborne'],
      ['county', 'Cornwall'],
      ['postcode', 'TR14 8PA'],
    ] as const)
      await form.frame.locator(`#${field}`).fill(text)
    await form.frame.locator('#country').selectOption('GB')
    await form.press()
    equal(((await form.settled()).value as { statusCode: number }).statusCode, 0)
  })
  const { billingAddress } = await paymentOf(token)
  equal(billingAddress['state'], 'Cornwall')
  equal(billingAddress['countryCode'], '826')
})

test('a second submit during a payment returns the same promise, and one payment is made', async () => {
  const token = await gateway.token()
  await withForm({ token }, async form => {
    const posts: string[] = []
    form.page.on('request', request => {
      if (request.url().includes('/api/payments/')) posts.push(request.url())
    })
    await form.fill(APPROVED)
    const same = await form.page.evaluate(`(async () => {
      const [first, second] = [form.executePayment(), form.executePayment()]
      const [one, two] = await Promise.all([first, second])
      return [first === second, one.statusCode, two.statusCode]
    })()`)
    deepEqual(same, [true, 0, 0])
    equal(posts.length, 1)
  })
})

test('of two tabs with one token one pays, the other gets 401, and the card is charged once', async () => {
  const token = await gateway.token()
  const forms = await Promise.all([1, 2].map(() => openForm(browser, gateway.url, shop, { token })))
  for (const form of forms) await form.fill(APPROVED)
  await Promise.all(forms.map(form => form.press()))
  const ends = await Promise.all(forms.map(form => form.settled()))
  deepEqual(ends.map(({ value }) => (value as { statusCode: number }).statusCode).sort(), [0, 401])
  deepEqual(ends.map(({ kind }) => kind).sort(), ['rejected', 'resolved'])
  equal((await paymentOf(token)).statusCode, 0)
  await Promise.all(forms.map(form => form.close()))
})

test('after a decline a new token is accepted, and the input stays except the code', async () => {
  const [token, another] = [await gateway.token(), await gateway.token()]
  await withForm({ token }, async form => {
    equal(((await payWith(form, DECLINED)).value as { statusCode: number }).statusCode, 5)
    await form.page.evaluate(`form.updateAccessToken({ paymentToken: ${JSON.stringify(another)} })`)
    await expect.poll(() => form.frame.locator('#cv2').inputValue()).toBe('')
    equal(await form.frame.locator('#cardName').inputValue(), 'Jack Lewis')
    await form.frame.locator('#cardNumber').fill(APPROVED.number)
    await form.frame.locator('#cv2').fill(APPROVED.cv2)
    await form.press()
    equal(((await form.settled()).value as { statusCode: number }).statusCode, 0)
  })
  equal((await paymentOf(token)).statusCode, 5)
  equal((await paymentOf(another)).statusCode, 0)
})

test('when the token expires the form shows it, and accepts a new one', async () => {
  const token = await gateway.token()
  const context = await browser.newContext()
  const page = await context.newPage()
  await page.clock.install()
  await page.goto(shop.page({ html: shopHtml(gateway.url, { token }) }))
  await page.locator('body[data-loaded]').waitFor()
  const form = openedForm(page, () => context.close())
  await form.fill(APPROVED)
  await page.clock.fastForward(31 * 60_000)
  const notice = form.frame.locator('.notice')
  await notice.getByText('open too long').waitFor()
  await gateway.sandbox('POST', '/sandbox/clock', { do: 'advance', ms: 31 * 60_000 })
  await form.press()
  const refused = await form.settled()
  equal(refused.kind, 'rejected')
  equal((refused.value as { statusCode: number }).statusCode, 401)
  const another = await gateway.token()
  await page.evaluate(`form.updateAccessToken({ paymentToken: ${JSON.stringify(another)} })`)
  await expect.poll(() => notice.textContent()).toBe('')
  await form.frame.locator('#cv2').fill(APPROVED.cv2)
  await form.press()
  equal(((await form.settled()).value as { statusCode: number }).statusCode, 0)
  await form.close()
})

test('a payment that waits for the merchant resolves with 99, and is charged when resumed', async () => {
  const token = await gateway.token({ waitPreExecute: true })
  await withForm({ token }, async form => {
    equal(((await payWith(form, APPROVED)).value as { statusCode: number }).statusCode, 99)
  })
  equal((await paymentOf(token)).statusCode, 99)
  const { body } = await gateway.v1('POST', `/v1/payments/${token}/resume`)
  equal((body as { statusCode: number }).statusCode, 0)
})

test('a token that is not for a sale is refused with 400, without effect', async () => {
  const sale = await gateway.token()
  await withForm({ token: sale }, async form => void (await payWith(form, APPROVED)))
  const { crossReference } = await paymentOf(sale)
  const token = await gateway.token({ transactionType: 'REFUND', crossReference })
  await withForm({ token }, async form => {
    const { kind, value } = await payWith(form, APPROVED)
    equal(kind, 'rejected')
    equal((value as { statusCode: number }).statusCode, 400)
  })
  equal((await gateway.v1('GET', `/v1/payments/${token}`)).status, 404)
})

test('a stored card is charged again with its code only', async () => {
  const sale = await gateway.token()
  await withForm({ token: sale }, async form => void (await payWith(form, APPROVED)))
  const { crossReference } = await paymentOf(sale)
  const token = await gateway.token({ crossReference, orderId: 'R-1' })
  await withForm({ token, kind: 'ConnectERecurringPayment' }, async form => {
    deepEqual(await form.frame.locator('input').evaluateAll(nodes => nodes.map(node => node.id)), ['cv2'])
    await form.press()
    deepEqual((await form.settled()).value, [{ errorType: 'cv2Required', message: 'Enter the security code' }])
    await form.frame.locator('#cv2').fill(APPROVED.cv2)
    await form.press()
    equal(((await form.settled()).value as { statusCode: number }).statusCode, 0)
  })
  equal((await paymentOf(token)).cardNumber, '520000******0056')
})

test('with hideCv2 the form has no field, and pays at once', async () => {
  const sale = await gateway.token()
  await withForm({ token: sale }, async form => void (await payWith(form, APPROVED)))
  const { crossReference } = await paymentOf(sale)
  const token = await gateway.token({ crossReference, orderId: 'R-2' })
  await withForm({ token, kind: 'ConnectERecurringPayment', config: { hideCv2: true } }, async form => {
    equal(await form.frame.locator('input').count(), 0)
    await form.press()
    equal(((await form.settled()).value as { statusCode: number }).statusCode, 0)
  })
})

test('saving a card needs a customer, and then returns a card id', async () => {
  const info = { savePaymentMethod: true }
  await withForm({ token: await gateway.token(), info }, async form => {
    const { kind, value } = await payWith(form, APPROVED)
    deepEqual([kind, (value as { statusCode: number }).statusCode], ['rejected', 400])
  })
  const token = await gateway.token({ customerId: 'customer-1' })
  await withForm({ token, info }, async form => void (await payWith(form, APPROVED)))
  notEqual(((await paymentOf(token)) as unknown as { paymentMethodId: string }).paymentMethodId ?? '', '')
})

test('a network failure at any step ends the promise with 500, never with a guess', async () => {
  for (const step of ['/api/device-data/', '/api/payments/']) {
    const token = await gateway.token()
    await withForm({ token }, async form => {
      await form.page.route(`**${step}**`, route => route.abort('connectionreset'))
      const { kind, value } = await payWith(form, APPROVED)
      // Without device data the payment continues.
      if (step === '/api/device-data/') deepEqual([kind, (value as { statusCode: number }).statusCode], ['resolved', 0])
      else deepEqual([kind, (value as { statusCode: number }).statusCode], ['rejected', 500])
    })
  }
})

test('a lost answer is not a failure: the merchant’s server reads the outcome', async () => {
  const token = await gateway.token()
  await withForm({ token }, async form => {
    await form.page.route('**/api/payments/**', async route => {
      await route.fetch()
      await route.abort('connectionreset')
    })
    const { kind, value } = await payWith(form, APPROVED)
    deepEqual([kind, (value as { statusCode: number }).statusCode], ['rejected', 500])
  })
  equal((await paymentOf(token)).statusCode, 0)
})

test('removing the frame settles the promise', async () => {
  const token = await gateway.token()
  await withForm({ token }, async form => {
    await form.page.route('**/api/payments/**', () => {})
    await form.fill(APPROVED)
    await form.press()
    await form.page.evaluate("document.querySelector('#form iframe').remove()")
    const { kind, value } = await form.settled()
    deepEqual([kind, (value as { statusCode: number }).statusCode], ['rejected', 500])
  })
})

/** Opens a form on a page with a controllable clock. */
async function withClock(use: (form: OpenedForm) => Promise<void>): Promise<void> {
  const context = await browser.newContext()
  try {
    const page = await context.newPage()
    page.setDefaultTimeout(10_000)
    await page.clock.install()
    await page.goto(shop.page({ html: shopHtml(gateway.url, { token: await gateway.token() }) }))
    await page.locator('body[data-loaded]').waitFor()
    await use(openedForm(page, () => context.close()))
  } finally {
    await context.close()
  }
}

/** Pays and validates at once, and leaves the promise of both results on the page. */
const ASK_BOTH = `void (window.ends = Promise.all(
  [form.executePayment(), form.validate()].map(asked => asked.catch(why => why)),
))`
/** Evaluating a promise waits for it. */
const bothEnds = ({ page }: OpenedForm): Promise<unknown> => page.evaluate('window.ends')

test('calls on a form that the page has removed reject', () =>
  withClock(async form => {
    await form.page.evaluate("document.querySelector('#form iframe').remove()")
    await form.page.evaluate(ASK_BOTH)
    const [paid, validated] = (await bothEnds(form)) as { statusCode: number; message: string }[]
    equal(paid?.statusCode, 500)
    match(paid?.message ?? '', /not known yet whether you have paid/)
    deepEqual(validated, { statusCode: 500, message: 'The form did not answer' })
  }))

test('calls on a form that the page has moved, and that does not load again, reject', () =>
  withClock(async form => {
    await form.page.route('**/payment-form?*', route => route.abort('connectionreset'))
    await form.page.evaluate(`new Promise(resolve => {
      const frame = document.querySelector('#form iframe')
      frame.addEventListener('load', resolve)
      document.getElementById('form').append(frame)
    })`)
    await form.page.evaluate(ASK_BOTH)
    await form.page.clock.fastForward(25_000)
    const refused = { statusCode: 500, message: 'The form could not be loaded' }
    deepEqual(await bothEnds(form), [refused, refused])
    deepEqual((await form.told()).at(-1)?.what, 'failed')
  }))

test('a silent form times out after seconds for validation, and after minutes for a payment', () =>
  withClock(async form => {
    // It neither loads nor fails.
    await form.page.route('**/payment-form?*', () => {})
    await form.page.evaluate("document.getElementById('form').append(document.querySelector('#form iframe'))")
    await form.page.evaluate('void (window.validated = form.validate().catch(why => why))')
    await form.page.evaluate('void (window.paid = form.executePayment().catch(why => why))')
    await form.page.clock.fastForward(31_000)
    const validated = await form.page.evaluate('window.validated')
    deepEqual(validated, { statusCode: 500, message: 'The form did not answer' })
    equal(await form.page.evaluate("Promise.race([window.paid, 'open'])"), 'open')
    await form.page.clock.fastForward(17 * 60_000)
    const paid = (await form.page.evaluate('window.paid')) as { message: string }
    match(paid.message, /not known yet whether you have paid/)
  }))

test('in live mode the device data frame has a page of this host, the only one that the form’s policy allows', async () => {
  const live = await openShop({ settings: { mode: 'live', publicKey: null } })
  // Without a token, so that any page may embed it: the merchant's pages are served without TLS here.
  const { headers } = await send(live.api.inject, 'GET', '/payment-form', {})
  await withClock(async form => {
    const { page } = form
    const posted: string[] = []
    await page.route('**/payment-form?*', async route => {
      const response = await route.fetch()
      const policy = { 'content-security-policy': String(headers['content-security-policy']) }
      await route.fulfill({ response, headers: { ...response.headers(), ...policy } })
    })
    await page.route('**/api/device-data/**', route =>
      route.fulfill({ json: { formAction: `${gateway.url}/collect`, token: 'a.b.c' } }),
    )
    await page.route('**/collect', async route => {
      posted.push(route.request().postData() ?? '')
      await route.fulfill({ contentType: 'text/html', body: '<script>parent.postMessage("seen", "*")</script>' })
    })
    await page.reload()
    await page.locator('body[data-loaded]').waitFor()
    const { kind, value } = await payWith(form, APPROVED)
    deepEqual([kind, (value as { statusCode: number }).statusCode], ['resolved', 0])
    deepEqual(posted, ['JWT=a.b.c'])
  })
})

test('a page of another merchant cannot embed the form, and gets a load error', async () => {
  const thief = await openShopServer(gateway.url, 'thief.example')
  const context = await browser.newContext()
  try {
    const page = await context.newPage()
    await page.clock.install()
    await page.goto(thief.page({ html: shopHtml(gateway.url, { token: await gateway.token() }) }))
    await page.clock.fastForward(25_000)
    await page.locator('body[data-loaded=failed]').waitFor()
    equal(await page.frameLocator('#form iframe').locator('input').count(), 0)
    const why = await page.evaluate('form.executePayment().catch(why => why)')
    deepEqual(why, { statusCode: 500, message: 'The form could not be loaded' })
  } finally {
    await context.close()
    await thief.close()
  }
})

test('an unknown token gives a form that says it cannot be used', async () => {
  await withForm({ token: 'made-up' }, async form => {
    await form.frame.getByText('cannot be used').waitFor()
    const requests: string[] = []
    form.page.on('request', request => requests.push(request.url()))
    await form.press()
    equal(((await form.settled()).value as { statusCode: number }).statusCode, 401)
    deepEqual(
      requests.filter(url => url.includes('/api/')),
      [],
    )
    const token = await gateway.token()
    await form.page.evaluate(`form.updateAccessToken({ paymentToken: ${JSON.stringify(token)} })`)
    await form.frame.locator('body[data-token=known] #cardName').waitFor()
    equal(((await payWith(form, APPROVED)).value as { statusCode: number }).statusCode, 0)
  })
})

test('no policy violations, and no card number in the log or in an address', () => {
  deepEqual(shop.reports, [])
  ok(gateway.log.length > 0)
  deepEqual(
    gateway.log.flatMap(line => numbersThatLookLikeCards(line)),
    [],
  )
})

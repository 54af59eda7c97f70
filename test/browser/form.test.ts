// test/browser/form.test.ts — the card form in a browser: formatting, errors, keyboard, styles, languages and accessibility.
import { deepEqual, equal, match, ok } from 'node:assert/strict'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { en } from '../../web/frame/locales/en.ts'
import { violationsOn } from './support/axe.ts'
import { pressEnter } from './support/browser.ts'
import type { RunningGateway } from './support/gateway.ts'
import { type FormRequest, type OpenedForm, openForm } from './support/shop-page.ts'
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

async function newToken(): Promise<string> {
  return gateway.token()
}

const SHOWN = Object.fromEntries(
  ['cardName', 'cardNumber', 'expiryDate', 'cv2'].map(name => [name, { showValidation: true }]),
)

async function visit(
  requested: Partial<FormRequest> = {},
  context: Parameters<Browser['newContext']>[0] = {},
): Promise<OpenedForm> {
  const token = requested.token ?? (await newToken())
  return openForm(browser, gateway.url, shop, { ...requested, token }, context)
}

/** Runs with a form, and closes it. */
async function withForm(
  requested: Partial<FormRequest>,
  use: (form: OpenedForm) => Promise<void>,
  context: Parameters<Browser['newContext']>[0] = {},
): Promise<void> {
  const form = await visit(requested, context)
  try {
    await use(form)
  } finally {
    await form.close()
  }
}

describe('formatting', () => {
  test('a number is grouped as on its card while it is typed', () =>
    withForm({}, async ({ frame }) => {
      const number = frame.locator('#cardNumber')
      await number.pressSequentially('4111111111111111')
      equal(await number.inputValue(), '4111 1111 1111 1111')
      await number.fill('')
      await number.pressSequentially('371449111020228')
      equal(await number.inputValue(), '3714 491110 20228')
      equal(await frame.locator('.card-icon').getAttribute('data-scheme'), 'AMEX')
    }))

  test('the caret stays in place when a digit is inserted or deleted in the middle', () =>
    withForm({}, async ({ frame }) => {
      const number = frame.locator('#cardNumber')
      await number.pressSequentially('411111111111111')
      await number.press('Home')
      for (const _ of '12345') await number.press('ArrowRight')
      // After the blank: 4111 |1111 …
      await number.pressSequentially('2')
      equal(await number.inputValue(), '4111 2111 1111 1111')
      equal(await number.evaluate(node => (node as HTMLInputElement).selectionStart), 6)
      await number.press('Backspace')
      equal(await number.inputValue(), '4111 1111 1111 111')
      equal(await number.evaluate(node => (node as HTMLInputElement).selectionStart), 4)
      await number.press('Backspace')
      equal(await number.inputValue(), '4111 1111 1111 11')
      equal(await number.evaluate(node => (node as HTMLInputElement).selectionStart), 3)
      await number.press('Delete')
      equal(await number.inputValue(), '4111 1111 1111 1')
    }))

  test('a number is accepted in each form in which it is pasted or filled in', () =>
    withForm({}, async ({ frame }) => {
      for (const pasted of [
        '4111-1111-1111-1111',
        '  4111\u00a01111 1111\t1111 ',
        'card: 4111.1111.1111.1111',
        '٤١١١١١١١١١١١١١١١',
        '４１１１１１１１１１１１１１１１',
      ]) {
        await frame.locator('#cardNumber').fill(pasted)
        equal(await frame.locator('#cardNumber').inputValue(), '4111 1111 1111 1111', pasted)
      }
    }))

  test('an expiry date is accepted in each form in which it is pasted or filled in', () =>
    withForm({}, async ({ frame }) => {
      for (const [given, shown] of [
        ['1230', '12 / 30'],
        ['12/30', '12 / 30'],
        ['12/2030', '12 / 30'],
        ['2030-12', '12 / 30'],
        ['12 - 2030', '12 / 30'],
        ['1/30', '01 / 30'],
        ['122030', '12 / 30'],
      ] as const) {
        await frame.locator('#expiryDate').fill(given)
        equal(await frame.locator('#expiryDate').inputValue(), shown, given)
      }
    }))

  test('an expiry date gets its slash while it is typed, and can be deleted', () =>
    withForm({}, async ({ frame }) => {
      const expiry = frame.locator('#expiryDate')
      await expiry.pressSequentially('9')
      equal(await expiry.inputValue(), '09 / ')
      await expiry.pressSequentially('31')
      equal(await expiry.inputValue(), '09 / 31')
      for (const _ of '1234') await expiry.press('Backspace')
      equal(await expiry.inputValue(), '')
      await expiry.pressSequentially('12/2030')
      equal(await expiry.inputValue(), '12 / 30')
    }))
})

describe('errors', () => {
  const PAST = '0120'
  const cases: readonly [string, Partial<Record<'name' | 'number' | 'expiry' | 'cv2', string>>][] = [
    ['cardNameRequired', { name: '' }],
    ['cardNameInvalid', { name: '4111 1111 1111 1111' }],
    ['cardNumberRequired', { number: '' }],
    ['cardNumberInvalid', { number: '4111111111111112' }],
    ['expiryDateRequired', { expiry: '' }],
    ['expiryDateInvalid', { expiry: '1399' }],
    ['expiryDateMustBeInFuture', { expiry: PAST }],
    ['cv2Required', { cv2: '' }],
    ['cv2Invalid', { cv2: '12' }],
  ]

  test('each of the nine errors is reported with its name and message, alone and in the order of the form', () =>
    withForm({ config: { text: SHOWN } }, async form => {
      for (const [errorType, change] of cases) {
        const card = { name: 'Ann Example', number: '4111111111111111', expiry: '1230', cv2: '123', ...change }
        for (const [field, value] of Object.entries({
          cardName: card.name,
          cardNumber: card.number,
          expiryDate: card.expiry,
          cv2: card.cv2,
        }))
          await form.frame.locator(`#${field}`).fill(value)
        await form.press()
        const { kind, value } = await form.settled()
        equal(kind, 'rejected')
        deepEqual(
          (value as { errorType: string }[]).map(error => error.errorType),
          [errorType],
        )
        const [{ message }] = value as [{ message: string }]
        ok((await form.frame.locator('form').textContent())?.includes(message), message)
      }
      await form.frame.locator('#cardName').fill('')
      await form.frame.locator('#cv2').fill('')
      await form.press()
      const { value } = await form.settled()
      deepEqual(
        (value as { errorType: string }[]).map(error => error.errorType),
        ['cardNameRequired', 'cv2Required'],
      )
    }))

  test('the page’s messages replace ours, and the list is empty after the last error is corrected', () =>
    withForm({ config: { errorMessages: { cv2Required: 'Give us the three digits' } } }, async form => {
      await form.fill({ number: '4111111111111111', cv2: '' })
      await form.press()
      deepEqual((await form.settled()).value, [{ errorType: 'cv2Required', message: 'Give us the three digits' }])
      await form.frame.locator('#cv2').fill('123')
      await form.page.locator('#errors:empty').waitFor({ state: 'attached' })
      deepEqual((await form.told()).filter(({ what }) => what === 'errors').at(-1)?.value, [])
    }))

  test('leaving an empty field shows no error', () =>
    withForm({}, async form => {
      await form.frame.locator('#cardName').focus()
      await form.page.keyboard.press('Tab')
      await form.page.keyboard.press('Tab')
      deepEqual(
        (await form.told()).filter(({ what }) => what === 'errors'),
        [],
      )
    }))

  test('validate() without a catch logs no error on the page, and reports the errors', () =>
    withForm({}, async form => {
      const errors: string[] = []
      form.page.on('pageerror', error => errors.push(error.message))
      await form.page.evaluate('void form.validate()')
      await form.page.locator('#errors li').first().waitFor()
      equal(await form.page.locator('#errors li').count(), 4)
      deepEqual(errors, [])
    }))

  test('the code of an American Express card has four digits', () =>
    withForm({}, async form => {
      await form.fill({ number: '371449111020228', cv2: '020' })
      await form.press()
      deepEqual((await form.settled()).value, [{ errorType: 'cv2Invalid', message: en.cv2Invalid }])
      match((await form.frame.locator('#cv2-hint').textContent()) ?? '', /4 digits on the front/)
    }))
})

describe('accessibility', () => {
  test('the form can be filled in and submitted by keyboard', () =>
    withForm({}, async form => {
      const { page } = form
      await form.frame.locator('#cardName').focus()
      await page.keyboard.type('Ann Example')
      for (const text of ['4111111111111112', '1230', '123']) {
        await page.keyboard.press('Tab')
        await page.keyboard.type(text)
      }
      await page.keyboard.press('Enter')
      deepEqual((await form.settled()).value, [{ errorType: 'cardNumberInvalid', message: en.cardNumberInvalid }])
      ok((await form.told()).some(({ what }) => what === 'submitted'))
      // The focus moves to the first error.
      equal(await form.frame.locator(':focus').getAttribute('id'), 'cardNumber')
      await page.keyboard.press('Tab')
      await page.keyboard.press('Tab')
      equal(await form.frame.locator(':focus').getAttribute('id'), 'cv2')
      await page.keyboard.press('Tab')
      equal(await page.locator('#pay-button').evaluate(node => node === document.activeElement), true)
    }))

  test('a focused field is visibly focused', () =>
    withForm({}, async ({ frame }) => {
      const number = frame.locator('#cardNumber')
      const shadow = () => number.evaluate(node => getComputedStyle(node).boxShadow)
      const before = await shadow()
      await number.focus()
      await expect.poll(shadow).not.toBe(before)
    }))

  test('browsers and password managers recognise each field', () =>
    withForm({ config: { billingAddressRequired: true } }, async ({ frame }) => {
      const attributes = await frame
        .locator('input, select')
        .evaluateAll(nodes =>
          nodes.map(node => [
            node.getAttribute('name'),
            node.id === node.getAttribute('name'),
            node.getAttribute('autocomplete'),
          ]),
        )
      deepEqual(attributes, [
        ['cardName', true, 'cc-name'],
        ['cardNumber', true, 'cc-number'],
        ['expiryDate', true, 'cc-exp'],
        ['cv2', true, 'cc-csc'],
        ['addressLine1', true, 'billing address-line1'],
        ['addressLine2', true, 'billing address-line2'],
        ['addressLine3', true, 'billing address-line3'],
        ['city', true, 'billing address-level2'],
        ['county', true, 'billing address-level1'],
        ['postcode', true, 'billing postal-code'],
        ['country', true, 'billing country'],
      ])
      equal(await frame.locator('form').count(), 1)
    }))

  test('each field has its label, and its error is linked to it and announced', () =>
    withForm({ config: { text: SHOWN } }, async form => {
      await form.press()
      await form.settled()
      const number = form.frame.getByLabel('Card number')
      equal(await number.getAttribute('aria-invalid'), 'true')
      match((await number.getAttribute('aria-describedby')) ?? '', /cardNumber-error/)
      equal(await form.frame.locator('#cardNumber-error').getAttribute('aria-live'), 'polite')
      equal(await form.frame.locator('#cardNumber-error').textContent(), 'Enter the card number')
    }))

  test.each([
    ['fresh', {}, false],
    ['with errors', { config: { text: SHOWN } }, true],
    ['with an address', { config: { billingAddressRequired: true, text: SHOWN } }, true],
    ['with the code only', { kind: 'ConnectERecurringPayment', config: { text: SHOWN } }, true],
    ['right to left', { dir: 'rtl', config: { text: SHOWN } }, true],
  ] as const)('no accessibility violations (axe) in the form %s', (_, requested, press) =>
    withForm(requested, async form => {
      if (press) {
        await form.press()
        await form.settled()
      }
      deepEqual(await violationsOn(form.page), [])
    }),
  )

  test('no accessibility violations (axe) in the dark form', () =>
    withForm(
      { head: '<meta name="color-scheme" content="light dark">', config: { text: SHOWN } },
      async form => {
        await form.press()
        await form.settled()
        equal(await form.frame.locator('html').getAttribute('data-scheme'), 'dark')
        // axe cannot see the page behind the frame.
        await form.frame.locator('body').evaluate(node => {
          node.style.background = '#121212'
        })
        deepEqual(await violationsOn(form.page), [])
      },
      { colorScheme: 'dark' },
    ))

  test('a light page keeps a light form when the system is dark', () =>
    withForm({}, async ({ frame }) => equal(await frame.locator('html').getAttribute('data-scheme'), 'light'), {
      colorScheme: 'dark',
    }))

  test('an open form follows a system that switches between light and dark, and keeps its input', () =>
    withForm({ head: '<meta name="color-scheme" content="light dark">' }, async ({ page, frame }) => {
      await frame.locator('#cv2').fill('452')
      for (const colorScheme of ['dark', 'light'] as const) {
        await page.emulateMedia({ colorScheme })
        await frame.locator(`html[data-scheme=${colorScheme}]`).waitFor()
        equal(await frame.locator('html').evaluate(node => getComputedStyle(node).colorScheme), colorScheme)
      }
      equal(await frame.locator('#cv2').inputValue(), '452')
    }))

  test('a light page keeps a light form when the system switches to dark', () =>
    withForm({}, async ({ page, frame }) => {
      await page.emulateMedia({ colorScheme: 'dark' })
      equal(await frame.locator('html').getAttribute('data-scheme'), 'light')
    }))

  test('nothing is cut off at twice the text size', () =>
    withForm(
      { config: { text: SHOWN } },
      async form => {
        await form.press()
        await form.settled()
        await fits(form)
      },
      { viewport: { width: 320, height: 600 }, deviceScaleFactor: 2 },
    ))

  test('with reduced motion nothing is animated', () =>
    withForm(
      {},
      async ({ frame }) => {
        const duration = await frame.locator('#cv2').evaluate(node => getComputedStyle(node).transitionDuration)
        equal(duration, '0s')
      },
      { reducedMotion: 'reduce' },
    ))
})

/** Checks that the frame is as high as its content, without horizontal overflow. */
async function fits(form: OpenedForm): Promise<void> {
  const height = () => form.page.locator('#form iframe').evaluate(node => node.clientHeight)
  const needed = (await form.frame
    .locator('#root')
    .evaluate(node => Math.ceil(node.getBoundingClientRect().height))) as number
  await expect.poll(height).toBe(needed)
  equal(await form.frame.locator('html').evaluate(node => node.scrollWidth > node.clientWidth), false)
}

describe('styles and languages', () => {
  test('the form uses the language of the page, or English if it is unknown', async () => {
    for (const [lang, number, expiry] of [
      ['de', 'Kartennummer', 'Gültig bis'],
      ['fr-CA', 'Numéro de carte', 'Date d’expiration'],
      ['es', 'Número de tarjeta', 'Caducidad'],
      ['it', 'Numero della carta', 'Scadenza'],
      ['nl', 'Kaartnummer', 'Vervaldatum'],
      ['pl', 'Numer karty', 'Data ważności'],
      ['cy', 'Rhif y cerdyn', 'Dyddiad dod i ben'],
      ['xx', 'Card number', 'Expiry date'],
    ] as const)
      await withForm({ lang }, async ({ frame }) => {
        await frame.getByLabel(number, { exact: true }).waitFor()
        await frame.getByLabel(expiry, { exact: true }).waitFor()
      })
  })

  test('the page’s labels and placeholders replace ours, except an empty placeholder', () =>
    withForm(
      {
        config: {
          text: {
            cardNumber: { label: 'Your card', placeholder: '1234 …' },
            expiryDate: { placeholder: '' },
            billingAddress: { city: { label: 'Town' } },
          },
          billingAddressRequired: true,
        },
      },
      async ({ frame }) => {
        equal(await frame.getByLabel('Your card').getAttribute('placeholder'), '1234 …')
        equal(await frame.getByLabel('Expiry date').getAttribute('placeholder'), 'MM / YY')
        await frame.getByLabel('Town').waitFor()
      },
    ))

  test('styles apply to their element and state, later ones win, and dangerous ones are dropped', () =>
    withForm(
      {
        config: {
          text: SHOWN,
          styles: {
            base: {
              default: { color: 'rgb(1, 2, 3)', borderTopWidth: '5px', background: 'url(https://evil.example/x)' },
              error: { color: 'rgb(200, 0, 0)' },
              focus: { 'letter-spacing': '3px' },
              errorFocus: { color: 'rgb(100, 0, 0)' },
              label: { fontSize: '20px', content: '"}"' },
            },
            cv2: { default: { borderTopWidth: '9px' }, container: { width: '40%' } },
            cardIcon: { visibility: 'hidden' },
            form: { paddingTop: '33px', color: 'red; background: blue' },
          },
        },
      },
      async form => {
        const style = (selector: string, property: string) =>
          form.frame.locator(selector).evaluate((node, name) => getComputedStyle(node).getPropertyValue(name), property)
        equal(await style('#cardName', 'color'), 'rgb(1, 2, 3)')
        equal(await style('#cardName', 'border-top-width'), '5px')
        equal(await style('#cv2', 'border-top-width'), '9px')
        equal(await style('#cardName', 'background-image'), 'none')
        equal(await style('.field-cardName .label', 'font-size'), '20px')
        equal(await style('.card-icon', 'visibility'), 'hidden')
        equal(await style('form', 'padding-top'), '33px')
        equal(await style('form', 'background-color'), 'rgba(0, 0, 0, 0)')
        await form.press()
        await form.settled()
        equal(await style('#cv2', 'color'), 'rgb(200, 0, 0)')
        equal(await style('#cardName', 'letter-spacing'), '3px')
        equal(await style('#cardName', 'color'), 'rgb(100, 0, 0)')
      },
    ))

  test('the frame grows with its errors and fits a phone', () =>
    withForm(
      { config: { text: SHOWN } },
      async form => {
        const height = () => form.page.locator('#form iframe').evaluate(node => node.clientHeight)
        const before = (await height()) as number
        await form.press()
        await form.settled()
        await expect.poll(height).toBeGreaterThan(before)
        await fits(form)
      },
      { viewport: { width: 390, height: 844 } },
    ))

  test('countries are named in the language of the form and sent by number', () =>
    withForm({ lang: 'de', config: { billingAddressRequired: true } }, async ({ frame }) => {
      const country = frame.locator('#country')
      await country.selectOption({ label: 'Vereinigtes Königreich' })
      equal(await country.evaluate(node => (node as HTMLSelectElement).selectedOptions[0]?.dataset['number']), '826')
      equal(await country.locator('option').count(), 250)
    }))
})

describe('the page and the frame', () => {
  test('a page with the strictest policy reports no violation', async () => {
    await withForm({ config: { text: SHOWN, styles: { base: { default: { color: 'navy' } } } } }, async form => {
      await form.press()
      await form.settled()
    })
    deepEqual(shop.reports, [])
  })

  test('the frame ignores messages of strangers', () =>
    withForm({}, async form => {
      await form.frame.locator('#cardName').fill('Ann Example')
      const answers = await form.page.evaluate(`new Promise(resolve => {
        const heard = []
        addEventListener('message', event => heard.push(event.data))
        const frame = document.querySelector('#form iframe')
        frame.contentWindow.postMessage({ source: 'tollgate', id: 'another', type: 'validate', ask: 1 }, '*')
        frame.contentWindow.postMessage({ source: 'tollgate', id: 'another', type: 'init', settings: {} }, '*')
        frame.contentWindow.postMessage('nonsense', '*')
        frame.contentWindow.postMessage(null, '*')
        form.validate().catch(() => resolve(heard.filter(data => data.id === 'another')))
      })`)
      deepEqual(answers, [])
      equal(await form.frame.locator('#cardName').inputValue(), 'Ann Example')
    }))

  test('a page without the container gets an error callback, and nothing is thrown', () =>
    withForm({ config: { containerId: 'nowhere' } }, async form => {
      const why = await form.page.evaluate('form.executePayment().catch(why => why)')
      equal(why, 'There is no element with the id "nowhere"')
      deepEqual(
        (await form.told()).map(({ what }) => what),
        ['failed'],
      )
    }))

  test('without a token a payment rejects with 404, and nothing is sent', () =>
    withForm({ token: '' }, async form => {
      const requests: string[] = []
      form.page.on('request', request => requests.push(request.url()))
      await form.press()
      deepEqual(await form.settled(), {
        kind: 'rejected',
        value: { statusCode: 404, message: 'No payment token was given' },
      })
      deepEqual(
        requests.filter(url => url.includes('/api/')),
        [],
      )
    }))

  test('Click to Pay reports that it is not available when its button is used, not when the page opens', () =>
    withForm({ body: '<div id="click"><button type="button">Click to Pay</button></div>' }, async form => {
      await form.page.evaluate(`{
        window.clickErrors = []
        const config = { buttonContainerId: '#click', paymentDetails: {} }
        config.onIframeLoadFailed = error => clickErrors.push(error.message)
        new Connect.ClickToPay(config, errors => clickErrors.push(...errors))
        for (const buttonContainerId of ['#nowhere', '1#', undefined]) new Connect.ClickToPay({ buttonContainerId })
      }`)
      deepEqual(await form.page.evaluate('Promise.resolve().then(() => clickErrors)'), [])
      await pressEnter(form.page.getByRole('button', { name: 'Click to Pay' }))
      deepEqual(await form.page.evaluate('clickErrors'), [
        { errorType: 'clickToPayUnavailable', message: 'Click to Pay is not available; please pay by card' },
      ])
    }))

  test('the page is notified of each valid field, of the complete form, and of every field that loses focus', () =>
    withForm({}, async form => {
      await form.fill({ number: '4111111111111111', cv2: '123' })
      await form.page.locator('#pay-button').focus()
      await form.page.waitForFunction("told.some(({ what }) => what === 'blur' && told.at(-1).value === true)")
      const told = await form.told()
      deepEqual(
        told.filter(({ what }) => what === 'valid').map(({ value }) => value),
        ['cardName', 'cardNumber', 'expiryDate', 'cv2'],
      )
      equal(told.filter(({ what }) => what === 'complete').length, 1)
      equal(told.filter(({ what }) => what === 'blur').length, 4)
      deepEqual(
        told.filter(({ what }) => what === 'errors'),
        [],
      )
    }))

  test('the alternative names of the forms work', () =>
    withForm({}, async form => {
      equal(
        await form.page.evaluate(
          'Dojo.Payment === Connect.ConnectE && Dojo.RecurringPayment === Connect.ConnectERecurringPayment && Dojo.WalletPayment === Connect.Wallet',
        ),
        true,
      )
    }))
})

// web/checkout/checkout.ts — pay button and dialogue for a merchant's HTML form, which is then posted with the outcome
// (docs/hosted-form.md).
import { openForm } from '../client/form.ts'
import type { FormError, Outcome } from '../protocol.ts'
import { type Contact, contactFields } from './contact-fields.ts'
import { dialogueStyle } from './dialogue-style.ts'
import { type CheckoutTexts, checkoutTexts } from './texts.ts'

interface CheckoutOptions {
  readonly token: string
  readonly amount: string
  readonly currency: string
  readonly buttonText: string
  readonly submitText: string
  readonly description: string
  readonly address: boolean
  readonly email: boolean
  readonly phone: boolean
  readonly locale: string
  readonly texts: CheckoutTexts
}

const BUTTON_CLASS = 'connect-checkout-btn'
/** Script elements that have their button. */
const done = new WeakSet<Element>()

const running = document.currentScript
if (running instanceof HTMLScriptElement && running.classList.contains(BUTTON_CLASS)) prepare(running)
// A page can hold this script in several forms, and a browser may run it before the whole page is parsed.
addEventListener('DOMContentLoaded', prepareAll)
if (document.readyState !== 'loading') prepareAll()

function prepareAll(): void {
  for (const script of document.querySelectorAll<HTMLScriptElement>(`script.${BUTTON_CLASS}`)) prepare(script)
}

/** Inserts the button at the script element. */
function prepare(script: HTMLScriptElement): void {
  if (done.has(script)) return
  done.add(script)
  const requested = optionsOf(script)
  const button = document.createElement('button')
  button.type = 'button'
  button.className = 'connect-btn'
  button.textContent = requested.buttonText
  button.addEventListener('click', () => openDialogue(requested, button))
  script.after(button)
}

function optionsOf({ dataset, parentElement }: HTMLScriptElement): CheckoutOptions {
  const locale = parentElement?.closest('[lang]')?.getAttribute('lang') ?? 'en'
  const texts = checkoutTexts(locale)
  const isSet = (value: string | undefined) => value !== undefined && value !== 'false'
  return {
    token: dataset['accessToken'] ?? '',
    amount: dataset['amount'] ?? '',
    currency: dataset['currencyCode'] ?? '',
    buttonText: dataset['buttonText'] || texts.payNow,
    submitText: dataset['submitButtonText'] || texts.pay,
    description: dataset['description'] || texts.pay,
    address: isSet(dataset['displayAddress']),
    email: isSet(dataset['displayEmail']),
    phone: isSet(dataset['displayPhoneNumber']),
    ...{ locale, texts },
  }
}

/** Opens the dialogue. Closing it sends nothing and leaves the token unused. */
function openDialogue(requested: CheckoutOptions, button: HTMLButtonElement): void {
  const { texts } = requested
  dialogueStyle()
  const dialogue = made('dialog', 'connect-dialogue')
  const container = made('div', 'connect-container')
  const close = made('button', 'connect-close', '×')
  close.type = 'button'
  close.id = 'connectClose'
  close.setAttribute('aria-label', texts.close)
  const heading = made('h2', 'connect-heading', requested.description)
  heading.id = 'connectHeading'
  dialogue.setAttribute('aria-labelledby', heading.id)
  const price = priceOf(requested)
  const form = made('form', 'connect-form')
  form.noValidate = true
  const holder = made('div', 'connect-card')
  holder.id = `connectCard${Math.floor(performance.now())}`
  const errors = made('ul', 'connect-errors')
  const alert = made('div', '')
  alert.setAttribute('role', 'alert')
  alert.append(errors)
  const submit = made(
    'button',
    'connect-submit',
    price === '' ? requested.submitText : `${requested.submitText} ${price}`,
  )
  submit.type = 'submit'
  const contact = contactFields(requested)
  form.append(...contact.elements, holder, alert, submit)
  container.append(close, heading, form)
  dialogue.append(container)
  document.body.append(dialogue)

  const show = (list: readonly FormError[]) =>
    errors.replaceChildren(...list.map(({ message }) => made('li', '', message)))
  const field = { showValidation: true }
  const card = openForm(
    'card',
    {
      containerId: holder.id,
      paymentDetails: { paymentToken: requested.token },
      styles: { base: {} },
      text: { cardName: field, cardNumber: field, expiryDate: field, cv2: field },
      onIframeLoadFailed: () => show([{ errorType: 'formUnavailable', message: texts.unavailable }]),
    },
    { errors: () => {}, submitted: () => void pay() },
  )

  let paying = false
  async function pay(): Promise<void> {
    const missing = contact.faults()
    // Show missing fields and card errors at once, so that the shopper corrects them in one go.
    if (missing.length > 0 || paying) {
      show(missing)
      void card.validate()
      return
    }
    paying = true
    submit.disabled = true
    show([])
    try {
      const outcome = await card.executePayment(contact.info())
      postBack(button, requested, contact, outcome)
    } catch (why) {
      failed(why)
    }
    paying = false
    submit.disabled = false
  }

  function failed(why: unknown): void {
    // The frame shows its own errors beside their fields, and the gateway may refuse a field of the dialogue.
    if (Array.isArray(why)) {
      show((why as FormError[]).filter(({ errorType }) => !CARD_ERROR.test(errorType)))
      return
    }
    const { statusCode = 500, message = texts.unavailable } = Object(why) as Partial<Outcome>
    // A shopper who may have paid returns to the shop, which asks the gateway for the outcome.
    if (statusCode === 500) postBack(button, requested, contact, { statusCode, authCode: '', message, reason: '' })
    else show([{ errorType: String(statusCode), message: statusCode === 401 ? texts.expired : texts.unusable }])
  }

  form.addEventListener('submit', event => {
    event.preventDefault()
    void pay()
  })
  close.addEventListener('click', () => dialogue.close())
  dialogue.addEventListener('cancel', event => {
    // Escape must not hide a payment in progress.
    if (paying) event.preventDefault()
  })
  dialogue.addEventListener('close', () => {
    dialogue.remove()
    button.focus()
  })
  dialogue.showModal()
}

/** Adds the outcome to the merchant's form and submits it. */
function postBack(button: HTMLButtonElement, { token }: CheckoutOptions, contact: Contact, outcome: Outcome): void {
  const form = button.closest('form')
  if (form === null) return
  const fields: Readonly<Record<string, string>> = {
    connectStatusCode: String(outcome.statusCode),
    connectAuthCode: outcome.authCode,
    connectMessage: outcome.message,
    connectPaymentToken: token,
    ...contact.postBack(),
  }
  for (const [name, value] of Object.entries(fields)) {
    const input = document.createElement('input')
    input.type = 'hidden'
    input.name = name
    input.value = value
    form.append(input)
  }
  // `form.submit` may be shadowed by a field named `submit`. This call also skips the page's validation.
  HTMLFormElement.prototype.submit.call(form)
}

/** Errors of the card fields. */
const CARD_ERROR = /^(?:card|expiry|cv2)/

/** For display only: the token decides the amount charged. */
function priceOf({ amount, currency, locale }: CheckoutOptions): string {
  const code = CURRENCIES[currency.padStart(3, '0')]
  if (!/^\d+$/.test(amount) || code === undefined) return ''
  const format = new Intl.NumberFormat(locale, { style: 'currency', currency: code })
  const digits = format.resolvedOptions().maximumFractionDigits ?? 2
  return format.format(Number(amount) / 10 ** digits)
}

/** ISO 4217 numeric codes of common currencies. For others the button shows no price. */
const CURRENCIES: Readonly<Record<string, string>> = {
  '036': 'AUD',
  '124': 'CAD',
  '203': 'CZK',
  '208': 'DKK',
  '348': 'HUF',
  '392': 'JPY',
  '578': 'NOK',
  '752': 'SEK',
  '756': 'CHF',
  '826': 'GBP',
  '840': 'USD',
  '978': 'EUR',
  '985': 'PLN',
}

function made<Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  className: string,
  text = '',
): HTMLElementTagNameMap[Name] {
  const element = document.createElement(name)
  if (className !== '') element.className = className
  element.textContent = text
  return element
}

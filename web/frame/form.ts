// web/frame/form.ts — the form: its fields, errors and submitted data.
import type { FormError, FormSettings } from '../protocol.ts'
import { kindOf } from './card-number.ts'
import { digitsOf } from './digits.ts'
import { expiryOf, written } from './expiry-date.ts'
import { element, type FieldView, fieldView } from './field-view.ts'
import { ADDRESS_FIELDS, type AnyFieldName, CARD_FIELDS, CV2_FIELD, type FieldSpec } from './fields.ts'
import type { TextName, Texts } from './texts.ts'

export interface FormEvents {
  readonly errors: (errors: readonly FormError[]) => void
  readonly blurred: (valid: boolean) => void
  readonly fieldValid: (name: AnyFieldName) => void
  readonly complete: () => void
  readonly submitted: () => void
}

export interface CardForm {
  readonly root: HTMLFormElement
  /** Marks every field as touched and shows its error. Returns the errors in the order of the form. */
  validate(): readonly FormError[]
  /** Body of the payment request. */
  body(): Readonly<Record<string, unknown>>
  /** Focuses the first invalid field, or the first field. */
  focusFault(): void
  /** Shows a sentence above the fields; an empty one removes it. */
  say(sentence: string): void
  /** Disables the fields during a payment. */
  lock(locked: boolean): void
  /** Clears the security code, which is for one payment only. */
  clearCode(): void
}

export interface FormParts {
  readonly kind: 'card' | 'recurring'
  readonly settings: FormSettings
  readonly texts: Texts
  readonly language: string
  readonly events: FormEvents
}

/** Builds the form. */
export function cardForm({ kind, settings, texts, language, events }: FormParts): CardForm {
  const root = element('form', `form ${kind}`)
  root.noValidate = true
  root.autocomplete = 'on'
  root.setAttribute('aria-label', texts.formTitle)
  const notice = element('p', 'notice')
  notice.setAttribute('role', 'status')
  const touched = new Set<AnyFieldName>()
  const valid = new Set<AnyFieldName>()
  let lastTold = '[]'
  let complete = false

  const view = (spec: FieldSpec): FieldView =>
    fieldView({
      spec,
      text: (spec.autocomplete.startsWith('billing') ? settings.addressText : settings.text)[spec.name] ?? {},
      texts,
      language,
      changed: () => changed(spec.name),
      left() {
        // Leaving an empty field does not mark it as touched.
        if (fieldNamed(spec.name)?.value() !== '') touched.add(spec.name)
        look()
        events.blurred(faults().length === 0)
      },
    })

  const cards = (kind === 'card' ? CARD_FIELDS : settings.hideCv2 ? [] : CV2_FIELD).map(view)
  const address = kind === 'card' && settings.billingAddressRequired ? ADDRESS_FIELDS.map(view) : []
  const fields = [...cards, ...address]
  const fieldNamed = (name: AnyFieldName) => fields.find(({ spec }) => spec.name === name)
  const textIn = (name: AnyFieldName) => fieldNamed(name)?.value() ?? ''

  const check = ({ spec, value }: FieldView): TextName | null =>
    spec.check(value(), { today: new Date(), cardNumber: digitsOf(textIn('cardNumber')) })
  const messageOf = (error: TextName): string => settings.errorMessages[error] || texts[error]
  const faults = (): readonly { readonly field: FieldView; readonly error: TextName }[] =>
    fields.flatMap(field => {
      const error = check(field)
      return error === null ? [] : [{ field, error }]
    })

  /** Updates every field, and notifies the page of changes. */
  function look(): void {
    const wrong = faults()
    for (const field of fields) {
      const { name } = field.spec
      const error = wrong.find(each => each.field === field)?.error ?? null
      const silent = error !== null && !touched.has(name)
      field.show(silent || (error === null && field.value() === '') ? undefined : error && messageOf(error))
      if (error === null && !valid.has(name) && field.value() !== '') events.fieldValid(name)
      if (error === null) valid.add(name)
      else valid.delete(name)
    }
    const told = wrong
      .filter(({ field }) => touched.has(field.spec.name))
      .map(({ error }) => ({ errorType: error, message: messageOf(error) }))
    const text = JSON.stringify(told)
    if (text !== lastTold) events.errors(told)
    lastTold = text
    if (wrong.length === 0 && !complete && fields.length > 0) events.complete()
    complete = wrong.length === 0
  }

  function changed(name: AnyFieldName): void {
    if (name === 'cardNumber') showScheme()
    // A corrected error disappears at once; a new one appears when the shopper leaves the field.
    look()
  }

  function showScheme(): void {
    const number = fieldNamed('cardNumber')
    const { scheme, codeDigits } = kindOf(digitsOf(textIn('cardNumber')))
    const icon = number?.root.querySelector<HTMLElement>('.card-icon')
    if (icon) icon.dataset['scheme'] = scheme ?? ''
    number?.hint(scheme ?? '')
    fieldNamed('cv2')?.hint(codeDigits === 4 ? texts.cv2Front : texts.cv2Back)
  }

  root.append(notice, ...cards.map(({ root }) => root))
  if (address.length > 0) root.append(group(texts.billingAddress, address))
  root.append(submitButton(texts))
  root.addEventListener('submit', event => {
    event.preventDefault()
    events.submitted()
  })
  showScheme()
  look()

  return {
    root,
    validate() {
      for (const { spec } of fields) touched.add(spec.name)
      // Notify even without a change: the page has requested validation.
      lastTold = ''
      look()
      return faults().map(({ error }) => ({ errorType: error, message: messageOf(error) }))
    },
    body: () => bodyOf(kind, textIn, address),
    focusFault: () => (faults()[0]?.field ?? fields[0])?.input.focus(),
    say(sentence) {
      notice.textContent = sentence
    },
    lock(locked) {
      root.setAttribute('aria-busy', String(locked))
      for (const { input } of fields) {
        if (input instanceof HTMLInputElement) input.readOnly = locked
        else input.classList.toggle('locked', locked)
      }
    },
    clearCode() {
      const cv2 = fieldNamed('cv2')
      if (cv2 === undefined) return
      cv2.input.value = ''
      touched.delete('cv2')
      look()
    },
  }
}

function bodyOf(
  kind: 'card' | 'recurring',
  textIn: (name: AnyFieldName) => string,
  address: readonly FieldView[],
): Readonly<Record<string, unknown>> {
  const cV2 = textIn('cv2')
  if (kind === 'recurring') return cV2 === '' ? {} : { cV2 }
  const expiry = expiryOf(textIn('expiryDate'), new Date().getFullYear())
  return {
    cardName: textIn('cardName').trim(),
    cardNumber: digitsOf(textIn('cardNumber')),
    expiryDate: expiry === null ? '' : written(expiry),
    cV2,
    ...(address.length === 0 ? {} : { billingAddress: addressOf(textIn, address) }),
  }
}

function addressOf(textIn: (name: AnyFieldName) => string, fields: readonly FieldView[]): Record<string, string> {
  const country = fields.find(({ spec }) => spec.name === 'country')?.input
  const number = country instanceof HTMLSelectElement ? country.selectedOptions[0]?.dataset['number'] : undefined
  return {
    address1: textIn('addressLine1').trim(),
    address2: textIn('addressLine2').trim(),
    address3: textIn('addressLine3').trim(),
    address4: '',
    city: textIn('city').trim(),
    state: textIn('county').trim(),
    postcode: textIn('postcode').trim(),
    countryCode: number ?? '',
  }
}

function group(title: string, fields: readonly FieldView[]): HTMLElement {
  const set = element('fieldset', 'address')
  const legend = element('legend', 'legend')
  legend.textContent = title
  set.append(legend, ...fields.map(({ root }) => root))
  return set
}

/** Invisible. It makes Enter submit from every field; the visible pay button is on the merchant's page. */
function submitButton({ formTitle }: Texts): HTMLElement {
  const button = element('button', 'unseen')
  button.type = 'submit'
  button.tabIndex = -1
  button.setAttribute('aria-hidden', 'true')
  button.textContent = formTitle
  return button
}

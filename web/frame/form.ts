// web/frame/form.ts — the form: its fields, errors and submitted data.
import type { FormError, FormSettings } from '../protocol.ts'
import { cardBody, savedCardBody } from './card-body.ts'
import { kindOf } from './card-number.ts'
import { digitsOf } from './digits.ts'
import { ERROR_TEXTS, type ErrorName, type RefusedField } from './errors.ts'
import type { AnyFieldName } from './field-names.ts'
import { element, type FieldView, fieldView } from './field-view.ts'
import { ADDRESS_FIELDS, CARD_FIELDS, CV2_FIELD, type FieldSpec } from './fields.ts'
import type { Texts } from './texts.ts'

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
  /** Shows that the gateway refused a field, until the shopper changes something. Returns the error. */
  refuse(refused: RefusedField): FormError
  /** Body of the payment request. */
  body(): Readonly<Record<string, unknown>>
  /** Focuses the first invalid field, or the first field. */
  focusFault(): void
  /** Shows a sentence above the fields; an empty one removes it. */
  showNotice(sentence: string): void
  /** Disables the fields. */
  lock(locked: boolean): void
  /** Disables the fields during a payment, and shows that it runs. */
  wait(waiting: boolean): void
  /** Prepares for another payment: clears the security code, which is for one only, and a refusal of the last. */
  renew(): void
}

export interface FormParts {
  readonly kind: 'card' | 'recurring'
  readonly settings: FormSettings
  readonly texts: Texts
  readonly language: string
  /** The gateway’s time, epoch milliseconds. */
  readonly now: () => number
  readonly events: FormEvents
}

/** Builds the form. */
export function cardForm({ kind, settings, texts, language, now, events }: FormParts): CardForm {
  const root = element('form', `form ${kind}`)
  root.noValidate = true
  root.autocomplete = 'on'
  root.setAttribute('aria-label', texts.formTitle)
  const notice = element('p', 'notice')
  notice.setAttribute('role', 'status')
  const paying = element('div', 'paying')
  paying.setAttribute('role', 'status')
  const touched = new Set<AnyFieldName>()
  const valid = new Set<AnyFieldName>()
  let lastReported = '[]'
  let complete = false
  let refused: RefusedField | null = null

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

  const check = ({ spec, value }: FieldView): ErrorName | null =>
    spec.check(value(), { now: now(), cardNumber: digitsOf(textIn('cardNumber')) }) ??
    (refused?.field === spec.name ? refused.error : null)
  const errorOf = (error: ErrorName): FormError => ({
    errorType: error,
    message: settings.errorMessages[error] || texts[ERROR_TEXTS[error]],
  })
  const faults = (): readonly { readonly field: FieldView; readonly error: ErrorName }[] =>
    fields.flatMap(field => {
      const error = check(field)
      return error === null ? [] : [{ field, error }]
    })

  /** A refused field that the page has, not the form. */
  const refusedElsewhere = (): RefusedField | null =>
    fields.some(({ spec }) => spec.name === refused?.field) ? null : refused

  /** Updates every field, and notifies the page of changes. */
  function look(): void {
    const wrong = faults()
    for (const field of fields) {
      const { name } = field.spec
      const error = wrong.find(each => each.field === field)?.error ?? null
      const silent = error !== null && !touched.has(name)
      field.show(silent || (error === null && field.value() === '') ? undefined : error && errorOf(error).message)
      if (error === null && !valid.has(name) && field.value() !== '') events.fieldValid(name)
      if (error === null) valid.add(name)
      else valid.delete(name)
    }
    const list = wrong.filter(({ field }) => touched.has(field.spec.name)).map(({ error }) => errorOf(error))
    const elsewhere = refusedElsewhere()
    if (elsewhere !== null) list.push(errorOf(elsewhere.error))
    const text = JSON.stringify(list)
    if (text !== lastReported) events.errors(list)
    lastReported = text
    if (wrong.length === 0 && !complete && fields.length > 0) events.complete()
    complete = wrong.length === 0
  }

  function changed(name: AnyFieldName): void {
    refused = null
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
  root.append(submitButton(texts), paying)
  root.addEventListener('submit', event => {
    event.preventDefault()
    events.submitted()
  })
  showScheme()
  look()

  function lock(locked: boolean): void {
    root.setAttribute('aria-busy', String(locked))
    for (const { input } of fields) {
      if (input instanceof HTMLInputElement) input.readOnly = locked
      else input.classList.toggle('locked', locked)
    }
  }

  return {
    root,
    validate() {
      for (const { spec } of fields) touched.add(spec.name)
      // The page may have corrected its own field since.
      if (refusedElsewhere() !== null) refused = null
      // Notify even without a change: the page has requested validation.
      lastReported = ''
      look()
      return faults().map(({ error }) => errorOf(error))
    },
    refuse(field) {
      refused = field
      if (field.field !== null) touched.add(field.field)
      lastReported = ''
      look()
      return errorOf(field.error)
    },
    body: () => (kind === 'recurring' ? savedCardBody(textIn) : cardBody(textIn, countryIn(address))),
    focusFault: () => (faults()[0]?.field ?? fields[0])?.input.focus(),
    showNotice(sentence) {
      notice.textContent = sentence
    },
    lock,
    wait(waiting) {
      lock(waiting)
      const sentence = element('span', '')
      sentence.textContent = texts.paying
      paying.replaceChildren(...(waiting ? [sentence] : []))
    },
    renew() {
      refused = null
      const cv2 = fieldNamed('cv2')
      if (cv2 === undefined) return
      cv2.input.value = ''
      touched.delete('cv2')
      look()
    },
  }
}

/** Number of the chosen country; null without an address. */
function countryIn(address: readonly FieldView[]): string | null {
  const input = address.find(({ spec }) => spec.name === 'country')?.input
  return input instanceof HTMLSelectElement ? (input.selectedOptions[0]?.dataset['number'] ?? '') : null
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
